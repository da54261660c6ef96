/** Dumps against lists: the same, or the set is not uniform (§9). Pure. */

import { type ListedChange, type ListedPlace, toFacts } from '../../source/listed.js';
import type { CheckCode, Flag } from '../../standard/rules/checks.js';
import { textOf, timeOf } from '../../standard/rules/values.js';
import type { ReadDocument } from '../../standard/xml/as-read.js';
import { compareFacts, type FactDifference, withoutSilence } from './differences.js';
import type { AuditedSet, Interval } from './set.js';

/** Resource List against Resource Dump. */
export function startDumpComparison(set: AuditedSet, document: string, at: Date | undefined, flag: Flag) {
  const { changes } = set;
  const resources = set.resources?.toRows();
  set.dumped ??= new Uint8Array(resources?.values.length ?? 0);
  const { dumped } = set;
  const same = set.at === undefined || at === undefined || set.at.time.getTime() === at.getTime();
  if (!same) flag('moments-differ', { document, found: at?.toISOString(), expected: set.at?.text });
  const earlier = Math.min(set.at?.time.getTime() ?? 0, at?.getTime() ?? 0);
  // Between the two moments a resource may have changed.
  const moved = new Set(
    changes?.events.flatMap(({ uri, time }) => (time !== undefined && time.getTime() > earlier ? uri : [])),
  );
  const excused = (uri: string) => !same && (changes === undefined || moved.has(uri));
  const flagEntry = (code: CheckCode, place: ListedPlace, difference?: FactDifference) => {
    const { uri: entry, document: where, line } = place;
    const { found, expected } = difference ?? {};
    if (!excused(entry)) flag(code, { document: where, line, entry, found, expected });
  };
  return {
    /** Takes a manifest, or its copy. */
    add(manifest: string, { entries }: ReadDocument): void {
      for (const entry of entries) {
        const { loc: uri, line, lastmod } = entry;
        if (uri === undefined || resources === undefined) continue;
        const place = { uri, line, document: manifest };
        const found = resources.find(uri);
        const listed = found === undefined ? undefined : resources.values.at(found);
        if (found !== undefined) dumped[found] = 1;
        if (listed === undefined) flagEntry('resource-only-in-dump', place);
        else {
          const difference = compareFacts({ ...toFacts(entry), lastmod }, listed);
          if (difference !== undefined) {
            flagEntry(
              difference.contradiction ? 'dump-differs-from-list' : 'said-only-once',
              place,
              difference,
            );
          }
        }
      }
    },
    /** Tells of what is in no package; all have to have been added. */
    finish(): void {
      for (const [number, seen] of dumped.entries()) {
        const listed = seen === 1 ? undefined : resources?.values.at(number);
        if (listed !== undefined) flagEntry('resource-not-in-dump', listed);
      }
    },
  };
}

/** Change List against Change Dump, as far as their intervals are the same. */
export function startChangeDumpComparison(
  { changes, dumpedChanges }: AuditedSet,
  interval: Interval,
  flag: Flag,
) {
  const keyOf = (uri: string, time: Date) => `${time.getTime()} ${uri}`;
  const begin = Math.max(changes?.interval.from?.getTime() ?? 0, interval.from?.getTime() ?? 0);
  const end = Math.min(
    ...[changes?.interval.until, interval.until].map((time) => time?.getTime() ?? Infinity),
  );
  const isCommon = (time: Date | undefined): time is Date =>
    time !== undefined && time.getTime() > begin && time.getTime() <= end;
  const events = new Map<string, ListedChange[]>();
  for (const event of changes?.events ?? []) {
    if (!isCommon(event.time)) continue;
    const key = keyOf(event.uri, event.time);
    events.set(key, [...(events.get(key) ?? []), event]);
  }
  return {
    add(document: string, { entries }: ReadDocument): void {
      for (const entry of entries) {
        const { loc: uri, line, lastmod } = entry;
        const time = timeOf(entry, 'datetime');
        if (uri === undefined || changes === undefined || !isCommon(time)) continue;
        const event = events.get(keyOf(uri, time))?.find((candidate) => !dumpedChanges.has(candidate));
        if (event === undefined) {
          flag('change-only-in-dump', {
            document,
            line,
            entry: uri,
            found: `datetime ${textOf(entry, 'datetime')}`,
          });
          continue;
        }
        dumpedChanges.add(event);
        const change = textOf(entry, 'change');
        const difference =
          change === event.change
            ? compareFacts(...withoutSilence({ ...toFacts(entry), lastmod }, event))
            : { contradiction: true, found: `change ${change}`, expected: event.change ?? 'not said' };
        if (difference === undefined) continue;
        const { contradiction, found, expected } = difference;
        const code = contradiction ? 'change-differs-from-dump' : 'said-only-once';
        flag(code, { document, line, entry: uri, found, expected });
      }
    },
    finish(): void {
      for (const event of [...events.values()].flat()) {
        const { uri: entry, document, line, datetime } = event;
        if (!dumpedChanges.has(event))
          flag('change-not-in-dump', { document, line, entry, found: `datetime ${datetime}` });
      }
    },
  };
}
