/** A set of resources while its documents are read, one after another. */

import { DigestColumn } from '../../base/columns/digests.js';
import { NumberColumn, OptionalTextColumn, SharedColumn } from '../../base/columns/kinds.js';
import { RecordColumn, Table } from '../../base/columns/table.js';
import {
  algorithmsOf,
  copyText,
  type ListedChange,
  type ListedResource,
  makeListed,
  ResourceCopier,
} from '../../source/listed.js';
import type { Bounds } from '../../source/web/bounds.js';
import type { HashAlgorithm } from '../../standard/model.js';
import type { Flag } from '../../standard/rules/checks.js';
import { textOf, timeOf } from '../../standard/rules/values.js';
import type { ReadDocument, ReadEntry } from '../../standard/xml/as-read.js';
import { compareFacts, withoutTimeOfSame } from './differences.js';

/** An interval that is open at the end, or at both where nobody said. */
export interface Interval {
  readonly from: Date | undefined;
  readonly until: Date | undefined;
}

/** A set of resources, as far as its documents are read. */
export interface AuditedSet {
  /** By URI; undefined if there is no Resource List, or it could not be read. */
  resources: ListedTable | undefined;
  /** The moment of the Resource List. */
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

export function createSet(): AuditedSet {
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

/** Bytes that a row takes in tables beside the bytes of its texts, with some room for tables to grow. */
const ROW_BYTES = 64;
/** Bytes that a text takes beside its characters. */
const TEXT_BYTES = 48;

/** Listed resources by URL, as bytes: very many are remembered. */
export type ListedTable = Table<ListedResource>;

/** @param keep is told about how many bytes of memory what is added takes, with its URL */
export function createTable(keep: (bytes: number) => void = () => undefined): ListedTable {
  /** Texts that come again and again. */
  const startTexts = () =>
    new SharedColumn<string | undefined>((text) => {
      if (text === undefined) return undefined;
      keep(TEXT_BYTES + text.length);
      return copyText(text);
    });
  const [hashes, lengths, spellings] = [
    new DigestColumn(),
    new OptionalTextColumn(),
    new OptionalTextColumn(),
  ];
  return new Table(
    new RecordColumn<ListedResource>({
      uri: { push: (uri) => keep(ROW_BYTES + Buffer.byteLength(uri)), at: (_, uri) => uri },
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

/** Makes the table for the Resource List of a set, if there is none yet. */
export function openResources(set: AuditedSet, bounds: Bounds): ListedTable {
  set.resources ??= createTable((bytes) => {
    set.kept += bytes;
    bounds.keep(bytes);
  });
  return set.resources;
}

/** Adds an entry of a Resource List, whole or a part, and reports one that is there already. */
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

/** Adds a Change List, whole or a part, in the order of their times. */
export function addChanges(
  set: AuditedSet,
  document: string,
  { entries }: ReadDocument,
  bounds: Bounds,
): void {
  const copier = new ResourceCopier();
  set.changes ??= { interval: { from: undefined, until: undefined }, events: [] };
  for (const entry of entries) {
    const listed = makeListed(entry, document);
    if (listed === undefined) continue;
    for (const name of algorithmsOf(listed)) set.digests.add(name);
    // Its key in the comparison with a dump holds the URI once more.
    const bytes = weigh(listed) + LISTED_BYTES + listed.uri.length;
    set.kept += bytes;
    bounds.keep(bytes);
    const { uri, spelled, line, lastmod, hash, length, type, encoding } = copier.copy(listed);
    const [change, said] = [textOf(entry, 'change'), textOf(entry, 'datetime')];
    // Spelled out, as what is spread takes twice the memory.
    set.changes.events.push({
      uri,
      spelled,
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
