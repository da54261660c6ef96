/** Finds the files of a copy that are damaged. */

import { createDigester } from '../../files/digest/digester.js';
import type { Address } from '../../paths/address.js';
import type { HashAlgorithm } from '../../standard/model.js';
import { lookAt } from '../files/place.js';
import { digestsFor } from '../files/verify.js';
import type { Files } from '../plan/columns.js';
import type { MirrorObserver } from '../report.js';

/** @param folder path of the copy @returns the URLs of files that are gone or have other bytes @throws ResyncError `file-unreadable` */
export async function findDamage(
  folder: string,
  files: Files,
  observe: MirrorObserver,
): Promise<ReadonlySet<Address>> {
  const damaged = new Set<Address>();
  const names = new Set<HashAlgorithm>();
  /** Numbers of the files that have the saved length. */
  const digested: number[] = [];
  for (const number of files.numbers()) {
    const kept = files.at(number);
    const occupant = lookAt(folder, kept.path);
    if (occupant.kind === 'file' && occupant.length === kept.length) {
      names.add(...digestsFor(kept));
      digested.push(number);
    } else damaged.add(files.uriAt(number));
  }
  observe({ stage: 'verify', done: 0, total: digested.length });
  const digester = createDigester(folder, [...names]);
  try {
    for (const number of digested) digester.add(files.pathAt(number));
    const table = await digester.finish();
    for (const [index, number] of digested.entries()) {
      const { hash } = files.at(number);
      const [name] = digestsFor({ hash });
      if (hash !== `${name}:${table.hex(index, name)}`) damaged.add(files.uriAt(number));
    }
  } finally {
    digester.close();
  }
  return damaged;
}
