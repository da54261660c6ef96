/** The report of a run of a mirror, its progress and its changes. */

import type { ContentKind } from '../files/page/kind.js';
import type { AskedPause } from '../source/web/pace.js';
import type { Skipped } from '../standard/xml/as-read.js';
import type { CompareReason } from './plan/reason.js';

/** Limit of the failures that a report lists one by one. */
export const MOST_FAILURES = 1000;

/** Report of a run. Plain data, fit for `JSON.stringify`. */
export interface MirrorReport {
  /** URL that the user named. */
  readonly source: string;
  /** Absolute path. */
  readonly folder: string;
  /** URL at which the Source was read; absent if that is where it is published. */
  readonly servedAt?: string;
  /** The folder has all that the Source listed at this moment, the oldest of its sets; absent if no list has a moment. */
  readonly at?: string;
  /**
   * True if nothing failed, nothing is outstanding, the limit holds back no deletion and, with `dryRun`, nothing is to be done.
   */
  readonly inSync: boolean;
  /** True if the report says what would be done. */
  readonly dryRun: boolean;
  readonly sets: readonly MirroredSet[];
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  /** Number of deletions that wait for a later run. */
  readonly held: number;
  /** True if deletions wait because there are more than `maxDelete` allows. */
  readonly stopped: boolean;
  /** Resources that could not be fetched, or differ from what is listed; the first thousand. Their old files stay. */
  readonly failed: readonly MirrorFailure[];
  /** Resources that are listed, but missing in two runs; the first thousand. */
  readonly outstanding: readonly MirrorFailure[];
  /** Number of files that no listed digest verifies. */
  readonly unverified: number;
  /** First relative address in lists, if any: addresses have to be absolute, and are resolved. */
  readonly relative?: Skipped;
  /** Number of listed resources on origins that are not mirrored. */
  readonly elsewhere: number;
  /** URLs of the Capability Lists of sets on such origins; the first thousand. */
  readonly setsElsewhere: readonly string[];
  /** The signer, or absent if the Source is unsigned, or unchanged and no signature is required. */
  readonly signature?: MirrorSignature;
  /** URLs whose files got another path in this run, because documents that the copy keeps need theirs; the first thousand. */
  readonly displaced: readonly string[];
  /** Number of requests, with repeated ones, and received bytes. */
  readonly requests: number;
  readonly bytes: number;
  /** Number of files that are right without a request of their own: they did not change, or a package had them. */
  readonly unasked: number;
  /** Longer pauses between requests, as servers asked for them. */
  readonly pauses: readonly AskedPause[];
  /** With `dryRun`: requests and bytes that the run would take. */
  readonly needs?: MirrorNeeds;
  /** Milliseconds: for reading documents, fetching resources, moving files, and all together. */
  readonly durations: Readonly<Record<'documents' | 'resources' | 'moves' | 'total', number>>;
}

/** The key that signed a Source. */
export interface MirrorSignature {
  /** `SHA256:…`, as in `ssh-keygen -l`. */
  readonly fingerprint: string;
  /** Such as `ssh-ed25519`. */
  readonly type: string;
  /** The public key in the format of `.pub` files and of `--trust`. */
  readonly key: string;
  /** True if this key was required: by `--trust`, or because it signed the copy before. */
  readonly isKnown: boolean;
}

/** Estimate of a run. */
export interface MirrorNeeds {
  readonly requests: number;
  /** Sum of the listed lengths. */
  readonly bytes: number;
  /** Least milliseconds, if requests are limited. */
  readonly time?: number;
  /** URLs of packages and resources that it would request; the first thousand. */
  readonly uris: readonly string[];
}

/** Change of one file, as reported to the next program. */
export interface MirrorChange {
  readonly change: 'created' | 'updated' | 'deleted';
  readonly uri: string;
  /** Relative to the folder; absent if the file of another URL is there now. */
  readonly path?: string;
  /** Bytes; absent for a deleted file. */
  readonly length?: number;
  /** A digest of the bytes, such as `sha-256:…`. */
  readonly hash?: string;
  /** Time of the change, as the Source says. */
  readonly datetime?: string;
  /** Meaning to readers; absent if unknown. */
  readonly kind?: ContentKind;
  /** Title and language of a page that exists. */
  readonly title?: string;
  readonly lang?: string;
}

/** A set of resources, and how it was read. */
export interface MirroredSet {
  /** URL of its Capability List, or of its only list. */
  readonly uri: string;
  /** `unchanged`: its documents are the same as before. `list`: compared with the Resource List. */
  readonly way: 'unchanged' | 'changes' | 'list';
  /** The reason to compare it with the Resource List. */
  readonly reason?: CompareReason | 'verify' | 'origins' | 'signed';
  /** Number of archived Change Lists that were read, if the Change List begins after the last run. */
  readonly archived?: number;
}

export interface MirrorFailure {
  readonly uri: string;
  /** Relative to the folder. */
  readonly path?: string;
  /**
   * `changing`: the Source changed while it was copied. `elsewhere`: all of it is on origins that are not mirrored. `unread`: the
   * lists of a set cannot be read. `skipped`: a part of a document cannot be understood, and may list more.
   */
  readonly reason:
    | 'missing'
    | 'different'
    | 'in-the-way'
    | 'failed'
    | 'changing'
    | 'elsewhere'
    | 'unread'
    | 'skipped';
  readonly found: string;
}

export interface MirrorOptions {
  readonly observe?: MirrorObserver | undefined;
}

export type MirrorObserver = (progress: MirrorProgress) => void;

export interface MirrorProgress {
  readonly stage: 'waiting' | 'documents' | 'verify' | 'resources' | 'moves';
  readonly done: number;
  readonly total?: number | undefined;
  /** Bytes received so far, and milliseconds since the first resource was requested. */
  readonly bytes?: number;
  readonly elapsed?: number;
  /** Least milliseconds for single files, if requests are limited. Present once. */
  readonly takes?: number;
}
