/** Compares the documents of a Source with those of the last run: if none has changed, the copy is in sync. */

import { areUnchanged } from '../../source/sets/reader.js';
import { isChosen } from '../../source/sets/sets.js';
import { isDue } from '../plan/history.js';
import type { SetState } from '../plan/model.js';
import { isMoreAllowed, requireFresh } from './read-source.js';
import { areSameLists, type ListsNow, lookAtLists } from './resource-lists.js';
import type { Session } from './session.js';

/** Returns the current documents of the Resource Lists, or undefined if nothing has changed since the last run. */
export async function compareSource(session: Session): Promise<ListsNow | undefined> {
  const { config, past, web, now } = session;
  const sets = past.sets.filter(({ uri }) => isChosen(uri, config.sets));
  // Documents before lists: their first answer shows whether the server heeds conditions.
  const [areSame, listsNow] = await Promise.all([areDocumentsSame(session), lookAtLists(web.origin, sets)]);
  const isQuiet = (set: SetState) => areSameLists(set, listsNow) && !isDue(set, now);
  if (!areSame || !sets.every(isQuiet)) return listsNow;
  requireFresh(config, now, sets);
  return undefined;
}

/** Returns whether the last run ended in sync, with the same options, and all documents are the same since. */
async function areDocumentsSame({ config, past: { head }, trust, web }: Session): Promise<boolean> {
  if (head === undefined || head.documents.length === 0 || config.verify) return false;
  if (trust.keys?.every(({ line }) => head.signers?.includes(line) !== true) === true) return false;
  const isSame =
    head.only.join('\n') === config.sets.join('\n') &&
    (head.replica ?? false) === config.documents &&
    !isMoreAllowed(config, head);
  return isSame && head.missing.length === 0 && head.held === 0 && areUnchanged(web.origin, head.documents);
}
