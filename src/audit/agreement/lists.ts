/** The Change List of a set against its Resource List (§9). Pure. */

import { parseDatetime } from '../../base/datetime.js';
import type { ListedChange } from '../../source/listed.js';
import type { Problem } from '../picture.js';
import { compareFacts, withoutSilence } from './differences.js';
import type { AuditedSet } from './set.js';

/** Change List against Resource List: the newest change of a URI that the list has to know, and its entry there. */
export function* compareListWithChanges({ resources, at, changes }: AuditedSet): Generator<Problem> {
  if (resources === undefined || changes === undefined || at === undefined) return;
  const newest = new Map<string, ListedChange>();
  for (const event of changes.events) newest.set(event.uri, event);
  for (const event of newest.values()) {
    // §7: the list holds all changes up to `at`; of a later one, or one without a time, it need not know.
    if (event.time === undefined || event.time > at.time) continue;
    const { uri: entry, document, line } = event;
    const listed = resources.get(entry);
    if (event.change === 'deleted') {
      if (listed !== undefined)
        yield ['deleted-but-listed', { document, line, entry, expected: `not in ${listed.document}` }];
    } else if (listed === undefined) yield ['changed-but-not-listed', { document, line, entry }];
    else {
      // §12.1: a change need not say anything of the representation, nor be the time of its last modification.
      const difference = compareFacts(...withoutSilence(event, listed));
      if (difference?.contradiction === true)
        yield ['change-differs-from-list', { document, line, entry, ...difference }];
    }
  }
  const { from } = changes.interval;
  if (from === undefined) return;
  for (const { uri: entry, document, line, lastmod } of resources.values()) {
    const time = lastmod === undefined ? undefined : parseDatetime(lastmod);
    if (time === undefined || time <= from || newest.has(entry)) continue;
    if (changes.interval.until !== undefined && time > changes.interval.until) continue;
    yield ['lastmod-without-change', { document, line, entry, found: `lastmod ${lastmod}` }];
  }
}
