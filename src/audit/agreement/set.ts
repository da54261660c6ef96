/** A set of resources while its documents are read, one after another. */

import { startTable, type Table } from '../../base/columns/table.js';
import {
  algorithmsOf,
  copyText,
  type ListedChange,
  type ListedResource,
  makeListed,
  startDetaching,
} from '../../source/listed.js';
import type { HashAlgorithm } from '../../standard/model.js';
import type { Flag } from '../../standard/rules/checks.js';
import { textOf, timeOf } from '../../standard/rules/values.js';
import type { ReadDocument, ReadEntry } from '../../standard/xml/as-read.js';
import { startListed } from './columns.js';

/** An interval that is open at the end, or at both where nobody said. */
export interface Interval {
  readonly from: Date | undefined;
  readonly until: Date | undefined;
}

/** What is known of a set of resources while its documents are read, one after another. */
export interface AuditedSet {
  /** By URI; undefined where there is no Resource List, or it could not be read. */
  resources: Table<ListedResource> | undefined;
  /** Of the Resource List. */
  at: { readonly text: string; readonly time: Date } | undefined;
  /** Undefined where there is no Change List, or it could not be read. */
  changes: { readonly interval: Interval; readonly events: ListedChange[] } | undefined;
  /** All digests that are said of what is listed. */
  readonly digests: Set<HashAlgorithm>;
  /** About how many bytes of memory all of this takes. */
  kept: number;
  /** By its place among the resources, 1 for what dumps hold; undefined before the first dump. */
  dumped: Uint8Array | undefined;
  dumpedChanges: Set<ListedChange>;
}

export function startSet(): AuditedSet {
  return {
    resources: undefined,
    at: undefined,
    changes: undefined,
    digests: new Set(),
    kept: 0,
    dumped: undefined,
    dumpedChanges: new Set(),
  };
}

/** Starts to add the resources of a Resource List, whole or a part; tells of those that are there already. */
export function startAdding(
  set: AuditedSet,
  document: string,
  flag: Flag,
  keep: (bytes: number) => void,
): (entry: ReadEntry) => void {
  const detach = startDetaching();
  const keepOfSet = (bytes: number) => {
    set.kept += bytes;
    keep(bytes);
  };
  set.resources ??= startTable(startListed(keepOfSet));
  const { resources } = set;
  return (entry) => {
    const listed = makeListed(entry, document);
    if (listed === undefined) return;
    const before = resources.get(listed.uri);
    if (before !== undefined) {
      const { uri, line } = listed;
      flag('entry-repeated', {
        document,
        line,
        entry: uri,
        found: `also in ${before.document}:${before.line}`,
      });
    }
    for (const name of algorithmsOf(listed)) set.digests.add(name);
    // Columns take copies, and nothing else does.
    if (before === undefined) resources.set(listed.uri, listed);
    else {
      keepOfSet(weigh(listed));
      resources.set(listed.uri, detach(listed));
    }
  };
}

/** Adds a Change List, whole or a part, in the order of their times. */
export function addChanges(
  set: AuditedSet,
  document: string,
  { entries }: ReadDocument,
  keep: (bytes: number) => void,
): void {
  const detach = startDetaching();
  set.changes ??= { interval: { from: undefined, until: undefined }, events: [] };
  for (const entry of entries) {
    const listed = makeListed(entry, document);
    if (listed === undefined) continue;
    for (const name of algorithmsOf(listed)) set.digests.add(name);
    // Its key in the comparison with a dump holds the URI once more.
    const bytes = weigh(listed) + LISTED_BYTES + listed.uri.length;
    set.kept += bytes;
    keep(bytes);
    const { uri, line, lastmod, hash, length, type, encoding } = detach(listed);
    const [change, said] = [textOf(entry, 'change'), textOf(entry, 'datetime')];
    // Spelled out, as what is spread takes twice the memory.
    set.changes.events.push({
      uri,
      document,
      line,
      lastmod,
      change: change && copyText(change),
      // Most changes say the same moment twice.
      datetime: said === listed.lastmod ? lastmod : said && copyText(said),
      time: timeOf(entry, 'datetime'),
      hash,
      length,
      type,
      encoding,
    });
  }
}

/** About how many bytes of memory something listed takes that is kept as it is, and not in tables. */
function weigh({ uri, lastmod, hash, length, type, encoding }: ListedResource): number {
  let characters = 0;
  for (const text of [uri, lastmod, hash, length, type, encoding]) characters += text?.length ?? 0;
  return LISTED_BYTES + characters;
}

/** Values, and their places in the tables of an audit. */
const LISTED_BYTES = 250;
