/**
 * What a run leaves for others on the same site: the options of an integration, and what is pending since when. What is not quite as it
 * was left is no configuration; no build fails for what cannot be left.
 */

import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { unlessRefused } from '../base/errors.js';
import { isWithin, listAround } from '../base/folders.js';
import { show } from '../base/options/mistakes.js';
import { addSlash, closedObject } from '../base/options/values.js';
import {
  CACHE,
  type CachePlace,
  findCaches,
  parseJson,
  readCached,
  readSealed,
  writeCached,
  writeSealed,
} from '../paths/hold/cache.js';
import { pathOfDocument } from '../paths/ours.js';
import { DOCUMENT_LIMITS } from '../standard/limits.js';
import type { UserConfig } from './options.js';
import { OptionsSchema } from './schema/schema.js';

/** Names the shape of the file. Another one is none that we can read. */
const FORMAT = 'resync-static options 1';
/** Longer files are neither written nor read. In bytes. */
const KEPT_LIMIT = 262_144;
/** What is not kept: where the site is; and `record`, because each run says for itself whether it records. */
const NOT_KEPT = ['site', 'record'] as const;
/** So many sites of a project are looked at. */
const MOST_SITES = 100;
/** Options that may be functions. */
const FUNCTIONS = ['type', 'changefreq', 'links'] as const;

/** What an integration was given, as other runs may use it. */
export interface IntegrationOptions {
  /** Its entry point, `resync-static/eleventy`. */
  readonly integration: string;
  /** Without what cannot be kept. */
  readonly options: Partial<UserConfig>;
  /** The options that are functions, by their names. */
  readonly functions: readonly string[];
}

/** Digests the Resource Lists of a site, one for each set; undefined unless all are there. */
function digestLists(
  site: string,
  { sets }: { readonly sets?: SourceSets | undefined },
): Record<string, string> | undefined {
  const paths = (sets ?? [{ name: undefined }])
    .filter((set) => !('capabilityList' in set))
    .map(({ name }) => pathOfDocument(name, 'resourcelist'));
  if (paths.length === 0) return undefined;
  const lists: Record<string, string> = {};
  for (const path of paths) {
    const file = join(site, path);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats?.isFile() !== true || stats.size > DOCUMENT_LIMITS.bytes) return undefined;
    lists[path] = createHash('sha256').update(readFileSync(file)).digest('hex');
  }
  return lists;
}

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
 * Writes the options beside the project that has the site, bound to the Resource Lists that the site has now. They name a key,
 * and files: so they are sealed, and those that come with a clone are none. Where
 * that is not possible, as in a `node_modules` that nobody may write, there will be none.
 *
 * @param site that was described with these options
 */
export function leaveOptions(site: string, { integration, options, functions }: IntegrationOptions): void {
  unlessRefused(() => {
    const [place] = findCaches(site);
    const lists = digestLists(site, options);
    if (place === undefined || lists === undefined) return;
    const kept = { format: FORMAT, site: place.site, integration, options, functions, lists };
    const text = `${JSON.stringify(kept, undefined, 2)}\n`;
    if (Buffer.byteLength(text) <= KEPT_LIMIT) writeSealed(place.file, text);
    // What a build before has left may belong to lists with the same bytes.
    else rmSync(`${place.file}.json`, { force: true });
  });
}

/**
 * Binds options that were taken to the Resource Lists that the site has now, after another run has written them with these
 * options; unless a build has left others meanwhile.
 */
export function renewOptions(site: string, taken: IntegrationOptions): void {
  unlessRefused(() => {
    const { lists: _, ...left } = readKept(site)[0] ?? { lists: {} };
    if (isDeepStrictEqual(left, taken)) leaveOptions(site, taken);
  });
}

/** Names the shape of the file that a build leaves where something is pending. */
const PENDING_FORMAT = 'resync-static pending 1';

/** What is pending in a site. */
export interface LeftPending {
  /** Since when, as the documents say. */
  readonly at: string;
  /** The digest of what is pending, and of what it comes after. */
  readonly state: string;
  /** The commit that it was built of; undefined where nobody knows. */
  readonly source?: string | undefined;
}

const PendingSchema = closedObject({
  format: v.literal(PENDING_FORMAT),
  site: v.string(),
  at: v.string(),
  state: v.string(),
  source: v.optional(v.pipe(v.string(), v.regex(/^(?:[\da-f]{40}|[\da-f]{64})$/))),
  lists: v.optional(v.record(v.string(), v.string())),
});

type SourceSets = readonly { readonly name?: string | undefined }[];

const pendingFileOf = ({ file }: CachePlace) => `${file}-pending.json`;

/**
 * Leaves to `record`, and to builds that find an empty folder, what is pending in a site. The commit is bound to the Resource Lists
 * that the site has now. What is there already is not written again.
 *
 * @param pending undefined where nothing is
 */
export function leavePending(site: string, sets: SourceSets, pending: LeftPending | undefined): void {
  unlessRefused(() => {
    const [place] = findCaches(site);
    if (place === undefined) return;
    const file = pendingFileOf(place);
    if (pending === undefined) return rmSync(file, { force: true });
    const lists = pending.source === undefined ? undefined : digestLists(site, { sets });
    const left = { format: PENDING_FORMAT, site: place.site, ...pending, lists };
    const text = `${JSON.stringify(left, undefined, 2)}\n`;
    if (unlessRefused(() => readCached(file, site, KEPT_LIMIT)) !== text) writeCached(file, text);
  });
}

/** What the last build left; undefined where nothing was pending, or nobody knows. */
export function takePending(site: string): v.InferOutput<typeof PendingSchema> | undefined {
  for (const place of findCaches(site)) {
    const left = readLeft(PendingSchema, readCached, pendingFileOf(place), site);
    if (left?.site === place.site) return left;
  }
  return undefined;
}

/** Of which commit the site was built that has these Resource Lists; undefined where nobody knows. */
export function takeSource(site: string, sets: SourceSets): string | undefined {
  const { source, lists } = takePending(site) ?? {};
  const isCurrent = unlessRefused(() => isDeepStrictEqual(digestLists(site, { sets }) ?? null, lists));
  return isCurrent === true ? source : undefined;
}

/**
 * The sites in a folder that builds with an integration have described, in the order of their names; those whose Resource Lists are
 * still the ones that were written.
 */
export function findBuiltSites(folder: string): string[] {
  const sites = listAround(folder).flatMap((project) => {
    const names = unlessRefused(() => readdirSync(join(project, CACHE))) ?? [];
    return names.filter((name) => /^[\da-f]{16}\.json$/.test(name)).map((name) => ({ project, name }));
  });
  const found = sites.slice(0, MOST_SITES).flatMap(({ project, name }) => {
    const left = readLeft(KeptSchema, readSealed, join(project, CACHE, name.slice(0, -5)), project);
    const site = left && join(project, left.site);
    // What was left for it is read again from where it belongs.
    return site !== undefined && isWithin(site, folder) && takeOptions(site) !== undefined ? [site] : [];
  });
  return [...new Set(found)].sort();
}

const KeptSchema = closedObject({
  format: v.literal(FORMAT),
  site: v.string(),
  // It is printed.
  integration: v.pipe(v.string(), v.regex(/^resync-static\/[a-z]{1,40}$/)),
  options: v.looseObject({}),
  functions: v.array(v.picklist(FUNCTIONS)),
  lists: v.record(v.string(), v.string()),
});

/**
 * Reads the nearest options that were left for a site, and that the Resource Lists in it came of.
 *
 * @returns undefined where there are none
 */
export function takeOptions(site: string): IntegrationOptions | undefined {
  // The paths of the lists follow from the options. Those in the file are compared, and never opened.
  const isCurrent = ({ options, lists }: Kept) =>
    unlessRefused(() => JSON.stringify(digestLists(site, options)) === JSON.stringify(lists)) === true;
  const { lists: _, ...taken } = readKept(site).find(isCurrent) ?? { lists: {} };
  return 'options' in taken ? taken : undefined;
}

/** Options that were left, and the SHA-256 of each Resource List that came of them, by its path in the site. */
type Kept = IntegrationOptions & { readonly lists: Readonly<Record<string, string>> };

/** Reads what was left for a site, the nearest first, whatever has become of the lists since. */
function readKept(site: string): Kept[] {
  return findCaches(site).flatMap((place) => {
    const { format: _, site: of, ...kept } = readLeft(KeptSchema, readSealed, place.file, site) ?? {};
    if (of !== place.site || !('options' in kept)) return [];
    const { options, functions } = kept;
    const isKept = [...NOT_KEPT, ...functions].every((name) => !Object.hasOwn(options, name));
    return isKept && v.safeParse(OptionsSchema, { ...options, site }).success ? [kept] : [];
  });
}

/** What a file that was left holds; undefined where there is none, or it is of another shape. */
function readLeft<S extends v.GenericSchema>(
  schema: S,
  read: (name: string, owner: string, most: number) => string | undefined,
  name: string,
  owner: string,
): v.InferOutput<S> | undefined {
  const text = unlessRefused(() => read(name, owner, KEPT_LIMIT));
  const { success, output } = v.safeParse(schema, text === undefined ? undefined : parseJson(text));
  return success ? output : undefined;
}

type Options = v.InferOutput<typeof OptionsSchema>;

/**
 * Finds what a run cannot do as the integration did, a line each.
 *
 * @param written the configuration file; undefined where there is none
 * @param flags what is given for this run, by option: it wins, so it contradicts nothing
 */
export function* findContradictions(
  { integration, options, functions }: IntegrationOptions,
  written: Partial<UserConfig> | undefined,
  flags: object,
): Generator<string> {
  for (const name of written === undefined ? functions : [])
    yield `${integration} has ${name} as a function, which this run cannot know. Put the options into resync-static.config.mjs, and import them where you configure ${integration}`;
  const [left, right] = written ? [fillIn(options, written), fillIn(written, options)] : [];
  // What is wrong in the file is told anyway.
  if (written === undefined || left === undefined || right === undefined) return;
  for (const name of Object.keys(OptionsSchema.entries) as (keyof Options)[]) {
    if (NOT_KEPT.some((one) => one === name) || Object.hasOwn(flags, name)) continue;
    const isFunction = functions.includes(name);
    // Two functions cannot be compared. Whoever imports them from the file has the same in both.
    const isSame =
      isFunction === (typeof written[name] === 'function') &&
      (isFunction || JSON.stringify(compare(name, left)) === JSON.stringify(compare(name, right)));
    const [there, here] = [isFunction ? 'a function' : tell(options[name]), tell(written[name])];
    if (!isSame)
      yield `${name} is ${there} in ${integration}, but ${here} in this file. Say the same in both`;
  }
}

function tell(value: unknown): string {
  return value === undefined ? 'not set' : show(value);
}

/** With all defaults; a URL that is missing is no contradiction. */
function fillIn(options: Partial<UserConfig>, other: Partial<UserConfig>): Options | undefined {
  const url = options.url ?? other.url;
  const result = v.safeParse(OptionsSchema, { ...options, site: '.', url });
  return result.success ? result.output : undefined;
}

/** The value of an option such that equal values mean the same. */
function compare(name: keyof Options, options: Options): unknown {
  const base = addSlash(options.url);
  const resolve = (reference: string | undefined) => reference && new URL(reference, base).href;
  switch (name) {
    case 'url':
      return base;
    case 'include':
    case 'exclude':
    case 'hash':
      return [...options[name]].sort();
    case 'describedby':
      return resolve(options.describedby);
    case 'sets':
      return options.sets?.map((set) => ({ ...set, describedby: resolve(set.describedby) }));
    default:
      return options[name];
  }
}
