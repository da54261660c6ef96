/** The options of a mirror, as a user writes them, and their defaults. */

/** Of `MirrorConfig`. */
export const MIRROR_DEFAULTS = {
  from: 'auto',
  maxDelete: '50%',
  concurrency: 8,
  maxBytes: '200GB',
  maxTime: '7d',
  timeout: 30_000,
  attempts: 3,
} as const;

/** What to mirror, where to, and how. Only `source` and `folder` have no default. */
export interface MirrorConfig {
  /** URL of a site, or of one of its ResourceSync documents. */
  readonly source: string;
  /** The folder for the copy; it is made where it is missing. */
  readonly folder: string;
  /**
   * URL at which this Source is served now, such as another copy of it: all below `source`, or below the root of its host
   * where `source` is a page or a document, is asked for there and nowhere else. That it is the same, nobody but that server
   * says. @default where it is published
   */
  readonly servedAt?: string;
  /**
   * Whether the copy also has all documents that the sums of the Source name, with packages and versions, so that it can be
   * served in its place. @default false
   */
  readonly documents?: boolean;
  /** Names or URLs of sets of resources. @default all of them */
  readonly sets?: readonly string[];
  /** Further origins that resources may be on. @default none but that of `source` */
  readonly allow?: readonly string[];
  /** Headers such as `Authorization: Bearer …`, for the origin of `source`, or of `servedAt`, and no other. @default none */
  readonly headers?: readonly string[];
  /** Where bytes come from: `list` asks for each resource, `dump` takes them from ZIP packages. @default 'auto', what is cheaper */
  readonly from?: 'auto' | 'list' | 'dump';
  /** Files that a run may delete: a number, or a share such as `50%`. With more to delete, it deletes none. @default '50%' */
  readonly maxDelete?: string | number;
  /** Tells what would be done, and writes nothing. @default false */
  readonly dryRun?: boolean;
  /** Reads every file of the copy again, and mends what differs. @default false */
  readonly verify?: boolean;
  /** File that takes a line of JSON for each file that changed. @default none */
  readonly changes?: string;
  /** Resources that are fetched side by side. @default 8 */
  readonly concurrency?: number;
  /** Requests to one server, over all connections: a number in a second or a minute, such as `4/s` or `30/min`. @default no limit */
  readonly requests?: string;
  /** Whom servers can write to, a mail address or URL: part of `User-Agent`. @default nobody */
  readonly contact?: string;
  /** What a run may receive, and unpack: bytes, or with a unit such as `500MB`. @default '200GB' */
  readonly maxBytes?: number | string;
  /** How long a run may read and fetch: seconds, or with a unit such as `10m`. @default '7d' */
  readonly maxTime?: number | string;
  /**
   * Who has to have signed the Source: public keys of OpenSSH such as `ssh-ed25519 AAAA…`, files of keys, and https URLs of
   * such files. @default whoever signed the copy before; of a copy that is new, anybody or nobody
   */
  readonly trust?: readonly string[];
  /** Refuses what is of before that: seconds, or with a unit such as `30d`. @default no limit */
  readonly maxAge?: number | string;
  /** Milliseconds to wait for an answer, and then for each piece of it. @default 30,000 */
  readonly timeout?: number;
  /** How often a request is made before it is given up. @default 3 */
  readonly attempts?: number;
}
