/** Resolves options for a Source that several builds describe: sets of this build, and sets of others that it joins. */

import { show } from '../base/options/mistakes.js';
import { addSlash } from '../base/options/values.js';
import { isUrl } from '../base/url.js';
import { makeOthersTest } from '../paths/apart.js';
import { pathOfDocument, pathOfSums, SOURCE_DESCRIPTION } from '../paths/ours.js';
import type { JoinedSet, Parts } from './config.js';
import type { UserConfig } from './options.js';
import type { Options } from './schema/schema.js';

type SetOptions = Pick<NonNullable<Options['sets']>[number], 'name' | 'describedby'>;

/** Resolves which sets and documents belong to this build. @param about URL of the page for people, which names each set */
export function resolveParts(
  { source, sets = [] }: Pick<Options, 'source' | 'sets'>,
  url: string,
  about: string | undefined,
): Parts {
  const given = source === undefined ? undefined : locate(source, url, SOURCE_DESCRIPTION);
  const joined = sets.flatMap(({ name, capabilityList, describedby }): JoinedSet[] => {
    if (capabilityList === undefined) return [];
    const uri = locateList(capabilityList, url);
    return [{ name, uri, describedby: resolveDescribedby({ name, describedby }, url, about) }];
  });
  const own = sets.length === 0 ? [undefined] : ownSets(sets).map(({ name }) => name);
  const isOthers = makeOthersTest({ url, own, source: given, joined: joined.map(({ uri }) => uri) });
  const isShared = isOthers(pathOfSums(undefined));
  const sumsOf = (set: string | undefined) => pathOfSums(isShared ? set : undefined);
  return {
    description: given ?? url + SOURCE_DESCRIPTION,
    isJoined: given !== undefined,
    joined,
    isOthers,
    sumsOf,
    // A build that only joins sets of others writes documents, too, and so has checksums.
    sums: [...new Set(own.length === 0 ? [sumsOf(undefined)] : own.map(sumsOf))],
  };
}

/** Returns the URL of the description of a set: the configured one, or its section on the page for people. */
export function resolveDescribedby(
  { name, describedby }: SetOptions,
  url: string,
  about: string | undefined,
): string | undefined {
  return describedby === undefined ? about && `${about}#${name}` : new URL(describedby, url).href;
}

export function ownSets<T extends { readonly capabilityList?: string | undefined }>(
  sets: readonly T[],
): readonly T[] {
  return sets.filter(({ capabilityList }) => capabilityList === undefined);
}

/** Resolves the URL of a document. A URL that ends with a slash is that of a site: the usual path of the document is added. */
function locate(reference: string, url: string, place: string): string {
  const { href } = new URL(reference, url);
  return href.endsWith('/') ? href + place : href;
}

function locateList(reference: string, url: string): string {
  return locate(reference, url, pathOfDocument(undefined, 'capabilitylist'));
}

export type NameOf = (key: string) => string;

/** Finds conflicts of options about sets of several builds. @param user options, not checked yet */
export function* findApartConflicts(user: Partial<UserConfig>, nameOf: NameOf): Generator<string> {
  const sets = Array.isArray(user.sets) ? user.sets.map(toObject) : [];
  const base = typeof user.url === 'string' && isUrl(user.url) ? addSlash(user.url) : undefined;
  yield* findSetConflicts(sets, typeof user.source === 'string' ? nameOf('source') : undefined);
  if (base !== undefined) yield* findRepeated(sets, base);
  yield* findMissing(user, sets, nameOf);
  if (base !== undefined) yield* findShared(user, sets, base, nameOf);
}

type Loose = Readonly<Record<string, unknown>>;

function toObject(value: unknown): Loose {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

const isApart = ({ capabilityList }: Loose) => capabilityList !== undefined;

function* findSetConflicts(sets: readonly Loose[], source: string | undefined): Generator<string> {
  for (const [index, set] of sets.entries()) {
    if (!isApart(set)) continue;
    for (const key of ['include', 'exclude'])
      if (set[key] !== undefined)
        yield `sets[${index}].${key} does not go with capabilityList, because another build says what is in that set. Leave it out`;
    if (source !== undefined)
      yield `sets[${index}].capabilityList does not go with ${source}: sets are joined by the build that writes the Source Description. Leave one of them out`;
  }
}

function* findRepeated(sets: readonly Loose[], url: string): Generator<string> {
  const found = new Map<string, { readonly index: number; readonly set: Loose }>();
  for (const [index, set] of sets.entries()) {
    const { name, capabilityList } = set;
    const reference = capabilityList ?? url + pathOfDocument(String(name), 'capabilitylist');
    if (typeof reference !== 'string' || !isUrl(reference, url)) continue;
    const uri = locateList(reference, url);
    const first = found.get(uri) ?? { index, set };
    found.set(uri, first);
    if (first.index !== index && (isApart(set) || isApart(first.set)))
      yield `sets[${index}] and sets[${first.index}] have the same Capability List, ${uri}. Leave one of them out`;
  }
}

function* findMissing(user: Partial<UserConfig>, sets: readonly Loose[], nameOf: NameOf): Generator<string> {
  if (sets.length === 0 || !sets.every(isApart)) return;
  for (const key of ['record', 'dumps', 'feed', 'sitemap'] as const)
    if (user[key] !== undefined && user[key] !== false)
      yield `${nameOf(key)} is for sets that this build describes, and sets has only those of others. Leave it out`;
}

/** Finds options that only the build that writes the Source Description may have. */
function* findShared(
  user: Partial<UserConfig>,
  sets: readonly Loose[],
  url: string,
  nameOf: NameOf,
): Generator<string> {
  const { source, describedby } = user;
  if (typeof source !== 'string' || !isUrl(source, url)) return;
  const description = locate(source, url, SOURCE_DESCRIPTION);
  const isShared = description === url + SOURCE_DESCRIPTION;
  for (const key of ['page', 'feed', 'sitemap', 'versions'] as const)
    if (isShared && (user[key] === true || typeof user[key] === 'object'))
      yield `${nameOf(key)} would be written by several builds to one place. Give it to the build that writes ${description}, or give this one another URL than ${show(url)}`;
  if (describedby !== undefined && sets.length > 0)
    yield `${nameOf('describedby')} describes the Source, which another build does. Give it there, or to the sets`;
}
