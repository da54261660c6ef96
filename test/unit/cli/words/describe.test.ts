/** Numbers, notices and the report of `describe`, for people. */

import pico from 'picocolors';
import { describe, expect, test } from 'vitest';
import { nameOptions } from '../../../../adapters/run.js';
import type { Notice } from '../../../../src/base/notices.js';
import { formatBytes, formatDuration, formatNumber } from '../../../../src/base/text/units.js';
import { flagsOf } from '../../../../src/cli/arguments/table.js';
import { formatReport, formatRun, formatSummary } from '../../../../src/cli/words/describe.js';
import { formatNotice } from '../../../../src/cli/words/notices.js';
import { formatProgress } from '../../../../src/cli/words/progress.js';
import { makeColors } from '../../../../src/cli/words/style.js';
import type { Report } from '../../../../src/describe/report.js';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.00 kB'],
  [9994, '9.99 kB'],
  [9995, '10.0 kB'],
  [99_949, '99.9 kB'],
  [99_950, '100 kB'],
  [999_499, '999 kB'],
  [999_500, '1.00 MB'],
  [1.5e9, '1.50 GB'],
  [2e15, '2000 TB'],
])('%i bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [123_456_789, '123,456,789'],
])('%i is written %s', (value, text) => expect(formatNumber(value)).toBe(text));

test.each([
  [0, '0.00 s'],
  [240, '0.24 s'],
  [12_340, '12.3 s'],
  [125_400, '2 min 5 s'],
])('%i ms are %s', (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text));

test.each([
  [{ stage: 'scan' } as const, 'Reading files…'],
  [{ stage: 'scan', done: 1500 } as const, 'Reading files… 1,500'],
  [{ stage: 'scan', done: 1500, total: 3000 } as const, 'Reading files… 1,500 of 3,000 (50 %)'],
  [{ stage: 'publish' } as const, 'Writing documents…'],
])('%j reads %s', (progress, text) => expect(formatProgress(progress)).toBe(text));

test.each<[Notice, RegExp]>([
  [
    { code: 'kept-on-branch', ref: 'r', folder: 'v1', count: 1 },
    /^1 file .* it is .*--exclude 'v1\/\*\*'\.$/,
  ],
  [
    { code: 'line-ends-differ', count: 1, example: 'a.txt' },
    /^1 file differs .* a\.txt, and counts as unchanged/,
  ],
  [{ code: 'github-pages-dot-folders', nojekyll: false }, /include-hidden-files: true.*\.nojekyll/],
  [
    { code: 'set-unread', count: 1, set: 'a', url: 'u', found: 'f' },
    /^The set "a" \(u: f\) could not be read\. It/,
  ],
  [
    { code: 'set-unsigned', count: 1, set: 'a', url: 'u' },
    /^The set "a" \(u\) of another build is not signed\./,
  ],
  [
    { code: 'set-wrong', problem: 'twice', set: 'a', url: 'u', found: 'f', other: 'z' },
    /^The sets "z" and "a" are the same: both have f\./,
  ],
  [
    { code: 'packages-large', dump: 'resource-dump', count: 2, example: 'a.zip' },
    /^2 packages of the Resource Dump are larger than 25 MiB, such as a\.zip\. .*smaller dumps\.maxBytes\.$/,
  ],
  [{ code: 'no-history', wanted: false }, /not in a git repository/],
  [
    { code: 'description-not-live', description: 'https://example.org/.well-known/resourcesync' },
    /has lists, but no https:\/\/example\.org\/\.well-known\/resourcesync, where clients begin/,
  ],
  [{ code: 'set-first-published', set: undefined }, /The set of all files is not on/],
  [
    { code: 'change-dump-shortened', from: 'f', reason: 'not-live' },
    /starts at f: the live site has no package/,
  ],
  [{ code: 'no-publication', ref: 'refs/resync-static/dist' }, /After each deploy, run resync-static record/],
  [{ code: 'changes-known-from', from: 'f', truncated: true }, /shallow.* f\..*fetch-depth: 0/],
  [
    { code: 'changes-known-from', from: 'f', truncated: false },
    /^The Change List starts at f: older history is missing/,
  ],
  [{ code: 'versions-missing', count: 1 }, /^This partial clone does not have the bytes of 1 version\./],
  [
    {
      code: 'build-not-reproducible',
      updated: 1200,
      pages: 2000,
      masked: 1100,
      exact: false,
      line: '\u001b<!-- … -->',
    },
    /^1,200 of 2,000 pages changed, about 1,100 of them only in .*: "\\u001b<!-- … -->"\. Every build, or every edit, .*resync-static help reproducible$/,
  ],
  [
    { code: 'in-no-set', count: 1, example: 'a.css' },
    /^1 file is in no set and .* not listed, such as a\.css/,
  ],
])('%j', (notice, text) => {
  const told = String(formatNotice(notice));
  const end = ` (${notice.code})`;
  expect(told.endsWith(end)).toBe(true);
  expect(told.slice(0, -end.length)).toMatch(text);
  // A plugin has no flags.
  expect(nameOptions(told)).not.toMatch(
    new RegExp(
      `--(?:${flagsOf('describe')
        .map(({ name }) => name)
        .join('|')})\\b`,
    ),
  );
});

test.each([
  [
    'use --history snapshots:<name>, or --history none.',
    "use history: 'snapshots:<name>', or history: 'none'.",
  ],
  ["use --exclude '!a.html'.", "use exclude: ['!a.html']."],
  ["use --urls bare (in a configuration: urls: 'bare').", "use urls: 'bare'."],
  ['leave out --robots, or set --urls', 'leave out robots, or set urls'],
  ['git fetch --refetch --no-filter; a--hash', 'git fetch --refetch --no-filter; a--hash'],
])('%s, to who has a plugin', (text, named) => expect(nameOptions(text)).toBe(named));

describe('formatReport', () => {
  const colors = makeColors(pico.createColors(false));
  const document = {
    path: 'resourcesync/resourcelist.xml',
    url: 'https://example.org/resourcesync/resourcelist.xml',
    kind: 'resource-list',
    entries: 1,
    bytes: 1234,
    changed: true,
  } as const;
  const report: Report = {
    site: '/site',
    url: 'https://example.org/',
    description: 'https://example.org/.well-known/resourcesync',
    at: '2026-11-20T10:15:00Z',
    resources: 1,
    bytes: 10,
    skipped: { 'own-document': 3, 'dot-file': 2, 'error-page': 1 },
    packages: [],
    documents: [document, { ...document, path: 'x', changed: false }],
    removed: ['resourcesync/resourcelist-0001.xml'],
    notices: [],
    durations: { discovery: 0, scan: 100, changes: 0, pack: 0, plan: 0, publish: 20, record: 0, total: 125 },
  };

  test('says what was listed, skipped, written and removed', () => {
    expect(String(formatReport(report, { colors, verbose: false }))).toBe(`Listed   1 resource, 10 B
Skipped  2 dot-files, 1 error page
Wrote    1 document, 1.23 kB; 1 document unchanged
Removed  1 outdated file

  resourcesync/resourcelist.xml  Resource List  1 entry  1.23 kB
  x                              Resource List  1 entry  1.23 kB, unchanged

Done in 0.13 s. Clients (ResourceSync "Destinations") start here: https://example.org/.well-known/resourcesync`);
  });

  test('is a line for one run among many', () => {
    expect(String(formatRun(report, colors))).toBe(
      'Listed 1 resource, 10 B; wrote 1 document, 1.23 kB; 1 document unchanged. Done in 0.13 s',
    );
  });

  test.each([
    [{ pages: 0, files: [] }, undefined],
    [{ pages: 1200, files: [] }, '1,200 pages'],
    [{ pages: 1, files: ['robots.txt'] }, '1 page, robots.txt'],
  ])('says what discovery edited: %j', (edited, text) => {
    const told = String(formatReport({ ...report, edited }, { colors, verbose: false }));
    expect(/^Edited {3}(.*)$/m.exec(told)?.[1]).toBe(text);
  });

  test('says how much is archived', () => {
    const archives = { documents: 9, bytes: 5000 };
    const told = String(formatReport({ ...report, archives }, { colors, verbose: false }));
    expect(told).toContain('\nArchived 9 documents, 5.00 kB\n');
  });

  const newest = '2026-01-01T00:00:00Z';

  test.each([
    [{ pending: false, recorded: false, newest, place: 'live' }, 'no change since 2026-11-20T10:15:00Z'],
    ...(['live', 'snapshots', 'commits'] as const).map(
      (place) =>
        [
          { pending: true, recorded: false, newest, place },
          `1,201 resources differ from what was ${{ live: 'deployed', snapshots: 'recorded', commits: 'committed' }[place]} on ${newest}: 1 created, 1,200 updated, 0 deleted (pending)`,
        ] as const,
    ),
    [{ pending: true, recorded: false, place: 'live' }, 'first publication (pending)'],
    [
      { pending: true, recorded: true, newest, place: 'snapshots' },
      '1 created, 1,200 updated, 0 deleted (2026-11-20T10:15:00Z, recorded)',
    ],
    [
      { pending: true, recorded: true, place: 'snapshots' },
      'first publication (2026-11-20T10:15:00Z, recorded)',
    ],
  ] as const)('says what changed: %j', (state, text) => {
    const publication = { from: '2026-01-01T00:00:00Z', ...state };
    const changes = { created: 1, updated: 1200, deleted: 0 };
    const told = String(formatReport({ ...report, publication, changes }, { colors, verbose: false }));
    expect(told.split('\n')[2]).toBe(
      state.pending ? `Changed  ${text}` : 'No change since 2026-11-20T10:15:00Z',
    );
    expect(String(formatSummary({ ...report, publication, changes })[0])).toBe(
      `Listed 1 resource, 10 B; ${text}`,
    );
  });

  test('sums up many documents unless asked for all', () => {
    const documents = Array.from({ length: 40 }, () => document);
    const short = String(formatReport({ ...report, documents }, { colors, verbose: false }));
    const long = String(formatReport({ ...report, documents }, { colors, verbose: true }));
    expect(short).toContain('  28 documents more (--verbose lists all)\n');
    expect(long.split('\n').length).toBe(short.split('\n').length + 28);
    expect(long).toContain('3 ResourceSync documents');
    expect(long).toMatch(/\nscan 0\.10 s · publish 0\.02 s$/);
  });
});
