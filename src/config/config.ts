import { resolve } from 'node:path';
import { closestMatch } from 'leven';
import * as v from 'valibot';
import { ResyncError } from '../errors.js';
import { compileGlobs, makeSelection, type Selection } from '../paths/selection.js';
import { URL_STYLES, type UrlStyle } from '../paths/urls.js';
import type { PackageLimits } from '../plan/borders.js';
import type { ChangeRules } from '../plan/changes.js';
import { DOCUMENT_LIMITS } from '../resourcesync/document.js';
import {
  CHANGE_FREQUENCIES,
  type ChangeFrequency,
  HASH_ALGORITHMS,
  type HashAlgorithm,
  type Link,
  parseDatetime,
  type Resource,
} from '../resourcesync/model.js';
import { joinWords, say, sayLines, type Words } from '../text/say.js';
import type { HttpLimits } from '../web/client.js';

/** What is known of a resource when the configuration is asked about it. */
export type ResourceFacts = Omit<Resource, 'changefreq' | 'links'>;

/**
 * A value that differs from resource to resource: by glob (relative to the site, the first that matches counts), or
 * by a function.
 */
export type PerResource<T> = Readonly<Record<string, T>> | ((resource: ResourceFacts) => T | undefined);

/** A host that takes header rules from a file `_headers`. */
export type HeadersHost = (typeof HEADERS_HOSTS)[number];
const HEADERS_HOSTS = ['netlify', 'cloudflare'] as const;

/** A set of resources with documents of its own (§9). A resource may be in several sets. */
export interface SetConfig {
  /** Names the set's folder, `resourcesync/<name>/`: lower-case letters, digits and hyphens. */
  readonly name: string;
  /** Globs, relative to the site, of what is in the set. @default everything that is listed */
  readonly include?: readonly string[];
  /** Globs of what is not; they win. @default none */
  readonly exclude?: readonly string[];
  /** URL of a document about the set, absolute or relative to `url` (§9, `describedby`). */
  readonly describedby?: string;
}

/** The configuration as a user writes it. Only `site` and `url` have no default. */
export interface UserConfig {
  /** The built output; relative to the working directory, or to the configuration file if it stands there. */
  readonly site: string;
  /** Absolute http(s) URL at which the site's root is served; it may have a path. */
  readonly url: string;
  /** How HTML files become URLs. @default 'directory' */
  readonly urls?: UrlStyle;
  /** Globs, relative to the site, of files to list although they are left out by default. @default none */
  readonly include?: readonly string[];
  /** Globs of files to leave out; they win over `include`. @default none */
  readonly exclude?: readonly string[];
  /** Digests to list. @default ['md5', 'sha-256'] */
  readonly hash?: readonly HashAlgorithm[];
  /**
   * URL of a document about the Source, absolute or relative to `url` (§8, `describedby`). Without `sets`, the one set
   * of resources is the whole Source, and the document describes it too.
   */
  readonly describedby?: string;
  /** Sets of resources. @default one set of everything that is listed */
  readonly sets?: readonly SetConfig[];
  /**
   * Where the publications of the site are kept: `auto`, `none`, `published` (by the live site at `url`, whose Change
   * Lists are continued), `snapshots`, `snapshots:<name>`, or the first-parent commits of a branch, `<ref>` or
   * `<ref>:<folder>`, such as `origin/gh-pages`. `auto` takes `HEAD` if the site is
   * committed there, snapshots otherwise, and none outside a git repository or in a bare one. @default 'auto'
   */
  readonly history?: string;
  /** Keeps this publication, as a commit on `refs/resync-static/<name>`. @default false */
  readonly record?: boolean;
  /** Names the Resource Lists in `robots.txt` (§6.3.4). @default false */
  readonly robots?: boolean;
  /** Links HTML pages to the Capability Lists of the sets that hold them, in their `<head>` (§6.3.3). @default false */
  readonly htmlLinks?: boolean;
  /**
   * Adds to the `_headers` of a host the media type of the Source Description, and links from resources to the
   * Capability Lists of the sets that hold them (§6.3.3). @default none
   */
  readonly headers?: HeadersHost;
  /** Which changes are listed. */
  readonly changes?: {
    /** Days before the newest publication. @default 90 */
    readonly window?: number;
    /** Ends a Change List with every day, week or month, in UTC. @default none */
    readonly period?: 'day' | 'week' | 'month';
  };
  /** Publishes the site and its changes as ZIP packages, too (§11, §13). @default false */
  readonly dumps?:
    | boolean
    | {
        /** Whether there is a Resource Dump. @default true */
        readonly resources?: boolean;
        /** Whether there is a Change Dump, where there is a history. @default true */
        readonly changes?: boolean;
        /** Files in a package of the Resource Dump. @default 10000 */
        readonly maxEntries?: number;
        /** Their bytes, uncompressed; a file that is larger has a package of its own. @default 20971520 */
        readonly maxBytes?: number;
      };
  /** Media types where the file extension does not tell the right one. */
  readonly type?: PerResource<string>;
  /** How often a resource is likely to change (§7, `changefreq`). */
  readonly changefreq?: PerResource<ChangeFrequency>;
  /**
   * Links from a resource to related ones (§14). A relative `href` is resolved against `url`. The links of §14.4
   * (patches) belong to changes and are refused here.
   */
  readonly links?: (resource: ResourceFacts) => readonly Link[] | undefined;
}

/** What a set of resources is, all defaults filled in. */
export interface ResolvedSet {
  /** Undefined for the one set of a site that configures none. */
  readonly name: string | undefined;
  readonly describedby: string | undefined;
  readonly holds: (path: string) => boolean;
}

/** What the configuration adds to a resource. */
export type Extras = Pick<Resource, 'type' | 'changefreq' | 'links'>;

/** Where publications are kept. */
export type HistoryChoice =
  | { readonly kind: 'auto' | 'none' | 'published' }
  /** `name` is undefined where the site's place in the repository gives it. */
  | { readonly kind: 'snapshots'; readonly name: string | undefined }
  | { readonly kind: 'ref'; readonly ref: string; readonly folder: string };

/** The configuration as the program uses it: checked, complete. */
export interface Config {
  readonly site: string;
  /** With a trailing slash. */
  readonly url: string;
  readonly urls: UrlStyle;
  readonly include: readonly string[];
  /** What is left out, `include` and `exclude` considered. */
  readonly selection: Selection;
  readonly hash: readonly HashAlgorithm[];
  readonly describedby: string | undefined;
  readonly sets: readonly ResolvedSet[];
  readonly history: HistoryChoice;
  readonly record: boolean;
  readonly robots: boolean;
  readonly htmlLinks: boolean;
  readonly headers: HeadersHost | undefined;
  readonly changes: ChangeRules;
  readonly dumps: PackageLimits & { readonly resources: boolean; readonly changes: boolean };
  /** The configured media type of a resource; undefined when none is configured. */
  readonly type: ((resource: ResourceFacts) => string | undefined) | undefined;
  /** Undefined when nothing is configured per resource. */
  readonly extras: ((resource: ResourceFacts) => Extras) | undefined;
}

const DEFAULTS = {
  urls: 'directory',
  include: [],
  exclude: [],
  hash: ['md5', 'sha-256'],
  history: 'auto',
  record: false,
  robots: false,
  htmlLinks: false,
  changes: { window: 90 },
  // 20 MiB: some hosts take no file of more than 25.
  dumps: { resources: true, changes: true, maxEntries: 10_000, maxBytes: 20 * 1024 * 1024 },
} as const satisfies Partial<UserConfig>;

/** What to audit and how, as a user writes it. Only `source` has no default. */
export interface AuditConfig extends Partial<Pick<UserConfig, 'url' | 'urls' | 'include' | 'exclude'>> {
  /**
   * A folder; or an http(s) URL of a site, of a page that links to its Capability List, or of a ResourceSync document.
   */
  readonly source: string;
  /** How many resources have their bytes compared: a number, or a share such as `5%`. @default all */
  readonly sample?: number | string;
  /** W3C Datetime; bytes are compared only of what has changed since. */
  readonly since?: string;
  /** A folder with what should be served: where bytes differ, the report shows the first difference. */
  readonly against?: string;
  /** How to treat servers. */
  readonly http?: Partial<HttpLimits>;
  /**
   * Bytes that the audit reads before it ends: those that come over the network, and those that come out of compressed
   * ones. A number, or with a unit, such as `500MB`. @default 200 GB
   */
  readonly maxBytes?: number | string;
  /** Time before the audit ends: seconds, or with a unit, such as `10m`. @default 12 h */
  readonly maxTime?: number | string;
}

/** What to audit and how: checked, complete. */
export interface ResolvedAudit {
  readonly source:
    | { readonly kind: 'folder'; readonly site: string }
    | { readonly kind: 'web'; readonly url: string };
  /** With a trailing slash; undefined to find it in the documents. */
  readonly url: string | undefined;
  /** Undefined to go by what is listed. */
  readonly urls: UrlStyle | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly sample: { readonly count: number } | { readonly share: number } | undefined;
  readonly since: Date | undefined;
  readonly against: string | undefined;
  readonly http: HttpLimits;
  readonly maxBytes: number;
  /** Milliseconds. */
  readonly maxTime: number;
}

/**
 * Bounds that a sound Source of a million resources keeps: 100 kB for each on average, and once more in a dump; and at
 * four connections 170 ms for each.
 */
const AUDIT_DEFAULTS = {
  maxBytes: '200GB',
  maxTime: '12h',
  http: { timeout: 30_000, attempts: 3, connections: 4 },
} as const satisfies Partial<AuditConfig>;

/** Gives a configuration file its types; returns what it is given. */
export function defineConfig<T extends Partial<UserConfig>>(config: T): T {
  return config;
}

const Glob = v.pipe(
  v.string('a glob relative to the site, such as "drafts/**"'),
  v.check(
    (glob) => glob !== '' && !/^!?\//.test(glob),
    'a glob relative to the site, without a leading slash, such as "drafts/**"',
  ),
);
const Globs = v.array(Glob, 'a list of globs, such as ["drafts/**"]');
const UriReference = v.pipe(
  v.string("a URL, absolute or relative to the site's"),
  v.check(
    (reference) => URL.canParse(reference, 'https://site.invalid/'),
    "a URL, absolute or relative to the site's",
  ),
);
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;
const MediaType = v.pipe(
  v.string('a media type such as "text/csv"'),
  v.regex(MEDIA_TYPE, 'a media type without parameters, such as "text/csv"'),
);
const ChangeFreq = v.picklist(CHANGE_FREQUENCIES, `one of ${CHANGE_FREQUENCIES.join(', ')}`);
const isFunction = (value: unknown) => typeof value === 'function';
const AnyFunction = v.custom<(resource: ResourceFacts) => unknown>(isFunction);

/**
 * An object that has no other options than these. Unlike valibot's `strictObject`, it tells of each that it does not know,
 * and knows none that all objects inherit, such as `constructor`.
 */
function closedObject<const E extends v.ObjectEntries>(entries: E) {
  const schema = v.object(entries);
  return {
    ...schema,
    '~run'(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const input = dataset.value;
      const result = schema['~run'](dataset, config);
      if (typeof input !== 'object' || input === null) return result;
      for (const [key, value] of Object.entries(input)) {
        if (Object.hasOwn(entries, key)) continue;
        const path = [
          { type: 'object', origin: 'key', input: input as Record<string, unknown>, key, value },
        ] as const;
        v._addIssue(schema, 'key', result, config, { input: key, expected: 'never', path: [...path] });
      }
      return result;
    },
  };
}

/** Mistakes are worded as what is wanted; `wordIssue` adds where, and what was got. */
const SetSchema = closedObject({
  name: v.pipe(
    v.string('a name for the set\'s folder, such as "pages"'),
    v.regex(/^[a-z0-9][a-z0-9-]*$/, 'a name of lower-case letters, digits and hyphens'),
  ),
  include: v.optional(Globs),
  exclude: v.optional(Globs),
  describedby: v.optional(UriReference),
});

const PERIODS = ['day', 'week', 'month'] as const;
const ChangesSchema = closedObject({
  window: v.optional(
    v.pipe(
      v.number('a number of days'),
      v.check((days) => days > 0 && days <= 36_500, 'a number of days above 0, such as 90'),
    ),
    DEFAULTS.changes.window,
  ),
  period: v.optional(v.picklist(PERIODS, `one of ${PERIODS.join(', ')}`)),
});

const wholeNumber = (from: number, to: number, wanted: string) =>
  v.pipe(
    v.number(wanted),
    v.check((value) => Number.isInteger(value) && value >= from && value <= to, wanted),
  );
const DumpsSchema = closedObject({
  resources: v.optional(v.boolean('true or false'), DEFAULTS.dumps.resources),
  changes: v.optional(v.boolean('true or false'), DEFAULTS.dumps.changes),
  maxEntries: v.optional(
    wholeNumber(1, DOCUMENT_LIMITS.entries, `a number of files from 1 to ${DOCUMENT_LIMITS.entries}`),
    DEFAULTS.dumps.maxEntries,
  ),
  maxBytes: v.optional(
    wholeNumber(1, 4_000_000_000, 'a number of bytes from 1 to 4000000000'),
    DEFAULTS.dumps.maxBytes,
  ),
});

/** What git allows in a ref, and a shell or a person does not trip over. */
const REF = /^(?!.*(?:\.\.|\/\/|@\{|\.lock(?:\/|$)|\/\.|[./]$))[\w@][^\s~^:?*[\\\x00-\x1f\x7f]*$/;
const HISTORY =
  'auto, none, published, snapshots, snapshots:<name>, or <ref> or <ref>:<folder> such as origin/gh-pages';

const OptionsSchema = closedObject({
  site: v.pipe(
    v.string('the folder that the build writes, such as "./dist"'),
    v.nonEmpty('the folder that the build writes, such as "./dist"'),
  ),
  url: v.pipe(
    v.string('the absolute http(s) URL of the site, such as "https://example.org/"'),
    v.check(isSiteUrl, 'the absolute http(s) URL of the site, without query, fragment or password'),
  ),
  urls: v.optional(v.picklist(URL_STYLES, `one of ${URL_STYLES.join(', ')}`), DEFAULTS.urls),
  include: v.optional(Globs, [...DEFAULTS.include]),
  exclude: v.optional(Globs, [...DEFAULTS.exclude]),
  hash: v.optional(
    v.pipe(
      v.array(
        v.picklist(HASH_ALGORITHMS, `one or more of ${HASH_ALGORITHMS.join(', ')}`),
        `a list of ${HASH_ALGORITHMS.join(', ')}`,
      ),
      v.minLength(1, `one or more of ${HASH_ALGORITHMS.join(', ')}`),
    ),
    [...DEFAULTS.hash],
  ),
  describedby: v.optional(UriReference),
  sets: v.optional(
    v.pipe(
      v.array(SetSchema, 'a list of sets, such as [{ name: "pages", include: ["**/*.html"] }]'),
      v.minLength(1, 'at least one set; leave the option out for one set of everything'),
      v.check(
        (sets) => new Set(sets.map(({ name }) => name)).size === sets.length,
        'sets with names that differ',
      ),
    ),
  ),
  history: v.optional(
    v.pipe(
      v.string(HISTORY),
      v.check((text) => parseHistory(text) !== undefined, HISTORY),
    ),
    DEFAULTS.history,
  ),
  record: v.optional(v.boolean('true or false'), DEFAULTS.record),
  robots: v.optional(v.boolean('true or false'), DEFAULTS.robots),
  htmlLinks: v.optional(v.boolean('true or false'), DEFAULTS.htmlLinks),
  headers: v.optional(v.picklist(HEADERS_HOSTS, `one of ${HEADERS_HOSTS.join(', ')}`)),
  changes: v.optional(ChangesSchema, DEFAULTS.changes),
  // Not a union: that would not tell what is wrong inside of the object.
  dumps: v.optional(
    v.lazy((value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? DumpsSchema
        : v.boolean('true, false, or an object such as { maxBytes: 20971520 }'),
    ),
    false,
  ),
  type: v.optional(
    v.union(
      [AnyFunction, v.record(Glob, MediaType)],
      'a function, or media types by glob, such as { "*.geojson": "application/geo+json" }',
    ),
  ),
  changefreq: v.optional(
    v.union(
      [AnyFunction, v.record(Glob, ChangeFreq)],
      `a function, or values by glob, each one of ${CHANGE_FREQUENCIES.join(', ')}`,
    ),
  ),
  links: v.optional(v.custom<(resource: ResourceFacts) => unknown>(isFunction, 'a function')),
});

const BYTES = 'a number of bytes above 0, such as 500MB or 2GB';
const TIME = 'a time above 0, such as 90s, 10m or 2h';
const SAMPLE = 'a number of resources, or a share such as 5%';
const WHOLE = 'a whole number above 0';
const AuditSchema = closedObject({
  source: v.pipe(
    v.string('a folder, or an http(s) URL'),
    v.nonEmpty('a folder, or an http(s) URL'),
    v.check(
      (source) => !/^https?:/i.test(source) || isWebUrl(source),
      'a folder, or an http(s) URL without password',
    ),
  ),
  url: v.optional(OptionsSchema.entries.url),
  urls: v.optional(v.picklist(URL_STYLES, `one of ${URL_STYLES.join(', ')}`)),
  include: OptionsSchema.entries.include,
  exclude: OptionsSchema.entries.exclude,
  sample: v.optional(
    v.pipe(
      v.union([v.string(), v.number()], SAMPLE),
      v.check((sample) => parseSample(sample) !== undefined, SAMPLE),
    ),
  ),
  since: v.optional(
    v.pipe(
      v.string('a W3C Datetime such as 2026-11-20T10:15:00Z'),
      v.check((text) => parseDatetime(text) !== undefined, 'a W3C Datetime such as 2026-11-20T10:15:00Z'),
    ),
  ),
  against: v.optional(v.pipe(v.string('a folder'), v.nonEmpty('a folder'))),
  maxBytes: v.optional(
    v.pipe(
      v.union([v.string(), v.number()], BYTES),
      v.check((bytes) => parseQuantity(bytes, BYTE_UNITS) !== undefined, BYTES),
    ),
    AUDIT_DEFAULTS.maxBytes,
  ),
  maxTime: v.optional(
    v.pipe(
      v.union([v.string(), v.number()], TIME),
      v.check((time) => parseQuantity(time, TIME_UNITS) !== undefined, TIME),
    ),
    AUDIT_DEFAULTS.maxTime,
  ),
  http: v.optional(
    closedObject({
      timeout: v.optional(
        v.pipe(
          v.number('milliseconds'),
          v.check((value) => value > 0, 'milliseconds'),
        ),
        AUDIT_DEFAULTS.http.timeout,
      ),
      attempts: v.optional(
        v.pipe(v.number(WHOLE), v.integer(WHOLE), v.minValue(1, WHOLE)),
        AUDIT_DEFAULTS.http.attempts,
      ),
      connections: v.optional(
        v.pipe(v.number(WHOLE), v.integer(WHOLE), v.minValue(1, WHOLE)),
        AUDIT_DEFAULTS.http.connections,
      ),
    }),
    {},
  ),
});
/** What does not go together; told along with all other mistakes, so it is looked for even where there are some. */
function findConflicts(user: Partial<UserConfig>, labels: Readonly<Record<string, string>>): string[] {
  if (user.history !== 'published') return [];
  const { record, url } = user;
  const refuse = (key: string, wanted: string, got: unknown) =>
    `${findLabel(labels, key) ?? key}: wants ${wanted}; got ${show(got)}`;
  const isOpen = typeof url === 'string' && isSiteUrl(url) && !isTrustworthy(new URL(url));
  return [
    ...(record === true
      ? [refuse('record', 'to be left out: with history published, the live site keeps publications', record)]
      : []),
    ...(isOpen
      ? [
          refuse(
            'url',
            'an https URL: with history published, the live site is read (http only on this machine)',
            url,
          ),
        ]
      : []),
  ];
}

/** Whether nobody on the way can change what is read. */
function isTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

const PATCH = 'http://www.openarchives.org/rs/terms/patch';
const LinkSchema = closedObject({
  // RFC 8288 §2.1: a registered name, or a URI.
  rel: v.pipe(
    v.string('a relation type'),
    v.check(
      (rel) => /^[a-z][a-z0-9.-]*$/.test(rel) || URL.canParse(rel),
      'a registered relation type in lower case, or an absolute URI',
    ),
    v.check((rel) => rel !== PATCH, 'another relation type: patches belong to changes (§14.4)'),
  ),
  href: UriReference,
  pri: v.optional(
    v.pipe(
      v.number('a whole number from 1 to 999999'),
      v.integer('a whole number from 1 to 999999'),
      v.minValue(1, 'a whole number from 1 to 999999'),
      v.maxValue(999_999, 'a whole number from 1 to 999999'),
    ),
  ),
  modified: v.optional(v.date('a valid Date')),
  hash: v.optional(
    v.pipe(
      v.string('digests such as "md5:…"'),
      v.regex(/^[a-z0-9-]+:[\w+/=-]+(?: [a-z0-9-]+:[\w+/=-]+)*$/, 'digests such as "md5:… sha-256:…"'),
    ),
  ),
  length: v.optional(
    v.pipe(
      v.number('a number of bytes'),
      v.safeInteger('a number of bytes'),
      v.minValue(0, 'a number of bytes'),
    ),
  ),
  type: v.optional(MediaType),
  encoding: v.optional(
    v.pipe(
      v.string('a content coding such as "gzip"'),
      v.regex(/^[\w!#$%&'*+.^`|~-]+$/, 'a content coding such as "gzip"'),
    ),
  ),
});

function isSiteUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const plain = url.search + url.hash + url.username + url.password === '' && !/[?#]/.test(text);
  return plain && (url.protocol === 'https:' || url.protocol === 'http:');
}

/**
 * Checks a configuration and fills in the defaults.
 *
 * @param labels how options are called where the user wrote them, `{ url: '--url' }`; by default as in `UserConfig`
 * @param problems mistakes found before, reported together with those found here
 * @throws ResyncError `config-invalid` that lists every mistake
 */
export function resolveConfig(
  user: Partial<UserConfig>,
  labels: Readonly<Record<string, string>> = {},
  problems: readonly string[] = [],
): Config {
  const result = v.safeParse(OptionsSchema, user, { abortPipeEarly: true });
  const mistakes = [
    ...problems,
    ...(result.issues ?? []).map((issue) => wordIssue(issue, labels)),
    ...findConflicts(user, labels),
  ];
  if (mistakes.length > 0 || !result.success) throw makeConfigError(mistakes);
  const { output } = result;
  const url = new URL(output.url.endsWith('/') ? output.url : `${output.url}/`).href;
  const describedby = output.describedby === undefined ? undefined : new URL(output.describedby, url).href;
  return {
    site: resolve(output.site),
    url,
    urls: output.urls,
    include: output.include,
    selection: makeSelection(output.include, output.exclude),
    // Always in one order, so that the order in which a user names them changes no byte.
    hash: HASH_ALGORITHMS.filter((algorithm) => output.hash.includes(algorithm)),
    describedby,
    sets: output.sets?.map((set) => resolveSet(set, url)) ?? [
      { name: undefined, describedby, holds: () => true },
    ],
    history: parseHistory(output.history) ?? { kind: 'auto' },
    record: output.record,
    robots: output.robots,
    htmlLinks: output.htmlLinks,
    headers: output.headers,
    changes: { window: output.changes.window, period: output.changes.period },
    dumps: resolveDumps(output.dumps),
    type: makeTypeLookup(output),
    extras: makeExtras(output, url),
  };
}

function resolveDumps(dumps: boolean | v.InferOutput<typeof DumpsSchema>): Config['dumps'] {
  if (typeof dumps !== 'boolean') return dumps;
  return { ...DEFAULTS.dumps, resources: dumps, changes: dumps };
}

/**
 * Checks what is to be audited, and fills in the defaults.
 *
 * @param labels and problems as for `resolveConfig`
 * @throws ResyncError `config-invalid` that lists every mistake
 */
export function resolveAudit(
  user: Partial<AuditConfig>,
  labels: Readonly<Record<string, string>> = {},
  problems: readonly string[] = [],
): ResolvedAudit {
  const result = v.safeParse(AuditSchema, user, { abortPipeEarly: true });
  const word = (issue: v.BaseIssue<unknown>) =>
    wordIssue(issue, labels, 'configuration', AuditSchema.entries);
  const mistakes = [...problems, ...(result.issues ?? []).map(word)];
  if (mistakes.length > 0 || !result.success) throw makeConfigError(mistakes);
  const { source, url, sample, since, against, maxBytes, maxTime, ...rest } = result.output;
  return {
    ...rest,
    urls: rest.urls,
    source: /^https?:/i.test(source)
      ? { kind: 'web', url: new URL(source).href }
      : { kind: 'folder', site: resolve(source) },
    url: url === undefined ? undefined : new URL(url.endsWith('/') ? url : `${url}/`).href,
    sample: sample === undefined ? undefined : parseSample(sample),
    since: since === undefined ? undefined : parseDatetime(since),
    against: against === undefined ? undefined : resolve(against),
    maxBytes: parseQuantity(maxBytes, BYTE_UNITS) ?? 0,
    maxTime: parseQuantity(maxTime, TIME_UNITS) ?? 0,
  };
}

const BYTE_UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 1],
  ['kb', 1e3],
  ['mb', 1e6],
  ['gb', 1e9],
  ['tb', 1e12],
  ['kib', 1024],
  ['mib', 1024 ** 2],
  ['gib', 1024 ** 3],
  ['tib', 1024 ** 4],
]);
/** To milliseconds. */
const TIME_UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1000],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** Reads a number with a unit, or without; undefined where it is none, or less than one of the smallest. */
function parseQuantity(value: string | number, units: ReadonlyMap<string, number>): number | undefined {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(String(value).trim()) ?? [];
  const amount = Math.round(Number(digits) * (units.get(unit.toLowerCase()) ?? Number.NaN));
  return Number.isSafeInteger(amount) && amount > 0 ? amount : undefined;
}

function parseSample(sample: string | number): ResolvedAudit['sample'] {
  const [, digits = '', percent] = /^(\d+(?:\.\d+)?)(%)?$/.exec(String(sample)) ?? [];
  const value = Number(digits);
  if (digits === '' || value === 0) return undefined;
  if (percent === '%') return value <= 100 ? { share: value / 100 } : undefined;
  return Number.isSafeInteger(value) ? { count: value } : undefined;
}

function isWebUrl(text: string): boolean {
  return (
    URL.canParse(text) && new URL(text).username + new URL(text).password === '' && /^https?:\/\//i.test(text)
  );
}

function parseHistory(text: string): HistoryChoice | undefined {
  if (text === 'auto' || text === 'none' || text === 'published') return { kind: text };
  if (text === 'snapshots') return { kind: 'snapshots', name: undefined };
  const [, ref = '', folder] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? [];
  if (ref === 'snapshots') return REF.test(folder ?? '') ? { kind: 'snapshots', name: folder } : undefined;
  if (!REF.test(ref) || ref === 'published') return undefined;
  return { kind: 'ref', ref, folder: (folder ?? '').replace(/^\.?\/+|\/+$/g, '') };
}

function resolveSet(set: v.InferOutput<typeof SetSchema>, url: string): ResolvedSet {
  const included = compileGlobs(set.include ?? ['**'], { dot: true });
  const excluded = compileGlobs(set.exclude ?? [], { dot: true });
  return {
    name: set.name,
    describedby: set.describedby === undefined ? undefined : new URL(set.describedby, url).href,
    holds: (path) => included(path) && !excluded(path),
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

function optionally<K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: T });
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
      say`The configuration's ${option}() threw for ${facts.path}: ${sayLines(error instanceof Error ? error.message : String(error))}`,
      { cause: error },
    );
  }
  const result = v.safeParse(schema, value, { abortPipeEarly: true });
  if (result.success) return result.output;
  throw new ResyncError(
    'extras-invalid',
    say`The configuration's ${option} for ${facts.path} cannot be used:\n${listMistakes(result.issues.map((issue) => wordIssue(issue, {}, option)))}`,
  );
}

function makeLinks(
  links: readonly v.InferOutput<typeof LinkSchema>[] | undefined,
  base: string,
): Link[] | undefined {
  if (links === undefined || links.length === 0) return undefined;
  return links.map(({ rel, href, pri, modified, hash, length, type, encoding }) => ({
    rel,
    href: new URL(href, base).href,
    ...optionally('pri', pri),
    ...optionally('modified', modified),
    ...optionally('hash', hash),
    ...optionally('length', length),
    ...optionally('type', type),
    ...optionally('encoding', encoding),
  }));
}

/** One line: where, what is wanted, what was got. */
function wordIssue(
  issue: v.BaseIssue<unknown>,
  labels: Readonly<Record<string, string>>,
  root = 'configuration',
  options: Readonly<Record<string, unknown>> = OptionsSchema.entries,
): string {
  const keys = (issue.path ?? []).map(({ key }) => String(key));
  const [first, ...rest] = keys;
  const label = first === undefined ? undefined : findLabel(labels, first);
  // A flag's value is one text on the command line: its position in a list says nothing there.
  const where = label ?? keys.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`)).join('');
  const name = where === '' ? root : where.replace(/^\./, '');
  const entries: Readonly<Record<string, unknown>> =
    root === 'links'
      ? LinkSchema.entries
      : rest.length === 0
        ? options
        : first === 'changes'
          ? ChangesSchema.entries
          : first === 'dumps'
            ? DumpsSchema.entries
            : SetSchema.entries;
  const key = keys.at(-1) ?? '';
  if (issue.type === 'object' && issue.expected === 'never') {
    return `${name}: is not an option; ${suggest(key, Object.keys(entries))}`;
  }
  if (issue.received === 'undefined' && Object.hasOwn(entries, key)) {
    return `${name}: is missing; wants ${(entries[key] as { message: string }).message}`;
  }
  return `${name}: wants ${issue.type === 'object' ? 'an object' : issue.message}; got ${show(issue.input)}${suggestValue(issue)}`;
}

/** Labels are asked for by names that users made up, such as `constructor`. */
function findLabel(labels: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(labels, name) ? labels[name] : undefined;
}

function suggestValue(issue: v.BaseIssue<unknown>): string {
  const values = issue.type === 'picklist' ? (issue.expected ?? '').match(/[\w-]+/g) : null;
  const nearest = typeof issue.input === 'string' ? findNearest(issue.input, values ?? []) : undefined;
  return nearest === undefined ? '' : `, did you mean ${nearest}?`;
}

/** Ends a sentence about a name that does not exist. */
export function suggest(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known);
  return nearest === undefined ? `there are ${known.join(', ')}` : `did you mean ${nearest}?`;
}

function findNearest(name: string, known: readonly string[]): string | undefined {
  return closestMatch(name, [...known], { maxDistance: Math.max(2, Math.floor(name.length / 3)) });
}

function show(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (value instanceof Date) return 'an invalid date';
  if (value instanceof Promise) return 'a promise: the function has to return the value itself';
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}

/** An error that lists every mistake, a line each. */
export function makeConfigError(mistakes: readonly string[]): ResyncError {
  const count = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`;
  return new ResyncError('config-invalid', say`The configuration has ${count}:\n${listMistakes(mistakes)}`);
}

function listMistakes(mistakes: readonly string[]): Words {
  return joinWords(mistakes.map((mistake) => say`  ${mistake}`));
}
