/** Saves the options of a build for later runs. Files of another schema, seal or site are ignored. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { unlessRefused } from '../base/errors.js';
import { isWithin, listAround } from '../base/folders.js';
import { show } from '../base/options/mistakes.js';
import { addSlash, closedObject } from '../base/options/values.js';
import { CACHE, findCaches, readSealed, writeSealed } from '../paths/hold/cache.js';
import { digestLists, readSaved } from './cached.js';
import type { UserConfig } from './options.js';
import { type Options, OptionsSchema } from './schema/schema.js';

const FORMAT = 'resync-static options 1';
/** Options that are not saved: the place of the site, and `record`, which is chosen for each run. */
const NOT_SAVED = ['site', 'record'] as const;
/** Maximum number of files with saved options that are read to find the sites in a folder. */
const MOST_SITES = 100;
const FUNCTIONS = ['type', 'changefreq', 'links'] as const;

/** Stands for the command line where an integration has its entry point. */
export const COMMAND_LINE = 'resync-static';

export interface BuildOptions {
  /** Entry point of the integration, such as `resync-static/eleventy`, or `COMMAND_LINE`. */
  readonly integration: string;
  /** The options that the build was given, without those that cannot be saved. */
  readonly options: Partial<UserConfig>;
  readonly functions: readonly string[];
}

export function makeBuildOptions(integration: string, options: Partial<UserConfig>): BuildOptions {
  const isFunction = (name: string) =>
    FUNCTIONS.some((one) => one === name && typeof options[one] === 'function');
  const saved = Object.entries(options).filter(
    ([name, value]) => value !== undefined && !NOT_SAVED.some((one) => one === name) && !isFunction(name),
  );
  return { integration, options: Object.fromEntries(saved), functions: FUNCTIONS.filter(isFunction) };
}

/**
 * Saves options in the project's cache, bound to the present Resource Lists of the site. Options name
 * keys and other files, so the saved file is sealed, and a copy in a clone is not accepted. Does nothing if the cache cannot be written.
 */
export function saveOptions(site: string, { integration, options, functions }: BuildOptions): void {
  unlessRefused(() => {
    const [place] = findCaches(site);
    const lists = digestLists(site, options);
    if (place === undefined || lists === undefined) return;
    const saved = { format: FORMAT, site: place.site, integration, options, functions, lists };
    writeSealed(place.file, `${JSON.stringify(saved, undefined, 2)}\n`);
  });
}

/** Saves options again for the Resource Lists that a run has written; those of an integration only if it has not saved others meanwhile. */
export function renewOptions(site: string, options: BuildOptions): void {
  const isNewest = () => {
    const { lists: _, ...saved } = listSavedOptions(site)[0] ?? { lists: {} };
    return isDeepStrictEqual(saved, options);
  };
  unlessRefused(() => {
    if (options.integration === COMMAND_LINE || isNewest()) saveOptions(site, options);
  });
}

/** Finds the sites in a folder that builds have described, if their Resource Lists are unchanged since; sorted. */
export function findBuiltSites(folder: string): string[] {
  const sites = listAround(folder).flatMap((project) => {
    const names = unlessRefused(() => readdirSync(join(project, CACHE)));
    const saved = names?.filter((name) => /^[\da-f]{16}\.json$/.test(name));
    return saved === undefined ? [] : saved.map((name) => ({ project, name }));
  });
  const found = sites.slice(0, MOST_SITES).flatMap(({ project, name }) => {
    const saved = readSaved(SavedSchema, readSealed, join(project, CACHE, name.slice(0, -5)), project);
    const site = saved && join(project, saved.site);
    // The saved file only names a site; its options must be found from there.
    return site !== undefined && isWithin(site, folder) && findSavedOptions(site) !== undefined ? [site] : [];
  });
  return [...new Set(found)].sort();
}

const SavedSchema = closedObject({
  format: v.literal(FORMAT),
  site: v.string(),
  // Messages show the name, so it must have no special characters.
  integration: v.pipe(v.string(), v.regex(/^resync-static(?:\/[a-z-]{1,40})?$/)),
  options: v.looseObject({}),
  functions: v.array(v.picklist(FUNCTIONS)),
  lists: v.record(v.string(), v.string()),
});

/** Finds the options of the build that wrote the present Resource Lists. @param ofCommand false if only an integration counts */
export function findSavedOptions(site: string, ofCommand = true): BuildOptions | undefined {
  // Lists are read at paths that follow from the options; the paths in the saved file are compared, but never opened.
  const isCurrent = ({ integration, options, lists }: SavedOptions) =>
    (ofCommand || integration !== COMMAND_LINE) &&
    unlessRefused(() => JSON.stringify(digestLists(site, options)) === JSON.stringify(lists)) === true;
  const { lists: _, ...saved } = listSavedOptions(site).find(isCurrent) ?? { lists: {} };
  return 'options' in saved ? saved : undefined;
}

/** Saved options, with the SHA-256 of each Resource List that was made from them, by its path in the site. */
type SavedOptions = BuildOptions & { readonly lists: Readonly<Record<string, string>> };

/** Reads all valid options saved for a site, nearest first, even if the lists have changed since. */
function listSavedOptions(site: string): SavedOptions[] {
  return findCaches(site).flatMap((place) => {
    const { format: _, site: owner, ...saved } = readSaved(SavedSchema, readSealed, place.file, site) ?? {};
    if (owner !== place.site || !('options' in saved)) return [];
    const { options, functions } = saved;
    const isAllowed = [...NOT_SAVED, ...functions].every((name) => !Object.hasOwn(options, name));
    return isAllowed && v.safeParse(OptionsSchema, { ...options, site }).success ? [saved] : [];
  });
}

/**
 * Lists contradictions between the options of an integration and those of this run, one line each.
 * @param written the configuration file, if any @param flags of the command line: they win, so they contradict nothing
 */
export function* findContradictions(
  { integration, options, functions }: BuildOptions,
  written: Partial<UserConfig> | undefined,
  flags: object,
): Generator<string> {
  if (written === undefined) {
    for (const name of functions)
      yield `${integration} has ${name} as a function, which this run cannot know. Put the options into resync-static.config.mjs, and import them where you configure ${integration}`;
    return;
  }
  const [left, right] = [fillIn(options, written), fillIn(written, options)];
  if (left === undefined || right === undefined) return;
  for (const name of Object.keys(OptionsSchema.entries) as (keyof Options)[]) {
    if (NOT_SAVED.some((one) => one === name) || Object.hasOwn(flags, name)) continue;
    const isFunction = functions.includes(name);
    // Functions cannot be compared; two functions count as equal.
    const isSame =
      isFunction === (typeof written[name] === 'function') &&
      (isFunction || isDeepStrictEqual(left[name], right[name]));
    const [there, here] = [isFunction ? 'a function' : showValue(options[name]), showValue(written[name])];
    if (!isSame)
      yield `${name} is ${there} in ${integration}, but ${here} in this file. Say the same in both`;
  }
}

function showValue(value: unknown): string {
  return value === undefined ? 'not set' : show(value);
}

/**
 * Adds defaults to options, in the form in which they are compared: without functions and undefined values, and with lists
 * sorted whose order changes no document. A missing `url` is that of the other options, which it then does not contradict.
 * Returns undefined if the options are wrong.
 */
function fillIn(options: Partial<UserConfig>, other: Partial<UserConfig>): Options | undefined {
  const { success, output } = v.safeParse(OptionsSchema, { url: other.url, ...options, site: '.' });
  if (!success) return undefined;
  const { url, include, exclude, hash } = output;
  const lists = { include: include.toSorted(), exclude: exclude.toSorted(), hash: hash.toSorted() };
  return JSON.parse(JSON.stringify({ ...output, url: addSlash(url), ...lists }));
}
