/** Reads lists and dumps, whole or in parts. Lists fill a set of resources; dumps are compared with it (§10–§13). */

import { textOf, timeOf } from '../standard/rules/values.js';
import type { ReadDocument, ReadEntry } from '../standard/xml/as-read.js';
import { ChangeDumpComparison, DumpComparison, type ManifestComparison } from './agreement/dumps.js';
import {
  type AuditedSet,
  addChanges,
  addResource,
  type Interval,
  openChanges,
  openResources,
} from './agreement/set.js';
import { auditPackages } from './packages/packages.js';
import type { Reading } from './picture.js';
import { compareTimes, eachPart, type FoundDocument, noteLinked } from './read.js';

export async function auditCapability(
  reading: Reading,
  set: AuditedSet,
  capability: FoundDocument,
): Promise<void> {
  const { uri, read, kind } = capability;
  const { flag } = reading.run;
  switch (kind) {
    case 'resource-list':
    case 'resource-list-index':
      return auditResourceList(reading, set, capability);
    case 'change-list':
    case 'change-list-index':
      await eachListed(reading, capability, async ({ uri: document, read: part }) => {
        addChanges(set, document, part, reading.run.bounds);
        noteLinked(reading, document, part);
      });
      set.changes = { ...openChanges(set), interval: intervalOf(read) };
      return;
    case 'resource-dump':
    case 'resource-dump-index':
      return auditDump(reading, capability, new DumpComparison(set, uri, timeOf(read.head, 'at'), flag));
    case 'change-dump':
    case 'change-dump-index':
      return auditDump(reading, capability, new ChangeDumpComparison(set, intervalOf(read), flag));
    case 'resource-dump-manifest':
      new DumpComparison(set, uri, undefined, flag).add(uri, read);
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
  const add = async ({ uri, read }: FoundDocument) => {
    for (const entry of read.entries) addResource(set, uri, entry, reading.run);
  };
  const isWhole = await eachListed(reading, capability, add, set);
  openResources(set, reading.run.bounds);
  const [time, text] = [timeOf(head, 'at'), textOf(head, 'at')];
  if (time !== undefined && text !== undefined) set.at = { time, text };
  reading.hasList ||= isWhole;
}

async function auditDump(
  reading: Reading,
  capability: FoundDocument,
  comparison: ManifestComparison,
): Promise<void> {
  let isComplete = true;
  const isWhole = await eachListed(reading, capability, async (part) => {
    const isSeen = await auditPackages(reading, part, (manifest, said) => comparison.add(manifest, said));
    isComplete &&= isSeen;
  });
  if (isWhole && isComplete) comparison.finish();
}

function intervalOf({ head }: ReadDocument): Interval {
  return { from: timeOf(head, 'from'), until: timeOf(head, 'until') };
}

/** Calls `visit` with a current list or dump, or with each of its parts; returns whether all parts could be visited. */
function eachListed(
  reading: Reading,
  capability: FoundDocument,
  visit: (part: FoundDocument) => Promise<void>,
  set?: AuditedSet,
): Promise<boolean> {
  const { uri: document } = capability;
  const compareAndVisit = async (part: FoundDocument, entry?: ReadEntry) => {
    // §12.2: the times that an index gives for a part must be those in the part.
    if (entry !== undefined) {
      compareTimes(entry, part.read.head, (facts) =>
        reading.run.flag('part-time-differs', { document, line: entry.line, entry: part.uri, ...facts }),
      );
    }
    await visit(part);
  };
  return eachPart(reading, capability, compareAndVisit, set);
}
