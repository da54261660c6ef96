/** Reads and writes the inventory of versions and TimeMaps, which are files of ours without our mark. Pure. */

import { getOrInsert } from '../../../base/group.js';
import { isVersionPath, OWNER_MARK } from '../../../paths/ours.js';
import { decodePath, encodePath } from '../../../paths/urls.js';

/** SHA-256 of each version and TimeMap in hexadecimal, by path; two digests while a run replaces the file. */
export type Inventory = ReadonlyMap<string, readonly string[]>;

const HEAD = `<!-- ${OWNER_MARK} -->\n`;

export function writeInventory(inventory: Inventory): string {
  const sorted = [...inventory].sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = sorted.flatMap(([path, digests]) =>
    digests.map((digest) => `${digest} ${encodePath(path)}\n`),
  );
  return HEAD + lines.join('');
}

/** Reads an inventory. Paths outside of the folders of versions are ignored. */
export function readInventory(text: string): Inventory {
  const inventory = new Map<string, string[]>();
  if (!text.startsWith(HEAD)) return inventory;
  for (const [, digest = '', name = ''] of text.matchAll(/^([\da-f]{64}) (\S+)$/gm)) {
    const path = decodePath(name);
    const isOutside = path.split('/').some((segment) => /^\.{0,2}$|[\\\0]/.test(segment));
    if (isOutside || !isVersionPath(path)) continue;
    getOrInsert(inventory, path, () => []).push(digest);
  }
  return inventory;
}

export function joinInventories(one: Inventory, other: Inventory): Inventory {
  const all = new Map(one);
  for (const [path, digests] of other) all.set(path, [...new Set([...(all.get(path) ?? []), ...digests])]);
  return all;
}
