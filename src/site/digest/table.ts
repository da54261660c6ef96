/** The lengths and digests of many files, kept as bytes until they are asked for. */

import type { Seen } from '../../page/wishes.js';
import { BATCH_FILES, type DigestJob } from './job.js';
import { DIGESTS, type DigestName, widthOf } from './kinds.js';

/** Lengths and digests by the index of the path that was asked for. */
export interface DigestTable {
  /** Number of bytes that the digests are of. */
  length(index: number): number;
  /** Lower-case hexadecimal. */
  hex(index: number, name: DigestName): string;
  /** Several digests of one file, each after its name: `md5:… sha-256:…`. */
  join(index: number, names: readonly DigestName[]): string;
  /** What was seen of a page; undefined where nothing mattered, or nobody wanted to know. */
  seen(index: number): Seen;
}

export function makeTable(
  jobs: readonly DigestJob[],
  names: readonly DigestName[],
  seen: ReadonlyMap<number, Seen>,
): DigestTable {
  const width = widthOf(names);
  const batches = jobs.map(({ lengths, digests }) => ({ lengths, bytes: Buffer.from(digests.buffer) }));
  const offsets = new Map<DigestName, number>();
  let offset = 0;
  for (const name of names) {
    offsets.set(name, offset);
    offset += DIGESTS[name].bytes;
  }
  const find = (index: number) => {
    const batch = batches[Math.floor(index / BATCH_FILES)];
    if (batch === undefined) throw new RangeError(`no file ${index}`);
    return batch;
  };
  const findOffset = (name: DigestName) => {
    const within = offsets.get(name);
    if (within === undefined) throw new RangeError(`${name} was not asked for`);
    return within;
  };
  let form = startForm([], findOffset);
  const hex = (index: number, name: DigestName) => {
    const start = (index % BATCH_FILES) * width + findOffset(name);
    return find(index).bytes.toString('hex', start, start + DIGESTS[name].bytes);
  };
  return {
    length: (index) => find(index).lengths[index % BATCH_FILES] ?? Number.NaN,
    hex,
    seen: (index) => seen.get(index),
    join: (index, wanted) => {
      if (wanted !== form.names) form = startForm(wanted, findOffset);
      return form.fill(find(index).bytes, (index % BATCH_FILES) * width);
    },
  };
}

/** The two digits of every byte, as characters. */
const DIGITS = Buffer.from(
  Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).join(''),
);

/**
 * A text of digests in which only the digits are filled in. It is asked for again whenever a resource is listed, so it is
 * made in a fifth of the time that `toString('hex')` for each would take; and a string that `+` makes keeps all its parts.
 */
function startForm(names: readonly DigestName[], findOffset: (name: DigestName) => number) {
  const text = Buffer.from(names.map((name) => `${name}:${'0'.repeat(2 * DIGESTS[name].bytes)}`).join(' '));
  let end = 0;
  const gaps = names.map((name) => {
    const start = end + name.length + 1;
    end = start + 2 * DIGESTS[name].bytes + 1;
    return { start, offset: findOffset(name), length: DIGESTS[name].bytes };
  });
  return {
    names,
    fill(digests: Buffer, row: number): string {
      for (const { start, offset, length } of gaps) {
        for (let index = 0; index < length; index++) {
          const byte = digests[row + offset + index] ?? 0;
          text[start + 2 * index] = DIGITS[2 * byte] ?? 0;
          text[start + 2 * index + 1] = DIGITS[2 * byte + 1] ?? 0;
        }
      }
      return text.toString('latin1');
    },
  };
}
