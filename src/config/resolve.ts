/** Checks a configuration and fills in the defaults. */

import { resolve } from 'node:path';
import * as v from 'valibot';
import { ResyncError } from '../base/errors.js';
import { say, sayLines } from '../base/text/say.js';
import { leaveToOthers } from '../paths/apart.js';
import { HOST_RULES } from '../paths/host-rules.js';
import { PAGE } from '../paths/ours.js';
import { compileGlobs, compileInclude, makeSelection } from '../paths/selection.js';
import { listPaths, makeUri, type UrlStyle } from '../paths/urls.js';
import { HASH_ALGORITHMS, type Link, sameUri } from '../standard/model.js';
import type { Config, ConfiguredGlob, ResolvedSet, Withdrawal } from './config.js';
import { DEFAULTS, type ResourceFacts, type UserConfig } from './options.js';
import {
  type ConfigOrigin,
  findLabel,
  listMistakes,
  parseOptions,
  show,
  wordIssue,
} from './schema/mistakes.js';
import {
  type ArchivesSchema,
  type DumpsSchema,
  LinkSchema,
  OptionsSchema,
  parseHistory,
  type SetSchema,
  type VersionsSchema,
} from './schema/schema.js';
import { addSlash, ChangeFreq, isChannelsUrl, isSiteUrl, isWebUrl, MediaType } from './schema/values.js';
import { findApartConflicts, ownSets, resolveDescribedby, resolveParts } from './sets.js';

/**
 * Checks a configuration and fills in the defaults.
 *
 * @param origin how mistakes are worded
 * @throws ResyncError `config-invalid` that lists every mistake
 */
export function resolveConfig(user: Partial<UserConfig>, origin: ConfigOrigin = {}): Config {
  const { labels = {} } = origin;
  // What does not go together is told along with all other mistakes, so it is looked for even where there are some.
  const nameOf = (key: string) => findLabel(labels, key) ?? key;
  const conflicts = [
    ...findOpenChannels(user, nameOf),
    ...findPastConflicts(user, nameOf),
    ...findPublishedConflicts(user, nameOf),
    ...findApartConflicts(user, nameOf),
  ];
  const output = parseOptions(OptionsSchema, user, origin, conflicts);
  const url = addSlash(output.url);
  const { page, feed, lang } = resolvePeople(output, url);
  const withdrawals = output.withdraw.map((name) => resolveWithdrawal(name, url, output.urls));
  const about = page && makeUri(url, PAGE, output.urls);
  const describedby = output.describedby === undefined ? about : new URL(output.describedby, url).href;
  const parts = resolveParts(output, url, about);
  const selection = makeSelection(output.include, output.exclude);
  return {
    ...parts,
    site: resolve(output.site),
    url,
    urls: output.urls,
    include: output.include,
    globs: listGlobs(output),
    selection: parts.joined.length === 0 ? selection : leaveToOthers(selection, parts.isOthers),
    // Always in one order, so that the order in which a user names them changes no byte.
    hash: HASH_ALGORITHMS.filter((algorithm) => output.hash.includes(algorithm)),
    describedby,
    sets: (output.sets &&
      ownSets(output.sets).map((set) => resolveSet(set, url, { about, noindex: output.noindex }))) ?? [
      { name: undefined, describedby, holds: () => true, noindex: output.noindex },
    ],
    history: parseHistory(output.history) ?? { kind: 'auto' },
    record: output.record,
    robots: output.robots,
    htmlLinks: output.htmlLinks,
    pageLinks: output.pageLinks,
    headers: output.headers,
    changes: {
      window: output.changes.window,
      period: output.changes.period,
      linked: output.versions !== false,
    },
    archives: resolveArchives(output.archives, output.versions !== false),
    dumps: resolveDumps(output.dumps),
    versions: resolveVersions(output.versions),
    withdrawals,
    withdrawn: (uri) => withdrawals.some(({ matches }) => matches(uri)),
    page,
    feed,
    sitemap: resolveSitemap(output.sitemap),
    sign: resolveSign(output.sign),
    lang,
    channels: output.channels === undefined ? undefined : addSlash(output.channels),
    hub: output.hub === undefined ? undefined : new URL(output.hub).href,
    type: makeTypeLookup(output),
    extras: makeExtras(output, url),
    notices: output.notices,
  };
}

/** Every glob, by the option that holds it. */
function listGlobs({
  include,
  exclude,
  sets,
  versions,
  type,
  changefreq,
}: v.InferOutput<typeof OptionsSchema>) {
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
    ...(sets ?? []).flatMap((set, index) => [
      ...list(`sets[${index}].include`, set.include),
      ...list(`sets[${index}].exclude`, set.exclude),
    ]),
    ...(typeof versions === 'object'
      ? [...list('versions.include', versions.include), ...list('versions.patches', versions.patches)]
      : []),
    ...list('type', keysOf(type)),
    ...list('changefreq', keysOf(changefreq)),
  ];
}

/** What is told in the open about a site that is not, anybody on the way could forge. */
function findOpenChannels({ url, channels }: Partial<UserConfig>, nameOf: (key: string) => string): string[] {
  if (typeof url !== 'string' || typeof channels !== 'string') return [];
  if (!isSiteUrl(url) || !isChannelsUrl(channels)) return [];
  if (new URL(url).protocol === 'http:' || isTrustworthy(new URL(channels))) return [];
  return [
    `${nameOf('channels')} must begin with wss, but is ${show(channels)}. Who copies a site from https opens no other WebSocket, except on this machine`,
  ];
}

/** What versions and signatures need, and what can be withdrawn. */
function findPastConflicts(user: Partial<UserConfig>, nameOf: (key: string) => string): string[] {
  const { url, hash, versions, withdraw, headers, sign } = user;
  const base = typeof url === 'string' && isSiteUrl(url) ? addSlash(new URL(url).href) : undefined;
  const elsewhere = (Array.isArray(withdraw) ? withdraw : []).filter(
    (name) =>
      base !== undefined &&
      typeof name === 'string' &&
      isWebUrl(name) &&
      !new URL(name).href.startsWith(base),
  );
  return [
    ...(isWanted(versions) && Array.isArray(hash) && !hash.includes('sha-256')
      ? [`${nameOf('versions')} needs sha-256, which names the versions. Add it to ${nameOf('hash')}`]
      : []),
    ...(isWanted(sign) && Array.isArray(hash) && hash.every((name) => name === 'md5')
      ? [
          `${nameOf('sign')} needs sha-256 or sha-512, because md5 proves nothing. Add sha-256 to ${nameOf('hash')}`,
        ]
      : []),
    ...(isWanted(versions) && headers !== undefined && listsHostRules(user)
      ? [
          `${nameOf('include')} lists ${HOST_RULES}, to which ${nameOf('headers')} adds a rule for each version, so it would not be what is listed. Add ${HOST_RULES} to ${nameOf('exclude')}`,
        ]
      : []),
    ...elsewhere.map(
      (name) =>
        `${nameOf('withdraw')} names ${name}, which is not below ${base}. Name a URL of this site, or a glob`,
    ),
  ];
}

/** Whether the file of rules is a resource, where hosts read it. */
function listsHostRules({ url, include = [], exclude = [] }: Partial<UserConfig>): boolean {
  if (typeof url !== 'string' || !isSiteUrl(url) || new URL(url).pathname !== '/') return false;
  const areGlobs = (globs: unknown) =>
    Array.isArray(globs) && globs.every((glob) => typeof glob === 'string');
  return areGlobs(include) && areGlobs(exclude) && makeSelection(include, exclude)(HOST_RULES) === undefined;
}

function findPublishedConflicts(
  { history, record, url, archives, dumps }: Partial<UserConfig>,
  nameOf: (key: string) => string,
): string[] {
  if (history !== 'published') return [];
  const isOpen = typeof url === 'string' && isSiteUrl(url) && !isTrustworthy(new URL(url));
  return [
    ...(record === true
      ? [
          `${nameOf('record')} does not go with history published, where the live site keeps the publications. Leave it out`,
        ]
      : []),
    ...(typeof archives === 'object' && archives.dumps === true && !isWanted(dumps)
      ? [
          `archives.dumps needs ${nameOf('dumps')} with history published: until a period is over, its files are in the dumps of today alone. Add ${nameOf('dumps')}, or archive lists alone`,
        ]
      : []),
    ...(isOpen
      ? [
          `${nameOf('url')} must begin with https, but is ${show(url)}. With history published, the live site is read. Only sites on this machine may be read with http`,
        ]
      : []),
  ];
}

function isWanted(option: unknown): boolean {
  return option !== undefined && option !== false;
}

/** Whether nobody on the way can change what is read. */
function isTrustworthy({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' ||
    protocol === 'wss:' ||
    /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
  );
}

function resolveArchives(
  archives: boolean | v.InferOutput<typeof ArchivesSchema>,
  linked: boolean,
): Config['archives'] {
  if (archives === false) return undefined;
  return { ...(archives === true ? DEFAULTS.archives : archives), linked };
}

function resolveVersions(versions: boolean | v.InferOutput<typeof VersionsSchema>): Config['versions'] {
  if (versions === false) return undefined;
  const { include, patches } = versions === true ? DEFAULTS.versions : versions;
  return {
    holds: compileGlobs(include, { dot: true }),
    patches: patches.length === 0 ? undefined : compileGlobs(patches, { dot: true }),
  };
}

/** Only URLs are known of what is on the live site: a glob matches all paths that may be behind one. */
function resolveWithdrawal(name: string, url: string, style: UrlStyle): Withdrawal {
  if (isWebUrl(name)) return { name, matches: (uri) => sameUri(uri, name) };
  const matches = compileGlobs([name], { dot: true });
  return { name, matches: (uri) => listPaths(uri, url, style).some(matches) };
}

export function resolveDumps(dumps: boolean | v.InferOutput<typeof DumpsSchema>): Config['dumps'] {
  if (typeof dumps !== 'boolean') return dumps;
  return { ...DEFAULTS.dumps, resources: dumps, changes: dumps };
}

function resolveSitemap(sitemap: v.InferOutput<typeof OptionsSchema>['sitemap']): Config['sitemap'] {
  if (typeof sitemap === 'object') return sitemap;
  return sitemap ? DEFAULTS.sitemap : undefined;
}

function resolveSign(sign: v.InferOutput<typeof OptionsSchema>['sign']): Config['sign'] {
  if (typeof sign === 'string') return { ...DEFAULTS.sign, key: sign };
  return sign && { key: sign.key, varying: sign.varying };
}

/** What is for people: one language for both. */
function resolvePeople(
  { page, feed }: Pick<v.InferOutput<typeof OptionsSchema>, 'page' | 'feed'>,
  url: string,
): Pick<Config, 'page' | 'feed' | 'lang'> {
  const { lang, title, stylesheet, excerpts } = typeof page === 'object' ? page : { ...DEFAULTS.page };
  const counted = typeof feed === 'object' ? feed : { ...DEFAULTS.feed };
  return {
    page:
      page === false
        ? undefined
        : {
            title,
            place: nameSite(url),
            excerpts,
            stylesheet: stylesheet === undefined ? undefined : new URL(stylesheet, url).href,
          },
    feed: feed === false ? undefined : { ...counted, title: counted.title ?? title ?? nameSite(url) },
    lang,
  };
}

/** `https://example.org/docs/` → `example.org/docs` */
function nameSite(url: string): string {
  const { host, pathname } = new URL(url);
  return (host + pathname).replace(/\/$/, '');
}

/** @param shared what goes for all sets; `about` is the page for people, which says something of each */
function resolveSet(
  set: v.InferOutput<typeof SetSchema>,
  url: string,
  { about, noindex }: { readonly about: string | undefined; readonly noindex: ResolvedSet['noindex'] },
): ResolvedSet {
  const included = compileGlobs(set.include ?? ['**'], { dot: true });
  const excluded = compileGlobs(set.exclude ?? [], { dot: true });
  return {
    name: set.name,
    describedby: resolveDescribedby(set, url, about),
    holds: (path) => included(path) && !excluded(path),
    noindex: set.noindex ?? noindex,
  };
}

function makeExtras(config: v.InferOutput<typeof OptionsSchema>, base: string): Config['extras'] {
  if (config.type === undefined && config.changefreq === undefined && config.links === undefined) {
    return undefined;
  }
  const type = makeTypeLookup(config);
  const changefreq = makeLookup(config.changefreq);
  return (facts) => ({
    ...optionally('type', type?.(facts) ?? facts.type),
    ...optionally('changefreq', ask('changefreq', v.optional(ChangeFreq), changefreq, facts)),
    ...optionally(
      'links',
      makeLinks(ask('links', v.optional(v.array(LinkSchema, 'a list of links')), config.links, facts), base),
    ),
  });
}

function makeTypeLookup({ type }: v.InferOutput<typeof OptionsSchema>): Config['type'] {
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

/** Asks the user's own code about one resource, and does not trust the answer. */
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

function makeLinks(
  links: readonly v.InferOutput<typeof LinkSchema>[] | undefined,
  base: string,
): Link[] | undefined {
  if (links === undefined || links.length === 0) return undefined;
  return links.map((link) => {
    const given = Object.fromEntries(Object.entries(link).filter(([, value]) => value !== undefined));
    return { ...given, rel: link.rel, href: new URL(link.href, base).href };
  });
}

function optionally<K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: T });
}
