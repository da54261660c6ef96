/** Archived lists that need several documents. */

import { expect, test } from 'vitest';
import { composeResourceList } from '../../../../../src/describe/past/archiving/compose.js';
import { isOwnDocument } from '../../../../../src/paths/ours.js';
import { makeDocument } from '../../../../../src/standard/xml/parse.js';
import { parseDocument } from '../../../../../src/standard/xml/read.js';
import { serializeResource } from '../../../../../src/standard/xml/serialize.js';

const url = 'https://example.org/';
const place = { url, set: 'pages', up: `${url}resourcesync/pages/capabilitylist.xml` };
const at = new Date('2026-11-20T10:15:00Z');
const rows = ['a', 'b', 'c'].map((name) =>
  Buffer.from(serializeResource({ uri: url + name, path: name, length: 1, hash: 'md5:00' })),
);
const start = 'resourcesync/pages/archives/';

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
