/** Checks a configuration and fills in the defaults. */

import { resolve } from 'node:path';
import * as v from 'valibot';
import { PAGE } from '../paths/ours.js';
import { compileGlobs, compileInclude, makeSelection } from '../paths/selection.js';
import { listPaths, makeUri, type UrlStyle } from '../paths/urls.js';
import { HASH_ALGORITHMS, sameUri } from '../resourcesync/model.js';
import type { Config, ConfiguredGlob, ResolvedSet, Withdrawal } from './config.js';
import { findLabel, isTold, makeConfigError, type Origin, show, wordIssue } from './mistakes.js';
import { DEFAULTS, type UserConfig } from './options.js';
import { makeExtras, makeTypeLookup } from './per-resource.js';
import { parseHistory } from './place.js';
import { type DumpsSchema, OptionsSchema, type SetSchema, type VersionsSchema } from './schema.js';
import { isSiteUrl, isWebUrl } from './values.js';

/**
 * Checks a configuration and fills in the defaults.
 *
 * @param origin how mistakes are worded
 * @throws ResyncError `config-invalid` that lists every mistake
 */
export function resolveConfig(user: Partial<UserConfig>, origin: Origin = {}): Config {
  const { title, labels = {}, mistakes: former = [] } = origin;
  const result = v.safeParse(OptionsSchema, user, { abortPipeEarly: true });
  const mistakes = [
    ...former,
    ...(result.issues ?? [])
      .filter((issue) => !isTold(issue, origin))
      .map((issue) => wordIssue(issue, labels)),
    ...findConflicts(user, labels),
  ];
  if (mistakes.length > 0 || !result.success) throw makeConfigError(mistakes, title);
  const { output } = result;
  const url = new URL(output.url.endsWith('/') ? output.url : `${output.url}/`).href;
  const { page, feed, lang } = resolvePeople(output, url);
  const withdrawals = output.withdraw.map((name) => resolveWithdrawal(name, url, output.urls));
  const about = page && makeUri(url, PAGE, output.urls);
  const describedby = output.describedby === undefined ? about : new URL(output.describedby, url).href;
  return {
    site: resolve(output.site),
    url,
    urls: output.urls,
    include: output.include,
    globs: listGlobs(output),
    selection: makeSelection(output.include, output.exclude),
    // Always in one order, so that the order in which a user names them changes no byte.
    hash: HASH_ALGORITHMS.filter((algorithm) => output.hash.includes(algorithm)),
    describedby,
    sets: output.sets?.map((set) => resolveSet(set, url, about)) ?? [
      { name: undefined, describedby, holds: () => true },
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
    dumps: resolveDumps(output.dumps),
    versions: resolveVersions(output.versions),
    withdrawals,
    withdrawn: (uri) => withdrawals.some(({ matches }) => matches(uri)),
    page,
    feed,
    lang,
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

/** What does not go together; told along with all other mistakes, so it is looked for even where there are some. */
function findConflicts(user: Partial<UserConfig>, labels: Readonly<Record<string, string>>): string[] {
  const { record, url, hash, versions, withdraw } = user;
  const nameOf = (key: string) => findLabel(labels, key) ?? key;
  const isOpen = typeof url === 'string' && isSiteUrl(url) && !isTrustworthy(new URL(url));
  const base =
    typeof url === 'string' && isSiteUrl(url) ? new URL(`${url.replace(/\/$/, '')}/`).href : undefined;
  const elsewhere = (Array.isArray(withdraw) ? withdraw : []).filter(
    (name) =>
      base !== undefined &&
      typeof name === 'string' &&
      isWebUrl(name) &&
      !new URL(name).href.startsWith(base),
  );
  const mistakes = [
    ...(versions !== undefined && versions !== false && Array.isArray(hash) && !hash.includes('sha-256')
      ? [`${nameOf('versions')} needs sha-256, which names the versions. Add it to ${nameOf('hash')}`]
      : []),
    ...elsewhere.map(
      (name) =>
        `${nameOf('withdraw')} names ${name}, which is not below ${base}. Name a URL of this site, or a glob`,
    ),
  ];
  if (user.history !== 'published') return mistakes;
  return [
    ...mistakes,
    ...(record === true
      ? [
          `${nameOf('record')} does not go with history published, where the live site keeps the publications. Leave it out`,
        ]
      : []),
    ...(isOpen
      ? [
          `${nameOf('url')} must begin with https, but is ${show(url)}. With history published, the live site is read. Only sites on this machine may be read with http`,
        ]
      : []),
  ];
}

/** Whether nobody on the way can change what is read. */
function isTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
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

function resolveDumps(dumps: boolean | v.InferOutput<typeof DumpsSchema>): Config['dumps'] {
  if (typeof dumps !== 'boolean') return dumps;
  return { ...DEFAULTS.dumps, resources: dumps, changes: dumps };
}

/** What is for people: one language and, unless each has its own, one title. */
function resolvePeople(
  { page, feed }: Pick<v.InferOutput<typeof OptionsSchema>, 'page' | 'feed'>,
  url: string,
): Pick<Config, 'page' | 'feed' | 'lang'> {
  const { lang, title, stylesheet } = typeof page === 'object' ? page : { ...DEFAULTS.page };
  const name = title ?? nameSite(url);
  const counted = typeof feed === 'object' ? feed : { ...DEFAULTS.feed };
  return {
    page:
      page === false
        ? undefined
        : { title: name, stylesheet: stylesheet === undefined ? undefined : new URL(stylesheet, url).href },
    feed: feed === false ? undefined : { ...counted, title: counted.title ?? name },
    lang,
  };
}

/** `https://example.org/docs/` → `example.org/docs` */
function nameSite(url: string): string {
  const { host, pathname } = new URL(url);
  return (host + pathname).replace(/\/$/, '');
}

/** @param about the page for people, which says something of each set */
function resolveSet(
  set: v.InferOutput<typeof SetSchema>,
  url: string,
  about: string | undefined,
): ResolvedSet {
  const included = compileGlobs(set.include ?? ['**'], { dot: true });
  const excluded = compileGlobs(set.exclude ?? [], { dot: true });
  return {
    name: set.name,
    describedby:
      set.describedby === undefined ? about && `${about}#${set.name}` : new URL(set.describedby, url).href,
    holds: (path) => included(path) && !excluded(path),
  };
}
