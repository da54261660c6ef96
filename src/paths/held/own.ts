/** Opens and writes the tool's own files and folders, in whose place somebody may have put a link, a pipe or a file too large. */

import { closeSync, fstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ResyncError, unlessRefused } from '../../base/errors.js';
import { say, type Words } from '../../base/text/say.js';
import { type HeldFolder, nameKind } from './folder.js';

/** Opens one of our files; undefined if it is missing. @param most bytes @throws ResyncError `not-ours` if longer, or not a file */
export function openOwn(
  folder: HeldFolder,
  name: string,
  most = Number.POSITIVE_INFINITY,
): number | undefined {
  const found = folder.look(name);
  if (found === undefined) return undefined;
  // Looks before opening: some devices do something when they are opened.
  if (!found.isFile())
    throw refuseEntry(join(folder.path, name), say`${nameKind(found)}, where a file of ours belongs`);
  // Between looking and opening, another run may remove the file.
  const file = unlessRefused(() => folder.open(name), 'ENOENT');
  if (file === undefined) return undefined;
  const opened = fstatSync(file);
  if (opened.isFile() && opened.size <= most) return file;
  closeSync(file);
  throw refuseEntry(
    join(folder.path, name),
    say`${nameKind(opened)} of ${opened.size} bytes, and none of ours is so long`,
  );
}

export function readOwn(folder: HeldFolder, name: string, most: number): string | undefined {
  const file = openOwn(folder, name, most);
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Holds one of our folders; undefined if it is missing. @throws ResyncError `not-ours` if the entry is not a folder */
export function holdOwn(folder: HeldFolder, name: string): HeldFolder | undefined {
  const found = folder.look(name);
  if (found === undefined) return undefined;
  if (!found.isDirectory()) throw refuseFolder(join(folder.path, name), nameKind(found));
  return unlessRefused(() => folder.hold(name), 'ENOENT');
}

/** Makes the error for an entry in the place of one of our folders. @param what kind of entry, such as `a link` */
export function refuseFolder(path: string, what: string): ResyncError {
  return refuseEntry(path, say`${what}, where a folder of ours belongs`);
}

function refuseEntry(path: string, what: Words): ResyncError {
  return new ResyncError('not-ours', say`${path} is ${what}.\nMove or remove it, and run again.`);
}

/** Makes a file, in place of any entry of that name. @param work writes the bytes, piece by piece */
export async function writeInto<T>(
  folder: HeldFolder,
  name: string,
  work: (write: (piece: Buffer) => void) => Promise<T>,
): Promise<T> {
  const out = makeAnew(folder, name);
  try {
    return await work((piece) => writeFileSync(out, piece));
  } finally {
    closeSync(out);
  }
}

/** Creates a file. Removes an existing entry instead of writing to it: it may be a link, or have a second name elsewhere. */
function makeAnew(folder: HeldFolder, name: string): number {
  const made = unlessRefused(() => folder.create(name), 'EEXIST');
  if (made !== undefined) return made;
  folder.clear(name);
  return folder.create(name);
}
