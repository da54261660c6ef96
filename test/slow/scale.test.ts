/** The page about large sites: each recipe publishes a Source in parts, as far as a CI and a host can be had here. */

import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { audit } from '../../src/audit/index.js';
import { resolveConfig } from '../../src/config/resolve.js';
import { mirror } from '../../src/mirror/index.js';
import { readBlocks, readPage } from '../support/documentation.js';
import { readSource } from '../support/documents.js';
import { BEGIN, cloneOf, commitFiles, git, makeRepository } from '../support/git.js';
import { resolve, runStep, type Step, startJob } from '../support/runner.js';
import { some } from '../support/seed.js';
import { serve } from '../support/server.js';
import { CLI, makeFolder, makeSite, readTree, runProgram } from '../support/site.js';
import { lintWorkflow } from '../tools/actionlint.js';

const PAGE = 'docs/scale.md';
const SITE = 'https://example.org/';
const PARTS = ['north', 'south', 'east', 'west'];

const scripts = Object.fromEntries(
  readBlocks(PAGE, 'sh').map((code) => [/^# (\S+)$/m.exec(code)?.[1] ?? '', code]),
);
const [example = '', _projectConfig = '', userPage = '', partConfig = '', joinConfig = ''] = readBlocks(
  PAGE,
  'json',
);
const [_projectStep = '', github = ''] = readBlocks(PAGE, 'yaml');

test('the page has these recipes', () => {
  expect(Object.keys(scripts)).toEqual(['part.sh', 'join.sh', 'upload.sh']);
  for (const config of [example, userPage, joinConfig])
    expect(resolveConfig(JSON.parse(config)).joined.length).toBeGreaterThan(0);
  expect(resolveConfig(JSON.parse(joinConfig)).joined.map(({ name }) => name)).toEqual(PARTS);
});

test('the workflow has no mistakes', async () => {
  expect(await lintWorkflow(github, '.github/workflows/publish.yml')).toEqual([]);
});

// The recipes ask for a shell.
describe.runIf(process.platform !== 'win32')('a site in parts', () => {
  test.each(Object.entries(scripts))('%s is a script', async (_, code) => {
    const file = join(makeSite({ 'script.sh': code }), 'script.sh');
    expect(await runProgram('sh', ['-n', file])).toMatchObject({ status: 0, stderr: '' });
  });

  /** Runs all jobs of a recipe, in an order that it allows, each in a checkout of its own. */
  type Recipe = (
    runJob: (commands: readonly string[], env?: Record<string, string>) => Promise<void>,
  ) => Promise<void>;

  const line = /^ {4}(printf .*part\.sh.*)$/m.exec(readPage(PAGE))?.[1] ?? '';

  const recipes: Readonly<Record<string, Recipe>> = {
    'GitHub Actions': async (runJob) => {
      const { jobs } = parse(github);
      expect(jobs.join.needs).toBe('part');
      const commandsOf = ({ steps }: { steps: Step[] }) => steps.filter(({ run }) => run !== undefined);
      const run = async (job: { steps: Step[] }, part: string) => {
        const steps = commandsOf(job);
        const env = Object.assign({}, ...steps.map((step) => step.env ?? {}));
        const given = Object.entries(env).map(([name, value]) => [
          name,
          resolve(String(value), { 'matrix.part': part }),
        ]);
        await runJob(
          steps.map((step) => step.run ?? ''),
          Object.fromEntries(given),
        );
      };
      for (const part of jobs.part.strategy.matrix.part) await run(jobs.part, part);
      await run(jobs.join, '');
    },
    'any queue': async (runJob) => runJob(['npm ci', line]),
  };

  test.each(some(Object.entries(recipes), 4))('with %s is one Source', async (_, recipe) => {
    const served = makeFolder();
    const url = await serve(served);
    const origin = makeProject(url);
    const clone = cloneOf(origin);
    const publish = async (seconds: number) => {
      await recipe(async (commands, env = {}) => {
        const workspace = cloneOf(origin, '--depth=1');
        const job = startJob(workspace, { SOURCE_DATE_EPOCH: `${BEGIN + seconds}`, SERVED: served, ...env });
        for (const run of commands) {
          if (run === 'npm ci') {
            install(workspace);
            continue;
          }
          const outcome = await runStep(job, { run }, {});
          expect(outcome, outcome.stdout + outcome.stderr).toMatchObject({ status: 0 });
        }
      });
    };
    await publish(1000);
    const before = readTree(served);
    expect(readSource(served, url).sets.map(({ resources }) => resources.map(({ uri }) => uri))).toEqual(
      PARTS.map((part) => [`${url}${part}/`]),
    );
    expect(await audit({ source: url })).toMatchObject({ errors: 0, warnings: 0, resources: { checked: 4 } });
    const copy = makeFolder();
    expect(await mirror({ source: url, folder: copy })).toMatchObject({ inSync: true, created: 4 });

    commitFiles(clone, 2000, { 'content/east/index.html': 'two', 'content/east/new.html': 'two' });
    git(clone, ['push', '--quiet', origin, 'main']);
    await publish(3000);
    const changed = Object.entries(readTree(served)).filter(([path, text]) => before[path] !== text);
    expect([...new Set(changed.map(([path]) => path.split('/')[0]))]).toEqual(['east']);
    const changes = readSource(served, url).sets.map((set) => set.changes?.map(({ uri }) => uri));
    expect(changes).toEqual([[], [], [`${url}east/`, `${url}east/new.html`], []]);
    expect(await mirror({ source: url, folder: copy })).toMatchObject({
      inSync: true,
      created: 1,
      updated: 1,
      deleted: 0,
    });
  });
});

/** A server's repository with the scripts of the page, but for the upload, which needs an account. */
function makeProject(url: string): string {
  const here = (text: string) => text.replaceAll(SITE, url);
  const build = 'mkdir -p "dist/$0" && cp -R "content/$0/." "dist/$0"';
  const project = { name: 'site', private: true, scripts: { build: `sh -c '${build}'` } };
  const origin = makeRepository('--bare');
  const clone = makeSite(
    {
      'part.sh': here(scripts['part.sh'] ?? ''),
      'join.sh': here(scripts['join.sh'] ?? ''),
      'upload.sh': '#!/bin/sh\nset -e\nmkdir -p "$SERVED/$2"\ncp -R "$1/." "$SERVED/$2"\n',
    },
    cloneOf(origin),
  );
  for (const name of ['part.sh', 'join.sh', 'upload.sh']) chmodSync(join(clone, name), 0o755);
  commitFiles(clone, 0, {
    'package.json': JSON.stringify(project),
    '.gitignore': 'dist/\njoin/\nnode_modules/\n',
    'part.config.json': here(partConfig),
    'join.config.json': here(joinConfig),
    ...Object.fromEntries(PARTS.map((part) => [`content/${part}/index.html`, `${part} one`])),
  });
  git(clone, ['push', '--quiet', origin, 'main']);
  return origin;
}

/** As npm does where the package is a dependency. */
function install(workspace: string): void {
  const programs = join(workspace, 'node_modules/.bin');
  mkdirSync(programs, { recursive: true });
  rmSync(join(programs, 'resync-static'), { force: true });
  symlinkSync(CLI, join(programs, 'resync-static'));
  chmodSync(CLI, 0o755);
}
