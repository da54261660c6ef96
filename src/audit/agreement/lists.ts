/** Compares the Change List of a set with its Resource List (§9). Pure. */

import { type ListedChange, readLastmod } from '../../source/listed.js';
import type { Problem } from '../picture.js';
import { compareFacts, withoutSilence } from './differences.js';
import type { AuditedSet } from './set.js';

/** Compares the newest change of each URI with the Resource List, and finds listed modifications that no change reports. */
export function* compareListWithChanges({ resources, at, changes }: AuditedSet): Generator<Problem> {
  if (resources === undefined || changes === undefined || at === undefined) return;
  const newest = new Map<string, ListedChange>();
  for (const event of changes.events) newest.set(event.uri, event);
  for (const event of newest.values()) {
    // §7: a Resource List includes all changes up to its `at`, but not later ones, nor necessarily those without a time.
    if (event.time === undefined || event.time > at.time) continue;
    const { uri: entry, document, line } = event;
    const listed = resources.get(entry);
    if (event.change === 'deleted') {
      if (listed !== undefined)
        yield ['deleted-but-listed', { document, line, entry, expected: `not in ${listed.document}` }];
    } else if (listed === undefined) yield ['changed-but-not-listed', { document, line, entry }];
    else {
      // §12.1: a change need not describe the representation, and its time need not be that of the last modification.
      const difference = compareFacts(...withoutSilence(event, listed));
      if (difference?.contradiction === true)
        yield ['change-differs-from-list', { document, line, entry, ...difference }];
    }
  }
  const { from } = changes.interval;
  if (from === undefined) return;
  for (const { uri: entry, document, line, lastmod } of resources.values()) {
    const time = readLastmod(lastmod);
    if (time === undefined || time <= from || newest.has(entry)) continue;
    if (changes.interval.until !== undefined && time > changes.interval.until) continue;
    yield ['lastmod-without-change', { document, line, entry, found: `lastmod ${lastmod}` }];
  }
}
