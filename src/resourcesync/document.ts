/** The documents of the standard, one value type each; the functions that make them refuse what it forbids. */

import type { ChangeEvent, Resource } from './model.js';

/** Enumerates the Capability Lists of a Source (§8). */
export interface SourceDescription {
  readonly kind: 'source-description';
  /** URI of a document about the Source; recommended. */
  readonly describedby: string | undefined;
  readonly capabilityLists: readonly CapabilityListEntry[];
}

/** One set of resources, as the Source Description names it. */
export interface CapabilityListEntry {
  readonly uri: string;
  /** URI of a document about the set of resources; recommended. */
  readonly describedby: string | undefined;
}

/** Enumerates what a Source offers for one set of resources (§9). */
export interface CapabilityList {
  readonly kind: 'capability-list';
  /** URI of the Source Description; mandatory. */
  readonly up: string;
  /** URI of a document about the set of resources; recommended. */
  readonly describedby: string | undefined;
  readonly capabilities: readonly CapabilityEntry[];
}

/** A capability document, as the Capability List names it. */
export interface CapabilityEntry {
  readonly capability: 'resourcelist' | 'resourcedump' | 'changelist' | 'changedump';
  readonly uri: string;
}

/** A snapshot of resources (§10.1), whole or a part of an index. */
export interface ResourceList {
  readonly kind: 'resource-list';
  /** URI of the Capability List; mandatory. */
  readonly up: string;
  /** URI of the Resource List Index that this list is a part of; recommended. */
  readonly index: string | undefined;
  /** All changes up to this moment are in the snapshot (§7). */
  readonly at: Date;
  readonly resources: readonly Resource[];
}

/** Groups the Resource Lists (§10.2), or the Resource Dumps (§11.1), of one snapshot. */
export interface SnapshotIndex {
  readonly kind: 'resource-list-index' | 'resource-dump-index';
  /** URI of the Capability List; mandatory. */
  readonly up: string;
  readonly at: Date;
  /** All parts are snapshots of the same moment as the whole. */
  readonly parts: readonly { readonly uri: string }[];
}

/** Changes of an interval (§12.1), whole or a part of an index. */
export interface ChangeList {
  readonly kind: 'change-list';
  /** URI of the Capability List; mandatory. */
  readonly up: string;
  /** URI of the Change List Index that this list is a part of; recommended. */
  readonly index: string | undefined;
  /** All changes since this moment are in the list. */
  readonly from: Date;
  /** All changes up to this moment, and the list will not change any more; undefined while it is open. */
  readonly until: Date | undefined;
  /** Oldest first. */
  readonly changes: readonly ChangeEvent[];
}

/** Groups Change Lists (§12.2), or Change Dumps (§13.1), of consecutive intervals. */
export interface IntervalIndex {
  readonly kind: 'change-list-index' | 'change-dump-index';
  /** URI of the Capability List; mandatory. */
  readonly up: string;
  /** Oldest first; the last one may be open. */
  readonly parts: readonly { readonly uri: string; readonly from: Date; readonly until: Date | undefined }[];
}

/** A ZIP package, as a dump names it. */
export interface PackageEntry {
  readonly uri: string;
  /** Number of bytes. */
  readonly length: number;
  /** Digests in the notation of §7, as in `Resource`. */
  readonly hash: string;
  /** URI of the copy of the manifest that is in the package. */
  readonly contents: string;
}

/** Packages of the resources at one moment (§11.1), whole or a part of an index. */
export interface ResourceDump {
  readonly kind: 'resource-dump';
  /** URI of the Capability List; mandatory. */
  readonly up: string;
  /** URI of the Resource Dump Index that this dump is a part of; recommended. */
  readonly index: string | undefined;
  readonly at: Date;
  /** `at` is that of the package's manifest; a package may be older than the dump. */
  readonly packages: readonly (PackageEntry & { readonly at: Date })[];
}

/** What is in a package of a Resource Dump (§11.2). */
export interface ResourceDumpManifest {
  readonly kind: 'resource-dump-manifest';
  /** URI of the Capability List; mandatory. */
  readonly up: string;
  readonly at: Date;
  readonly bitstreams: readonly {
    readonly resource: Resource;
    /** Where the bytes are in the package, with a leading slash. */
    readonly path: string;
  }[];
}

/** Packages of the changes of an interval (§13.1), whole or a part of an index. */
export interface ChangeDump {
  readonly kind: 'change-dump';
  /** URI of the Capability List; mandatory. */
  readonly up: string;
  /** URI of the Change Dump Index that this dump is a part of; recommended. */
  readonly index: string | undefined;
  readonly from: Date;
  /** Undefined while the dump is open. */
  readonly until: Date | undefined;
  /** Oldest first; a package holds the changes after its `from`, up to and including its `until`. */
  readonly packages: readonly (PackageEntry & { readonly from: Date; readonly until: Date })[];
}

/** What is in a package of a Change Dump (§13.2). */
export interface ChangeDumpManifest {
  readonly kind: 'change-dump-manifest';
  /** URI of the Capability List; mandatory. */
  readonly up: string;
  readonly from: Date;
  readonly until: Date;
  /** Oldest first. */
  readonly bitstreams: readonly {
    readonly event: ChangeEvent;
    /** Where the bytes are in the package, with a leading slash; undefined for a deletion, which has none. */
    readonly path: string | undefined;
  }[];
}

export type Document =
  | SourceDescription
  | CapabilityList
  | ResourceList
  | ChangeList
  | ResourceDump
  | ChangeDump
  | SnapshotIndex
  | IntervalIndex
  | ResourceDumpManifest
  | ChangeDumpManifest;

/** What one document may hold. §7 follows the Sitemap protocol: 50,000 entries and 50 MB. */
export interface DocumentLimits {
  readonly entries: number;
  /** Uncompressed bytes. */
  readonly bytes: number;
}

/** The standard says 50 MB and not of which kind; the smaller kind satisfies both. */
export const DOCUMENT_LIMITS: DocumentLimits = { entries: 50_000, bytes: 50_000_000 };

/** A document would break a rule of the standard; the message cites it. Never a user's mistake. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

export function makeSourceDescription(fields: Omit<SourceDescription, 'kind'>): SourceDescription {
  requireDistinct(
    fields.capabilityLists.map(({ uri }) => uri),
    '§8: one entry per Capability List',
  );
  requireEntries(fields.capabilityLists.length);
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
  requireDistinct(
    fields.parts.map(({ uri }) => uri),
    '§10.2: one entry per part',
  );
  requireEntries(fields.parts.length);
  return fields;
}

export function makeChangeList(fields: Omit<ChangeList, 'kind'>): ChangeList {
  requireEntries(fields.changes.length);
  requireOrder(fields.changes, fields, '§12.1');
  return { kind: 'change-list', ...fields };
}

export function makeIntervalIndex(fields: IntervalIndex): IntervalIndex {
  const { parts } = fields;
  requireDistinct(
    parts.map(({ uri }) => uri),
    '§12.2: one entry per part',
  );
  requireEntries(parts.length);
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
  requirePackages(fields.packages, '§11.1');
  return { kind: 'resource-dump', ...fields };
}

export function makeResourceDumpManifest(fields: Omit<ResourceDumpManifest, 'kind'>): ResourceDumpManifest {
  requireEntries(fields.bitstreams.length);
  requirePaths(fields.bitstreams, '§11.2');
  return { kind: 'resource-dump-manifest', ...fields };
}

export function makeChangeDump(fields: Omit<ChangeDump, 'kind'>): ChangeDump {
  requirePackages(fields.packages, '§13.1');
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

function requirePackages(packages: readonly PackageEntry[], section: string): void {
  requireDistinct(
    packages.map(({ uri }) => uri),
    `${section}: one entry per package`,
  );
  requireEntries(packages.length);
}

/** "The value of the attribute is relative to root of the package and it is expressed with a leading slash." */
function requirePaths(bitstreams: readonly { readonly path: string | undefined }[], section: string): void {
  const paths = bitstreams.flatMap(({ path }) => path ?? []);
  requireDistinct(paths, `${section}: one bitstream per path`);
  const other = paths.find((path) => !path.startsWith('/'));
  if (other !== undefined) throw new DocumentError(`${section}: a path has a leading slash; ${other}`);
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

/** The number of `<url>` or `<sitemap>` elements of a document. */
export function countEntries(document: Document): number {
  switch (document.kind) {
    case 'source-description':
      return document.capabilityLists.length;
    case 'capability-list':
      return document.capabilities.length;
    case 'resource-list':
      return document.resources.length;
    case 'change-list':
      return document.changes.length;
    case 'resource-dump':
    case 'change-dump':
      return document.packages.length;
    case 'resource-dump-manifest':
    case 'change-dump-manifest':
      return document.bitstreams.length;
    case 'resource-list-index':
    case 'resource-dump-index':
    case 'change-list-index':
    case 'change-dump-index':
      return document.parts.length;
  }
}
