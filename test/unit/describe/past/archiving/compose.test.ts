/** Names of archived documents tell their bytes, whether one document holds all or several. */

import { expect, test } from 'vitest';
import {
  composeChangeList,
  composeResourceList,
} from '../../../../../src/describe/past/archiving/compose.js';
import { isOwnDocument } from '../../../../../src/paths/ours.js';
import { makeDocument } from '../../../../../src/standard/xml/parse.js';
import { parseDocument } from '../../../../../src/standard/xml/read.js';
import { serializeDocument, serializeResource } from '../../../../../src/standard/xml/serialize.js';

const url = 'https://example.org/';
const place = { url, set: 'pages', up: `${url}resourcesync/pages/capabilitylist.xml` };
const at = new Date('2026-11-20T10:15:00Z');
const rows = ['a', 'b', 'c'].map((name) =>
  Buffer.from(serializeResource({ uri: url + name, path: name, length: 1, hash: 'md5:00' })),
);
const start = 'resourcesync/pages/archives/';

test('a list that one document holds is named by its bytes', async () => {
  const [list, ...others] = composeResourceList(place, at, rows);
  expect(others).toEqual([]);
  expect(list.path).toMatch(/archives\/resourcelist-archive-20261120T101500Z-[\da-f]{16}\.xml$/);
  expect(list).toMatchObject({ uri: url + list.path, kind: 'resource-list', entries: 3 });
  const document = makeDocument(await parseDocument([list.bytes]));
  expect([...serializeDocument(document, 'Written by resync-static')].join('')).toBe(list.bytes.toString());
});

test('a list that takes several has parts that lead to their index, and one name', async () => {
  const texts = composeResourceList(place, at, rows, { entries: 2, bytes: 50_000_000 });
  expect(texts.map(({ kind, entries }) => [kind, entries])).toEqual([
    ['resource-list', 2],
    ['resource-list', 1],
    ['resource-list-index', 2],
  ]);
  const whole = texts[2];
  if (whole === undefined) throw new Error('there is no index');
  for (const [index, { path, bytes }] of texts.entries()) {
    expect(isOwnDocument(path)).toBe(true);
    expect(path.startsWith(start)).toBe(true);
    const document = makeDocument(await parseDocument([bytes]));
    if (index < 2) expect(document).toMatchObject({ index: whole.uri });
    else expect(document).toMatchObject({ parts: texts.slice(0, 2).map(({ uri }) => ({ uri })) });
  }
  const others = composeResourceList(place, at, rows.toReversed(), { entries: 2, bytes: 50_000_000 });
  expect(others.map(({ path }) => path)).not.toEqual(texts.map(({ path }) => path));
});

test('a Change List is named by its end', () => {
  const [from, until] = [new Date('2026-10-01T00:00:00Z'), new Date('2026-11-01T00:00:00Z')];
  const [list] = composeChangeList(place, { from, until, part: 1, changes: [] });
  expect(list.path.startsWith(`${start}changelist-archive-20261101T000000Z-`)).toBe(true);
});
