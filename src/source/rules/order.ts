/** Checks that the entries of a document are in order, and that none is repeated. Pure. */

import { addressOf } from '../../paths/address.js';
import type { CheckCode, FlagHere } from '../../standard/rules/checks.js';
import { RULES, type StandardKind } from '../../standard/rules/kinds.js';
import { placeOfEntry, textOf, timeOf } from '../../standard/rules/values.js';
import type { ReadDocument, ReadEntry, ReadHead } from '../../standard/xml/as-read.js';

export function checkTogether({ head, entries }: ReadDocument, kind: StandardKind, flag: FlagHere): void {
  const { facts, entry } = RULES[kind];
  const isOfChanges = facts.includes('datetime');
  const [isArchive, isIndex] = [kind.endsWith('-archive'), kind.endsWith('-index')];
  if (kind === 'capability-list') checkRepeated(entries, capabilityOfEntry, 'capability-repeated', flag);
  // Entries of a Resource List are compared across all its parts, while they are read.
  else if (!isOfChanges && kind !== 'resource-list')
    checkRepeated(entries, addressOfEntry, 'entry-repeated', flag);
  if (facts.includes('path')) checkRepeated(entries, pathOfEntry, 'path-repeated', flag);
  if (isOfChanges) checkChangeOrder(head, entries, flag);
  if (kind.endsWith('-dump')) checkFormats(entries, flag);
  if (entry.from !== 'forbidden') {
    const outOfOrder = isIndex ? 'parts-out-of-order' : 'packages-out-of-order';
    checkIntervals(head, entries, isArchive ? 'archive-out-of-order' : outOfOrder, flag);
  }
  if (entry.at !== 'forbidden' && isArchive) checkMoments(entries, flag);
  if (entry.at !== 'forbidden' && isIndex) checkSnapshots(head, entries, flag);
}

function checkSnapshots(head: ReadHead, entries: readonly ReadEntry[], flag: FlagHere): void {
  const whole = timeOf(head, 'at');
  for (const entry of entries) {
    const part = timeOf(entry, 'at');
    // §7: the parts of an index are as of its `at`, or later.
    if (whole !== undefined && part !== undefined && part < whole) {
      const facts = { found: textOf(entry, 'at'), expected: textOf(head, 'at') };
      flag('part-at-before-index', placeOfEntry(entry, facts));
    }
  }
}

/** Checks that the snapshots in an archive are in forward chronological order. */
function checkMoments(entries: readonly ReadEntry[], flag: FlagHere): void {
  let last: ReadEntry | undefined;
  for (const entry of entries) {
    const [before, at] = [last && timeOf(last, 'at'), timeOf(entry, 'at')];
    if (last !== undefined && before !== undefined && at !== undefined && at < before) {
      const facts = { found: `at ${textOf(entry, 'at')}`, expected: `not before ${textOf(last, 'at')}` };
      flag('archive-out-of-order', placeOfEntry(entry, facts));
    }
    last = entry;
  }
}

const capabilityOfEntry = ({ md }: ReadEntry) => md?.attributes.capability;
const addressOfEntry = ({ loc }: ReadEntry) => loc && addressOf(loc);
const pathOfEntry = ({ md }: ReadEntry) => md?.attributes.path;

function checkRepeated(
  entries: readonly ReadEntry[],
  keyOf: (entry: ReadEntry) => string | undefined,
  code: CheckCode,
  flag: FlagHere,
): void {
  const seen = new Set<string>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === undefined) continue;
    if (seen.has(key)) flag(code, placeOfEntry(entry, { found: key }));
    seen.add(key);
  }
}

/** Checks that changes are in forward chronological order (§12.1, §13.2), and within the interval of the document (§7). */
function checkChangeOrder(head: ReadHead, entries: readonly ReadEntry[], flag: FlagHere): void {
  const [from, until] = [timeOf(head, 'from'), timeOf(head, 'until')];
  let last: Date | undefined;
  let lastText: string | undefined;
  for (const entry of entries) {
    const datetime = timeOf(entry, 'datetime');
    if (datetime === undefined) continue;
    const found = textOf(entry, 'datetime');
    if (last !== undefined && datetime < last) {
      flag('changes-out-of-order', placeOfEntry(entry, { found, expected: `not before ${lastText}` }));
    }
    const isEarly = from !== undefined && datetime < from;
    if (isEarly || (until !== undefined && datetime > until)) {
      const border = isEarly ? 'from' : 'until';
      const expected = `${border} ${textOf(head, border)}`;
      flag('change-outside-interval', placeOfEntry(entry, { found, expected }));
    }
    [last, lastText] = [datetime, found];
  }
}

/** Checks that intervals are in forward chronological order, and cover that of the whole document (§12.2, §13.1). */
function checkIntervals(
  head: ReadHead,
  entries: readonly ReadEntry[],
  outOfOrder: CheckCode,
  flag: FlagHere,
): void {
  const timed = entries.filter((entry) => timeOf(entry, 'from') !== undefined);
  for (const [index, entry] of timed.entries()) {
    const before = timed[index - 1];
    if (before === undefined) continue;
    const [from, end] = [timeOf(entry, 'from') as Date, timeOf(before, 'until')];
    const facts = { found: `from ${textOf(entry, 'from')}`, expected: `after ${textOf(before, 'until')}` };
    if (from < (timeOf(before, 'from') as Date)) {
      flag(outOfOrder, placeOfEntry(entry, { ...facts, expected: `after ${textOf(before, 'from')}` }));
    } else if (end === undefined) flag('open-part-not-last', placeOfEntry(before));
    else if (from > end) flag('interval-gap', placeOfEntry(entry, facts));
    else if (from < end) flag('interval-overlap', placeOfEntry(entry, facts));
  }
  if (timed.length === entries.length) checkWholeInterval(head, timed, flag);
}

/** Checks that the parts cover the interval of the whole. If the whole is still open, its last part may have an end. */
function checkWholeInterval(head: ReadHead, parts: readonly ReadEntry[], flag: FlagHere): void {
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) return;
  const [from, until] = [timeOf(head, 'from'), timeOf(head, 'until')];
  const [begin, end] = [timeOf(first, 'from'), timeOf(last, 'until')];
  const line = head.md?.line;
  if (from !== undefined && begin !== undefined && from.getTime() !== begin.getTime()) {
    const expected = textOf(first, 'from');
    flag('index-interval-differs', { line, found: `from ${textOf(head, 'from')}`, expected });
  }
  if (until !== undefined && (end === undefined || until > end)) {
    const expected = textOf(last, 'until') ?? 'none: the last part is open';
    flag('index-interval-differs', { line, found: `until ${textOf(head, 'until')}`, expected });
  }
}

/** Checks that all packages of a dump have one format (§11.1, §13.1). */
function checkFormats(entries: readonly ReadEntry[], flag: FlagHere): void {
  const types = new Set(entries.flatMap((entry) => entry.md?.attributes.type ?? []));
  if (types.size > 1) flag('packages-mixed', { found: [...types].join(', ') });
}
