/** The GitHub Action, its steps run as the runner runs them, in clones of a bare repository. */

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSource } from '../support/documents.js';
import { cloneOf, commitFiles, git, gitText, makeRepository, readCommit } from '../support/git.js';
import { startHost } from '../support/host.js';
import { ACTION, type Job, runAction, runStep, startBuild, startJob } from '../support/runner.js';
import { some } from '../support/seed.js';
import { makeFolder, makeSite, readTree } from '../support/site.js';
import { startTaker } from '../support/websub.js';

const URL_OF_SITE = 'https://example.org/';
const REF = 'refs/resync-static/dist';
const done = { status: 0 };

/** A server's repository with one commit. */
function makeOrigin(): string {
  const origin = makeRepository('--bare');
  const first = cloneOf(origin);
  commitFiles(first, 0, { 'readme.md': 'one', '.gitignore': 'dist/\n' });
  git(first, ['push', '--quiet', 'origin', 'main']);
  return origin;
}

const describeAndRecord = (job: Job, more = {}) =>
  runAction(job, { site: 'dist', url: URL_OF_SITE, record: true, ...more });
const push = (job: Job) => runAction(job, { command: 'push' });

/** The states that the server keeps, oldest first. */
function statesOf(origin: string, ref = REF): Record<string, string>[] {
  const chain = gitText(origin, 'log', '--first-parent', '--reverse', '--format=%H', ref);
  return chain.split('\n').map((commit) => readCommit(origin, commit));
}

const tellChanges = (site: string) =>
  readSource(site, URL_OF_SITE).sets.flatMap(({ changes }) =>
    changes.map(({ uri, md }) => `${md['change']} ${uri.slice(URL_OF_SITE.length - 1)}`),
  );

// On Windows, the runner chooses which bash there is; what would be found here is another one.
describe.runIf(process.platform !== 'win32')('the action', () => {
  test('describes, and tells what it found in outputs, summary and log', async () => {
    const origin = makeOrigin();
    const job = startBuild(origin, { 'index.html': 'a', 'a.html': 'a' }, 0);

    const outcome = await runAction(job, {
      site: './dist',
      url: 'https://me.github.io/repo',
      args: '--urls clean',
    });

    expect(outcome).toMatchObject(done);
    expect(outcome.outputs).toEqual({
      resources: '2',
      created: '0',
      updated: '0',
      deleted: '0',
      'capability-list': 'https://me.github.io/repo/resourcesync/capabilitylist.xml',
    });
    expect(job.summary).toContain('### ResourceSync documents of <https://me.github.io/repo/>\n');
    expect(job.summary).toContain(
      'Clients start here: <https://me.github.io/repo/.well-known/resourcesync>\n',
    );
    expect(job.summary).toContain('\n- Note The site is under a path');
    expect(outcome.stdout).toMatch(
      /^2 resources listed, at 2023.*\n0 created, 0 updated, 0 deleted; pending\nNote The site is under a path/,
    );
    const [set] = readSource(join(job.workspace, 'dist'), 'https://me.github.io/repo/').sets;
    expect(set?.resources.map(({ uri }) => uri)).toContain('https://me.github.io/repo/a');
    expect(gitText(job.workspace, 'for-each-ref', 'refs/resync-static')).toBe('');
  });

  test('tells others after the deploy, and fails where they cannot be told', async () => {
    const origin = makeOrigin();
    const taker = await startTaker([202, 500]);
    const host = await startHost(makeFolder());
    const job = startBuild(origin, { 'index.html': 'a' }, 0);
    expect(await runAction(job, { site: 'dist', url: host.url })).toMatchObject(done);
    host.folder = join(job.workspace, 'dist');
    const inputs = { command: 'notify', site: 'dist', url: host.url, notify: `\n  --channel ${taker.url}\n` };
    const told = await runAction(job, inputs);
    expect(told, told.stdout + told.stderr).toMatchObject(done);
    expect(taker.seen.map(({ path }) => path)).toEqual(['POST /deployed']);
    expect(job.summary).toContain('### Notifications');
    const failed = await runAction(job, inputs);
    expect(failed).toMatchObject({ status: 1, stdout: expect.stringContaining('::error') });
  });

  test('keeps what was deployed, one publication after another', async () => {
    const origin = makeOrigin();
    const states = [
      { 'index.html': 'one', 'a.html': 'one', 'b.html': 'one' },
      { 'index.html': 'two', 'a.html': 'one', 'c.html': 'one' },
      { 'index.html': 'two', 'a.html': 'one', 'c.html': 'one' },
    ];
    const jobs: Job[] = [];
    for (const [index, files] of states.entries()) {
      const job = startBuild(origin, files, 1000 * index);
      jobs.push(job);
      const outcome = await describeAndRecord(job);
      expect(outcome).toMatchObject(done);
      if (index === 1) expect(outcome.outputs).toMatchObject({ created: '1', updated: '1', deleted: '1' });
      // The deploy comes now; until it has succeeded, the server knows of nothing.
      expect(gitText(origin, 'for-each-ref', 'refs/resync-static').split('\n').filter(Boolean)).toHaveLength(
        index > 0 ? 1 : 0,
      );
      if (index > 0) expect(statesOf(origin)).toHaveLength(1 + Number(index > 1));
      expect(await push(job)).toMatchObject(done);
    }
    expect(statesOf(origin)).toEqual(states.slice(0, 2));
    expect(jobs.map(({ summary }) => /^\| \d.*$/m.exec(summary)?.[0])).toEqual([
      '| 3 | 0 | 0 | 0 | 2023-11-14T22:13:20Z | recorded |',
      '| 3 | 1 | 1 | 1 | 2023-11-14T22:30:00Z | recorded |',
      '| 3 | 1 | 1 | 1 | 2023-11-14T22:30:00Z | known before |',
    ]);
    expect(jobs[0]?.summary).toContain('Changes begin with this publication');
  });

  test('forgets what was recorded for a deploy that failed', async () => {
    const origin = makeOrigin();
    const first = startBuild(origin, { 'index.html': 'one' }, 0);
    await describeAndRecord(first);
    await push(first);
    // A machine that keeps its clone from job to job.
    makeSite({ 'index.html': 'never deployed' }, join(first.workspace, 'dist'));
    await describeAndRecord(startJob(first.workspace));
    makeSite({ 'index.html': 'two' }, join(first.workspace, 'dist'));
    const next = startJob(first.workspace);
    expect(await describeAndRecord(next)).toMatchObject(done);
    expect(await push(next)).toMatchObject(done);
    expect(statesOf(origin)).toEqual([{ 'index.html': 'one' }, { 'index.html': 'two' }]);
  });

  test('records again, on top of the other, what another job has overtaken', async () => {
    const origin = makeOrigin();
    const base = startBuild(origin, { 'index.html': 'base' }, 0);
    await describeAndRecord(base);
    await push(base);
    const [one, two] = ['one', 'two'].map((text) =>
      startBuild(origin, { 'index.html': text, [`${text}.html`]: text }, 1000),
    );
    if (one === undefined || two === undefined) throw new Error('two jobs');
    for (const job of [one, two]) expect(await describeAndRecord(job)).toMatchObject(done);

    expect(await push(one)).toMatchObject(done);
    const outcome = await push(two);

    expect(outcome).toMatchObject(done);
    expect(outcome.stdout).toContain('::notice title=resync-static::Another publication came in between');
    expect(statesOf(origin)).toEqual([
      { 'index.html': 'base' },
      { 'index.html': 'one', 'one.html': 'one' },
      { 'index.html': 'two', 'two.html': 'two' },
    ]);
    // The documents of the second are those of the state that it pushed.
    expect(outcome.outputs).toMatchObject({ created: '1', updated: '1', deleted: '1' });
    expect(tellChanges(join(two.workspace, 'dist'))).toEqual([
      'updated /',
      'created /one.html',
      'updated /',
      'deleted /one.html',
      'created /two.html',
    ]);
  });

  test('loses nothing when jobs push at once, the first time and later', async () => {
    const origin = makeOrigin();
    for (const round of ['first', 'second']) {
      const jobs = ['a', 'b', 'c'].map((name) =>
        startBuild(origin, { 'index.html': `${round} ${name}` }, 1000),
      );
      const described = await Promise.all(jobs.map((job) => describeAndRecord(job)));
      expect(described.map(({ status }) => status)).toEqual([0, 0, 0]);
      const pushed = await Promise.all(jobs.map((job) => push(job)));
      expect(pushed.map(({ status, stdout, stderr }) => (status === 0 ? '' : stdout + stderr))).toEqual([
        '',
        '',
        '',
      ]);
    }
    const texts = statesOf(origin).map((state) => state['index.html'] ?? '');
    const all = (round: string) => ['a', 'b', 'c'].map((name) => `${round} ${name}`);
    expect(texts.slice(0, 3).sort()).toEqual(all('first'));
    expect(texts.slice(3).sort()).toEqual(all('second'));

    // A later build finds them all.
    const later = startBuild(origin, { 'index.html': texts.at(-1) ?? '' }, 100_000);
    expect(await describeAndRecord(later)).toMatchObject(done);
    expect(tellChanges(join(later.workspace, 'dist'))).toEqual(Array.from({ length: 5 }, () => 'updated /'));
  });

  const HOSTILE = ['"; touch pwned #', "'; touch pwned #", '$(touch pwned)`touch pwned`', '--version'];

  test.each(HOSTILE)('takes an input for nothing but text: %s', async (text) => {
    const job = startBuild(makeOrigin(), { 'index.html': 'one' }, 0);
    const inputs = Object.keys(ACTION.inputs).filter((name) => name !== 'working-directory');
    // In CI, each input gets every other text.
    const outcomes = some(inputs, 2, HOSTILE.indexOf(text)).map(async (input) => {
      // Only one command reads the input `notify`.
      const command = input === 'notify' ? 'notify' : 'describe';
      const outcome = await runAction(job, { command, site: 'dist', url: URL_OF_SITE, [input]: text });
      expect(outcome.status, `${input}: ${outcome.stdout}${outcome.stderr}`).toBe(1);
      if (input === 'site') expect(outcome.stderr).toContain(text);
    });
    await Promise.all(outcomes);
    // A folder may be called that.
    makeSite({ 'index.html': 'one' }, join(job.workspace, text));
    const outcome = await describeAndRecord(job, { site: text });
    expect(outcome, outcome.stdout + outcome.stderr).toMatchObject(done);
    const everywhere = [job.workspace, job.temp].flatMap((place) => Object.keys(readTree(place)));
    expect(everywhere.filter((path) => path.endsWith('pwned'))).toEqual([]);
  });

  test.each<[what: string, inputs: Record<string, string>, message: string]>([
    [
      'another command',
      { command: 'publish' },
      'The input command wants describe, diff, notify or push; got "publish".',
    ],
    ['another truth', { record: 'yes' }, 'The input record wants true or false; got "yes".'],
    ['a push of nothing', { command: 'push' }, 'Nothing was recorded in this job.%0A'],
    ['an option that asks for something else', { args: '--help' }, 'resync-static gave no report'],
    ['a site that is not there', { site: 'missing' }, 'There is no folder '],
    ['a URL that is none', { url: 'example.org' }, 'The command cannot run: 1 mistake%0A  --url must be'],
  ])('fails with %s, and says why', async (_, inputs, message) => {
    const job = startBuild(makeOrigin(), { 'index.html': 'one' }, 0);
    const { status, stdout } = await runAction(job, { site: 'dist', url: URL_OF_SITE, ...inputs });
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: expect.stringContaining(`::error title=resync-static::${message}`),
    });
  });

  test('fails where it may not push, and keeps trying only where that helps', async () => {
    const origin = makeOrigin();
    const job = startBuild(origin, { 'index.html': 'one' }, 0);
    await describeAndRecord(job);
    rmSync(origin, { recursive: true });
    mkdirSync(origin);
    const outcome = await push(job);
    expect(outcome.status).toBe(1);
    expect(outcome.stdout).toMatch(/::error .*cannot be pushed:.*contents: write/);
    expect(outcome.stdout).not.toContain('recorded again');
  });

  const PUSHING = 'jobs: { deploy: { steps: [{ with: { record: true } }, { with: { command: push } }] } }\n';
  const RECORDING = 'steps:\n  - with:\n      record: true\n  # - with: { command: push }\n';

  test.each([
    ['pushes', PUSHING, false],
    ['pushes by git', `${RECORDING}  - run: git push origin refs/resync-static/dist\n`, false],
    ['does not push', RECORDING, true],
    ['is not the one that records', 'jobs: {}\n', false],
  ])('warns by the file of a workflow that %s', async (_, workflow, isWarned) => {
    const job = startBuild(makeOrigin(), { 'index.html': 'one' }, 0);
    makeSite({ '.github/workflows/deploy.yml': workflow }, job.workspace);
    job.env['GITHUB_WORKFLOW_REF'] = 'me/site/.github/workflows/deploy.yml@refs/heads/main';
    const { status, stdout } = await describeAndRecord(job);
    expect(status).toBe(0);
    expect(/::warning .*`command: push` after the deploy/.test(stdout)).toBe(isWarned);
  });

  test('warns once in a job whose token may only read', async () => {
    const host = await startHost(makeFolder());
    host.intercept = (_, response) => response.writeHead(403).end() !== undefined;
    const job = startBuild(makeOrigin(), { 'index.html': 'one' }, 0);
    git(job.workspace, ['remote', 'set-url', '--push', 'origin', host.url]);
    const first = await describeAndRecord(job);
    expect(first.status).toBe(0);
    expect(first.stdout).toMatch(/::warning .*`permissions: contents: write`.*403/);
    expect(host.asked).toEqual([expect.stringContaining('git-receive-pack')]);
    const again = await describeAndRecord(job);
    expect(again.status).toBe(0);
    expect(again.stdout).not.toContain('::warning');
  });

  test('runs what was bundled with it, the options of a run too, and a configuration that is code', async () => {
    const job = startBuild(makeOrigin(), { 'index.html': '<!doctype html><head></head>', 'a b.txt': 'b' }, 0);
    const config = `
      import { defineConfig } from 'resync-static';
      const url: string = '${URL_OF_SITE}';
      export default defineConfig({ site: 'dist', url, hash: ['sha-512'], htmlLinks: true, links: () => [{ rel: 'license', href: url }] });
    `;
    makeSite({ 'the config.ts': config }, job.workspace);
    const args = '--robots\n--exclude *.txt --dumps';
    const outcome = await runAction(job, { config: 'the config.ts', history: 'none', args });
    expect(outcome, outcome.stdout + outcome.stderr).toMatchObject({ ...done, outputs: { resources: '1' } });
    const site = readTree(join(job.workspace, 'dist'));
    expect(site['index.html']).toContain('rel="resourcesync"');
    expect(site['resourcesync/resourcelist.xml']).toMatch(/hash="sha-512:.*rel="license"/s);
    expect(Object.keys(site).filter((path) => path.endsWith('.zip'))).toHaveLength(1);
  });

  test('says what to do where there is no bundle', async () => {
    const job = startBuild(makeOrigin(), { 'index.html': 'one' }, 0);
    const [step] = ACTION.runs.steps;
    if (step === undefined) throw new Error('action.yml has no step');
    const outcome = await runStep(job, { run: step.run ?? '' }, {}, { GITHUB_ACTION_PATH: makeFolder() });
    expect(outcome.status).toBe(1);
    expect(outcome.stdout).toMatch(
      /^::error title=resync-static::.*Use a released tag.*npm ci && npm run build:action\n$/,
    );
  });
});
