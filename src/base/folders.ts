/** Lists a folder and all folders above it, and finds entries in them. */

import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unlessRefused } from './errors.js';

export function listQuietly(folder: string): string[] {
  return unlessRefused(() => readdirSync(folder)) ?? [];
}

/** Lists a folder and all folders above it, nearest first. */
export function listAround(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listAround(parent)];
}

/** Finds the nearest folder, from `folder` upwards, that has an entry with the given name, even a broken link. */
export function findAround(folder: string, name: string): string | undefined {
  return listReached(folder).find((one) => unlessRefused(() => lstatSync(join(one, name))) !== undefined);
}

/** Returns whether a folder is `outer` or inside it; links are followed, and the spelling of names does not matter. */
export function isWithin(folder: string, outer: string): boolean {
  const wanted = identify(outer);
  return wanted !== undefined && listReached(folder).some((one) => identify(one) === wanted);
}

/** Lists a folder and all folders above it, both by its given path and by its real path. */
function listReached(folder: string): string[] {
  const real = unlessRefused(() => realpathSync(folder)) ?? folder;
  return [...new Set([...listAround(folder), ...listAround(real)])];
}

/** Returns the identity of the folder at a path: it changes when the folder is replaced, or a link leads elsewhere. */
export function identify(folder: string): string | undefined {
  const facts = unlessRefused(() => statSync(folder, { bigint: true }));
  return facts && `${facts.dev} ${facts.ino}`;
}
