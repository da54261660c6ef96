/** Resolves a configuration: checks options, and adds defaults. */

import { resolve } from 'node:path';
import * as v from 'valibot';
import { parseDatetime } from '../base/datetime.js';
import { ResyncError } from '../base/errors.js';
import {
  type ConfigOrigin,
  findLabel,
  listMistakes,
  parseOptions,
  show,
  wordIssue,
} from '../base/options/mistakes.js';
import { addSlash, isChannelsUrl, isSiteUrl, MediaType } from '../base/options/values.js';
import { say, sayLines } from '../base/text/say.js';
import { isWebUrl } from '../base/url.js';
import { addressOf, sameAddress } from '../paths/address.js';
import { leaveToOthers } from '../paths/apart.js';
import { PAGE } from '../paths/ours.js';
import { compileGlobs, compileInclude, makeSelection } from '../paths/selection.js';
import { listPaths, makeUri, type UrlStyle } from '../paths/urls.js';
import { fingerprint } from '../standard/digests.js';
import { HASH_ALGORITHMS, type Link } from '../standard/model.js';
import type { Config, ConfiguredGlob, ResolvedSet, Withdrawal } from './config.js';
import type { ResourceFacts, UserConfig } from './options.js';
import { ChangeFreq, LinkSchema, type Options, OptionsSchema, parseHistory } from './schema/schema.js';
import { findApartConflicts, type NameOf, ownSets, resolveDescribedby, resolveParts } from './sets.js';

/** Checks a configuration, and adds defaults. @param origin says how messages name the options @throws ResyncError `config-invalid` with all */
export function resolveConfig(user: Partial<UserConfig>, origin: ConfigOrigin = {}): Config {
  const { labels = {} } = origin;
  const nameOf = (key: string) => findLabel(labels, key) ?? key;
  const output = parseOptions(OptionsSchema, user, origin, [...findConflicts(user, nameOf)]);
  const url = addSlash(output.url);
  const { page, feed, lang } = resolvePeople(output, url);
  const withdrawals = output.withdraw.map((name) => resolveWithdrawal(name, url, output.urls));
  const about = page && makeUri(url, PAGE, output.urls);
  const describedby = output.describedby === undefined ? about : new URL(output.describedby, url).href;
  const parts = resolveParts(output, url, about);
  const selection = makeSelection(output.include, output.exclude);
  const sets = resolveSets(output, url, { about, describedby, joined: parts.joined });
  const readsPages = [page, feed, output.sitemap].some((wanted) => wanted !== undefined);
  // Only `channel` and `notify` need `connections` and `indexnowEndpoint`.
  const { connections: _, indexnowEndpoint: __, ...own } = output;
  return {
    ...own,
    ...parts,
    site: resolve(output.site),
    url,
    globs: listGlobs(output),
    selection: parts.joined.length === 0 ? selection : leaveToOthers(selection, parts.isOthers),
    // Algorithms are in a fixed order, so that their order in the option changes no byte of documents.
    hash: HASH_ALGORITHMS.filter((algorithm) => output.hash.includes(algorithm)),
    describedby,
    sets,
    headers: output.headers,
    sign: output.sign,
    history: parseHistory(output.history) ?? { kind: 'auto' },
    changes: resolveChanges(output),
    archives: output.archives && { ...output.archives, linked: output.versions !== undefined },
    versions: output.versions && { holds: compileGlobs(output.versions.include, { dot: true }) },
    withdrawals,
    withdrawn: (uri) => withdrawals.some(({ matches }) => matches(uri)),
    gone: resolveGone(output, url),
    page,
    feed,
    writesSums: output.sums || output.sign !== undefined,
    wishes: resolveWishes(output, readsPages),
    readsPages,
    writesPages: readsPages && !parts.isJoined && sets.length > 0,
    lang,
    channels: output.channels === undefined ? undefined : addSlash(output.channels),
    hub: output.hub === undefined ? undefined : new URL(output.hub).href,
    type: makeTypeLookup(output),
    extras: makeExtras(output, url),
  };
}

/** Number of the rules for default selection and URLs of files; to be incremented whenever these rules change. */
const DEFAULT_RULES = 1;

const sortDistinct = (values: readonly string[]) => [...new Set(values)].sort();

function listGlobs({ include, exclude, sets = [], versions, type, changefreq }: Options): ConfiguredGlob[] {
  const list = (option: string, globs: readonly string[] = [], { dot = true, ofResources = true } = {}) =>
    globs.map(
      (glob): ConfiguredGlob => ({ option, glob, matches: compileGlobs([glob], { dot }), ofResources }),
    );
  const keysOf = (table: typeof type | typeof changefreq) =>
    typeof table === 'object' ? Object.keys(table) : [];
  const included = list('include', include, { dot: false, ofResources: false });
  return [
    ...included.map((one) => ({ ...one, bringsBack: compileInclude(one.glob) })),
    ...list('exclude', exclude, { ofResources: false }),
    ...sets.flatMap((set, index) => [
      ...list(`sets[${index}].include`, set.include),
      ...list(`sets[${index}].exclude`, set.exclude),
    ]),
    // Without the default glob of versions: it matches every file, and is never idle.
    ...list(
      'versions.include',
      versions?.include.filter((glob) => glob !== '**'),
    ),
    ...list('type', keysOf(type)),
    ...list('changefreq', keysOf(changefreq)),
  ];
}

/** Finds channels without encryption for an https site: notifications could be forged. */
function* findOpenChannels({ url, channels }: Partial<UserConfig>, nameOf: NameOf): Generator<string> {
  if (typeof url !== 'string' || typeof channels !== 'string') return;
  if (!isSiteUrl(url) || !isChannelsUrl(channels)) return;
  if (new URL(url).protocol !== 'http:' && !isTrustworthy(new URL(channels)))
    yield `${nameOf('channels')} must begin with wss, but is ${show(channels)}. Who copies a site from https opens no other WebSocket, except on this machine`;
}

function* findPastConflicts(user: Partial<UserConfig>, nameOf: NameOf): Generator<string> {
  const { url, hash, versions, withdraw, sign } = user;
  if (isWanted(versions) && Array.isArray(hash) && !hash.includes('sha-256'))
    yield `${nameOf('versions')} needs sha-256, which names the versions. Add it to ${nameOf('hash')}`;
  if (isWanted(sign) && Array.isArray(hash) && hash.every((name) => name === 'md5'))
    yield `${nameOf('sign')} needs sha-256 or sha-512, because md5 proves nothing. Add sha-256 to ${nameOf('hash')}`;
  if (typeof url !== 'string' || !isSiteUrl(url) || !Array.isArray(withdraw)) return;
  const base = addSlash(url);
  for (const name of withdraw)
    if (typeof name === 'string' && isWebUrl(name) && !addressOf(name).startsWith(addressOf(base)))
      yield `${nameOf('withdraw')} names ${name}, which is not below ${base}. Name a URL of this site, or a glob`;
}

function* findPublishedConflicts(
  { history, record, url, changes, archives, versions }: Partial<UserConfig>,
  nameOf: NameOf,
): Generator<string> {
  if (history !== 'published') return;
  if (record === true)
    yield `${nameOf('record')} does not go with history published, where the live site keeps the publications. Leave it out`;
  if (typeof changes === 'object' && changes.since !== undefined)
    yield `changes.since does not go with history published, which lists what other options add and drop. Leave it out`;
  for (const [name, option] of Object.entries({ archives, versions }))
    if (isWanted(option))
      yield `${nameOf(name)} does not go with history published: ${name} come from git, which keeps the past. Keep the history in git, such as with ${nameOf('record')}, or leave ${name} out`;
  if (typeof url === 'string' && isSiteUrl(url) && !isTrustworthy(new URL(url)))
    yield `${nameOf('url')} must begin with https, but is ${show(url)}. With history published, the live site is read. Only sites on this machine may be read with http`;
}

function isWanted(option: unknown): boolean {
  return option !== undefined && option !== false;
}

/** Returns whether answers of a URL cannot be changed in transit: it is encrypted, or on this machine. */
function isTrustworthy({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' ||
    protocol === 'wss:' ||
    /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
  );
}

function* findConflicts(user: Partial<UserConfig>, nameOf: NameOf): Generator<string> {
  yield* findOpenChannels(user, nameOf);
  yield* findPastConflicts(user, nameOf);
  yield* findPublishedConflicts(user, nameOf);
  yield* findApartConflicts(user, nameOf);
}

function resolveChanges({ changes, versions }: Options): Config['changes'] {
  return {
    ...changes,
    period: changes.period,
    since: changes.since === undefined ? undefined : parseDatetime(changes.since),
    linked: versions !== undefined,
  };
}

function resolveWishes(
  { noindex, robots, htmlLinks, pageLinks, notices }: Options,
  readsPages: boolean,
): Config['wishes'] {
  return {
    noindex: noindex === 'skip' || readsPages || (robots && notices['noindex-listed'] !== false),
    canonical: readsPages || (robots && notices['canonical-elsewhere'] !== false),
    // Only a comparison with what was published needs the leads of pages.
    leads: false,
    links: pageLinks,
    lists: htmlLinks,
    texts: readsPages,
  };
}

/** Makes a test of URLs for a glob or URL of the options `withdraw` and `gone`; a glob is tested with all paths of a URL. */
function resolveWithdrawal(name: string, url: string, style: UrlStyle): Withdrawal {
  if (isWebUrl(name)) return { name, matches: (uri) => sameAddress(uri, name) };
  const matches = compileGlobs([name], { dot: true });
  return { name, matches: (uri) => listPaths(uri, url, style).some(matches) };
}

function resolveGone({ gone, urls }: Options, url: string): Config['gone'] {
  const addresses = gone.addresses.map((name) => ({
    ...resolveWithdrawal(name.replace(/^\//, ''), url, urls),
    name,
  }));
  return { addresses, files: gone.files, host: gone.host };
}

function resolvePeople({ page, feed }: Options, url: string): Pick<Config, 'page' | 'feed' | 'lang'> {
  const place = nameSite(url);
  return {
    page: page && {
      ...page,
      title: page.title,
      place,
      stylesheet: page.stylesheet === undefined ? undefined : new URL(page.stylesheet, url).href,
    },
    feed: feed && { ...feed, title: feed.title ?? page?.title ?? place },
    lang: page?.lang ?? 'en',
  };
}

/** Names a site by host and path of its URL: `https://example.org/docs/` → `example.org/docs`. */
function nameSite(url: string): string {
  const { host, pathname } = new URL(url);
  return (host + pathname).replace(/\/$/, '');
}

function resolveSets(
  { urls, include, exclude, noindex, sets }: Options,
  url: string,
  {
    about,
    describedby,
    joined,
  }: Pick<Config, 'describedby' | 'joined'> & { readonly about: string | undefined },
): readonly ResolvedSet[] {
  const shared = [
    DEFAULT_RULES,
    url,
    urls,
    ...[include, exclude, joined.map(({ uri }) => uri)].map(sortDistinct),
    noindex,
  ];
  if (sets !== undefined) return ownSets(sets).map((set) => resolveSet(set, url, { about, shared }));
  return [{ name: undefined, describedby, holds: () => true, listing: fingerprint(shared) }];
}

/** Resolves one set of resources. @param all values common to all sets; those in `shared` decide what a set lists */
function resolveSet(
  set: NonNullable<Options['sets']>[number],
  url: string,
  all: { readonly about: string | undefined; readonly shared: readonly unknown[] },
): ResolvedSet {
  const { include = ['**'], exclude = [] } = set;
  const included = compileGlobs(include, { dot: true });
  const excluded = compileGlobs(exclude, { dot: true });
  return {
    name: set.name,
    describedby: resolveDescribedby(set, url, all.about),
    holds: (path) => included(path) && !excluded(path),
    listing: fingerprint([...all.shared, sortDistinct(include), sortDistinct(exclude)]),
  };
}

function makeExtras(config: Options, base: string): Config['extras'] {
  if (config.type === undefined && config.changefreq === undefined && config.links === undefined) {
    return undefined;
  }
  const typeOf = makeTypeLookup(config);
  const frequencyOf = makeLookup(config.changefreq);
  return (facts) => {
    const type = typeOf?.(facts) ?? facts.type;
    const changefreq = ask('changefreq', v.optional(ChangeFreq), frequencyOf, facts);
    const links = ask('links', v.optional(v.array(LinkSchema, 'a list of links')), config.links, facts);
    return {
      ...(type !== undefined && { type }),
      ...(changefreq !== undefined && { changefreq }),
      ...(links !== undefined && links.length > 0 && { links: links.map((link) => makeLink(link, base)) }),
    };
  };
}

function makeTypeLookup({ type }: Options): Config['type'] {
  const lookup = makeLookup(type);
  return lookup && ((facts) => ask('type', v.optional(MediaType), lookup, facts));
}

function makeLookup(
  option: ((resource: ResourceFacts) => unknown) | Record<string, unknown> | undefined,
): ((resource: ResourceFacts) => unknown) | undefined {
  if (option === undefined || typeof option === 'function') return option;
  const rules = Object.entries(option).map(([glob, value]) => ({
    matches: compileGlobs([glob], { dot: true }),
    value,
  }));
  return ({ path }) => rules.find(({ matches }) => matches(path))?.value;
}

/** Calls a function of the configuration for a resource, and checks its result. */
function ask<S extends v.GenericSchema>(
  option: string,
  schema: S,
  answer: ((resource: ResourceFacts) => unknown) | undefined,
  facts: ResourceFacts,
): v.InferOutput<S> | undefined {
  if (answer === undefined) return undefined;
  let value: unknown;
  try {
    value = answer(facts);
  } catch (error) {
    throw new ResyncError(
      'extras-invalid',
      say`The function ${option} of the configuration failed for ${facts.path}: ${sayLines(error instanceof Error ? error.message : String(error))}`,
      { cause: error },
    );
  }
  const result = v.safeParse(schema, value, { abortPipeEarly: true });
  if (result.success) return result.output;
  throw new ResyncError(
    'extras-invalid',
    say`The option ${option} of the configuration gives a wrong value for ${facts.path}:\n${listMistakes(result.issues.map((issue) => wordIssue(issue, {}, option)))}`,
  );
}

function makeLink(link: v.InferOutput<typeof LinkSchema>, base: string): Link {
  const given = Object.fromEntries(Object.entries(link).filter(([, value]) => value !== undefined));
  return { ...given, rel: link.rel, href: new URL(link.href, base).href };
}
