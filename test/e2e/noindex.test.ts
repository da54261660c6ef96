/** Pages that say `noindex`: left out where that is wanted, as of the publication that said so. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { audit } from '../../src/audit/index.js';
import type { UserConfig } from '../../src/config/options.js';
import { describe, diff } from '../../src/index.js';
import { describeAt, SITE_URL, tellChanges, tellResources } from '../support/changes.js';
import { readSource } from '../support/documents.js';
import { cloneOf, commitFiles, git, makeRepository } from '../support/git.js';
import { pageOf, readFeed, readPage } from '../support/people.js';
import { below, callCli, makeSite, readTree } from '../support/site.js';

const NOINDEX = '<meta name="robots" content="noindex">';
const hidden = (title: string, text = 'x') => pageOf(title, text, NOINDEX);

const FILES = {
  'index.html': pageOf('Home', 'x'),
  'draft.html': hidden('Draft'),
  'thanks/index.html': pageOf('Thanks', 'x'),
  'data/a.json': '{}',
  _headers: '/thanks/*\n  X-Robots-Tag: noindex\n/data/*\n  Cache-Control: no-cache\n',
};

const run = (site: string, config: Partial<UserConfig> = {}) =>
  describe({ site, url: SITE_URL, history: 'none', noindex: 'skip', ...config });

const urisOf = (site: string, set = 0) =>
  (readSource(site, SITE_URL).sets[set]?.resources ?? []).map(({ uri }) => uri.slice(SITE_URL.length - 1));

const codesOf = (notices: readonly { readonly code: string }[]) => notices.map(({ code }) => code);

test('are listed, unless they are to be skipped', async () => {
  const site = makeSite(FILES);
  expect(await run(site, { noindex: 'keep' })).toMatchObject({
    resources: 4,
    skipped: { 'host-control': 1 },
  });
  expect(urisOf(site)).toEqual(['/', '/data/a.json', '/draft.html', '/thanks/']);

  const report = await run(site, { dumps: true });
  expect(report).toMatchObject({ resources: 2, skipped: { noindex: 2, 'host-control': 1 } });
  expect(urisOf(site)).toEqual(['/', '/data/a.json']);
  expect(report.packages).toMatchObject([{ dump: 'resource-dump', entries: 2 }]);
  const { findings } = await audit({ source: site });
  expect(codesOf(findings)).not.toContain('dump-differs');
});

test('are not missed by an audit of the folder, and other pages are', async () => {
  const site = makeSite({ ...FILES, 'about.html': pageOf('About', 'x') });
  await run(site);
  makeSite({ 'forgotten.html': pageOf('Forgotten', 'noindex') }, site);
  const { findings } = await audit({ source: site });
  expect(findings.filter(({ severity }) => severity !== 'note')).toMatchObject([
    { code: 'resource-unlisted', findings: [{ found: 'forgotten.html' }] },
  ]);
});

test('every set leaves them out', async () => {
  const site = makeSite(FILES);
  const sets = [{ name: 'pages', include: ['**/*.html'] }, { name: 'all' }];
  const { notices, resources, skipped } = await run(site, { sets });
  expect([resources, skipped.noindex]).toEqual([2, 2]);
  expect(urisOf(site, 0)).toEqual(['/']);
  expect(urisOf(site, 1)).toEqual(['/', '/data/a.json']);
  expect(codesOf(notices)).toEqual(['no-history']);
  // A page that is left out on purpose is in a set, though none lists it.
  const one = await run(site, { sets: [{ name: 'pages', include: ['**/*.html'] }] });
  expect(one.notices).toContainEqual(
    expect.objectContaining({ code: 'in-no-set', count: 1, example: 'data/a.json' }),
  );
});

test('who begins to say so is deleted, who ceases to is created, by the page or by the host', async () => {
  const repository = makeRepository();
  const site = join(repository, 'dist');
  const commit = (seconds: number, files: Record<string, string | undefined>) =>
    commitFiles(repository, seconds, below('dist', files));
  commit(0, { 'index.html': 'one', 'a.html': pageOf('A', 'one'), 'b.html': hidden('B'), 'c.css': 'one' });
  commit(100, { 'a.html': hidden('A', 'two'), 'c.css': 'two' });
  // Nobody sees this.
  commit(200, { 'a.html': hidden('A', 'three'), 'b.html': hidden('B', 'two') });
  commit(300, { 'a.html': pageOf('A', 'four') });
  commit(400, { _headers: '/*.css\n  X-Robots-Tag: noindex\n' });
  commit(500, { 'c.css': 'three' });
  commit(600, { _headers: undefined, 'index.html': 'two' });

  const config = { site, noindex: 'skip', feed: true, page: true, hash: ['md5'] } as const;
  const report = await describeAt(1000, config);
  const hash = expect.stringMatching(/^\+300 created \/a\.html md5:/);
  expect(tellChanges(site)).toEqual([
    '+100 deleted /a.html',
    '+100 updated /c.css two',
    hash,
    '+400 deleted /c.css',
    '+600 updated / two',
    '+600 created /c.css three',
  ]);
  expect(tellResources(site).map((line) => line.replace(/md5:\w+/, '…'))).toEqual([
    '/ two +600',
    '/a.html … +300',
    '/c.css three +600',
  ]);
  expect(report.publication).toMatchObject({ pending: false });
  expect(readFeed(site).entries.map(({ change, uri }) => `${change} ${uri}`)).toContain(
    `deleted ${SITE_URL}a.html`,
  );
  expect(readPage(site)).not.toContain('b.html');
  expect((await describeAt(2000, config)).documents.filter(({ changed }) => changed)).toEqual([]);
});

test('what a partial clone does not have counts as a page without noindex', async () => {
  const origin = makeRepository();
  commitFiles(origin, 0, { 'dist/index.html': 'one', 'dist/a.html': hidden('A') });
  commitFiles(origin, 100, { 'dist/a.html': pageOf('A', 'two') });
  commitFiles(origin, 200, { 'dist/index.html': 'two' });
  git(origin, ['config', 'uploadpack.allowFilter', 'true']);
  const clone = cloneOf(origin, '--filter=blob:none');
  const site = join(clone, 'dist');
  const { notices } = await describeAt(1000, { site, noindex: 'skip' });
  expect(tellChanges(site)[0]).toMatch(/^\+100 updated \/a\.html/);
  expect(codesOf(notices)).not.toContain('versions-missing');
});

test('pages that are left out are not linked to the documents, and lose links that they had', async () => {
  const site = makeSite(FILES);
  const config = { htmlLinks: true, feed: true };
  expect((await run(site, { ...config, noindex: 'keep' })).edited?.pages).toBe(3);
  const { groups, changes } = await diff({
    site,
    url: SITE_URL,
    history: 'none',
    noindex: 'skip',
    ...config,
  });
  expect([groups, changes]).toEqual([[], []]);
  expect((await run(site, config)).edited?.pages).toBe(2);
  const tree = readTree(site);
  expect(tree['draft.html']).toBe(FILES['draft.html']);
  expect(tree['index.html']).toContain('rel="resourcesync"');
  expect((await run(site, config)).edited?.pages).toBe(0);
});

const elsewhere = (path: string) => pageOf('Copy', 'x', `<link rel="canonical" href="${path}">`);

test('with --robots, it is told which listed pages search engines would report', async () => {
  const site = makeSite({
    ...FILES,
    'copy.html': elsewhere('/#top'),
    'self.html': elsewhere('https://example.org/self.html'),
    // That is a matter of --urls.
    'style.html': elsewhere('/style'),
  });
  const config = { robots: true, noindex: 'keep' } as const;
  const told = await run(site, config);
  expect(told.notices).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ code: 'noindex-listed', count: 2, example: 'draft.html' }),
      expect.objectContaining({
        code: 'canonical-elsewhere',
        count: 1,
        example: 'copy.html',
        canonical: SITE_URL,
      }),
    ]),
  );
  expect(codesOf((await run(site, { ...config, noindex: 'skip' })).notices)).not.toContain('noindex-listed');
  expect(codesOf((await run(site, { ...config, robots: false })).notices)).toEqual(['no-history']);
  const silent = { 'noindex-listed': false, 'canonical-elsewhere': false };
  expect(codesOf((await run(site, { ...config, notices: silent })).notices)).toEqual(['no-history']);
  const { stderr } = await callCli([site, '--url', SITE_URL, '--history', 'none', '--robots']);
  expect(stderr.replace(/\s+/g, ' ')).toContain(
    '2 listed pages ask search engines not to list them (noindex), such as draft.html',
  );
  expect(stderr).toContain("noindex: 'skip'");
});
