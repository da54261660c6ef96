/** The files of a folder against what is listed, where there are more than are kept in memory at a time. */

import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFolder } from '../../../../src/source/origin/folder.js';
import { type Absent, type Digested, isAbsent, NO_ANSWER } from '../../../../src/source/origin/origin.js';
import { startBounds } from '../../../../src/source/web/bounds.js';
import type { HashAlgorithm } from '../../../../src/standard/model.js';

const URL_OF_SITE = 'https://example.org/';
const FILES = 6000;
const BYTES = 'the same in every file';
const digestOf = (name: HashAlgorithm, text = BYTES) =>
  createHash(name.replace('-', '')).update(text).digest('hex');

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
async function compareAll(
  listed: readonly { readonly uri: string; readonly text: string }[],
  isWanted: (place: number) => boolean = () => true,
) {
  const uris = listed.map(({ uri }) => uri);
  const places = new Map(uris.map((uri, place) => [uri, place] as const).reverse());
  const told = new Map<number, string[]>();
  const tell = (place: number, what: string) => told.set(place, [...(told.get(place) ?? []), what]);
  const others: string[] = [];
  let recalled = 0;
  const textAt = (place: number) => listed[place]?.text ?? '';
  const sayWhether = (place: number, found: Digested | Absent) =>
    isAbsent(found) ? found.failure : found.hex('md5') === digestOf('md5', textAt(place)) ? 'right' : 'wrong';
  const bounds = startBounds({ bytes: 1e9, time: 60_000, memory: 1e9 });
  try {
    await openFolder(site, URL_OF_SITE, 'directory', bounds).compare({
      uris,
      find: (uri) => places.get(uri),
      isWanted,
      want: (place) => ({
        uri: uris[place] ?? '',
        length: undefined,
        digests: ['md5'],
        encoding: undefined,
      }),
      digests: new Set<HashAlgorithm>(['sha-256', 'md5']),
      isAsListed(place, { hex, length, more }) {
        const isSame = hex('sha-256') === digestOf('sha-256', textAt(place));
        if (isSame) tell(place, more || length !== BYTES.length ? 'of another length' : 'as listed');
        return isSame;
      },
      recall(place) {
        recalled++;
        const hex = (name: HashAlgorithm) => digestOf(name, textAt(place));
        return { ...NO_ANSWER, length: textAt(place).length, more: false, hex };
      },
      each: (place, found) => tell(place, sayWhether(place, found)),
      other: ({ path }) => others.push(path),
    });
  } finally {
    bounds.stop();
  }
  return { told, others, recalled };
}

const all = Array.from({ length: FILES }, (_, file) => ({ uri: uriOf(file), text: BYTES }));

test('each is told once: as listed, wrong, missing, or not listed', async () => {
  const listed = all.slice(1).map((one) => (one.uri === uriOf(77) ? { ...one, text: 'other bytes' } : one));
  const { told, others, recalled } = await compareAll([...listed, { uri: `${URL_OF_SITE}gone`, text: '' }]);
  expect(others.sort()).toEqual(['0/~0.html', 'original']);
  expect(told.get(76)).toEqual(['wrong']);
  expect(told.get(FILES - 1)).toEqual(['missing']);
  for (const place of [76, FILES - 1]) told.delete(place);
  expect(told.size).toBe(FILES - 2);
  for (const what of told.values()) expect(what).toEqual(['as listed']);
  expect(recalled).toBe(0);
});

test('what is listed again is compared again, though the file was forgotten, however it is spelled', async () => {
  const again = all.slice(0, FILES / 2).map(({ uri, text }, file) => ({
    uri: file % 2 === 0 ? uri : uri.replace('~', '%7E'),
    text: file === 1234 || file === 1235 ? 'other bytes' : text,
  }));
  const { told, others, recalled } = await compareAll([...all, ...again]);
  expect(others).toEqual(['original']);
  expect(recalled).toBeGreaterThan(0);
  expect([told.get(FILES + 1234), told.get(FILES + 1235)]).toEqual([['wrong'], ['wrong']]);
  for (const file of [1234, 1235]) told.delete(FILES + file);
  expect(told.size).toBe(1.5 * FILES - 2);
  for (const [place, [what, ...more]] of told) {
    expect(place < FILES ? ['as listed'] : ['as listed', 'right']).toContain(what);
    expect(more).toEqual([]);
  }
});

test('of a sample, nothing else is told, and a file is read though its first place is not in it', async () => {
  const { told, others } = await compareAll([...all, ...all], (place) => place % 7 === 0);
  expect(others).toEqual(['original']);
  const wanted = Array.from({ length: Math.ceil((2 * FILES) / 7) }, (_, index) => 7 * index);
  expect([...told.keys()].sort((a, b) => a - b)).toEqual(wanted);
  for (const [what, ...more] of told.values()) {
    expect(['as listed', 'right']).toContain(what);
    expect(more).toEqual([]);
  }
});
