/** The files of a folder against what is listed, where several threads digest them. */

import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFolder } from '../../../../src/source/origin/folder.js';
import { type Absent, type Digested, isAbsent } from '../../../../src/source/origin/origin.js';
import { startBounds } from '../../../../src/source/web/bounds.js';
import type { HashAlgorithm } from '../../../../src/standard/model.js';

const URL_OF_SITE = 'https://example.org/';
const FILES = 3000;
const BYTES = 'the same in every file';
const digestOf = (text = BYTES) => createHash('md5').update(text).digest('hex');

let site: string;

beforeAll(() => {
  site = mkdtempSync(join(tmpdir(), 'compare-folder-'));
  writeFileSync(join(site, 'original'), BYTES);
  for (let file = 0; file < FILES; file++) {
    const folder = join(site, `${file % 10}`);
    if (file < 10) mkdirSync(folder);
    linkSync(join(site, 'original'), join(folder, `~${file}.html`));
  }
});
afterAll(() => rmSync(site, { recursive: true }));

const uriOf = (file: number) => `${URL_OF_SITE}${file % 10}/~${file}.html`;

/** What is told of each place, where a file is listed with these bytes. */
async function compareAll(listed: readonly { readonly uri: string; readonly text: string }[]) {
  const uris = listed.map(({ uri }) => uri);
  const places = new Map(uris.map((uri, place) => [uri, place] as const).reverse());
  const told = new Map<number, string>();
  const others: string[] = [];
  const sayWhether = (place: number, found: Digested | Absent) =>
    isAbsent(found)
      ? found.failure
      : found.hex('md5') === digestOf(listed[place]?.text) && found.length === BYTES.length;
  const bounds = startBounds({ bytes: 1e9, time: 60_000, memory: 1e9 });
  try {
    await openFolder(site, URL_OF_SITE, 'directory', bounds).compare({
      uris,
      find: (uri) => places.get(uri),
      isWanted: () => true,
      want: (place) => ({ uri: uris[place] ?? '', length: undefined, digests: ['md5'], encoding: undefined }),
      digests: new Set<HashAlgorithm>(['sha-256', 'md5']),
      each(place, found) {
        expect(told.has(place)).toBe(false);
        told.set(place, String(sayWhether(place, found)));
      },
      other: ({ path }) => others.push(path),
    });
  } finally {
    bounds.stop();
  }
  return { told, others };
}

const all = Array.from({ length: FILES }, (_, file) => ({ uri: uriOf(file), text: BYTES }));

test('each is told once: as listed, wrong, missing, or not listed', async () => {
  const listed = all.slice(1).map((one) => (one.uri === uriOf(77) ? { ...one, text: 'other bytes' } : one));
  const { told, others } = await compareAll([...listed, { uri: `${URL_OF_SITE}gone`, text: '' }]);
  expect(others.sort()).toEqual(['0/~0.html', 'original']);
  expect([told.get(76), told.get(FILES - 1), told.size]).toEqual(['false', 'missing', FILES]);
  for (const place of [76, FILES - 1]) told.delete(place);
  expect(new Set(told.values())).toEqual(new Set(['true']));
});

test('what is listed again is compared again, however it is spelled', async () => {
  const again = all.slice(0, FILES / 2).map(({ uri, text }, file) => ({
    uri: file % 2 === 0 ? uri : uri.replace('~', '%7E'),
    text: file === 1234 || file === 1235 ? 'other bytes' : text,
  }));
  const { told, others } = await compareAll([...all, ...again]);
  expect(others).toEqual(['original']);
  expect([told.get(FILES + 1234), told.get(FILES + 1235), told.size]).toEqual([
    'false',
    'false',
    1.5 * FILES,
  ]);
  for (const file of [1234, 1235]) told.delete(FILES + file);
  expect(new Set(told.values())).toEqual(new Set(['true']));
});
