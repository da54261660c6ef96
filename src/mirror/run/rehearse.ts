/** Finds out for `--dry-run` what a run of a mirror would do. */

import { compareKept } from '../plan/digests.js';
import type { Want } from '../plan/model.js';
import { type MirrorPlan, mayDelete } from '../plan/plan.js';
import { estimateNeeds } from './fetch-all.js';
import { isIncomplete, type Offered, readSource } from './read-source.js';
import type { Remembered } from './recall.js';
import { type Counts, listSourceFailures, type RunResult } from './result.js';

export async function rehearse(remembered: Remembered): Promise<RunResult> {
  const { session, damaged } = remembered;
  const offered = await readSource(remembered, true);
  try {
    const plan = offered.planner.finish();
    const isMissing = ({ entry, kept }: Want) =>
      kept === undefined || damaged.has(entry.uri) || compareKept(entry, kept) !== 'same';
    return {
      counts: countPlanned(remembered, offered, plan),
      needs: await estimateNeeds(session, offered, plan, isMissing),
      failed: listSourceFailures(offered, plan, { isUnsettled: false }),
      outstanding: [],
      head: session.past.head,
      offered,
    };
  } finally {
    offered.packages.close();
  }
}

/** Counts the changes that a run would make. A file counts as unchanged if only a request can show that it is not. */
function countPlanned({ session, files, damaged }: Remembered, offered: Offered, plan: MirrorPlan): Counts {
  let [known, updated] = [0, 0];
  for (const { entry, kept } of plan.wants) {
    if (kept === undefined) continue;
    known++;
    if (damaged.has(entry.uri) || compareKept(entry, kept) === 'other') updated++;
  }
  const { deletions } = plan;
  const isWaiting = isIncomplete(offered, plan);
  const stopped = !isWaiting && !mayDelete(deletions, files, session.config.maxDelete);
  const isHeld = isWaiting || stopped;
  return {
    created: plan.wants.length - known,
    updated,
    deleted: isHeld ? 0 : deletions.size,
    unchanged: plan.unchanged + known - updated,
    held: isHeld ? deletions.size : 0,
    stopped,
  };
}
