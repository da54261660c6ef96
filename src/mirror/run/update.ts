/** Updates a copy as was settled: moves and deletes files, and saves the state for the next run. */

import type { MirrorHead } from '../memory/format.js';
import { isSameHead, makeHead } from '../memory/head.js';
import { dropReady } from '../memory/journal.js';
import { sealMemory } from '../memory/seal.js';
import { lastNumber } from '../memory/state.js';
import type { Settlement } from '../plan/settle.js';
import { commit } from './carry-out.js';
import { explainLines } from './explain.js';
import type { Offered } from './read-source.js';
import type { Remembered } from './recall.js';

/**
 * Carries out a settlement; writes nothing if neither files nor state have changed. Returns the state for the next run.
 * @param isWaiting whether the moment of the copy has to wait for a later run
 */
export async function updateCopy(
  { session, files }: Remembered,
  offered: Offered,
  settlement: Settlement,
  isWaiting: boolean,
): Promise<MirrorHead> {
  const { config, past, store, web, now } = session;
  const facts = {
    ...offered,
    number: lastNumber(store.memory) + 1,
    pinned: web.pinned,
    documents: offered.reader.known(),
    isWaiting,
  };
  const head = makeHead(config, past, facts, settlement);
  const isChanged = settlement.lines.length > 0 || !isSameHead(past.saved, head, now);
  const lines = await explainLines(session, files, settlement.lines);
  if (isChanged) await commit(session, { head, lines });
  else dropReady(store.memory);
  // The Source has confirmed the state that came with a clone: it counts as written in this folder.
  if (!isChanged && !past.isOurs) sealMemory(store.memory);
  return head;
}
