/** The options of an audit as a user writes them, and their defaults. */

import type { HttpLimits } from '../base/http.js';
import type { UrlStyle } from '../paths/urls.js';

/** Only `source` has no default. */
export interface AuditConfig {
  /** A folder; or an http(s) URL of a site, of a page that links to its Capability List, or of a ResourceSync document. */
  readonly source: string;
  /** Absolute http(s) URL at which the folder's root is served. @default what its documents say */
  readonly url?: string;
  /** Style of the URLs of HTML files. @default that of the listed URLs */
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
  /** Number of resources whose bytes are compared, or a share such as `5%`. @default all */
  readonly sample?: number | string;
  /** W3C Datetime; bytes are compared only of what has changed since. */
  readonly since?: string;
  /** Whether to ask the live site for every address that its Change Lists and archives report as deleted. @default false */
  readonly gone?: boolean;
  /** Limits for requests to servers. */
  readonly http?: Partial<HttpLimits>;
  /**
   * Bytes that the audit reads before it ends: those that come over the network, and those that are decompressed.
   * A number, or with a unit, such as `500MB`. @default 200 GB
   */
  readonly maxBytes?: number | string;
  /** Time before the audit ends: seconds, or with a unit, such as `10m`. @default 12 h */
  readonly maxTime?: number | string;
  /**
   * Required signers: public keys of OpenSSH such as `ssh-ed25519 AAAA…`, files of keys, and https URLs of such files.
   * @default anybody, or nobody
   */
  readonly trust?: readonly string[];
}

/** The options of an audit, checked and complete. URLs of sites end with a slash. */
export interface ResolvedAudit {
  readonly source:
    | { readonly kind: 'web'; readonly url: string }
    /** A folder on disk; `site` is its absolute path. */
    | { readonly kind: 'folder'; readonly site: string };
  readonly url?: string | undefined;
  readonly urls?: UrlStyle | undefined;
  readonly servedAt?: string | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly sample?: Sample | undefined;
  readonly since?: Date | undefined;
  readonly gone: boolean;
  readonly maxBytes: number;
  /** The longest time that the audit may take, in milliseconds. */
  readonly maxTime: number;
  readonly trust: readonly string[];
  readonly http: HttpLimits;
}

/** Number or share of the resources to compare. */
export type Sample = { readonly count: number } | { readonly share: number };

/** Default options. Limits fit a sound Source of a million resources: 100 kB, again in a dump; 170 ms each, four at a time. */
export const AUDIT_DEFAULTS = {
  maxBytes: '200GB',
  maxTime: '12h',
  http: { timeout: 30_000, attempts: 3, connections: 4 },
} as const satisfies Partial<AuditConfig>;
