/** Histories and packages so large that one document may not hold them, or that all of it shows. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deriveHistory } from '../../src/history/plan/derive.js';
import type { Publication } from '../../src/history/plan/replay.js';
import { cutChanges } from '../../src/standard/cuts/changes.js';
import { datetimeAt, describeAt as describeHistoryAt, readDocuments, SITE_URL } from '../support/changes.js';
import { child, parseXml } from '../support/documents.js';
import { expectResourceDump } from '../support/dumps.js';
import { BEGIN, git, makeRepository } from '../support/git.js';
import { change, describeDumps, pathsOf, stampsOf, written } from '../support/packing.js';
import { stride } from '../support/seed.js';
import { makeSite } from '../support/site.js';

test('a Change Dump begins after a publication of more than 50,000 changes, and says so', async () => {
  const repository = makeRepository();
  const site = join(repository, 'dist');
  const many = Array.from({ length: 50_001 }, (_, index) => `M 100644 :1 dist/${index}.txt\n`);
  const commit = (seconds: number, ...lines: string[]) =>
    `commit refs/heads/main\ncommitter T <t@example.org> ${BEGIN + seconds} +0000\ndata 1\nm\n${lines.join('')}`;
  git(
    repository,
    ['fast-import', '--quiet'],
    [
      'blob\nmark :1\ndata 4\nmany\n',
      commit(0, 'M 100644 :1 dist/index.html\n'),
      commit(100, ...many),
      commit(200, ...many.map((_, index) => `D dist/${index}.txt\n`)),
      commit(300, 'M 100644 :1 dist/a.txt\n'),
      commit(400, 'M 100644 :1 dist/b.txt\n'),
    ].join(''),
  );
  git(repository, ['reset', '--hard', '--quiet', 'main']);

  const report = await describeDumps(500, site);

  expect(report.notices).toContainEqual(
    expect.objectContaining({
      code: 'change-dump-shortened',
      from: datetimeAt(200),
      reason: 'too-large',
    }),
  );
  const [dump] = await expectResourceDump(site);
  expect(dump?.changeDump && child(dump.changeDump, 'rs:md').attributes['from']).toBe(datetimeAt(200));
  expect(dump?.changePackages.map(({ md, entries }) => [md['from'], md['until'], entries.length])).toEqual([
    [datetimeAt(200), datetimeAt(300), 1],
    [datetimeAt(300), datetimeAt(400), 1],
  ]);
});

test('a Change List is cut between publications past 50,000 entries, and within one that is larger than that alone', async () => {
  const repository = makeRepository();
  const count = 25_001;
  const names = (folder: string) =>
    Array.from(
      { length: count },
      (_, index) => `${folder}/${100 + Math.floor(index / 100)}/${100 + (index % 100)}`,
    );
  const [first, second] = [names('a'), names('b')];
  const commit = (seconds: number, rows: readonly string[]) =>
    `commit refs/heads/main\ncommitter T <t@example.org> ${BEGIN + seconds} +0000\ndata 1\nm\n${rows.join('')}`;
  const write = (path: string) => `M 100644 inline dist/${path}\ndata 3\none\n`;
  const remove = (path: string) => `D dist/${path}\n`;
  const stream = [
    commit(0, [write('index.html')]),
    commit(100, first.map(write)),
    commit(200, [...first.map(remove), ...second.map(write)]),
    commit(300, second.map(remove)),
  ];
  git(repository, ['fast-import', '--quiet'], stream.join(''));
  const site = makeSite({ 'index.html': 'one' }, join(repository, 'dist'));

  await describeHistoryAt(400, { site, history: 'HEAD:dist' });

  const documents = readDocuments(site);
  const index = parseXml(documents['resourcesync/changelist.xml'] ?? '');
  const lists = index.children
    .filter(({ name }) => name === 'sitemap')
    .map((entry) => {
      const { from, until = 'open' } = child(entry, 'rs:md').attributes;
      const text = documents[child(entry, 'loc').text.slice(SITE_URL.length)] ?? '';
      expect(text).toContain(`from="${from}"${until === 'open' ? '/>' : ` until="${until}"/>`}`);
      const rows = text.matchAll(
        /<loc>https:\/\/example\.org\/(.*?)<\/loc>(?:<lastmod>[^<]*<\/lastmod>)?<rs:md change="(\w+)"/g,
      );
      return { moments: [from, until], lines: Array.from(rows, ([, path, kind]) => `${kind} ${path}`) };
    });
  expect(lists.map(({ moments, lines }) => [...moments, lines.length])).toEqual([
    [datetimeAt(0), datetimeAt(100), count],
    [datetimeAt(100), datetimeAt(200), 50_000],
    [datetimeAt(200), 'open', 2 + count],
  ]);
  const expected = [
    ...first.map((path) => `created ${path}`),
    ...first.map((path) => `deleted ${path}`),
    ...second.map((path) => `created ${path}`),
    ...second.map((path) => `deleted ${path}`),
  ];
  expect(lists.flatMap(({ lines }) => lines).join('\n') === expected.join('\n')).toBe(true);
});

/** Each of many packages holds as many files in CI, of fewer packages. */
const COUNT = 20_000 / stride(8);
const pathOf = (index: number) => `section-${index % 97}/page-${index}.html`;

test(`packages are left alone when one of ${COUNT} files is edited, added or removed`, async () => {
  const site = makeSite(
    Object.fromEntries(Array.from({ length: COUNT }, (_, index) => [pathOf(index), `page ${index}`])),
  );
  const config = { dumps: { maxEntries: 500 }, history: 'none' };
  const first = await describeDumps(0, site, config);
  expect(first.packages.length).toBeGreaterThan(COUNT / 500);
  let before = new Set(pathsOf(first));
  for (const [what, act] of [
    ['edited', () => change(site, { [pathOf(777)]: 'another' })],
    ['edited to be larger', () => change(site, { [pathOf(1456)]: 'another'.repeat(2000) })],
    ['added', () => change(site, { 'section-5/new.html': 'new' })],
    ['removed', () => change(site, { [pathOf(2321)]: undefined })],
  ] as const) {
    const stamps = stampsOf(site, [...before]);
    act();
    const report = await describeDumps(100, site, config);
    const after = pathsOf(report);
    expect({ what, new: after.filter((path) => !before.has(path)) }).toEqual({
      what,
      new: written(report),
    });
    expect({ what, written: written(report).length }).toEqual({ what, written: 1 });
    expect(report.removed).toHaveLength(2);
    const kept = stamps.filter(({ path }) => after.includes(path));
    expect(
      stampsOf(
        site,
        kept.map(({ path }) => path),
      ),
    ).toEqual(kept);
    before = new Set(after);
  }
  await expectResourceDump(site);
});

// More than a function takes arguments.
test('200,000 publications are as many changes', () => {
  const many = 200_000;
  const publications = Array.from(
    { length: many },
    (_, index): Publication => ({
      id: `${index}`,
      seconds: 1_000_000 + index,
      changes: [{ path: 'a', blob: `${index}` }],
    }),
  );
  const files = new Map([['a', { path: 'a', blob: `${many - 1}` }]]);
  const now = new Date(2_000_000_000);
  const history = { publications, boundary: new Set<string>() };

  const derived = deriveHistory(history, [{ uriOf: (path) => path, files }], now, false);

  const newest = new Date((1_000_000 + many - 1) * 1000);
  expect(derived).toMatchObject({ from: new Date(1_000_000_000), at: newest, pending: false });
  expect(derived.sets[0]?.changes).toHaveLength(many - 1);
  const lists = cutChanges(derived.sets[0]?.changes ?? [], derived, { window: 90, period: undefined });
  expect(lists.map(({ changes }) => changes.length)).toEqual([50_000, 50_000, 50_000, 49_999]);
});
