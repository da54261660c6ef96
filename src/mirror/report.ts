/** The report of a run of a mirror, its progress and its changes. */

import type { ContentKind } from '../files/page/kind.js';
import type { AskedPause } from '../source/web/pace.js';
import type { Skipped } from '../standard/xml/as-read.js';
import type { CompareReason } from './plan/reason.js';

/** Limit of each list of failures or URLs in a report. */
export const MOST_FAILURES = 1000;

/** Report of a run of a mirror. Plain data, fit for `JSON.stringify`. */
export interface MirrorReport {
  /** URL of the Source, as the user named it. */
  readonly source: string;
  /** Absolute path of the copy. */
  readonly folder: string;
  /** URL at which the Source was read; absent if that is where it is published. */
  readonly servedAt?: string;
  /** The moment of the copy, the oldest of its sets: the folder has all that the Source listed then. Absent if a set has no moment. */
  readonly at?: string;
  /** True if nothing failed, is outstanding or, with `dryRun`, is to be done, and `maxDelete` holds back no deletion. */
  readonly inSync: boolean;
  /** True if nothing was written (`dryRun`): the report says what would be done. */
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
  /** Failures of resources, and of the Source or its lists; the first thousand. The old file of a resource that failed stays. */
  readonly failed: readonly MirrorFailure[];
  /** Resources that are listed, but were missing on the server in two runs; the first thousand. */
  readonly outstanding: readonly MirrorFailure[];
  /** Number of files that no listed digest verifies. */
  readonly unverified: number;
  /** First relative address in the lists, if any. Addresses have to be absolute; relative ones are resolved. */
  readonly relative?: Skipped;
  /** Number of resources that were listed in what this run read, on origins that are not mirrored. */
  readonly elsewhere: number;
  /** URLs of the Capability Lists of sets on origins that are not mirrored; the first thousand. */
  readonly setsElsewhere: readonly string[];
  /** The signer, or absent if the Source is unsigned, or unchanged and no signature is required. */
  readonly signature?: MirrorSignature;
  /** Number of requests, repeated ones included, and of received bytes. */
  readonly requests: number;
  readonly bytes: number;
  /** Number of files that are right without a request of their own: they did not change, or came in a package. */
  readonly unasked: number;
  /** Pauses between requests that servers asked for. */
  readonly pauses: readonly AskedPause[];
  /** With `dryRun`: estimate of the requests and bytes that the run would take. */
  readonly needs?: MirrorNeeds;
  /** Milliseconds: for reading documents, fetching resources, moving files, and all together. */
  readonly durations: Readonly<Record<'documents' | 'resources' | 'moves' | 'total', number>>;
}

/** The key that signed a Source. */
export interface MirrorSignature {
  /** The fingerprint of the key: `SHA256:…`, as in `ssh-keygen -l`. */
  readonly fingerprint: string;
  /** The type of the key, such as `ssh-ed25519`. */
  readonly type: string;
  /** The public key in the format of `.pub` files and of `--trust`. */
  readonly key: string;
  /** True if this key was required: by `--trust`, or because it signed the copy before. */
  readonly isKnown: boolean;
}

/** Estimate of what a run would take, made with `dryRun`. */
export interface MirrorNeeds {
  readonly requests: number;
  /** Bytes received so far, and the listed lengths of what would be fetched. */
  readonly bytes: number;
  /** Least milliseconds that the requests would take; absent if their rate is not limited. */
  readonly time?: number;
  /** URLs of packages and resources that the run would request; the first thousand. */
  readonly uris: readonly string[];
}

/** Change of one file of the copy, as a line of the file `changes` reports it to the next program. */
export interface MirrorChange {
  readonly change: 'created' | 'updated' | 'deleted';
  readonly uri: string;
  /** Path of the file, relative to the folder; absent if the file was deleted, and that of another URL has its path now. */
  readonly path?: string;
  /** Length of the file in bytes; absent if it was deleted. */
  readonly length?: number;
  /** A digest of the bytes, such as `sha-256:…`; absent if the file was deleted. */
  readonly hash?: string;
  /** Time of the change, as the Source says; absent if no change says so. */
  readonly datetime?: string;
  /** Meaning of the change to readers; absent if unknown. */
  readonly kind?: ContentKind;
  /** Title and language of the page; absent if it was deleted, or has none. */
  readonly title?: string;
  readonly lang?: string;
}

/** A set of resources, and how it was read. */
export interface MirroredSet {
  /** URL of the Capability List of the set, or of its only list. */
  readonly uri: string;
  /** How the set was read. `unchanged`: not at all, as no document has changed. `list`: by comparing the whole Resource List. */
  readonly way: 'unchanged' | 'changes' | 'list';
  /** The reason to compare the folder with the Resource List; absent unless that was done. */
  readonly reason?: CompareReason | 'verify' | 'origins' | 'signed';
  /** Number of archived Change Lists that were read, if the Change List begins after the last run. */
  readonly archived?: number;
}

export interface MirrorFailure {
  readonly uri: string;
  /** Path of the file, relative to the folder. */
  readonly path?: string;
  /**
   * The kind of failure. `changing`: the Source changed while it was copied. `elsewhere`: all resources are on origins that are
   * not mirrored. `unread`: the lists of a set cannot be read. `skipped`: a part of a list cannot be understood.
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
  /** Bytes received so far, and milliseconds since fetching began. */
  readonly bytes?: number;
  readonly elapsed?: number;
  /** Least milliseconds that requests for single files will take, if their rate is limited. Present once in a run. */
  readonly takes?: number;
}
