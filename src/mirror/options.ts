/** The options of a mirror as users write them, and their defaults. */

export const MIRROR_DEFAULTS = {
  from: 'auto',
  maxDelete: '50%',
  concurrency: 8,
  maxBytes: '200GB',
  maxTime: '7d',
  timeout: 30_000,
  attempts: 3,
} as const;

/** Options of a mirror. Only `source` and `folder` have no default. */
export interface MirrorConfig {
  /** URL of a site, or of one of its ResourceSync documents. */
  readonly source: string;
  /** Folder for the copy; created if it is missing. */
  readonly folder: string;
  /**
   * URL at which the Source is served now, such as another copy of it. All URLs below `source`, or below the root of its host if
   * `source` is a page or a document, are requested there and nowhere else. Only that server vouches that the Source is the same.
   * @default where it is published
   */
  readonly servedAt?: string;
  /**
   * Also copies all documents that the sums of the Source name, with packages and versions, so that the copy can be served in
   * place of the Source. @default false
   */
  readonly documents?: boolean;
  /** Names or URLs of the sets of resources to copy. @default all of them */
  readonly sets?: readonly string[];
  /** Further origins from which resources are copied. @default none, only the origin of `source` */
  readonly allow?: readonly string[];
  /** Request headers such as `Authorization: Bearer …`, only for the origin of `servedAt` if given, else of `source`. @default none */
  readonly headers?: readonly string[];
  /** Way to fetch resources: `list` requests each, `dump` takes them from ZIP packages. @default 'auto', whichever is cheaper */
  readonly from?: 'auto' | 'list' | 'dump';
  /** Limit of the files that a run may delete: a number, or a share such as `50%`. If there are more, none is deleted. @default '50%' */
  readonly maxDelete?: string | number;
  /** Reports what would be done, and writes nothing. @default false */
  readonly dryRun?: boolean;
  /** Reads every file of the copy again, and replaces damaged ones. @default false */
  readonly verify?: boolean;
  /** File to which a run appends a line of JSON for each file of the copy that changed. @default none */
  readonly changes?: string;
  /** Number of resources that are fetched at a time. @default 8 */
  readonly concurrency?: number;
  /** Limit of the requests to one server, over all connections: per second or minute, such as `4/s` or `30/min`. @default no limit */
  readonly requests?: string;
  /** Mail address or URL of a contact for servers: part of `User-Agent`. @default none */
  readonly contact?: string;
  /** Limit of what a run may receive and unpack: bytes, or with a unit such as `500MB`. @default '200GB' */
  readonly maxBytes?: number | string;
  /** Limit of the time that a run may read and fetch: seconds, or with a unit such as `10m`. @default '7d' */
  readonly maxTime?: number | string;
  /**
   * Keys, one of which has to sign the Source: public keys of OpenSSH such as `ssh-ed25519 AAAA…`, files of keys, and https URLs
   * of such files. @default the keys that signed the copy before; for a new copy, any key or none
   */
  readonly trust?: readonly string[];
  /** Limit of the age of the lists: seconds, or with a unit such as `30d`. @default no limit */
  readonly maxAge?: number | string;
  /** Milliseconds to wait for the answer of a server, and then for each piece of it. @default 30,000 */
  readonly timeout?: number;
  /** Number of attempts until a request has failed. @default 3 */
  readonly attempts?: number;
}
