/** A copy that was left alone for longer than the Change List reaches back: the archive tells what happened. */

import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { audit } from '../../../src/audit/index.js';
import { copy, placeCopy, readCopy, startSource, write } from '../../support/mirror.js';
import { makeFolder, makeForFile, readTree } from '../../support/site.js';

const DAY = 86_400;
const FIRST = { 'index.html': '0', 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'd.txt': 'd', 'e.txt': 'e' };
/** The events on the days after the first one. */
const DAYS = [
  { 'a.txt': 'a1', 'new.txt': 'n1' },
  { 'a.txt': 'a2', 'brief.txt': 'x' },
  { 'b.txt': undefined, 'brief.txt': undefined, 'index.html': '3' },
  { 'new.txt': 'n4', 'c.txt': 'c4' },
  { 'c.txt': 'c' },
];

/** A Source with archives and a short window, a copy of its first day, and five days after that. */
async function startLate() {
  const source = await startSource({ archives: { period: 'day' }, changes: { window: 1 } });
  const folder = makeFolder();
  await source.publish(0, FIRST);
  expect(await copy(source.url, folder)).toMatchObject({ inSync: true, created: 6 });
  for (const [index, files] of DAYS.entries()) await source.publish((index + 1) * DAY, files);
  const [published, copied] = [makeFolder(), makeFolder()];
  cpSync(source.site, published, { recursive: true });
  cpSync(folder, copied, { recursive: true });
  const list = (pattern: RegExp) => Object.keys(readTree(source.site)).filter((path) => pattern.test(path));
  return { source, folder, published, copied, list };
}

type Late = Awaited<ReturnType<typeof startLate>>;
const madeOnce = makeForFile(startLate);

/** The Source and the copy as they were in the beginning, and a file for what changes. */
function beginAgain() {
  const late = madeOnce();
  const { source, folder, published, copied } = late;
  for (const one of [source.site, folder]) rmSync(one, { recursive: true });
  cpSync(published, source.site, { recursive: true });
  placeCopy(copied, folder);
  source.asked.length = 0;
  const changes = join(makeFolder(), 'changes.ndjson');
  const catchUp = () => copy(source.url, folder, { changes });
  const tell = () =>
    readFileSync(changes, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { ...late, catchUp, tell };
}

const ARCHIVED_LIST = /archives\/changelist-archive-.*\.xml$/;

// docs/copies.md: "archived lists lead from that run to now".
test('the archive leads to now, and each file that changed is told once, with its last change', async () => {
  const { source, folder, catchUp, tell } = beginAgain();
  const { asked } = source;
  const report = await catchUp();
  expect(report).toMatchObject({ inSync: true, created: 1, updated: 2, deleted: 1, unchanged: 3 });
  expect(report.sets).toMatchObject([{ way: 'changes', archived: 4 }]);
  expect(report.sets[0]).not.toHaveProperty('reason');
  expect(readCopy(folder)).toEqual(source.listed());
  // The Resource List is looked at, and not read for what it lists.
  expect([...new Set(asked.filter((path) => /resourcelist|brief|c\.txt/.test(path)))]).toEqual([
    '/resourcesync/resourcelist.xml',
  ]);
  const told = tell().map(({ change, path, datetime }) => `${datetime} ${change} ${path}`);
  expect(told).toEqual([
    '2023-11-16T22:13:20Z updated a.txt',
    '2023-11-17T22:13:20Z updated index.html',
    '2023-11-18T22:13:20Z created new.txt',
    '2023-11-17T22:13:20Z deleted b.txt',
  ]);
  expect(await audit({ source: source.url })).toMatchObject({ errors: 0, warnings: 0 });

  // From here on, the lists of today suffice.
  asked.length = 0;
  expect(await catchUp()).toMatchObject({ inSync: true, sets: [{ way: 'unchanged' }] });
  await source.publish(6 * DAY, { 'd.txt': 'd6' });
  const next = await catchUp();
  expect(next).toMatchObject({ inSync: true, updated: 1, sets: [{ way: 'changes' }] });
  expect(next.sets[0]).not.toHaveProperty('archived');
  expect(asked.filter((path) => ARCHIVED_LIST.test(path))).toEqual([]);
});

const edit = ({ source, list }: Late, pattern: RegExp, change: (text: string) => string) => {
  const paths = list(pattern);
  expect(paths).not.toEqual([]);
  for (const path of paths) write(source.site, path, change(source.read(path)));
};
const ARCHIVE = /resourcesync\/changelist-archive\.xml$/;
const firstEntry = /<url>.*?<\/url>/s;

const SPOILS: readonly (readonly [string, (late: Late) => void])[] = [
  ['is not there', ({ source }) => write(source.site, 'resourcesync/changelist-archive.xml', '')],
  ['has lost a list', (late) => edit(late, ARCHIVE, (text) => text.replace(firstEntry, ''))],
  ['has lists that are cut off', (late) => edit(late, ARCHIVED_LIST, (text) => text.slice(0, -20))],
  [
    'has lists without an end',
    (late) => edit(late, ARCHIVED_LIST, (text) => text.replace(/ until="[^"]*"/, '')),
  ],
  [
    'has a list that never ends',
    ({ source, list }) => {
      const [path = ''] = list(ARCHIVED_LIST);
      write(
        source.site,
        path,
        source.read(path).replace(firstEntry, (one) => one.repeat(50_001)),
      );
    },
  ],
  [
    'tells what is not so',
    (late) => edit(late, ARCHIVED_LIST, (text) => text.replace(/sha-256:[\da-f]{4}/g, 'sha-256:0000')),
  ],
];

// docs/copies.md: "If they have a gap or a contradiction, the copy is compared with the whole list."
test('where an archive is broken, or lies, all is compared, and the copy is right', async () => {
  for (const [name, spoil] of SPOILS) {
    const late = beginAgain();
    spoil(late);
    const report = await late.catchUp();
    expect(report, name).toMatchObject({ inSync: true, created: 1, updated: 2, deleted: 1, unchanged: 3 });
    expect(report.sets, name).toMatchObject([{ way: 'list', reason: 'gap' }]);
    expect(readCopy(late.folder), name).toEqual(late.source.listed());
    expect(late.tell().filter((line) => 'datetime' in line)).toEqual([]);
  }
});
