/** Schema of the configuration. */

import * as v from 'valibot';
import { NOTICE_CODES } from '../../base/notices.js';
import {
  Connections,
  closedObject,
  Glob,
  Globs,
  isChannelsUrl,
  isFunction,
  MediaType,
  MomentSchema,
  oneOf,
  SiteUrl,
  Switch,
  someText,
  textThat,
  UriReference,
  wholeNumber,
} from '../../base/options/values.js';
import { isUrl, isWebUrl } from '../../base/url.js';
import { RESERVED_NAMES, SET_NAME, SITEMAP } from '../../paths/ours.js';
import { skippedByDefault } from '../../paths/selection.js';
import { URL_STYLES } from '../../paths/urls.js';
import { DOCUMENT_LIMITS } from '../../standard/limits.js';
import { CHANGE_FREQUENCIES, HASH_ALGORITHMS, isSafePath } from '../../standard/model.js';
import {
  FEED_LIMIT,
  HEADERS_HOSTS,
  type HistoryChoice,
  isKeyText,
  NOINDEX_CHOICES,
  PAGE_LANGUAGES,
  type ResourceFacts,
} from '../options.js';

/** Schema of one set. Messages of all schemas name the expected value; `wordIssue` adds the place and the actual value. */
const SetSchema = closedObject({
  name: v.pipe(
    v.string('a name for the set\'s folder, such as "pages"'),
    v.regex(SET_NAME, 'a name of lower-case letters, digits and hyphens'),
    v.check(
      (name) => !RESERVED_NAMES.includes(name),
      `a name other than ${RESERVED_NAMES.join(', ')}, which are folders of documents`,
    ),
  ),
  include: v.optional(Globs),
  exclude: v.optional(Globs),
  describedby: v.optional(UriReference),
  capabilityList: v.optional(UriReference),
});

const PERIODS = ['day', 'week', 'month'] as const;

const ChangesSchema = closedObject({
  window: v.optional(
    v.pipe(
      v.number('a number of days'),
      v.check((days) => days > 0 && days <= 36_500, 'a number of days above 0, such as 90'),
    ),
    90,
  ),
  period: v.optional(oneOf(PERIODS)),
  since: v.optional(MomentSchema),
});

const ArchivesSchema = closedObject({
  period: v.optional(oneOf(PERIODS), 'month'),
  dumps: v.optional(Switch, false),
  keep: v.optional(wholeNumber(1, 36_500, 'a number of days from 1 to 36500'), 3650),
});

const DumpsSchema = closedObject({
  resources: v.optional(Switch, true),
  changes: v.optional(Switch, true),
  maxEntries: v.optional(
    wholeNumber(1, DOCUMENT_LIMITS.entries, `a number of files from 1 to ${DOCUMENT_LIMITS.entries}`),
    10_000,
  ),
  maxBytes: v.optional(
    wholeNumber(1, 4_000_000_000, 'a number of bytes from 1 to 4000000000'),
    // 20 MiB: some hosts take no file of more than 25 MiB.
    20 * 1024 * 1024,
  ),
});

const NoticesSchema = closedObject(
  Object.fromEntries(NOTICE_CODES.map((code) => [code, v.optional(Switch)])),
);

const VersionsSchema = closedObject({
  include: v.optional(Globs, ['**']),
});

const Text = textThat('a text', (text) => text.trim() !== '', 'a text that is not empty');

const PageSchema = closedObject({
  title: v.optional(Text),
  stylesheet: v.optional(UriReference),
  lang: v.optional(oneOf(PAGE_LANGUAGES), 'en'),
  excerpts: v.optional(v.union([v.literal('new'), v.literal(false)], "'new' or false"), 'new'),
});

const FeedSchema = closedObject({
  limit: v.optional(wholeNumber(1, 1000, 'a number of entries from 1 to 1000'), FEED_LIMIT),
  title: v.optional(Text),
});

const SitemapSchema = closedObject({
  file: v.optional(
    textThat(
      'the path of an XML file in the site, such as "sitemap.xml"',
      (path) => isSafePath(`/${path}`) && path.endsWith('.xml') && skippedByDefault(path) === undefined,
    ),
    SITEMAP,
  ),
});

/** Schema of the path of a signing key. It refuses a key instead of a path, with a message that does not show the key. */
const KeyPath = textThat(
  'the path of a key file, such as "~/.ssh/id_ed25519"',
  (path) => path !== '' && !isKeyText(path),
  'the path of a key file, not the key itself. The variable RESYNC_SIGNING_KEY may hold a key',
);

const SignSchema = closedObject({
  key: v.optional(KeyPath),
});
const PlainKey = v.pipe(
  KeyPath,
  v.transform((key) => v.parse(SignSchema, { key })),
);

/** Makes the schema of a switch, or an object to change defaults; off is undefined. A union would hide mistakes in objects. */
function switchable<I, O>(schema: v.GenericSchema<I, O>, example: string) {
  const plain = v.pipe(
    v.boolean(`true, false, or an object such as ${example}`),
    v.transform((isOn) => (isOn ? v.parse(schema, {}) : undefined)),
  );
  return v.optional(
    v.lazy((value): typeof schema | typeof plain =>
      typeof value === 'object' && value !== null && !Array.isArray(value) ? schema : plain,
    ),
    false,
  );
}

const PATCH = 'http://www.openarchives.org/rs/terms/patch';

export const LinkSchema = closedObject({
  // RFC 8288 §2.1: a relation type is a registered name, or a URI.
  rel: v.pipe(
    v.string('a relation type'),
    v.check(
      (rel) => /^[a-z][a-z0-9.-]*$/.test(rel) || isUrl(rel),
      'a registered relation type in lower case, or an absolute URI',
    ),
    v.check((rel) => rel !== PATCH, 'another relation type, because patches belong to changes (§14.4)'),
  ),
  href: UriReference,
  pri: v.optional(wholeNumber(1, 999_999, 'a whole number from 1 to 999999')),
  modified: v.optional(v.date('a valid Date')),
  hash: v.optional(
    textThat(
      'checksums such as "md5:…"',
      (text) => /^[a-z0-9-]+:[\w+/=-]+(?: [a-z0-9-]+:[\w+/=-]+)*$/.test(text),
      'checksums such as "md5:… sha-256:…"',
    ),
  ),
  length: v.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER, 'a number of bytes')),
  type: v.optional(MediaType),
  encoding: v.optional(
    textThat('a content coding such as "gzip"', (text) => /^[\w!#$%&'*+.^`|~-]+$/.test(text)),
  ),
});

/** Patterns that git refuses in the name of a ref. `REF` also refuses characters that confuse shells or people. */
const REFUSED_IN_REF = ['\\.\\.', '//', '@\\{', '\\.lock(?:/|$)', '/\\.', '[./]$'];
const REF = new RegExp(`^(?!.*(?:${REFUSED_IN_REF.join('|')}))[\\w@][^\\s~^:?*[\\\\\\x00-\\x1f\\x7f]*$`);

const HISTORY =
  'auto, none, published, snapshots, snapshots:<name>, or <ref> or <ref>:<folder> such as origin/gh-pages';

export function parseHistory(text: string): HistoryChoice | undefined {
  if (text === 'auto' || text === 'none' || text === 'published') return { kind: text };
  if (text === 'snapshots') return { kind: 'snapshots', name: undefined };
  const [ref = '', ...rest] = text.split(':');
  const folder = rest.join(':');
  if (ref === 'snapshots') return REF.test(folder) ? { kind: 'snapshots', name: folder } : undefined;
  if (!REF.test(ref) || ref === 'published') return undefined;
  return { kind: 'ref', ref, folder: folder.replace(/^\.?\/+|\/+$/g, '') };
}

/** Makes the schema of a list of globs or URLs. @param globOf returns the glob of an entry */
const listAddresses = (glob: string, example: string, globOf: (written: string) => string) =>
  v.array(
    textThat(
      `${glob}, or a URL, such as "${example}"`,
      (written) => isWebUrl(written) || v.safeParse(Glob, globOf(written)).success,
    ),
    `a list of globs or URLs, such as ["${example}"]`,
  );

const Addresses = listAddresses('a glob of paths', '/old/**', (written) => written.replace(/^\//, ''));

const GoneSchema = closedObject({
  addresses: v.optional(Addresses, []),
  files: v.optional(Switch, false),
  host: v.optional(oneOf(HEADERS_HOSTS)),
});
const PlainGone = v.pipe(
  Addresses,
  v.transform((addresses) => v.parse(GoneSchema, { addresses })),
);

export const ChangeFreq = oneOf(CHANGE_FREQUENCIES);

/** Makes the schema of an object with values by glob, or a function. A union would hide mistakes in the object. */
function perResource<const S extends v.GenericSchema<unknown, unknown>>(values: S, wanted: string) {
  const table = v.record(Glob, values, wanted);
  const other = v.custom<(resource: ResourceFacts) => unknown>(isFunction, wanted);
  return v.lazy((input): typeof table | typeof other =>
    typeof input === 'object' && !Array.isArray(input) ? table : other,
  );
}

export const OptionsSchema = closedObject({
  site: someText('the folder that the build writes, such as "./dist"'),
  url: SiteUrl,
  urls: v.optional(oneOf(URL_STYLES), 'directory'),
  include: v.optional(Globs, []),
  exclude: v.optional(Globs, []),
  hash: v.optional(
    v.pipe(
      v.array(
        v.picklist(HASH_ALGORITHMS, `one or more of ${HASH_ALGORITHMS.join(', ')}`),
        `a list of ${HASH_ALGORITHMS.join(', ')}`,
      ),
      v.minLength(1, `one or more of ${HASH_ALGORITHMS.join(', ')}`),
    ),
    ['md5', 'sha-256'],
  ),
  describedby: v.optional(UriReference),
  sets: v.optional(
    v.pipe(
      v.array(SetSchema, 'a list of sets, such as [{ name: "pages", include: ["**/*.html"] }]'),
      v.minLength(1, 'a list of one or more sets. Leave it out for one set of everything'),
      v.check(
        (sets) => new Set(sets.map(({ name }) => name)).size === sets.length,
        'a list of sets with different names',
      ),
    ),
  ),
  source: v.optional(
    textThat(
      'the absolute http(s) URL of a Source Description, such as "https://example.org/.well-known/resourcesync"',
      (text) => isWebUrl(text) && !text.includes('#'),
    ),
  ),
  history: v.optional(
    textThat(HISTORY, (text) => parseHistory(text) !== undefined),
    'auto',
  ),
  record: v.optional(Switch, false),
  robots: v.optional(Switch, false),
  htmlLinks: v.optional(Switch, false),
  pageLinks: v.optional(Switch, false),
  noindex: v.optional(oneOf(NOINDEX_CHOICES), 'keep'),
  headers: v.optional(oneOf(HEADERS_HOSTS)),
  changes: v.optional(ChangesSchema, {}),
  dumps: v.pipe(
    switchable(DumpsSchema, '{ maxBytes: 20971520 }'),
    v.transform((dumps) => dumps ?? { ...v.getDefaults(DumpsSchema), resources: false, changes: false }),
  ),
  versions: switchable(VersionsSchema, '{ include: ["**/*.html"] }'),
  withdraw: v.optional(
    listAddresses('a glob relative to the site', 'staff/**', (written) => written),
    [],
  ),
  gone: v.optional(
    v.lazy((value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) ? GoneSchema : PlainGone,
    ),
    [],
  ),
  archives: switchable(ArchivesSchema, '{ period: "week" }'),
  page: switchable(PageSchema, '{ lang: "de" }'),
  feed: switchable(FeedSchema, '{ limit: 20 }'),
  sitemap: switchable(SitemapSchema, '{ file: "changes.xml" }'),
  sign: v.optional(v.lazy((value) => (typeof value === 'object' ? SignSchema : PlainKey))),
  sums: v.optional(Switch, false),
  channels: v.optional(
    textThat(
      'the absolute ws or wss URL of the channels, such as "wss://push.example.org/"',
      isChannelsUrl,
      'the absolute ws or wss URL of the channels, such as "wss://push.example.org/", without query, fragment or password',
    ),
  ),
  hub: v.optional(
    textThat(
      'the http(s) URL of a WebSub hub',
      isWebUrl,
      'the http(s) URL of a WebSub hub, without password',
    ),
  ),
  indexnowEndpoint: v.optional(textThat('an http(s) URL without password', isWebUrl)),
  connections: v.optional(Connections),
  type: v.optional(
    perResource(
      MediaType,
      'a function, or media types by glob, such as { "*.geojson": "application/geo+json" }',
    ),
  ),
  changefreq: v.optional(
    perResource(ChangeFreq, `a function, or values by glob, each one of ${CHANGE_FREQUENCIES.join(', ')}`),
  ),
  links: v.optional(v.custom<(resource: ResourceFacts) => unknown>(isFunction, 'a function')),
  notices: v.optional(NoticesSchema, {}),
});

/** Options that are checked, with their defaults. */
export type Options = v.InferOutput<typeof OptionsSchema>;
