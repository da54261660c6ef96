/** Lists and dumps, and indexes of such: what they add to a set of resources, and whether it agrees (§10–§13). */

import { startTable } from '../base/columns/table.js';
import { copyText } from '../source/detach.js';
import type { StandardKind } from '../standard/rules/kinds.js';
import { textOf, timeOf } from '../standard/rules/values.js';
import type { ReadDocument } from '../standard/xml/as-read.js';
import { startListed } from './agreement/columns.js';
import { startChangeDumpComparison, startDumpComparison } from './agreement/dumps.js';
import { type AuditedSet, addChanges, type Interval, startAdding } from './agreement/set.js';
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
  set.resources ??= startTable(startListed());
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
