/** What is wanted, as bytes, while it is still being found out what that is. Pure. */

import { startShared } from '../../../base/columns/shared.js';
import type { Columns } from '../../../base/columns/table.js';
import type { Entry } from '../../../source/sets/entry.js';
import { shareSets } from '../model.js';
import { startEntries } from './entries.js';

/** A resource that is wanted, and the sets that list it. */
export interface Draft {
  readonly entry: Entry;
  readonly sets: readonly number[];
}

export function startDrafts(): Columns<Draft> {
  const entries = startEntries();
  const sets = startShared<Draft['sets']>();
  return {
    push(draft, uri) {
      entries.push(draft.entry, uri);
      sets.push(shareSets(draft.sets));
    },
    at: (index, uri) => ({ entry: entries.at(index, uri), sets: sets.at(index) }),
  };
}
