/** Looks around a folder: at the folders above it, at what they hold, and whether one of them is a given one. */

import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unlessRefused } from '../../base/errors.js';

/** The folders above a folder, the nearest first. */
export function listAncestors(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...listAncestors(parent)];
}

/** The nearest folder, from this one upwards, that holds something of this name, be it a broken link. */
export function findAround(folder: string, name: string): string | undefined {
  return listAround(folder).find((one) => unlessRefused(() => lstatSync(join(one, name))) !== undefined);
}

/** Whether a folder is another one, or in it; whatever links lead to them, and however their names are spelled. */
export function isWithin(folder: string, outer: string): boolean {
  const wanted = identify(outer);
  return wanted !== undefined && listAround(folder).some((one) => identify(one) === wanted);
}

/** A folder and those above it, as it was reached and as it is. */
function listAround(folder: string): string[] {
  const real = unlessRefused(() => realpathSync(folder)) ?? folder;
  return [...new Set([folder, ...listAncestors(folder), real, ...listAncestors(real)])];
}

/** What no two folders share; undefined where there is none. */
function identify(folder: string): string | undefined {
  const facts = unlessRefused(() => statSync(folder, { bigint: true }));
  return facts && `${facts.dev} ${facts.ino}`;
}
