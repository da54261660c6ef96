/** Makes the documents of the standard, and refuses what it forbids. */

import type {
  ArchivedInterval,
  ArchiveIndex,
  CapabilityList,
  ChangeDump,
  ChangeDumpManifest,
  ChangeList,
  ChangeNotification,
  FrameworkNotification,
  IntervalArchive,
  IntervalIndex,
  ResourceDump,
  ResourceDumpManifest,
  ResourceList,
  SnapshotArchive,
  SnapshotIndex,
  SourceDescription,
} from './document.js';
import { DOCUMENT_LIMITS } from './limits.js';

/** A document would break a rule of the standard; the message cites it. Never a user's mistake. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

export function makeSourceDescription(fields: Omit<SourceDescription, 'kind'>): SourceDescription {
  requireEach(fields.capabilityLists, '§8: one entry per Capability List');
  return { kind: 'source-description', ...fields };
}

export function makeCapabilityList(fields: Omit<CapabilityList, 'kind'>): CapabilityList {
  // §9: "must only contain one entry per capability".
  requireDistinct(
    fields.capabilities.map(({ capability }) => capability),
    '§9: one entry per capability',
  );
  return { kind: 'capability-list', ...fields };
}

export function makeResourceList(fields: Omit<ResourceList, 'kind'>): ResourceList {
  requireEntries(fields.resources.length);
  return { kind: 'resource-list', ...fields };
}

export function makeSnapshotIndex(fields: SnapshotIndex): SnapshotIndex {
  requireEach(fields.parts, '§10.2: one entry per part');
  return fields;
}

export function makeChangeList(fields: Omit<ChangeList, 'kind'>): ChangeList {
  requireEntries(fields.changes.length);
  requireOrder(fields.changes, fields, '§12.1');
  return { kind: 'change-list', ...fields };
}

export function makeIntervalIndex(fields: IntervalIndex): IntervalIndex {
  const { parts } = fields;
  requireEach(fields.parts, '§12.2: one entry per part');
  for (const [index, { from }] of parts.entries()) {
    const before = parts[index - 1];
    if (before === undefined) continue;
    // Only the last part may still be open, and the parts follow one another.
    if (before.until === undefined) throw new DocumentError('§12.2: a part after an open part');
    if (from < before.until) throw new DocumentError('§12.2: parts stand in forward chronological order');
  }
  return fields;
}

export function makeResourceDump(fields: Omit<ResourceDump, 'kind'>): ResourceDump {
  requireEach(fields.packages, '§11.1: one entry per package');
  return { kind: 'resource-dump', ...fields };
}

export function makeResourceDumpManifest(fields: Omit<ResourceDumpManifest, 'kind'>): ResourceDumpManifest {
  requireEntries(fields.bitstreams.length);
  requirePaths(fields.bitstreams, '§11.2');
  return { kind: 'resource-dump-manifest', ...fields };
}

export function makeChangeDump(fields: Omit<ChangeDump, 'kind'>): ChangeDump {
  requireEach(fields.packages, '§13.1: one entry per package');
  requireOrder(
    fields.packages.map(({ until }) => ({ datetime: until })),
    fields,
    '§13.1',
  );
  return { kind: 'change-dump', ...fields };
}

export function makeChangeDumpManifest(fields: Omit<ChangeDumpManifest, 'kind'>): ChangeDumpManifest {
  const { bitstreams } = fields;
  requireEntries(bitstreams.length);
  requirePaths(bitstreams, '§13.2');
  requireOrder(
    bitstreams.map(({ event }) => event),
    fields,
    '§13.2',
  );
  for (const { event, path } of bitstreams) {
    // "Except in the case of change="deleted", the element must also have a path attribute."
    if ((event.change === 'deleted') !== (path === undefined)) {
      throw new DocumentError(`§13.2: a deletion has no path, everything else has one; ${event.uri}`);
    }
  }
  return { kind: 'change-dump-manifest', ...fields };
}

export function makeChangeNotification(fields: Omit<ChangeNotification, 'kind'>): ChangeNotification {
  const [first] = requireNews(fields.changes);
  requireEntries(fields.changes.length);
  requireOrder(fields.changes, { from: first.datetime, until: undefined }, 'Notification §4');
  return { kind: 'change-notification', ...fields };
}

export function makeFrameworkNotification(
  fields: Omit<FrameworkNotification, 'kind'>,
): FrameworkNotification {
  requireNews(fields.changes);
  requireEach(fields.changes, 'Notification §5: one entry per document');
  return { kind: 'framework-notification', ...fields };
}

/** "If a Source wishes to notify": there is something to tell. */
function requireNews<T>(changes: readonly T[]): readonly [T] {
  const [first] = changes;
  if (first === undefined) throw new DocumentError('Notification §4, §5: a message tells of a change');
  return [first];
}

export function makeSnapshotArchive(fields: SnapshotArchive): SnapshotArchive {
  requireArchived(fields.entries.map(({ uri, at }) => ({ uri, from: at, until: at })));
  return fields;
}

export function makeIntervalArchive(fields: IntervalArchive): IntervalArchive {
  requireArchived(fields.entries);
  return fields;
}

export function makeArchiveIndex(fields: ArchiveIndex): ArchiveIndex {
  requireEach(fields.parts, ARCHIVED_ONCE);
  return fields;
}

const ARCHIVED_ONCE = 'Archives: one entry per document';

/** What is archived is named once, and the oldest comes first; what lists tell may overlap. */
function requireArchived(entries: readonly ArchivedInterval[]): void {
  requireEach(entries, ARCHIVED_ONCE);
  for (const [index, { from, until }] of entries.entries()) {
    const before = entries[index - 1];
    if (before !== undefined && from < before.from)
      throw new DocumentError('Archives: entries stand in forward chronological order');
    if (until < from) throw new DocumentError('§7: until is not before from');
  }
}

/** Changes stand in forward chronological order; §7: none is before `from` or after `until`. */
function requireOrder(
  changes: readonly { readonly datetime: Date }[],
  { from, until }: { readonly from: Date; readonly until: Date | undefined },
  section: string,
): void {
  let last = from;
  for (const { datetime } of changes) {
    if (datetime < last) throw new DocumentError(`${section}: changes stand in forward chronological order`);
    last = datetime;
  }
  if (until !== undefined && until < last) throw new DocumentError('§7: no change is after until');
}

/** "The value of the attribute is relative to root of the package and it is expressed with a leading slash." */
function requirePaths(bitstreams: readonly { readonly path: string | undefined }[], section: string): void {
  const paths = bitstreams.flatMap(({ path }) => path ?? []);
  requireDistinct(paths, `${section}: one bitstream per path`);
  const other = paths.find((path) => !path.startsWith('/'));
  if (other !== undefined) throw new DocumentError(`${section}: a path has a leading slash; ${other}`);
}

/** As many entries as a document may have, each with a URI of its own. */
function requireEach(entries: readonly { readonly uri: string }[], rule: string): void {
  requireDistinct(
    entries.map(({ uri }) => uri),
    rule,
  );
  requireEntries(entries.length);
}

function requireDistinct(values: readonly string[], rule: string): void {
  const seen = new Set<string>();
  for (const value of values) {
    if (seen.has(value)) throw new DocumentError(`${rule}; ${value} is there twice`);
    seen.add(value);
  }
}

function requireEntries(count: number): void {
  if (count > DOCUMENT_LIMITS.entries) {
    throw new DocumentError(
      `§7: at most ${DOCUMENT_LIMITS.entries} entries in a document; there are ${count}`,
    );
  }
}
