/** Table of the lengths and digests of many files, which are kept as bytes until somebody reads them. */

import type { SeenFacts } from '../page/facts/seen.js';
import { BATCH_FILES, type DigestJob } from './job.js';
import { DIGESTS, type DigestName, widthOf } from './kinds.js';

/** Lengths, digests and page facts of files, by index in the order of `Digester.add`. */
export interface DigestTable {
  /** Returns the length in bytes of the file that was digested. */
  length(index: number): number;
  /** Returns one digest of a file in lower-case hexadecimal. */
  hex(index: number, name: DigestName): string;
  /** Returns the facts of a page; undefined if the file is no page, or no facts are wanted. */
  seen(index: number): SeenFacts;
}

export function makeTable(
  jobs: readonly DigestJob[],
  names: readonly DigestName[],
  seen: readonly SeenFacts[],
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
  return {
    length: (index) => find(index).lengths[index % BATCH_FILES] ?? Number.NaN,
    hex(index, name) {
      const within = offsets.get(name);
      if (within === undefined) throw new RangeError(`${name} was not asked for`);
      const start = (index % BATCH_FILES) * width + within;
      return find(index).bytes.toString('hex', start, start + DIGESTS[name].bytes);
    },
    seen: (index) => seen[index],
  };
}
