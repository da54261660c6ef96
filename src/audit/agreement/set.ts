/** The contents of a set of resources, collected while its documents are read. */

import { DigestColumn } from '../../base/columns/digests.js';
import { NumberColumn, SharedColumn, TextColumn } from '../../base/columns/kinds.js';
import { RecordColumn, Table } from '../../base/columns/table.js';
import type { Address } from '../../paths/address.js';
import { copyText, type ListedChange, type ListedResource, makeListed } from '../../source/listed.js';
import type { Bounds } from '../../source/web/bounds.js';
import { algorithmsOf, type HashAlgorithm } from '../../standard/model.js';
import type { Flag } from '../../standard/rules/checks.js';
import { textOf, timeOf } from '../../standard/rules/values.js';
import type { ReadDocument, ReadEntry } from '../../standard/xml/as-read.js';
import { compareFacts, withoutTimeOfSame } from './differences.js';

export interface Interval {
  readonly from: Date | undefined;
  readonly until: Date | undefined;
}

/** What the documents of one set of resources say, as far as they were read. */
export interface AuditedSet {
  /** Entries of the Resource List, by URI; undefined if there is none, or it could not be read. */
  resources: ListedTable | undefined;
  at: { readonly text: string; readonly time: Date } | undefined;
  /** Interval and entries of the Change List; undefined if there is none, or it could not be read. */
  changes: { readonly interval: Interval; readonly events: ListedChange[] } | undefined;
  readonly digests: Set<HashAlgorithm>;
  kept: number;
  /** Numbers of rows in `resources` whose resources are in a dump. */
  readonly dumped: Set<number>;
  readonly dumpedChanges: Set<ListedChange>;
}

export function createSet(): AuditedSet {
  return {
    resources: undefined,
    at: undefined,
    changes: undefined,
    digests: new Set(),
    kept: 0,
    dumped: new Set(),
    dumpedChanges: new Set(),
  };
}

/** Estimated bytes of memory of a table row beside its texts, with room for the table to grow. */
const ROW_BYTES = 64;
/** Estimated bytes of memory that a text takes beside its characters. */
const TEXT_BYTES = 48;

/** Listed resources by URL; in columns, because a list may have millions of entries. */
export type ListedTable = Table<ListedResource, Address>;

/** Creates a table of listed resources. @param keep called with the estimated bytes of memory of each added value */
export function createTable(keep: (bytes: number) => void = () => undefined): ListedTable {
  /** Creates a column that keeps each different text once. */
  const startTexts = () =>
    new SharedColumn<string | undefined>((text) => {
      if (text === undefined) return undefined;
      keep(TEXT_BYTES + text.length);
      return copyText(text);
    });
  const [hashes, lengths, spellings] = [
    new DigestColumn(),
    new TextColumn<string | undefined>(),
    new TextColumn<string | undefined>(),
  ];
  return new Table(
    new RecordColumn<ListedResource>({
      uri: { push: (uri) => keep(ROW_BYTES + Buffer.byteLength(uri)), at: (_, uri) => uri as Address },
      spelled: { push: (spelled) => keep(spellings.push(spelled)), at: (index) => spellings.at(index) },
      document: new SharedColumn(),
      line: new NumberColumn(),
      lastmod: startTexts(),
      hash: { push: (hash) => keep(hashes.push(hash)), at: (index) => hashes.at(index) },
      length: { push: (length) => keep(lengths.push(length)), at: (index) => lengths.at(index) },
      type: startTexts(),
      encoding: startTexts(),
    }),
  );
}

/** Returns the table for the Resource List of a set, which is created if there is none yet. */
export function openResources(set: AuditedSet, bounds: Bounds): ListedTable {
  set.resources ??= createTable((bytes) => {
    set.kept += bytes;
    bounds.keep(bytes);
  });
  return set.resources;
}

/** Adds an entry of a Resource List, or of a part of one, to a set. Reports it if an earlier entry has the same URI. */
export function addResource(
  set: AuditedSet,
  document: string,
  entry: ReadEntry,
  { flag, bounds }: { readonly flag: Flag; readonly bounds: Bounds },
): void {
  const listed = makeListed(entry, document);
  if (listed === undefined) return;
  const { uri, line } = listed;
  const resources = openResources(set, bounds);
  const before = resources.get(uri);
  if (before !== undefined) {
    const found = `also in ${before.document}:${before.line}`;
    const difference = compareFacts(...withoutTimeOfSame(before, listed));
    const code = difference?.contradiction === true ? 'entry-contradicted' : 'entry-repeated';
    flag(code, { document, line, entry: listed.spelled ?? uri, found });
  }
  for (const name of algorithmsOf(listed)) set.digests.add(name);
  resources.set(uri, listed);
}

/** Returns the changes of a set; creates an empty list of them before the first is added. */
export function openChanges(set: AuditedSet): NonNullable<AuditedSet['changes']> {
  set.changes ??= { interval: { from: undefined, until: undefined }, events: [] };
  return set.changes;
}

export function listEvents({ changes }: Pick<AuditedSet, 'changes'>): readonly ListedChange[] {
  return changes === undefined ? [] : changes.events;
}

/** Adds the entries of a Change List, or of a part of one, to a set. */
export function addChanges(
  set: AuditedSet,
  document: string,
  { entries }: ReadDocument,
  bounds: Bounds,
): void {
  const { events } = openChanges(set);
  for (const entry of entries) {
    const listed = makeListed(entry, document);
    if (listed === undefined) continue;
    for (const name of algorithmsOf(listed)) set.digests.add(name);
    // The URI counts twice, because the comparison with a Change Dump has it in a key, too.
    const bytes = weigh(listed) + LISTED_BYTES + listed.uri.length;
    set.kept += bytes;
    bounds.keep(bytes);
    const { uri, spelled, line, lastmod, hash, length, type, encoding } = structuredClone(listed);
    const [change, said] = [textOf(entry, 'change'), textOf(entry, 'datetime')];
    // Fields are written out, because an object made by spreading takes twice the memory.
    events.push({
      uri,
      spelled,
      document,
      line,
      lastmod,
      change: change && copyText(change),
      datetime: said && copyText(said),
      time: timeOf(entry, 'datetime'),
      hash,
      length,
      type,
      encoding,
    });
  }
}

/** Estimates the bytes of memory of a listed change. */
function weigh({ uri, lastmod, hash, length, type, encoding }: ListedResource): number {
  let characters = 0;
  for (const text of [uri, lastmod, hash, length, type, encoding])
    if (text !== undefined) characters += text.length;
  return LISTED_BYTES + characters;
}

/** Estimated bytes of memory that a listed change takes beside its texts. */
const LISTED_BYTES = 250;
