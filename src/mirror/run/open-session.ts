/** One run on a folder: its lock, what it remembers, the Source that it asks. */

import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ResyncError, unlessRefused } from '../../base/errors.js';
import { say, type Words } from '../../base/text/say.js';
import { fixNow } from '../../base/time.js';
import { type HeldFolder, holdFolder } from '../../paths/held/folder.js';
import { holdOwn } from '../../paths/held/own.js';
import { explainFailure } from '../../paths/hold/failure.js';
import { type Lock, takeLock } from '../../paths/hold/lock.js';
import { MIRROR_FOLDER } from '../../paths/ours.js';
import { rootOfSource } from '../../paths/urls.js';
import { openWeb } from '../../source/origin/web.js';
import { makeTemporaryFolder } from '../../source/packages/temporary.js';
import { doubtConditions, keepAnswers, tellServersApart } from '../../source/sets/conditions.js';
import { type Bound, BoundReached, Bounds } from '../../source/web/bounds.js';
import { DownloadCounter, Pacer } from '../../source/web/pace.js';
import type { MirrorHead } from '../memory/format.js';
import { holdReady, READY } from '../memory/journal.js';
import { isSealed } from '../memory/seal.js';
import { readLastHead } from '../memory/state.js';
import { readTrust } from '../memory/trust.js';
import type { ResolvedMirror } from '../resolved.js';
import { finishJournal } from './carry-out.js';
import type { Session } from './session.js';

const STATE = say`Every file in the folder is whole, an old or a new one.`;

/** What a session is told of its run. */
type Told = Pick<Session, 'observe' | 'clock'>;

/** Works on a folder while no other run does. */
export function withSession<T>(
  config: ResolvedMirror,
  told: Told,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return withBounds(config, (bounds) => workIn(bounds, config, told, work));
}

async function workIn<T>(
  bounds: Bounds,
  config: ResolvedMirror,
  told: Told,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { observe } = told;
  const { folder, dryRun } = config;
  let made: string | undefined;
  try {
    if (!dryRun) made = mkdirSync(folder, { recursive: true });
    const lock = dryRun
      ? lendFolder(folder)
      : await takeLock(folder, () => observe({ stage: 'waiting', done: 0 }), MIRROR_FOLDER, bounds.signal);
    try {
      return await workUnder(lock, bounds, config, told, work);
    } catch (error) {
      // Folders that are held have their names only as long as they are.
      throw explainFailure(folder, error, STATE);
    } finally {
      lock.release();
    }
  } catch (error) {
    if (made !== undefined) removeEmpty(folder, made);
    throw explainFailure(folder, error, STATE);
  }
}

/**
 * Works within the bounds of a run: what it waits for counts, too.
 *
 * @throws ResyncError `bound-reached`
 */
export async function withBounds<T>(
  { maxBytes, maxTime }: ResolvedMirror,
  work: (bounds: Bounds) => Promise<T>,
): Promise<T> {
  // What lists make us hold is counted anew each time that they are read.
  const bounds = new Bounds({ bytes: maxBytes, time: maxTime });
  try {
    return await work(bounds);
  } catch (error) {
    // Whatever was under way ended with it, one way or another.
    throw explainBound(bounds.signal.aborted ? bounds.signal.reason : error);
  } finally {
    bounds.stop();
  }
}

/** Leaves nothing of folders that were made for a copy of which there is nothing. What holds anything stays. */
function removeEmpty(folder: string, made: string): void {
  const own = join(folder, MIRROR_FOLDER);
  unlessRefused(() => rmdirSync(join(own, READY)));
  unlessRefused(() => rmdirSync(own));
  for (let path = folder; path.length >= made.length; path = dirname(path))
    unlessRefused(() => rmdirSync(path));
}

async function workUnder<T>(
  { site: copy, work: memory, staging: scratch, confirm }: Lock,
  bounds: Bounds,
  config: ResolvedMirror,
  { observe, clock }: Told,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  if (!config.dryRun) {
    const check = (head: MirrorHead) => requireSame(config, head);
    await finishJournal({ copy, memory, config, observe }, check);
  }
  const past = recallHead(memory, config);
  const ready = config.dryRun ? scratch : holdReady(memory);
  try {
    const perform = async (web: Web) =>
      work({
        ...web,
        ...past,
        trust: await readTrust({ config, bounds, ...past }),
        received: new DownloadCounter(ready.base),
        config,
        observe,
        copy,
        memory,
        scratch,
        ready,
        confirm,
        clock,
        now: fixNow(process.env).getTime(),
        listsNow: new Map(),
      });
    return await withOrigin(config, bounds, past.head, perform);
  } finally {
    if (ready !== scratch) ready.close();
  }
}

type Past = Pick<Session, 'head' | 'remembered' | 'isSure'>;

/**
 * What the last run left. What was not written here says no more than where to look: that all is as it was, the Source has
 * to say.
 */
function recallHead(memory: HeldFolder | undefined, config: ResolvedMirror): Past {
  const remembered = memory && readLastHead(memory);
  if (memory === undefined || remembered === undefined) return { head: undefined, remembered, isSure: true };
  requireSame(config, remembered);
  if (isSealed(memory)) return { head: remembered, remembered, isSure: true };
  const sets = remembered.sets.map(({ id, uri }) => ({ id, uri }));
  return { head: { ...remembered, sets, documents: [] }, remembered, isSure: false };
}

/** What the last run left, for who only reads it. */
export function peekPast(config: ResolvedMirror): Past {
  if (!existsSync(config.folder)) return recallHead(undefined, config);
  const copy = holdFolder(config.folder);
  const memory = holdOwn(copy, MIRROR_FOLDER);
  try {
    return recallHead(memory, config);
  } finally {
    memory?.close();
    copy.close();
  }
}

type Web = Pick<Session, 'origin' | 'forgetAnswers' | 'judgeBy' | 'bounds' | 'pinned' | 'pace'>;

/** When servers may be asked again: runs of one process with one configuration keep to one limit. */
const nextTimes = new WeakMap<ResolvedMirror, Map<string, number>>();

/**
 * Asks the Source of a mirror, and the origins that are allowed, and nobody else.
 */
export async function withOrigin<T>(
  config: ResolvedMirror,
  bounds: Bounds,
  head: MirrorHead | undefined,
  work: (web: Web) => Promise<T>,
): Promise<T> {
  const { source, servedAt, allow, headers, http, agent, gap } = config;
  const pinned = new Set(head?.pinned);
  const nexts = nextTimes.get(config) ?? new Map();
  nextTimes.set(config, nexts);
  const pace = new Pacer(gap, bounds.signal, nexts);
  const root = servedAt === undefined ? source : rootOfSource(source);
  const manners = {
    agent,
    bounds,
    pace,
    staysHome: true,
    others: allow,
    pinned,
    tokens: headers,
  };
  const origin = openWeb(root, http, manners, servedAt);
  try {
    const asked = doubtConditions(tellServersApart(origin, servedAt));
    const { forgetAnswers, ...kept } = keepAnswers(asked);
    let judge: Session['origin']['judge'];
    const judged: Session['origin'] = {
      ...kept,
      judge: (...document) => judge?.(...document),
      // An answer that nothing has changed is one more claim to be verified.
      ...(config.verify && {
        open: (uri, options) => kept.open(uri, { ...options, validators: undefined }),
      }),
    };
    const judgeBy: Session['judgeBy'] = (next) => {
      judge = next;
    };
    return await work({ origin: judged, forgetAnswers, judgeBy, bounds, pinned, pace });
  } finally {
    origin.close();
  }
}

/** In place of a lock, for a run that writes nothing into the folder. What is not there is an empty folder. */
function lendFolder(folder: string): Lock {
  const lent = makeTemporaryFolder(
    say`What --dry-run reads is there while it runs. Make room, or set TMPDIR to another folder.`,
  );
  const held: HeldFolder[] = [];
  const keep = (one: HeldFolder) => {
    held.push(one);
    return one;
  };
  const release = () => {
    for (const one of held) one.close();
    lent.remove();
  };
  try {
    const staging = keep(holdFolder(lent.path));
    const site = keep(holdFolder(existsSync(folder) ? folder : lent.path));
    const work = keep(holdOwn(site, MIRROR_FOLDER) ?? holdFolder(lent.path));
    return { site, work, staging, confirm: () => undefined, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** @throws ResyncError `config-invalid` where the folder is a copy of another Source */
function requireSame({ source, folder }: ResolvedMirror, head: MirrorHead): void {
  if (head.source === source) return;
  throw new ResyncError(
    'config-invalid',
    say`${folder} is a copy of ${head.source}, not of ${source}.\nName that URL, or another folder.`,
  );
}

const ADVICE: Readonly<Record<Bound, Words>> = {
  bytes: say`Run again to go on, or with a higher --max-bytes.`,
  time: say`Run again to go on, or with a higher --max-time.`,
  memory: say`A machine with less than 6 GB of memory holds less than others. Copy one set of resources, with --set.`,
  disk: say`Make room, and run again to go on.`,
};

/** What is no such end stays as it is. */
function explainBound(error: unknown): unknown {
  if (!(error instanceof BoundReached)) return error;
  return new ResyncError(
    'bound-reached',
    say`The run has ended before the copy was right: ${error.message}.\nEvery file in the folder is whole, an old or a new one. What was fetched and has a checksum is kept for the next run. ${ADVICE[error.bound]}`,
    { cause: error },
  );
}
