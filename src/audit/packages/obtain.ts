/** Brings a package into a file, where it is not in one already. */

import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type ListedResource, toWanted } from '../../source/listed.js';
import { digestOpened } from '../../source/origin/digest.js';
import type { Absent, Opened, WantedBytes } from '../../source/origin/origin.js';
import { describeWriteFailure, makeTemporaryFolder } from '../../source/packages/temporary.js';
import { PackageError } from '../../source/packages/unzip.js';
import type { Run } from '../read.js';

/** What a package may have: none of ours is larger, and there has to be room for it in the temporary folder. */
const MOST_PACKAGE_BYTES = 4 * 1024 ** 3;

/** The file of a package: as it lies in the folder, or fetched into one of ours that `remove` removes. */
export async function obtainPackage({ origin }: Run, listed: ListedResource) {
  const opened = await origin.open(listed.uri, { encoding: listed.encoding, most: MOST_PACKAGE_BYTES });
  const wanted = toWanted(listed);
  const path = origin.pathOf(listed.uri);
  if (path !== undefined) {
    return { file: path, digested: await digestOpened(opened, wanted), remove: () => undefined };
  }
  const folder = makeTemporaryFolder();
  const file = join(folder.path, 'package.zip');
  try {
    return { file, digested: await saveOpened(file, opened, wanted), remove: folder.remove };
  } catch (error) {
    folder.remove();
    throw error;
  }
}

async function saveOpened(file: string, opened: Opened | Absent, wanted: WantedBytes) {
  const write = <T>(step: () => T): T => {
    try {
      return step();
    } catch (error) {
      throw describeWriteFailure(error, file);
    }
  };
  const out = write(() => openSync(file, 'wx', 0o600));
  let written = 0;
  const save = (chunk: Buffer) => {
    written += chunk.length;
    // A coding may unpack to any number of bytes.
    if (written > MOST_PACKAGE_BYTES)
      throw new PackageError('package-excessive', `more than ${MOST_PACKAGE_BYTES} bytes`);
    for (let offset = 0; offset < chunk.length; ) offset += write(() => writeSync(out, chunk, offset));
  };
  try {
    return await digestOpened(opened, wanted, save);
  } finally {
    write(() => closeSync(out));
  }
}
