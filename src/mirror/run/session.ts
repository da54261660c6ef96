/** A run of a mirror: its options, connection, folders, saved state and clock. */

import type { Clock } from '../../base/time.js';
import type { HeldFolder } from '../../paths/held/folder.js';
import type { Origin } from '../../source/origin/origin.js';
import type { Offer } from '../../source/sets/sets.js';
import type { Bounds } from '../../source/web/bounds.js';
import type { DownloadCounter, Pacer } from '../../source/web/pace.js';
import type { Past } from '../memory/past.js';
import type { Trust } from '../memory/trust.js';
import type { SetState } from '../plan/model.js';
import type { MirrorObserver } from '../report.js';
import type { ResolvedMirror } from '../resolved.js';

export interface Session {
  readonly config: ResolvedMirror;
  readonly web: Web;
  readonly store: Store;
  readonly past: Past;
  readonly trust: Trust;
  readonly observe: MirrorObserver;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Time of the run: milliseconds since 1970. */
  readonly now: number;
}

/** A connection to the Source, within the bounds of a run. */
export interface Connection {
  readonly origin: Origin;
  readonly bounds: Bounds;
  readonly pace: Pacer;
  /** Origins that the user named, and that have had a public address. */
  readonly pinned: Set<string>;
}

/** A connection whose received bytes are counted. */
export interface Web extends Connection {
  readonly received: DownloadCounter;
}

export interface Store {
  readonly copy: HeldFolder;
  readonly memory: HeldFolder;
  /** Folder of incomplete files; removed after the run. */
  readonly scratch: HeldFolder;
  /** Folder of complete files that are to be moved into place. */
  readonly ready: HeldFolder;
  /** Tests that the lock is still ours. @throws ResyncError if another run has taken it over */
  readonly confirm: () => void;
}

export interface RunOptions {
  readonly observe?: MirrorObserver | undefined;
  readonly clock?: Session['clock'] | undefined;
  readonly status?: SourceStatus | undefined;
}

/** Facts about a Source that runs of one process share: each run updates them. */
export interface SourceStatus {
  /** True if a follower listens to channels: it needs `offers` even if the Source has not changed. */
  readonly isFollowed: boolean;
  /** Sets that the Source offers; undefined until a run had to read them. */
  offers?: readonly Offer[];
  sets: readonly SetState[];
  pinned: ReadonlySet<string>;
  /** Earliest time of the next request by origin, so that all runs together keep to one limit; by `performance.now()`. */
  readonly nextRequests: Map<string, number>;
}

export function createStatus(isFollowed = false): SourceStatus {
  return { isFollowed, sets: [], pinned: new Set(), nextRequests: new Map() };
}
