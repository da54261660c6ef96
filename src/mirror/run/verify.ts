/** Finds the files of a copy that are damaged. */

import type { Address } from '../../paths/address.js';
import { workSideBySide } from '../../source/web/side-by-side.js';
import { openInCopy } from '../files/fetch.js';
import { lookAt } from '../files/place.js';
import { digestFile, digestsFor } from '../files/verify.js';
import type { Files } from '../plan/columns.js';
import type { Kept } from '../plan/model.js';
import type { MirrorObserver } from '../report.js';

/** Number of files that are read at a time. */
const CONNECTIONS = 8;

/** Returns the URLs of files that are gone or have other bytes. @param folder path of the copy */
export async function findDamage(
  folder: string,
  files: Files,
  observe: MirrorObserver,
): Promise<ReadonlySet<Address>> {
  const damaged = new Set<Address>();
  observe({ stage: 'verify', done: 0, total: files.size });
  await workSideBySide(files, CONNECTIONS, async ([uri, kept]) => {
    if (!(await isIntact(folder, kept))) damaged.add(uri);
  });
  return damaged;
}

async function isIntact(folder: string, { path, length, hash }: Kept): Promise<boolean> {
  const occupant = lookAt(folder, path);
  if (occupant.kind !== 'file' || occupant.length !== length) return false;
  const [name] = digestsFor({ hash });
  const bytes = await digestFile(openInCopy({ folder }, path), [name]);
  return hash === `${name}:${bytes.hex(name)}`;
}
