/** Lists and dumps, and indexes of such: what they add to a set of resources, and whether it agrees (§10–§13). */

import { groupBy } from '../base/group.js';
import { type ListedPlace, toFacts } from '../source/listed.js';
import type { CheckCode, Flag } from '../standard/rules/checks.js';
import { textOf, timeOf } from '../standard/rules/values.js';
import type { ReadDocument, ReadEntry } from '../standard/xml/as-read.js';
import { compareFacts, type FactDifference, withoutSilence } from './agreement/differences.js';
import { type AuditedSet, addChanges, type Interval, startAdding, startListed } from './agreement/set.js';
import { auditPackages } from './packages/packages.js';
import type { Reading } from './picture.js';
import { compareTimes, eachPart, type FoundDocument, noteLinked } from './read.js';

/** Adds what a list or a dump says to a set of resources. */
export async function auditCapability(
  reading: Reading,
  set: AuditedSet,
  capability: FoundDocument,
): Promise<void> {
  const { uri, read, kind } = capability;
  switch (kind) {
    case 'resource-list':
    case 'resource-list-index':
      return auditResourceList(reading, set, capability);
    case 'change-list':
    case 'change-list-index':
      await eachListed(reading, capability, async ({ uri: document, read: part }) => {
        addChanges(set, document, part, reading.run.bounds.keep);
        noteLinked(reading, document, part);
      });
      set.changes = { interval: intervalOf(read), events: set.changes?.events ?? [] };
      return;
    case 'resource-dump':
    case 'resource-dump-index':
      return auditDump(
        reading,
        capability,
        startDumpComparison(set, uri, timeOf(read.head, 'at'), reading.run.flag),
      );
    case 'change-dump':
    case 'change-dump-index':
      return auditDump(
        reading,
        capability,
        startChangeDumpComparison(set, intervalOf(read), reading.run.flag),
      );
    case 'resource-dump-manifest':
      startDumpComparison(set, uri, undefined, reading.run.flag).add(uri, read);
      return;
    default:
      return;
  }
}

async function auditResourceList(
  reading: Reading,
  set: AuditedSet,
  capability: FoundDocument,
): Promise<void> {
  const { head } = capability.read;
  const add = async ({ uri, read }: FoundDocument) =>
    read.entries.forEach(startAdding(set, uri, reading.run.flag, reading.run.bounds.keep));
  const isWhole = await eachListed(reading, capability, add, set);
  set.resources ??= startListed();
  const time = timeOf(head, 'at');
  if (time !== undefined) set.at = { time, text: textOf(head, 'at') ?? '' };
  reading.hasList ||= isWhole;
}

async function auditDump(
  reading: Reading,
  capability: FoundDocument,
  comparison: { add(document: string, manifest: ReadDocument): void; finish(): void },
): Promise<void> {
  const { up, kind } = capability;
  const manifest = kind.startsWith('resource-') ? 'resource-dump-manifest' : 'change-dump-manifest';
  let isComplete = true;
  const isWhole = await eachListed(reading, capability, async ({ uri: document, read: { entries } }) => {
    const isSeen = await auditPackages(reading, { document, up, entries, manifest }, comparison.add);
    isComplete &&= isSeen;
  });
  if (isWhole && isComplete) comparison.finish();
}

function intervalOf({ head }: ReadDocument): Interval {
  return { from: timeOf(head, 'from'), until: timeOf(head, 'until') };
}

/** Visits a list or a dump of today, or its parts. */
function eachListed(
  reading: Reading,
  capability: FoundDocument,
  visit: (part: FoundDocument) => Promise<void>,
  set?: AuditedSet,
): Promise<boolean> {
  const { uri: document } = capability;
  const compareAndVisit = async (part: FoundDocument, entry?: ReadEntry) => {
    // §12.2: the times that an index says of a part are those of the part.
    if (entry !== undefined) {
      compareTimes(entry, part.read.head, (facts) =>
        reading.run.flag('part-time-differs', { document, line: entry.line, entry: part.uri, ...facts }),
      );
    }
    await visit(part);
  };
  return eachPart(reading, capability, compareAndVisit, set);
}

/** Resource List against Resource Dump. */
function startDumpComparison(set: AuditedSet, document: string, at: Date | undefined, flag: Flag) {
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
  const flagEntry = (
    code: CheckCode,
    { uri: entry, document, line }: ListedPlace,
    difference?: FactDifference,
  ) => {
    if (!excused(entry)) flag(code, { document, line, entry, ...difference });
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
          const code = difference?.contradiction === true ? 'dump-differs-from-list' : 'said-only-once';
          if (difference !== undefined) flagEntry(code, place, difference);
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
function startChangeDumpComparison({ changes, dumpedChanges }: AuditedSet, interval: Interval, flag: Flag) {
  const keyOf = (uri: string, time: Date) => `${time.getTime()} ${uri}`;
  const begin = Math.max(changes?.interval.from?.getTime() ?? 0, interval.from?.getTime() ?? 0);
  const end = Math.min(
    ...[changes?.interval.until, interval.until].map((time) => time?.getTime() ?? Infinity),
  );
  const isCommon = (time: Date | undefined): time is Date =>
    time !== undefined && time.getTime() > begin && time.getTime() <= end;
  const events = groupBy(changes?.events ?? [], ({ uri, time }) =>
    isCommon(time) ? keyOf(uri, time) : undefined,
  );
  return {
    add(document: string, { entries }: ReadDocument): void {
      for (const entry of entries) {
        const { loc: uri, line, lastmod } = entry;
        const time = timeOf(entry, 'datetime');
        if (uri === undefined || changes === undefined || !isCommon(time)) continue;
        const event = events.get(keyOf(uri, time))?.find((candidate) => !dumpedChanges.has(candidate));
        if (event === undefined) {
          const found = `datetime ${textOf(entry, 'datetime')}`;
          flag('change-only-in-dump', { document, line, entry: uri, found });
          continue;
        }
        dumpedChanges.add(event);
        const change = textOf(entry, 'change');
        const difference =
          change === event.change
            ? compareFacts(...withoutSilence({ ...toFacts(entry), lastmod }, event))
            : { contradiction: true, found: `change ${change}`, expected: event.change ?? 'not said' };
        if (difference === undefined) continue;
        const code = difference.contradiction ? 'change-differs-from-dump' : 'said-only-once';
        flag(code, { document, line, entry: uri, ...difference });
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
