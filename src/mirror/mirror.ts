/** The Destination (§5.2): makes a copy of a Source, keeps it synchronized, and audits it. */

import { SYSTEM_CLOCK } from '../base/time.js';
import { nameReady } from './files/fetch.js';
import { settle } from './plan/settle.js';
import type { MirrorReport } from './report.js';
import type { ResolvedMirror } from './resolved.js';
import { compareSource } from './run/compare.js';
import { makeMirrorReport } from './run/make-report.js';
import { withSession } from './run/open-session.js';
import { readOffers } from './run/read-source.js';
import { type Remembered, recallCopy } from './run/recall.js';
import { rehearse } from './run/rehearse.js';
import {
  countSettled,
  describeSigner,
  listSourceFailures,
  makeUnchanged,
  type RunResult,
  toMirrorFailure,
} from './run/result.js';
import { mustWait, type Round, readAndFetch } from './run/rounds.js';
import { createStatus, type RunOptions, type Session, type SourceStatus } from './run/session.js';
import { Timing } from './run/timing.js';
import { updateCopy } from './run/update.js';

export async function mirrorSource(config: ResolvedMirror, options: RunOptions = {}): Promise<MirrorReport> {
  const { observe = () => undefined, clock = SYSTEM_CLOCK, status = createStatus() } = options;
  const timing = new Timing();
  return withSession(config, { observe, clock, status }, async (session) => {
    const result = await synchronize(session, status, timing);
    if (status.isFollowed) status.offers ??= await readOffers(session);
    return makeMirrorReport(session, result, timing);
  });
}

/** Does baseline synchronization of a new copy, incremental synchronization of an old copy, or with `verify` an audit (§5.2). */
async function synchronize(session: Session, status: SourceStatus, timing: Timing): Promise<RunResult> {
  const { config, past, trust, web } = session;
  status.pinned = web.pinned;
  if (past.head !== undefined) status.sets = past.sets;
  const listsNow = await compareSource(session);
  if (listsNow === undefined) {
    const key = trust.keys?.find(({ line }) => past.head?.signers?.includes(line));
    return makeUnchanged(past.head, key);
  }
  const remembered = await recallCopy(session, listsNow);
  if (config.dryRun) return rehearse(remembered);
  const round = await readAndFetch(remembered, timing);
  timing.markFetched();
  status.offers = round.offered.read.map(({ offer }) => offer);
  return carryOut(remembered, round, status);
}

/** Moves fetched files into the copy, and deletes files that the Source no longer lists, as far as that is allowed. */
async function carryOut(remembered: Remembered, round: Round, status: SourceStatus): Promise<RunResult> {
  const { session, files } = remembered;
  const { config, past, trust } = session;
  const { offered, plan, outcomes } = round;
  const isWaiting = mustWait(round);
  const rules = { most: config.maxDelete, missing: past.missing, isWaiting, nameReady };
  const settlement = settle(files, plan, outcomes, rules);
  const head = await updateCopy(remembered, offered, settlement, isWaiting);
  status.sets = head.sets;
  const signer = offered.proof?.keys[0];
  return {
    counts: countSettled(plan, settlement),
    failed: [...listSourceFailures(offered, plan, round), ...settlement.failed.map(toMirrorFailure)],
    outstanding: settlement.outstanding.map(toMirrorFailure),
    head,
    offered,
    signature: signer && describeSigner(signer, trust.keys !== undefined),
  };
}
