/** Gets many resources side by side, and those that failed again. */

import { mapRows, type Rows } from '../../base/columns/rows.js';
import { workSideBySide } from '../../source/web/side-by-side.js';
import type { Failed } from '../plan/model.js';
import type { OutcomeTable } from '../plan/outcomes.js';
import type { Want } from '../plan/wants.js';
import { obtain, type Workshop } from './fetch.js';
import { patchKept } from './patch.js';

/** Rounds over what failed, after the first. */
const MORE_ROUNDS = 2;

/** How to get many. */
export interface Getting {
  /** Takes what becomes of each. */
  readonly outcomes: OutcomeTable;
  /** How many at a time. */
  readonly concurrency: number;
  /** Is told of each that is done. */
  readonly observe: () => void;
}

/** Gets resources. */
export async function obtainAll(
  shop: Workshop,
  wants: Rows<Want>,
  { outcomes, concurrency, observe }: Getting,
): Promise<void> {
  let rest = wants;
  for (let round = 0; round <= MORE_ROUNDS && rest.length > 0; round++) {
    await workSideBySide(rest, concurrency, async (want) => {
      outcomes.set(want, (await patchKept(shop, want)) ?? (await obtain(shop, want)));
      if (round === 0) observe();
    });
    rest = mapRows(
      outcomes.failed().filter(([, failed]) => isWorthAsking(failed)),
      ([want]) => want,
    );
  }
}

/** What is not there, or not ours, will not be otherwise in a moment. */
function isWorthAsking({ reason }: Failed): boolean {
  return reason !== 'missing' && reason !== 'in-the-way';
}
