/** Reads a Source and fetches its resources, until both are of one moment. */

import { areUnchanged } from '../../source/sets/reader.js';
import type { Outcomes } from '../plan/outcomes.js';
import type { MirrorPlan } from '../plan/plan.js';
import { fetchAll } from './fetch-all.js';
import { isIncomplete, type Offered, readSource } from './read-source.js';
import type { Remembered } from './recall.js';
import type { Timing } from './timing.js';

/** The last round: what the Source offers, the plan that follows from it, and what became of the plan. */
export interface Round {
  readonly offered: Offered;
  readonly plan: MirrorPlan;
  readonly outcomes: Outcomes;
  /** True if the Source has changed in each of the rounds. */
  readonly isUnsettled: boolean;
}

/** Number of rounds after which a Source that keeps changing is left as it is. */
const MOST_ROUNDS = 4;

/** @param timing gets the end of the first reading of the documents */
export async function readAndFetch(remembered: Remembered, timing: Timing): Promise<Round> {
  const { web } = remembered.session;
  let fromArchive = true;
  for (let round = 1; ; round++) {
    const offered = await readSource(remembered, fromArchive);
    try {
      const plan = offered.planner.finish();
      timing.markRead();
      const outcomes = await fetchAll(remembered.session, offered, plan);
      const isFromArchive = offered.sets.some(({ archived }) => archived !== undefined);
      if (isFromArchive && isNotAsListed(outcomes)) {
        // The archive may lack a change; the Resource List has all resources.
        fromArchive = false;
        continue;
      }
      const isSettled =
        !offered.isMixed &&
        (!mayBeMixed(offered, outcomes) || (await areUnchanged(web.origin, offered.reader.known())));
      if (isSettled || round >= MOST_ROUNDS) return { offered, plan, outcomes, isUnsettled: !isSettled };
    } finally {
      offered.packages.close();
    }
  }
}

function isNotAsListed(outcomes: Outcomes): boolean {
  return outcomes.failed().some(([, { reason }]) => reason === 'missing' || reason === 'different');
}

/** Returns whether resources may be of another moment than the lists: some differ, have no digest, or are in one of several sets. */
function mayBeMixed({ states, hasDocuments }: Offered, outcomes: Outcomes): boolean {
  if (outcomes.size === 0) return false;
  return hasDocuments || states.length > 1 || outcomes.isUnverified || outcomes.failed().length > 0;
}

/** Returns whether the moment of the copy and deletions have to wait for a later run. */
export function mustWait({ offered, plan, outcomes, isUnsettled }: Round): boolean {
  return isUnsettled || isIncomplete(offered, plan) || isGuessedWrong(offered, outcomes);
}

/** Returns whether resources are missing and lists have relative addresses, which may be meant otherwise than resolved. */
function isGuessedWrong({ reader }: Offered, outcomes: Outcomes): boolean {
  return reader.resolved() !== undefined && outcomes.failed().some(([, { reason }]) => reason === 'missing');
}
