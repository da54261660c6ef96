/** Each changed and each skipped file: in the report of the library, in JSON, and on the terminal. */

import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type DescribeOptions, describe, diff, type Observer, type Report } from '../../src/index.js';
import { makeRepository } from '../support/git.js';
import { startHost } from '../support/host.js';
import { callCli, makeFolder, makeForFile, makeSite } from '../support/site.js';

const URL_OF_SITE = 'https://example.org/';
const page = (title: string, comment = '') =>
  `<!doctype html>\n<title>${title}</title>\n<!-- ${comment} -->\n`;

const FIRST = {
  'index.html': page('Home'),
  'about.html': page('About'),
  'a.html': page('A', 'built at 10:00:00'),
  'b.html': page('B', 'built at 10:00:00'),
  'gone.txt': 'gone',
  'assets/index-B3xKq9Zd.js': 'one()',
};
const SECOND = {
  'index.html': page('House'),
  'about.html': page('About', 'us'),
  'a.html': page('A', 'built at 11:00:00'),
  'b.html': page('B', 'built at 11:00:00'),
  'new.txt': 'new',
  'assets/index-Kq9ZdB3x.js': 'two()',
  '.draft/a.html': 'draft',
  '404.html': 'nothing',
  'skipped.txt': 'left out',
};

/** A site of which the first state is recorded, and the second is not. */
const recorded = makeForFile(async () => {
  const repository = makeRepository();
  const site = makeSite(FIRST, join(repository, 'dist'));
  await describe({ site, url: URL_OF_SITE, exclude: ['skipped.txt'], record: true });
  change(site);
  return repository;
});

function makeRecorded(): string {
  const repository = makeFolder();
  cpSync(recorded(), repository, { recursive: true, preserveTimestamps: true });
  return join(repository, 'dist');
}

function change(site: string): string {
  rmSync(join(site, 'gone.txt'));
  rmSync(join(site, 'assets'), { recursive: true });
  return makeSite(SECOND, site);
}

const run = (
  site: string,
  { observe, ...more }: { observe?: Observer; record?: boolean } & DescribeOptions = {},
) =>
  describe(
    { site, url: URL_OF_SITE, exclude: ['skipped.txt'], ...(more.record && { record: true }) },
    observe,
    { details: more.details ?? true },
  );

/** In a line each: what happened, where, of what kind, in which passage and group. */
const tell = ({ details }: Report) =>
  details?.changes.map(({ change: what, uri, kind = '-', line = '-', group = '-' }) =>
    [what, uri.slice(URL_OF_SITE.length - 1), kind, line, group].join(' '),
  );

test('the same list as diff tells, with what was left out', async () => {
  const site = makeRecorded();
  const told = await diff({ site, url: URL_OF_SITE, exclude: ['skipped.txt'] });
  const report = await run(site, { record: true });
  const { comparedWith, changes, groups } = told;
  expect(report.details).toEqual({
    comparedWith,
    changes,
    groups,
    skipped: [
      { path: '.draft/a.html', reason: 'dot-file' },
      { path: '404.html', reason: 'error-page' },
      { path: 'skipped.txt', reason: 'excluded' },
    ],
  });
  expect(tell(report)).toEqual([
    'updated / text <title>House</title> -',
    'updated /a.html markup <!-- built at … --> 1',
    'updated /about.html markup <!-- us --> -',
    'renamed /assets/index-Kq9ZdB3x.js data - -',
    'updated /b.html markup <!-- built at … --> 1',
    'deleted /gone.txt data - -',
    'created /new.txt data - -',
  ]);
});

test('of a publication that was known before, what the Change List says', async () => {
  const site = makeRecorded();
  await run(site, { record: true });
  const report = await run(site);
  expect(report.publication).toMatchObject({ pending: false });
  expect(report.details).not.toHaveProperty('comparedWith');
  expect(tell(report)).toEqual([
    'updated / - - -',
    'updated /a.html - - -',
    'updated /about.html - - -',
    'deleted /assets/index-B3xKq9Zd.js - - -',
    'created /assets/index-Kq9ZdB3x.js - - -',
    'updated /b.html - - -',
    'deleted /gone.txt - - -',
    'created /new.txt - - -',
  ]);
});

test('nothing of the kind unless it is asked for', async () => {
  const site = makeRecorded();
  expect(await run(site, { details: false })).not.toHaveProperty('details');
});

test('the first publication, and a site without history, have no changes', async () => {
  const first = makeSite(FIRST, join(makeRepository(), 'dist'));
  expect((await run(first)).details).toMatchObject({ changes: [], groups: [], skipped: [] });
  expect((await run(makeSite(FIRST))).details).toEqual({ changes: [], groups: [], skipped: [] });
});

test('a file that changes before it is compared costs the kinds, and no more', async () => {
  const site = makeRecorded();
  const report = await run(site, {
    observe: ({ stage }) => {
      if (stage === 'publish') writeFileSync(join(site, 'about.html'), 'something else');
    },
  });
  expect(report.changes).toEqual({ created: 2, updated: 4, deleted: 2 });
  expect(tell(report)).toHaveLength(8);
  expect(tell(report)).toContain('updated /about.html - - -');
});

test('what is live is not fetched for this', async () => {
  const site = makeSite(FIRST);
  const host = await startHost(makeFolder());
  const config = { site, url: host.url, history: 'published', exclude: ['skipped.txt'] };
  await describe(config);
  host.folder = makeFolder();
  cpSync(site, host.folder, { recursive: true });
  change(site);
  host.asked.length = 0;
  const { details } = await describe(config, undefined, { details: true });
  expect(host.asked.filter((path) => !path.includes('resourcesync'))).toEqual([]);
  expect(details?.incomplete).toEqual({ wanted: 4, asked: 0, read: 0 });
  expect(details?.changes.map(({ change: what, path, kind = '-' }) => `${what} ${path} ${kind}`)).toEqual([
    'updated index.html -',
    'updated a.html -',
    'updated about.html -',
    'renamed assets/index-Kq9ZdB3x.js data',
    'updated b.html -',
    'deleted gone.txt data',
    'created new.txt data',
  ]);
  const flags = ['--url', host.url, '--history', 'published', '--exclude', 'skipped.txt', '--verbose'];
  const { stdout } = await callCli([site, ...flags]);
  expect(stdout).toMatch(/^Updated {2}\/about.html +\d+ B$/m);
  expect(stdout).toContain(
    '\nWhat changed in 4 files was not compared. resync-static diff fetches what is live, and compares.\n',
  );
});

test.each([
  ['clean', 'a/b.html', 'text'],
  ['directory', 'a/b', 'binary'],
] as const)(
  'what is gone from the live site has the path that it had: URLs are %s',
  async (urls, path, kind) => {
    const site = makeSite({ 'index.html': 'one', [path]: 'gone' });
    const host = await startHost(makeFolder());
    const config = { site, url: host.url, urls, history: 'published' } as const;
    await describe(config);
    host.folder = makeFolder();
    cpSync(site, host.folder, { recursive: true });
    rmSync(join(site, path));
    const { details } = await describe(config, undefined, { details: true });
    expect(details?.changes).toMatchObject([{ change: 'deleted', uri: `${host.url}a/b`, path, kind }]);
  },
);

test('--verbose tells all, in lines; --json in an object without commands to a runner', async () => {
  const site = makeRecorded();
  makeSite({ '##[error]n.txt': 'a' }, site);
  const flags = [site, '--url', URL_OF_SITE];
  const { stdout } = await callCli([...flags, '--verbose']);
  expect(stdout).toContain(`Updated  2 pages, only in times, hashes or numbers:  <!-- built at … -->
Updated  /            text    47 B  <title>House</title>\n`);
  expect(stdout).toMatch(/^Updated {2}\/a\.html {6}markup {2}\d+ B {2}group 1 {2}<!-- built at … -->$/m);
  expect(stdout).toMatch(/^Renamed {2}\/assets\/index-B3xKq9Zd\.js → \/assets\/index-Kq9ZdB3x\.js/m);
  expect(stdout).toContain(
    '\nDeleted  /gone.txt\n\nSkipped  .draft/a.html  dot-file\nSkipped  404.html  error page\n\n',
  );
  expect(stdout).toContain('\n\nListed   8 resources');
  expect((await callCli(flags)).stdout).toMatch(/^Listed/);
  expect((await callCli([...flags, '--verbose', '--quiet'])).stdout).toBe('');

  for (const command of ['describe', 'diff']) {
    const json = (await callCli([command, ...flags, '--json'])).stdout;
    expect(json).not.toContain('##[');
    const report = JSON.parse(json);
    expect(JSON.stringify(report)).toContain('"path":"##[error]n.txt"');
  }
});
