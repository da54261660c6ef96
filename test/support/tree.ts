/** Folders that are copied from memory. */

import { makeSite } from './site.js';

/** Writes what `readTree` has read into a new folder. */
export function writeTree(tree: Readonly<Record<string, string>>): string {
  const files = Object.entries(tree).map(([path, bytes]) => [path, Buffer.from(bytes, 'latin1')]);
  return makeSite(Object.fromEntries(files));
}
