/** The GitHub Action: what changed, in summary and log; `command: diff`; and the options of an integration. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { describeAt } from '../support/changes.js';
import { readBlocks } from '../support/documentation.js';
import { cloneOf, commitFiles, git, gitText, makeRepository } from '../support/git.js';
import { runAction, type Step, startBuild } from '../support/runner.js';
import { makeSite, readTree } from '../support/site.js';
import { lintWorkflow } from '../tools/actionlint.js';

const URL_OF_SITE = 'https://example.org/';
const INPUTS = { site: 'dist', url: URL_OF_SITE };
const page = (title: string, time: string) =>
  `<!doctype html>\n<title>${title}</title>\n<p>${time} & </pre>*b*\n`;

const FIRST = {
  'index.html': page('Home', '10:00:00'),
  'a.html': page('A', '10:00:00'),
  'b.html': page('B', '10:00:00'),
  'gone.txt': 'gone',
};
const SECOND = {
  'index.html': page('House', '10:00:00'),
  'a.html': page('A', '11:00:00'),
  'b.html': page('B', '11:00:00'),
  'new ##[error].txt': '@someone',
  '404.html': 'not found',
};

/** A server's repository that has the first state as a snapshot. */
async function makeDeployed(): Promise<string> {
  const origin = makeRepository('--bare');
  const first = cloneOf(origin);
  commitFiles(first, 0, { '.gitignore': 'dist/\nnode_modules/\n', 'package.json': '{}' });
  git(first, ['push', '--quiet', 'origin', 'main']);
  await describeAt(0, { site: makeSite(FIRST, join(first, 'dist')), record: true });
  git(first, ['push', '--quiet', 'origin', 'refs/resync-static/*:refs/resync-static/*']);
  return origin;
}

/** The summary as readers see it: with characters in place of entities, and without zero-width spaces. */
const readSummary = (text: string) =>
  text.replaceAll('&#8203;', '').replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

// On Windows, the runner chooses which bash there is; what would be found here is another one.
describe.runIf(process.platform !== 'win32')('the action', () => {
  test('folds what changed and what was skipped into the summary', async () => {
    const job = startBuild(await makeDeployed(), SECOND, 60);
    const outcome = await runAction(job, { ...INPUTS, record: true });
    expect(outcome, outcome.stdout + outcome.stderr).toMatchObject({ status: 0 });
    expect(outcome.stdout + outcome.stderr + job.summary).not.toContain('##[');
    expect(job.summary).not.toMatch(/<\/pre>\*b|@someone/);
    expect(readSummary(job.summary)).toMatch(
      /\n<details><summary>5 URLs changed<\/summary>\n\n<pre>Updated {2}2 pages, only in times, hashes or numbers: {2}<p>… & <\/pre>\*b\*\nUpdated {2}\/ {2}text .*\nCreated {2}\/new%20%23%23%5Berror%5D\.txt {2}8 B\nDeleted {2}\/gone\.txt\n<\/pre>\n\n<\/details>\n\n<details><summary>1 file skipped<\/summary>\n\n<pre>Skipped {2}404\.html {2}error page\n<\/pre>\n\n<\/details>\n\n$/,
    );
  });

  test('tells of so many changes that the summary holds them', async () => {
    const files = Array.from({ length: 400 }, (_, index) => [
      `${'%23'.repeat(80)}-${index % 2 === 0 ? 'a' : `b${index}`}/${index}.txt`,
      `${index}`,
    ]);
    const job = startBuild(await makeDeployed(), { ...SECOND, ...Object.fromEntries(files) }, 60);
    const outcome = await runAction(job, { ...INPUTS, command: 'diff', args: '--verbose' });
    expect(outcome, outcome.stdout + outcome.stderr).toMatchObject({
      status: 0,
      outputs: { created: '401' },
    });
    expect(Buffer.byteLength(job.summary)).toBeLessThan(1 << 19);
    expect(readSummary(job.summary)).toContain('\nCreated  361 more (--verbose lists all)\n');
  });

  test('compares, tells, and keeps nothing', async () => {
    const origin = await makeDeployed();
    const job = startBuild(origin, SECOND, 60);
    const before = readTree(join(job.workspace, 'dist'));
    const outcome = await runAction(job, { ...INPUTS, command: 'diff' });
    expect(outcome, outcome.stdout + outcome.stderr).toMatchObject({ status: 0 });
    expect(outcome.outputs).toEqual({
      resources: '',
      created: '1',
      updated: '3',
      deleted: '1',
      'capability-list': '',
    });
    expect(outcome.stdout).toContain(
      'Compared with refs/resync-static/dist (2023-11-14T22:13:20Z)\n\nUpdated  2 pages',
    );
    expect(outcome.stdout).toMatch(
      // The sources are the same as before.
      /\n3 updated, 1 created, 1 deleted\n\n2 of 4 files changed, only in times, hashes or numbers: .*\(build-not-reproducible\)\n$/,
    );
    expect(job.summary).toMatch(
      /^### What the next publication of <https:\/\/example\.org\/> changes\n\n<pre>Compared with /,
    );
    expect(job.summary).not.toMatch(/<\/pre>\*b|@someone|##\[/);
    expect(readTree(join(job.workspace, 'dist'))).toEqual(before);
    expect(gitText(origin, 'rev-list', '--count', 'refs/resync-static/dist')).toBe('1');
  });

  test('compares with what this job has recorded, and with the origin where it must', async () => {
    const job = startBuild(await makeDeployed(), SECOND, 60);
    await runAction(job, { ...INPUTS, record: true });
    const same = await runAction(job, { ...INPUTS, command: 'diff', record: true });
    expect(same.stdout).toContain('\n\nNothing differs.\n');

    const other = startBuild(await makeDeployed(), SECOND, 60);
    git(other.workspace, ['remote', 'set-url', 'origin', join(other.temp, 'nowhere')]);
    const first = await runAction(other, { ...INPUTS, command: 'diff' });
    expect(first, first.stderr).toMatchObject({ status: 0, outputs: { created: '0', updated: '0' } });
    expect(first.stdout).toContain('There is nothing to compare with');
    const failed = await runAction(other, { ...INPUTS, command: 'diff', record: true });
    expect(failed).toMatchObject({ status: 1, stdout: expect.stringContaining('::error ') });
  });

  test('loses no snapshot of this clone by comparing', async () => {
    const job = startBuild(await makeDeployed(), SECOND, 60);
    await runAction(job, { ...INPUTS, record: true });
    rmSync(join(job.temp, 'resync-static'), { recursive: true });
    const tip = gitText(job.workspace, 'rev-parse', 'refs/resync-static/dist');
    expect(await runAction(job, { ...INPUTS, command: 'diff' })).toMatchObject({ status: 0 });
    expect(gitText(job.workspace, 'rev-parse', 'refs/resync-static/dist')).toBe(tip);
  });

  test('fails for a difference where --exit-code asks for that', async () => {
    const job = startBuild(await makeDeployed(), SECOND, 60);
    const inputs = { ...INPUTS, command: 'diff', args: '--exit-code' };
    const outcome = await runAction(job, inputs);
    expect(outcome.status).toBe(1);
    expect(outcome.stdout).toMatch(
      /3 updated, [\s\S]*\n::error title=resync-static::The site differs from .*\n$/,
    );
    makeSite(FIRST, join(job.workspace, 'dist'));
    for (const name of ['new ##[error].txt', '404.html']) rmSync(join(job.workspace, 'dist', name));
    expect(await runAction(job, inputs)).toMatchObject({ status: 0 });
    const wrong = await runAction(job, { ...inputs, site: 'missing' });
    expect(wrong).toMatchObject({ status: 1, stdout: expect.stringContaining('There is no folder') });
  });

  test('fails with --gone, and lists in the summary what is gone and what to paste', async () => {
    const job = startBuild(
      await makeDeployed(),
      { 'index.html': FIRST['index.html'], 'c.html': FIRST['a.html'] },
      60,
    );
    const inputs = { ...INPUTS, command: 'diff', args: '--gone' };
    const outcome = await runAction(job, inputs);
    expect(outcome.status).toBe(1);
    expect(outcome.stdout).toMatch(
      /\n::error title=resync-static::Nothing answers 2 addresses that the site had.*\n$/,
    );
    const summary = readSummary(job.summary);
    expect(summary).toContain(
      '### What answers the addresses of <https://example.org/>\n\n<pre>Addresses  3',
    );
    expect(summary).toContain('\n  Gone  https://example.org/b.html  with this build\n');
    expect(summary).toContain('\nPages to add to the site:\na.html\n  <!doctype html>');
    makeSite({ _redirects: '/a.html /c.html\n/b.html /c.html\n' }, join(job.workspace, 'dist'));
    expect(await runAction(job, inputs)).toMatchObject({ status: 0 });
  });

  test('as the page about diff shows it', async () => {
    const [text = ''] = readBlocks('docs/diff.md', 'yaml');
    expect(await lintWorkflow(text, '.github/workflows/diff.yml')).toEqual([]);
    const { jobs }: { jobs: { diff: { steps: Step[] } } } = parse(text);
    const job = startBuild(await makeDeployed(), SECOND, 60);
    const outcome = await runAction(job, jobs.diff.steps.at(-1)?.with ?? {});
    // The page uses another style of addresses than the deploy above.
    expect(outcome, outcome.stderr).toMatchObject({ status: 0, outputs: { updated: '3', created: '1' } });
  });
});
