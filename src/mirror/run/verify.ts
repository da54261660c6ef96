/** Finds the files of a copy that are not what they were when they were put there. */

import { HASH_ALGORITHMS, type HashAlgorithm } from '../../resourcesync/model.js';
import { startDigester } from '../../site/digest/digester.js';
import { startLooking } from '../files/place.js';
import type { Kept } from '../plan/model.js';
import type { Session } from './session.js';

/** The URLs of files that are gone, or have other bytes. */
export async function findDamage(
  { config: { folder }, observe }: Session,
  files: ReadonlyMap<string, Kept>,
): Promise<ReadonlySet<string>> {
  const damaged = new Set<string>();
  const read: { readonly uri: string; readonly name: HashAlgorithm; readonly kept: Kept }[] = [];
  const names = new Set<HashAlgorithm>();
  const places = startLooking(folder);
  for (const [uri, kept] of files) {
    const standing = places.look(kept.path);
    const name = HASH_ALGORITHMS.find((algorithm) => kept.hash.startsWith(`${algorithm}:`));
    if (name === undefined || standing.kind !== 'file' || standing.length !== kept.length) damaged.add(uri);
    else {
      names.add(name);
      read.push({ uri, name, kept });
    }
  }
  observe({ stage: 'verify', done: 0, total: read.length });
  const digester = startDigester(folder, [...names]);
  try {
    for (const { kept } of read) digester.add(kept.path);
    const table = await digester.finish();
    for (const [index, { uri, name, kept }] of read.entries()) {
      if (kept.hash !== `${name}:${table.hex(index, name)}`) damaged.add(uri);
    }
  } finally {
    digester.close();
  }
  return damaged;
}
