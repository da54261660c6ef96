/** The options of a mirror: what a user writes, and what the program uses. */

import type { HttpLimits } from '../config/http.js';

/** What to mirror, where to, and how. Only `source` and `folder` have no default. */
export interface MirrorConfig {
  /** URL of a site, or of one of its ResourceSync documents. */
  readonly source: string;
  /** The folder for the copy; it is made where it is missing. */
  readonly folder: string;
  /** Names or URLs of sets of resources. @default all of them */
  readonly sets?: readonly string[];
  /** Further origins that resources may be on. @default none but that of `source` */
  readonly allow?: readonly string[];
  /** Headers such as `Authorization: Bearer …`, for the origin of `source` and no other. @default none */
  readonly headers?: readonly string[];
  /** Where bytes come from: `list` asks for each resource, `dump` takes them from ZIP packages. @default 'auto', what is cheaper */
  readonly from?: 'auto' | 'list' | 'dump';
  /** Files that a run may delete: a number, or a share such as `50%`. With more to delete, it deletes none. @default '50%' */
  readonly maxDelete?: string | number;
  /** Whether files that are listed no more are deleted. @default true */
  readonly deletes?: boolean;
  /** Tells what would be done, and writes nothing. @default false */
  readonly dryRun?: boolean;
  /** Reads every file of the copy again, and mends what differs. @default false */
  readonly verify?: boolean;
  /** File that takes a line of JSON for each file that changed. @default none */
  readonly changes?: string;
  /** Resources that are fetched side by side. @default 8 */
  readonly concurrency?: number;
  /** Bytes per second for all resources together: a number, or with a unit such as `500kB`. @default no limit */
  readonly rate?: string | number;
  /** What a run may receive, and unpack: bytes, or with a unit such as `500MB`. @default '200GB' */
  readonly maxBytes?: number | string;
  /** How long a run may read and fetch: seconds, or with a unit such as `10m`. @default '7d' */
  readonly maxTime?: number | string;
  /** Milliseconds to wait for an answer, and then for each piece of it. @default 30,000 */
  readonly timeout?: number;
  /** How often a request is made before it is given up. @default 3 */
  readonly attempts?: number;
}

/** What to mirror and how: checked, complete. */
export interface ResolvedMirror {
  readonly source: string;
  /** Absolute path. */
  readonly folder: string;
  readonly sets: readonly string[];
  /** Origins, without a trailing slash. */
  readonly allow: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly from: 'auto' | 'list' | 'dump';
  readonly maxDelete: { readonly count: number } | { readonly share: number };
  readonly deletes: boolean;
  readonly dryRun: boolean;
  readonly verify: boolean;
  /** Absolute path. */
  readonly changes: string | undefined;
  /** Bytes per second. */
  readonly rate: number | undefined;
  /** Bytes. */
  readonly maxBytes: number;
  /** Milliseconds. */
  readonly maxTime: number;
  /** Bytes of memory for what lists list. */
  readonly mostKept: number;
  readonly http: HttpLimits;
}
