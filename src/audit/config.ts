/** The options of an audit: their schema, and what the program uses. */

import { resolve } from 'node:path';
import * as v from 'valibot';
import { parseDatetime } from '../base/datetime.js';
import type { HttpLimits } from '../base/http.js';
import { type ConfigOrigin, findLabel, parseOptions } from '../base/options/mistakes.js';
import {
  addSlash,
  BytesSchema,
  closedObject,
  Globs,
  httpOr,
  MomentSchema,
  oneOf,
  parseSample,
  ServedSchema,
  SiteUrl,
  someText,
  Time,
  TrustSchema,
} from '../base/options/values.js';
import { isWebUrl } from '../base/url.js';
import { URL_STYLES, type UrlStyle } from '../paths/urls.js';

/** What to audit and how, as a user writes it. Only `source` has no default. */
export interface AuditConfig {
  /**
   * A folder; or an http(s) URL of a site, of a page that links to its Capability List, or of a ResourceSync document.
   */
  readonly source: string;
  /** Absolute http(s) URL at which the folder's root is served. @default what its documents say */
  readonly url?: string;
  /** How HTML files become URLs. @default what the documents say */
  readonly urls?: UrlStyle;
  /** Globs, relative to the site, of files that are listed although they are left out by default. @default none */
  readonly include?: readonly string[];
  /** Globs of files that are left out; they win over `include`. @default none */
  readonly exclude?: readonly string[];
  /**
   * URL at which this Source is served now, such as a preview: all below `source`, or below the root of its host where
   * `source` does not end with `/`, is asked for below it. @default where it is published
   */
  readonly servedAt?: string;
  /** How many resources have their bytes compared: a number, or a share such as `5%`. @default all */
  readonly sample?: number | string;
  /** W3C Datetime; bytes are compared only of what has changed since. */
  readonly since?: string;
  /** How to treat servers. */
  readonly http?: Partial<HttpLimits>;
  /**
   * Bytes that the audit reads before it ends: those that come over the network, and those that come out of compressed
   * ones. A number, or with a unit, such as `500MB`. @default 200 GB
   */
  readonly maxBytes?: number | string;
  /** Time before the audit ends: seconds, or with a unit, such as `10m`. @default 12 h */
  readonly maxTime?: number | string;
  /**
   * Who has to have signed the Source: public keys of OpenSSH such as `ssh-ed25519 AAAA…`, files of keys, and https URLs of
   * such files. @default anybody, or nobody
   */
  readonly trust?: readonly string[];
}

/**
 * Bounds that a sound Source of a million resources keeps: 100 kB for each on average, and once more in a dump; and at
 * four connections 170 ms for each.
 */
export const AUDIT_DEFAULTS = {
  maxBytes: '200GB',
  maxTime: '12h',
  http: { timeout: 30_000, attempts: 3, connections: 4 },
} as const satisfies Partial<AuditConfig>;

const SAMPLE = 'a number of resources, or a share such as 5%';

const AuditSchema = closedObject({
  source: v.pipe(
    someText('a folder, or an http(s) URL'),
    v.check(
      (source) => !/^https?:/i.test(source) || isWebUrl(source),
      'a folder, or an http(s) URL without password',
    ),
  ),
  url: v.optional(SiteUrl),
  urls: v.optional(oneOf(URL_STYLES)),
  servedAt: ServedSchema,
  include: v.optional(Globs, []),
  exclude: v.optional(Globs, []),
  sample: v.optional(
    v.pipe(
      v.union([v.string(), v.number()], SAMPLE),
      v.check((sample) => parseSample(sample) !== undefined, SAMPLE),
    ),
  ),
  since: v.optional(MomentSchema),
  maxBytes: v.optional(BytesSchema, AUDIT_DEFAULTS.maxBytes),
  maxTime: v.optional(Time, AUDIT_DEFAULTS.maxTime),
  trust: TrustSchema,
  http: httpOr(AUDIT_DEFAULTS.http),
});

/**
 * Checks what is to be audited, and fills in the defaults.
 *
 * @param origin how mistakes are worded
 * @throws ResyncError `config-invalid` that lists every mistake
 */
export function resolveAudit(user: Partial<AuditConfig>, origin: ConfigOrigin = {}) {
  const output = parseOptions(AuditSchema, user, origin, [...findConflicts(user, origin)]);
  const { source, url, servedAt, sample, since, ...rest } = output;
  return {
    ...rest,
    /** With a trailing slash; undefined where it is published. */
    servedAt: servedAt === undefined ? undefined : addSlash(servedAt),
    source: /^https?:/i.test(source)
      ? ({ kind: 'web', url: new URL(source).href } as const)
      : ({ kind: 'folder', site: resolve(source) } as const),
    /** With a trailing slash; undefined to find it in the documents. */
    url: url === undefined ? undefined : addSlash(url),
    sample: sample === undefined ? undefined : parseSample(sample),
    since: since === undefined ? undefined : parseDatetime(since),
  };
}

/** A folder has a URL; what is on the web may be served elsewhere for now. */
function* findConflicts(
  { source, url, servedAt }: Partial<AuditConfig>,
  { labels }: ConfigOrigin,
): Generator<string> {
  if (typeof source !== 'string') return;
  const nameOf = (key: string) => findLabel(labels ?? {}, key) ?? key;
  const isWeb = /^https?:/i.test(source);
  if (isWeb && url !== undefined)
    yield `${nameOf('url')} is for a folder. To audit a preview, name ${url}, and the preview with ${nameOf('servedAt')}`;
  if (!isWeb && servedAt !== undefined)
    yield `${nameOf('servedAt')} needs the URL of the Source, not a folder: ${source}`;
}

/** What to audit and how: checked, complete. Sizes are in bytes, times in milliseconds. */
export type ResolvedAudit = Readonly<ReturnType<typeof resolveAudit>>;
