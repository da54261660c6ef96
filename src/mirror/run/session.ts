/** What a run of a mirror works with. */

import type { Clock } from '../../base/time.js';
import type { HeldFolder } from '../../paths/held/folder.js';
import type { Origin } from '../../source/origin/origin.js';
import type { Bounds } from '../../source/web/bounds.js';
import type { DownloadCounter, Pacer } from '../../source/web/pace.js';
import type { SshKey } from '../../standard/signature.js';
import type { MirrorHead } from '../memory/format.js';
import type { MirrorObserver } from '../report.js';
import type { ResolvedMirror } from '../resolved.js';
import type { ListsNow } from './resource-lists.js';

/** What a run works with. */
export interface Session {
  readonly config: ResolvedMirror;
  readonly origin: Origin;
  /** What its first look brought is not to be read again from here on: the Source may have changed. */
  readonly forgetAnswers: () => void;
  readonly bounds: Bounds;
  readonly received: DownloadCounter;
  readonly pace: Pacer;
  readonly observe: MirrorObserver;
  readonly copy: HeldFolder;
  readonly memory: HeldFolder;
  /** For what is not whole yet; gone after the run. */
  readonly scratch: HeldFolder;
  /** For files that are ready to be moved into place. */
  readonly ready: HeldFolder;
  /** What the last run left; undefined where there was none, or where that cannot be read. */
  readonly head: MirrorHead | undefined;
  /** As it stands on disk: `head` leaves out what cannot be believed. */
  readonly remembered: MirrorHead | undefined;
  /** Whether what is remembered was written here: otherwise it may be a stranger's. */
  readonly isSure: boolean;
  /** Named origins that have had a public address. */
  readonly pinned: Set<string>;
  /** Makes sure that no other run has taken over. */
  readonly confirm: () => void;
  /** From here on, documents are judged; or none, where there is nothing to judge them by. */
  readonly judgeBy: (judge: Origin['judge']) => void;
  /** Whose signature is demanded. */
  readonly trust: Trust;
  /** What a pause goes by. */
  readonly clock: Pick<Clock, 'sleep'>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The Resource Lists that are known, as they answered when the run began. */
  readonly listsNow: ListsNow;
}

/** Who has to have signed a Source. */
export interface Trust {
  /** One of these: the keys of `--trust`, or those that the copy remembers; undefined if anybody may, or nobody. */
  readonly keys: readonly SshKey[] | undefined;
  /** Whether the user named them. */
  readonly areNamed: boolean;
  /** What the copy remembers of what was signed; undefined if nothing was, or somebody else may have written it. */
  readonly past: MirrorHead | undefined;
}
