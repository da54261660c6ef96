/** What is wanted, as bytes, while it is still being found out what that is. Pure. */

import { startDigestColumn } from '../../../base/columns/digests.js';
import { startShared } from '../../../base/columns/shared.js';
import type { Columns } from '../../../base/columns/table.js';
import { startOptionalTexts } from '../../../base/columns/texts.js';
import { copyText } from '../../../source/listed.js';
import type { Entry } from '../../../source/sets/entry.js';
import { shareSets } from '../model.js';

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

/** Starts to keep entries, but for their URLs. What a parser cut out of a document is copied. */
export function startEntries(): Columns<Entry> {
  const hashes = startDigestColumn();
  const lengths = startOptionalTexts();
  const [types, encodings] = [startTexts(), startTexts()];
  /** Copies and the patch, as JSON: few entries have any. */
  const links = startOptionalTexts();
  return {
    push({ hash, length, type, encoding, copies, patch }) {
      hashes.push(hash);
      lengths.push(length);
      types.push(type);
      encodings.push(encoding);
      const hasLinks = copies !== undefined || patch !== undefined;
      links.push(hasLinks ? JSON.stringify({ copies, patch }) : undefined);
    },
    at(index, uri) {
      const entry = {
        uri,
        hash: hashes.at(index),
        length: lengths.at(index),
        type: types.at(index),
        encoding: encodings.at(index),
      };
      const known = links.at(index);
      return known === undefined ? entry : { ...entry, ...(JSON.parse(known) as Links) };
    },
  };
}

type Links = Pick<Entry, 'copies' | 'patch'>;

/** Texts that come again and again. */
function startTexts() {
  return startShared<string | undefined>((text) => text && copyText(text));
}
