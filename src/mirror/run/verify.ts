/** Finds the files of a copy that are damaged. */

import { createDigester } from '../../files/digest/digester.js';
import type { Address } from '../../paths/address.js';
import { HASH_ALGORITHMS, type HashAlgorithm } from '../../standard/model.js';
import { lookAt } from '../files/place.js';
import type { Files } from '../plan/columns.js';
import type { Kept } from '../plan/model.js';
import type { MirrorObserver } from '../report.js';

/** Returns the URLs of files that are gone or have other bytes. @param folder path of the copy */
export async function findDamage(
  folder: string,
  files: Files,
  observe: MirrorObserver,
): Promise<ReadonlySet<Address>> {
  const damaged = new Set<Address>();
  /** Numbers of the files to digest. */
  const digested: number[] = [];
  const names = new Set<HashAlgorithm>();
  for (const number of files.numbers()) {
    const kept = files.at(number);
    const occupant = lookAt(folder, kept.path);
    const name = algorithmOf(kept);
    if (name === undefined || occupant.kind !== 'file' || occupant.length !== kept.length)
      damaged.add(files.uriAt(number));
    else {
      names.add(name);
      digested.push(number);
    }
  }
  observe({ stage: 'verify', done: 0, total: digested.length });
  const digester = createDigester(folder, [...names]);
  try {
    for (const number of digested) digester.add(files.pathAt(number));
    const table = await digester.finish();
    for (const [index, number] of digested.entries()) {
      const kept = files.at(number);
      const name = algorithmOf(kept);
      if (name === undefined || kept.hash !== `${name}:${table.hex(index, name)}`)
        damaged.add(files.uriAt(number));
    }
  } finally {
    digester.close();
  }
  return damaged;
}

export function algorithmOf({ hash }: Kept): HashAlgorithm | undefined {
  return HASH_ALGORITHMS.find((algorithm) => hash.startsWith(`${algorithm}:`));
}
