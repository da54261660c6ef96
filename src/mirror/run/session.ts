/** One run on a folder: its lock, what it remembers, the Source that it asks. */

import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Origin } from '../../audit/origin/origin.js';
import { openWeb } from '../../audit/origin/web.js';
import { ResyncError } from '../../errors.js';
import { MIRROR_FOLDER } from '../../paths/ours.js';
import { explainFailure } from '../../publish/failure.js';
import { takeLock } from '../../publish/lock.js';
import { say } from '../../text/say.js';
import { fixNow } from '../../time.js';
import { type Bounds, startBounds } from '../../web/bounds.js';
import { type Received, startReceiving } from '../files/pace.js';
import type { Head } from '../memory/format.js';
import { readyFolder } from '../memory/journal.js';
import { readLastHead } from '../memory/state.js';
import type { ResolvedMirror } from '../options.js';
import type { MirrorObserver } from '../report.js';
import { doubtConditions } from '../source/conditions.js';
import type { ListsNow } from '../source/moved.js';
import { finishJournal } from './carry.js';

/** What a run works with. */
export interface Session {
  readonly config: ResolvedMirror;
  readonly origin: Origin;
  /** URL of the root of its host. */
  readonly home: string;
  readonly bounds: Bounds;
  readonly received: Received;
  readonly observe: MirrorObserver;
  readonly memory: string;
  /** For what is not whole yet; gone after the run. */
  readonly scratch: string;
  /** For files that are ready to be moved into place. */
  readonly ready: string;
  /** What the last run left; undefined where there was none, or where that cannot be read. */
  readonly head: Head | undefined;
  /** Named origins that have had a public address. */
  readonly pinned: Set<string>;
  /** Makes sure that no other run has taken over. */
  readonly confirm: () => void;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The Resource Lists that are known, as they answered when the run began. */
  readonly listsNow: ListsNow;
}

const STATE = say`Every file in the folder is whole, an old or a new one.`;

/** Works on a folder while no other run does. */
export async function withSession<T>(
  config: ResolvedMirror,
  observe: MirrorObserver,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { folder, dryRun } = config;
  const memory = join(folder, MIRROR_FOLDER);
  try {
    if (!dryRun) mkdirSync(folder, { recursive: true });
    const lock = dryRun
      ? lendFolder()
      : await takeLock(folder, () => observe({ stage: 'waiting', done: 0 }), MIRROR_FOLDER);
    try {
      if (!dryRun) await finishJournal(folder, memory, observe);
      const head = existsSync(memory) ? readLastHead(memory) : undefined;
      if (head !== undefined && head.source !== config.source) throw refuseOther(config, head);
      const ready = dryRun ? lock.folder : readyFolder(memory);
      if (!existsSync(ready)) mkdirSync(ready);
      const received = startReceiving(config.rate);
      return await withOrigin(config, head, (web) =>
        work({
          ...web,
          received,
          config,
          home: new URL('/', config.source).href,
          observe,
          memory,
          scratch: lock.folder,
          ready,
          head,
          confirm: lock.confirm,
          now: fixNow(process.env).getTime(),
          listsNow: new Map(),
        }),
      );
    } finally {
      lock.release();
    }
  } catch (error) {
    throw explainFailure(folder, error, STATE);
  }
}

/** Asks the Source of a mirror, and the origins that are allowed, and nobody else. */
export async function withOrigin<T>(
  { source, allow, headers, http }: ResolvedMirror,
  head: Head | undefined,
  work: (web: { origin: Origin; bounds: Bounds; pinned: Set<string> }) => Promise<T>,
): Promise<T> {
  const endless = Number.POSITIVE_INFINITY;
  const bounds = startBounds({ bytes: endless, time: endless, memory: endless });
  const pinned = new Set(head?.pinned);
  const origin = openWeb(source, source, http, {
    agent: 'resync-static mirror',
    bounds,
    staysHome: true,
    others: allow,
    pinned,
    tokens: headers,
  });
  try {
    return await work({ origin: doubtConditions(origin), bounds, pinned });
  } finally {
    bounds.stop();
    origin.close();
  }
}

/** In place of a lock, for a run that writes nothing into the folder. */
function lendFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'resync-static-mirror-'));
  return {
    folder,
    confirm: () => undefined,
    release: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function refuseOther({ source, folder }: ResolvedMirror, head: Head): ResyncError {
  return new ResyncError(
    'config-invalid',
    say`${folder} is a copy of ${head.source}, not of ${source}.\nName that URL, or another folder.`,
  );
}
