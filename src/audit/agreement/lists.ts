/** Change List against Resource List: the same, or the set is not uniform (§9). Pure. */

import { startTable, type Table } from '../../base/columns/table.js';
import type { ListedChange, ListedResource } from '../../source/listed.js';
import { parseDatetime } from '../../standard/model.js';
import type { Flag } from '../../standard/rules/checks.js';
import { startListed } from './columns.js';
import { compareFacts, withoutSilence } from './differences.js';
import type { AuditedSet } from './set.js';

/** Change List against Resource List: the newest change of a URI that the list has to know, and its entry there. */
export function compareListWithChanges({ resources, at, changes }: AuditedSet, flag: Flag): void {
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
        flag('deleted-but-listed', { document, line, entry, expected: `not in ${listed.document}` });
    } else if (listed === undefined) flag('changed-but-not-listed', { document, line, entry });
    else {
      // §12.1: a change need not say anything of the representation, nor be the time of its last modification.
      const difference = compareFacts(...withoutSilence(event, listed));
      if (difference?.contradiction === true) {
        const { found, expected } = difference;
        flag('change-differs-from-list', { document, line, entry, found, expected });
      }
    }
  }
  const { from } = changes.interval;
  if (from === undefined) return;
  for (const { uri: entry, document, line, lastmod } of resources.values()) {
    const time = lastmod === undefined ? undefined : parseDatetime(lastmod);
    if (time === undefined || time <= from || newest.has(entry)) continue;
    if (changes.interval.until !== undefined && time > changes.interval.until) continue;
    flag('lastmod-without-change', { document, line, entry, found: `lastmod ${lastmod}` });
  }
}

/**
 * What there should be now: the Resource List, and the changes after it (§5.2); and what is gone by now. Uses the
 * Resource List up, which may be large.
 */
export function deriveExpected({ resources, at, changes }: AuditedSet): {
  present: Table<ListedResource>;
  /** The last change of each URI that is gone. */
  deleted: ListedChange[];
} {
  const present = resources ?? startTable(startListed());
  const deleted = new Map<string, ListedChange>();
  for (const event of changes?.events ?? []) {
    const { uri, change, datetime, time } = event;
    if (change === 'deleted') deleted.set(uri, event);
    else deleted.delete(uri);
    if (resources !== undefined && (time === undefined || at === undefined || time <= at.time)) continue;
    if (change === 'deleted') present.delete(uri);
    else if (change !== undefined) present.set(uri, { ...event, lastmod: datetime });
  }
  return { present, deleted: [...deleted.values()].filter(({ uri }) => !present.has(uri)) };
}
