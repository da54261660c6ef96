/** What a run of a mirror tells of itself. */

import type { ContentKind } from '../files/page/kind.js';
import type { AskedPause } from '../source/web/pace.js';
import type { Skipped } from '../standard/xml/as-read.js';
import type { CompareReason } from './plan/reason.js';

/** So many failures are told one by one. */
export const MOST_FAILURES = 1000;

/** What a run did to the folder. Plain data, fit for `JSON.stringify`. */
export interface MirrorReport {
  /** As it was named. */
  readonly source: string;
  /** Absolute path. */
  readonly folder: string;
  /** Where it was read in place of the Source; absent where that is where it is published. */
  readonly servedAt?: string;
  /** All that the Source listed at this moment is in the folder: the oldest of its sets; absent where no list says one. */
  readonly at?: string;
  /**
   * Whether the promise holds: nothing failed, nothing is outstanding, no deletion is held back by the limit; with `dryRun`,
   * nothing is to be done either.
   */
  readonly inSync: boolean;
  /** With `dryRun`: what would be done. */
  readonly dryRun: boolean;
  readonly sets: readonly MirroredSet[];
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  /** Deletions that wait for a later run. */
  readonly held: number;
  /** Whether they wait because there are more than `maxDelete` allows. */
  readonly stopped: boolean;
  /** Resources that could not be had, or not as they are listed; the first thousand. Their old files stay. */
  readonly failed: readonly MirrorFailure[];
  /** Resources that are listed, and were not there in two runs. */
  readonly outstanding: readonly MirrorFailure[];
  /** Files that nothing in the lists says the digest of. */
  readonly unverified: number;
  /** The first relative address in lists, where there is one: addresses have to be absolute, and are resolved. */
  readonly relative?: Skipped;
  /** Listed resources on origins that are not mirrored. */
  readonly elsewhere: number;
  /** URLs of the Capability Lists of sets on such origins; the first thousand. */
  readonly setsElsewhere: readonly string[];
  /** Who signed what is copied; absent where nobody has, and where nothing has changed since. */
  readonly signature?: MirrorSignature;
  /** Listed URLs whose files have another name than theirs, because documents that the copy keeps have it; those that were given one now, the first thousand. */
  readonly displaced: readonly string[];
  /** Requests, with those that were made again, and the bytes that came. */
  readonly requests: number;
  readonly bytes: number;
  /** Files of the copy that are right without a request of their own: nothing told of a change, or a package had them. */
  readonly unasked: number;
  /** What servers have asked for, and got: longer pauses between requests. */
  readonly pauses: readonly AskedPause[];
  /** With `dryRun`: what the run would take. */
  readonly needs?: MirrorNeeds;
  /** Milliseconds: reading documents, getting resources, moving files, and all together. */
  readonly durations: Readonly<Record<'documents' | 'resources' | 'moves' | 'total', number>>;
}

/** The key that signed a Source. */
export interface MirrorSignature {
  /** `SHA256:…`, as `ssh-keygen -l` shows it. */
  readonly fingerprint: string;
  /** Such as `ssh-ed25519`. */
  readonly type: string;
  /** The public key, as it stands in `.pub` files: what `--trust` takes. */
  readonly key: string;
  /** Whether it was demanded: by `--trust`, or because it signed the copy before. */
  readonly isKnown: boolean;
}

/** What a run would take. */
export interface MirrorNeeds {
  readonly requests: number;
  /** As far as lists say how long things are. */
  readonly bytes: number;
  /** Milliseconds, where a limit says so. */
  readonly time?: number;
  /** What it would ask for, without documents; the first thousand. */
  readonly uris: readonly string[];
}

/** What became of one file, as the next program is told. */
export interface MirrorChange {
  readonly change: 'created' | 'updated' | 'deleted';
  readonly uri: string;
  /** Relative to the folder; absent where another file stands there now. */
  readonly path?: string;
  /** In bytes; none of what was deleted. */
  readonly length?: number;
  /** A digest of the bytes, such as `sha-256:…`. */
  readonly hash?: string;
  /** When the Source says that it happened. */
  readonly datetime?: string;
  /** What it means to readers; where it is absent, it may be anything. */
  readonly kind?: ContentKind;
  /** Of a page that is there. */
  readonly title?: string;
  readonly lang?: string;
}

/** How a set of resources was brought up to date. */
export interface MirroredSet {
  /** Of its Capability List, or of the one list that there is. */
  readonly uri: string;
  /** `unchanged`: its documents are what they were. `list`: compared with the Resource List. */
  readonly way: 'unchanged' | 'changes' | 'list';
  /** Why it was compared with the Resource List. */
  readonly reason?: CompareReason | 'verify' | 'origins' | 'signed';
  /** How many archived Change Lists were read, where the Change List begins after the last run. */
  readonly archived?: number;
}

export interface MirrorFailure {
  readonly uri: string;
  /** Relative to the folder. */
  readonly path?: string;
  /**
   * `changing` and `elsewhere` are of the whole Source: all that it lists is on origins that are not mirrored. `unread` is of a
   * set of which the lists cannot be read, and `skipped` of a place in a document that is not understood: more may be listed
   * there.
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

/** Who is told how far a run has come. */
export interface MirrorOptions {
  readonly observe?: MirrorObserver | undefined;
}

/** Is told how far a run has come. */
export type MirrorObserver = (progress: MirrorProgress) => void;

export interface MirrorProgress {
  readonly stage: 'waiting' | 'documents' | 'verify' | 'resources' | 'moves';
  readonly done: number;
  readonly total?: number | undefined;
  /** Received so far, and milliseconds since the first resource was asked for. */
  readonly bytes?: number;
  readonly elapsed?: number;
  /** Where a limit is in force: so many milliseconds the files take that are to be fetched one by one. Comes once. */
  readonly takes?: number;
}
