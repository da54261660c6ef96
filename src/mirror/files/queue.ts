/** Gets many resources side by side, and those that failed again. */

import { workSideBySide } from '../../web/side-by-side.js';
import type { Failed, Outcome } from '../plan/model.js';
import type { Want } from '../plan/plan.js';
import { obtain, type Workshop } from './fetch.js';
import { patchKept } from './patch.js';

/** Rounds over what failed, after the first. */
const MORE_ROUNDS = 2;

export type Outcomes = ReadonlyMap<Want, Outcome>;

/**
 * Gets resources.
 *
 * @param concurrency how many at a time
 * @param observe is told of each that is done
 */
export async function obtainAll(
  shop: Workshop,
  wants: readonly Want[],
  concurrency: number,
  observe: () => void,
): Promise<Outcomes> {
  const outcomes = new Map<Want, Outcome>();
  let rest = wants;
  for (let round = 0; round <= MORE_ROUNDS && rest.length > 0; round++) {
    await workSideBySide(rest, concurrency, async (want) => {
      outcomes.set(want, (await patchKept(shop, want)) ?? (await obtain(shop, want)));
      if (round === 0) observe();
    });
    rest = rest.filter((want) => isWorthAsking(outcomes.get(want)));
  }
  return outcomes;
}

/** What is not there, or not ours, will not be otherwise in a moment. */
function isWorthAsking(outcome: Outcome | undefined): outcome is Failed {
  return outcome?.kind === 'failed' && outcome.reason !== 'missing' && outcome.reason !== 'in-the-way';
}
