/** What stands somewhere, in words. */

import type { BigIntStats, Stats } from 'node:fs';

export function nameKind(found: Stats | BigIntStats): string {
  if (found.isSymbolicLink()) return 'a link';
  if (found.isDirectory()) return 'a folder';
  if (found.isFile()) return 'a file';
  return found.isFIFO() ? 'a pipe' : 'a device or a socket';
}
