/** Lists and dumps, and indexes of such: what they add to a set of resources, and whether it agrees (§10–§13). */

import { copyText } from '../source/detach.js';
import { type ListedChange, type ListedPlace, toFacts } from '../source/listed.js';
import type { CheckCode, Flag } from '../standard/rules/checks.js';
import type { StandardKind } from '../standard/rules/kinds.js';
import { textOf, timeOf } from '../standard/rules/values.js';
import type { ReadDocument } from '../standard/xml/as-read.js';
import { compareFacts, type FactDifference, withoutSilence } from './agreement/differences.js';
import { type AuditedSet, addChanges, type Interval, startAdding, startListed } from './agreement/set.js';
import { auditPackages } from './packages/packages.js';
import { compareTimes, noteLinked, type Run, readDocument } from './read.js';

/** A document that was read, and the Capability List that led to it. */
interface Capability {
  readonly uri: string;
  readonly up: string | undefined;
  readonly read: ReadDocument;
  readonly kind: StandardKind;
}

export async function auditCapability(run: Run, set: AuditedSet, capability: Capability): Promise<void> {
  const { uri, read, kind } = capability;
  switch (kind) {
    case 'resource-list':
    case 'resource-list-index':
      return auditResourceList(run, set, capability);
    case 'change-list':
    case 'change-list-index':
      await eachPart(run, capability, async (part, document) => {
        addChanges(set, document, part, run.bounds.keep);
        noteLinked(run, document, part);
      });
      set.changes = { interval: intervalOf(read), events: set.changes?.events ?? [] };
      return;
    case 'resource-dump':
    case 'resource-dump-index':
      return auditDump(run, capability, startDumpComparison(set, uri, timeOf(read.head, 'at'), run.flag));
    case 'change-dump':
    case 'change-dump-index':
      return auditDump(run, capability, startChangeDumpComparison(set, intervalOf(read), run.flag));
    case 'resource-dump-manifest':
      startDumpComparison(set, uri, undefined, run.flag).add(uri, read);
      return;
    default:
      return;
  }
}

async function auditResourceList(run: Run, set: AuditedSet, capability: Capability): Promise<void> {
  const { head } = capability.read;
  const { whole } = await eachPart(
    run,
    capability,
    async (part, document) => {
      part.entries.forEach(startAdding(set, document, run.flag, run.bounds.keep));
    },
    set,
  );
  set.resources ??= startListed();
  const time = timeOf(head, 'at');
  if (time !== undefined) set.at = { time, text: textOf(head, 'at') ?? '' };
  run.hasList ||= whole;
}

async function auditDump(
  run: Run,
  capability: Capability,
  comparison: { add(document: string, manifest: ReadDocument): void; finish(): void },
): Promise<void> {
  const { up, kind } = capability;
  const manifest = kind.startsWith('resource-') ? 'resource-dump-manifest' : 'change-dump-manifest';
  let complete = true;
  const { whole } = await eachPart(run, capability, async ({ entries }, document) => {
    const seen = await auditPackages(run, { document, up, entries, manifest }, comparison.add);
    complete &&= seen;
  });
  if (whole && complete) comparison.finish();
}

function intervalOf({ head }: ReadDocument): Interval {
  return { from: timeOf(head, 'from'), until: timeOf(head, 'until') };
}

/**
 * Calls `visit` with a document, or with every part of an index (§6.1).
 *
 * @param set takes the entries of the parts of a Resource List
 */
async function eachPart(
  run: Run,
  { uri, up, read, kind }: Capability,
  visit: (part: ReadDocument, document: string) => Promise<void>,
  set?: AuditedSet,
): Promise<{ whole: boolean }> {
  if (read.root === 'urlset') {
    await visit(read, uri);
    return { whole: true };
  }
  let whole = true;
  for (const entry of read.entries) {
    if (entry.loc === undefined) continue;
    const loc = copyText(entry.loc);
    const expected = kind.replace(/-index$/, '') as StandardKind;
    const part = await readDocument(run, { uri: loc, expected, up, index: uri, archives: false }, set);
    if (part?.kind === expected) {
      // §12.2: the times that an index says of a part are those of the part.
      compareTimes(entry, part.read.head, (facts) =>
        run.flag('part-time-differs', { document: uri, line: entry.line, entry: loc, ...facts }),
      );
      await visit(part.read, loc);
    } else {
      whole = false;
      if (part?.kind !== undefined)
        run.flag('index-in-index', { document: uri, line: entry.line, entry: loc });
    }
  }
  return { whole };
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
function startChangeDumpComparison({ changes, dumpedChanges }: AuditedSet, interval: Interval, flag: Flag) {
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
