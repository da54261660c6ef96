/** The pages about hosts: each workflow is checked, and run as far as a host can be had here. */

import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSource } from '../support/documents.js';
import { BEGIN, cloneOf, commitFiles, git, gitText, makeRepository, readCommit } from '../support/git.js';
import { type Job, resolve, runAction, runStep, type Step, startJob } from '../support/runner.js';
import { makeFolder, makeSite, readTree } from '../support/site.js';
import { lintWorkflow } from '../tools/actionlint.js';

const PAGES = ['github-pages.md', 'netlify.md', 'cloudflare-pages.md'];
const URL_OF_SITE = 'https://example.org/';

/** The code of a kind on a page. */
function readCode(page: string, kind: string): string[] {
  const text = readFileSync(fileURLToPath(new URL(`../../docs/${page}`, import.meta.url)), 'utf8');
  return Array.from(text.matchAll(/^```(\w+)\n(.*?)^```$/gms))
    .filter(([, language]) => language === kind)
    .map(([, , code = '']) => code);
}

const workflows = PAGES.flatMap((page) => readCode(page, 'yaml').map((text) => ({ page, text })));

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: { readonly deploy: { readonly steps: readonly Step[] } };
}

/** A project with a build, and a server's repository that holds it. */
function makeProject(content: Readonly<Record<string, string>>): string {
  const project = { name: 'site', private: true, scripts: { build: 'cp -R content dist' } };
  const origin = makeRepository('--bare');
  const first = cloneOf(origin);
  makeSite({ 'package.json': JSON.stringify(project) }, first);
  change(origin, first, 0, { '.gitignore': 'dist/\nnode_modules/\n', ...content });
  return origin;
}

function change(
  origin: string,
  clone: string,
  seconds: number,
  files: Readonly<Record<string, string>>,
): void {
  commitFiles(clone, seconds, files);
  git(clone, ['push', '--quiet', origin, 'main']);
}

/** The folder that a host serves after a workflow has run. */
async function deploy(origin: string, { jobs, permissions }: Workflow, seconds: number): Promise<string> {
  const served = makeFolder();
  const artifact = makeFolder();
  const context: Record<string, string> = {};
  let job: Job | undefined;
  for (const step of jobs.deploy.steps) {
    const [action = ''] = step.uses?.split('@') ?? [];
    if (action === 'actions/checkout') {
      job = startJob(cloneOf(origin, '--depth=1'), {
        SOURCE_DATE_EPOCH: `${BEGIN + seconds}`,
        GIT_COMMITTER_DATE: `${BEGIN + seconds} +0000`,
      });
      continue;
    }
    if (job === undefined) throw new Error('no checkout before the other steps');
    const inputs = Object.entries(step.with ?? {}).map(([name, value]) => [
      name,
      resolve(String(value), context),
    ]);
    const given = Object.fromEntries(inputs);
    const [, uploaded] =
      /^npx --yes (?:netlify-cli deploy .*--dir=|wrangler pages deploy )(\S+)/.exec(step.run ?? '') ?? [];
    if (uploaded !== undefined) {
      // Needs an account with the host, whose secrets these are.
      expect(Object.values(step.env ?? {})).toEqual([
        expect.stringMatching(/secrets/),
        expect.stringMatching(/secrets/),
      ]);
      cpSync(join(job.workspace, uploaded), served, { recursive: true });
    } else if (action === './.github/actions/resync-static') {
      const outcome = await runAction(job, given);
      expect(outcome, outcome.stdout + outcome.stderr).toMatchObject({ status: 0 });
      if (given.command === 'push') expect(permissions['contents']).toBe('write');
    } else if (action === 'actions/upload-pages-artifact') {
      const hidden = given['include-hidden-files'] === 'true';
      const source = join(job.workspace, given.path);
      for (const name of readdirSync(source)) {
        if (hidden || !name.startsWith('.'))
          cpSync(join(source, name), join(artifact, name), { recursive: true });
      }
    } else if (action === 'actions/deploy-pages') {
      expect(permissions).toMatchObject({ pages: 'write', 'id-token': 'write' });
      cpSync(artifact, served, { recursive: true });
    } else if (step.run === undefined) {
      expect(action).toBe('actions/setup-node');
    } else {
      // The project has no dependencies.
      const run = step.run.replace(/^npm ci && /, '');
      const outcome = await runStep(job, { ...step, run }, context);
      expect(outcome, outcome.stdout + outcome.stderr).toMatchObject({ status: 0 });
      for (const [name, value] of Object.entries(outcome.outputs))
        context[`steps.${step.id}.outputs.${name}`] = value;
    }
  }
  const branch = gitText(origin, 'for-each-ref', '--format=%(objectname)', 'refs/heads/gh-pages');
  if (branch !== '') {
    const files = Object.entries(readCommit(origin, branch)).map(([path, text]) => [
      path,
      Buffer.from(text, 'latin1'),
    ]);
    makeSite(Object.fromEntries(files), served);
  }
  return served;
}

/** Checks the documents of a site against its files. Returns its changes. */
function check(site: string, url = URL_OF_SITE): string[] {
  const [set] = readSource(site, url).sets;
  for (const { uri, md } of set?.resources ?? []) {
    const path = decodeURIComponent(uri.slice(url.length));
    const file = [path, `${path}.html`, `${path}index.html`].find((name) => name in readTree(site)) ?? path;
    const digest = createHash('md5')
      .update(readFileSync(join(site, file)))
      .digest('hex');
    expect(md['hash'], path).toContain(`md5:${digest}`);
  }
  return (set?.changes ?? []).map(({ uri, md }) => `${md['datetime']} ${md['change']} ${uri}`);
}

const page = (text: string) => `<!doctype html><title>${text}</title><p>${text}`;

test('there are workflows', () => expect(workflows).toHaveLength(4));

test.each(workflows)('$page has a workflow without mistakes', async ({ page: name, text }) => {
  expect(await lintWorkflow(text, `.github/workflows/${name}.yml`)).toEqual([]);
});

// The workflows ask for Ubuntu.
describe.runIf(process.platform !== 'win32')('a host', () => {
  test.each(workflows)(
    'of $page serves what its workflow describes, deploy after deploy',
    async ({ text }) => {
      const workflow: Workflow = parse(text);
      const origin = makeProject({
        'content/index.html': page('one'),
        'content/about.html': page('one'),
        'content/.well-known/security.txt': 'Contact: mailto:me@example.org\n',
      });
      const clone = cloneOf(origin);
      expect(check(await deploy(origin, workflow, 1000))).toEqual([]);

      change(origin, clone, 2000, { 'content/about.html': page('two'), 'content/new.html': page('two') });
      const site = await deploy(origin, workflow, 3000);
      const changes = [
        '2023-11-14T23:03:20Z updated https://example.org/about',
        '2023-11-14T23:03:20Z created https://example.org/new',
      ];
      expect(check(site)).toEqual(changes);
      expect(Object.keys(readTree(site))).toContain('.well-known/security.txt');

      // The pending state has been deployed, and is permanent now.
      change(origin, clone, 4000, { 'content/new.html': page('three') });
      expect(check(await deploy(origin, workflow, 5000))).toEqual([
        ...changes,
        '2023-11-14T23:36:40Z updated https://example.org/new',
      ]);
    },
  );
});
