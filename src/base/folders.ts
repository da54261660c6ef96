/** Goes up from a folder. Pure. */

import { dirname } from 'node:path';

/** A folder and those around it, the nearest first. */
export function listAround(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listAround(parent)];
}
