/** Leaves the options of an integration for other runs on the same site. No build fails for that. */

import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { unlessRefused } from '../../base/errors.js';
import type { UserConfig } from '../options.js';
import {
  digestLists,
  FORMAT,
  FUNCTIONS,
  findKeptPlaces,
  type IntegrationOptions,
  KEPT_LIMIT,
  type KeptFile,
  NOT_KEPT,
} from './place.js';
import { readKept } from './take.js';

/** Takes what can be kept out of the options of an integration. */
export function makeIntegrationOptions(
  integration: string,
  options: Partial<UserConfig>,
): IntegrationOptions {
  const isFunction = (name: string) =>
    FUNCTIONS.some((one) => one === name && typeof options[one] === 'function');
  const kept = Object.entries(options).filter(
    ([name, value]) => value !== undefined && !NOT_KEPT.some((one) => one === name) && !isFunction(name),
  );
  return { integration, options: Object.fromEntries(kept), functions: FUNCTIONS.filter(isFunction) };
}

/**
 * Writes the options beside the project that has the site, bound to the Resource Lists that the site has now. Where
 * that is not possible, as in a `node_modules` that nobody may write, there will be none.
 *
 * @param site that was described with these options
 */
export function leaveOptions(site: string, { integration, options, functions }: IntegrationOptions): void {
  unlessRefused(() => {
    const [place] = findKeptPlaces(site);
    const lists = digestLists(site, options);
    if (place === undefined || lists === undefined) return;
    const kept: KeptFile = { format: FORMAT, site: place.site, integration, options, functions, lists };
    const text = `${JSON.stringify(kept, undefined, 2)}\n`;
    if (Buffer.byteLength(text) <= KEPT_LIMIT) replaceFile(place.file, text);
    // What a build before has left may belong to lists with the same bytes.
    else rmSync(place.file, { force: true });
  });
}

/**
 * Binds options that were taken to the Resource Lists that the site has now, after another run has written them with these
 * options; unless a build has left others meanwhile.
 */
export function renewOptions(site: string, taken: IntegrationOptions): void {
  unlessRefused(() => {
    const found = findKeptPlaces(site).map((place) => unlessRefused(() => readKept(site, place)));
    const { lists: _, ...left } = found.find((kept) => kept !== undefined) ?? { lists: {} };
    if (isDeepStrictEqual(left, taken)) leaveOptions(site, taken);
  });
}

/** Never writes through a link: not in the place of the folder, and not in that of the file. */
function replaceFile(file: string, text: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  if (!lstatSync(folder).isDirectory()) return;
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, text, { flag: 'wx' });
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}
