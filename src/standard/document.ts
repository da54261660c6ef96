/** Types of the documents of the standard, one for each. `make.ts` checks their rules. */

import type { CAPABILITIES, ChannelCapability, DocumentCapability } from './capabilities.js';
import type { ChangeEvent, Resource } from './model.js';

/** A document that names the Capability Lists of a Source (§8). */
interface SourceDescription {
  readonly kind: 'source-description';
  readonly describedby: string | undefined;
  readonly pages?: string | undefined;
  readonly capabilityLists: readonly CapabilityListEntry[];
}

export interface CapabilityListEntry {
  readonly uri: string;
  /** URI of a document about the set of resources; recommended. */
  readonly describedby: string | undefined;
}

/** A document that names what a Source offers for one set of resources (§9). */
interface CapabilityList {
  readonly kind: 'capability-list';
  /** URI of the Source Description; mandatory. */
  readonly up: string;
  /** URI of a document about the set of resources; recommended. */
  readonly describedby: string | undefined;
  readonly capabilities: readonly CapabilityEntry[];
  /** URI of the digests of the documents (`SHA256SUMS`), beside their signature (`.sig`); absent if there are none. */
  readonly sums?: string | undefined;
  /** URI that stands for the options that decide what is listed: other options, another URI. Absent if they are unknown. */
  readonly listing?: string | undefined;
}

export interface CapabilityEntry {
  readonly capability: (typeof CAPABILITIES)[number] | ChannelCapability;
  readonly uri: string;
}

interface SetDocument {
  /** URI of the Capability List; mandatory. */
  readonly up: string;
}

interface PartDocument extends SetDocument {
  /** URI of the index that the document is a part of; recommended. */
  readonly index: string | undefined;
}

interface Archivable {
  /** URI of the archive of documents of this kind. Absent in a part, and in a document that is archived itself. */
  readonly archives?: string | undefined;
}

/** A document that lists resources at one moment (§10.1), whole or a part of an index. */
export interface ResourceList extends PartDocument, Archivable {
  readonly kind: 'resource-list';
  /** Moment of the snapshot: all changes up to it are included (§7). */
  readonly at: Date;
  /** The resources: an array, or an iterable that makes them one by one. */
  readonly resources: Iterable<Resource> & { readonly length: number };
}

/** An index of the Resource Lists (§10.2), or the Resource Dumps (§11.1), of one snapshot. */
export interface SnapshotIndex extends SetDocument, Archivable {
  readonly kind: 'resource-list-index' | 'resource-dump-index';
  readonly at: Date;
  /** Parts of the index. They have no `at` of their own: all are of the same moment as the index. */
  readonly parts: readonly { readonly uri: string }[];
}

/** A document that lists the changes of an interval (§12.1), whole or a part of an index. */
export interface ChangeList extends PartDocument, Archivable {
  readonly kind: 'change-list';
  /** Beginning of the interval: all changes since this moment are in the list. */
  readonly from: Date;
  /** End of the interval; undefined while the list is open. A list with an end does not change any more. */
  readonly until: Date | undefined;
  readonly changes: readonly ChangeEvent[];
}

/** An index of the Change Lists (§12.2), or the Change Dumps (§13.1), of consecutive intervals. */
export interface IntervalIndex extends SetDocument, Archivable {
  readonly kind: 'change-list-index' | 'change-dump-index';
  /** Parts of the index, oldest first; the last one may be open. */
  readonly parts: readonly { readonly uri: string; readonly from: Date; readonly until: Date | undefined }[];
}

/** A ZIP package, as a dump names it. */
export interface PackageEntry {
  readonly uri: string;
  readonly length: number;
  readonly hash: string;
  /** URI of a copy of the manifest; the manifest itself is in the package. */
  readonly contents: string;
}

/** A document that lists packages of the resources at one moment (§11.1), whole or a part of an index. */
export interface ResourceDump extends PartDocument, Archivable {
  readonly kind: 'resource-dump';
  readonly at: Date;
  /** The packages. Each has the `at` of its manifest, and may be older than the dump. */
  readonly packages: readonly (PackageEntry & { readonly at: Date })[];
}

/** A document that lists the content of a package of a Resource Dump (§11.2). */
export interface ResourceDumpManifest extends SetDocument {
  readonly kind: 'resource-dump-manifest';
  readonly at: Date;
  readonly bitstreams: readonly {
    readonly resource: Resource;
    /** Path of the bytes in the package, with a leading slash. */
    readonly path: string;
  }[];
}

/** A document that lists packages of the changes of an interval (§13.1), whole or a part of an index. */
export interface ChangeDump extends PartDocument, Archivable {
  readonly kind: 'change-dump';
  readonly from: Date;
  readonly until: Date | undefined;
  /** The packages, oldest first. Each has the changes after its `from`, up to and including its `until`. */
  readonly packages: readonly (PackageEntry & { readonly from: Date; readonly until: Date })[];
}

/** A document that lists the content of a package of a Change Dump (§13.2). */
export interface ChangeDumpManifest extends SetDocument {
  readonly kind: 'change-dump-manifest';
  readonly from: Date;
  readonly until: Date;
  readonly bitstreams: readonly {
    readonly event: ChangeEvent;
    /** Path of the bytes in the package, with a leading slash; undefined for a deletion, which has none. */
    readonly path: string | undefined;
  }[];
}

/** A message about changes of resources (Notification 0.8, §4). */
export interface ChangeNotification extends SetDocument {
  readonly kind: 'change-notification';
  readonly changes: readonly ChangeEvent[];
}

/** A message about changes of documents, never of an index (Notification 0.8, §5). */
export interface FrameworkNotification extends SetDocument {
  readonly kind: 'framework-notification';
  readonly changes: readonly DocumentChange[];
}

/** A change of a document (Notification 0.8, §5, Table 2.1). */
export interface DocumentChange {
  readonly change: ChangeEvent['change'];
  readonly capability: DocumentCapability | 'capabilitylist' | 'description';
  readonly uri: string;
  /** URI of the index that the document is a part of; mandatory if there is one. */
  readonly index: string | undefined;
}

/** A message that a channel sends; it is published nowhere. */
export type Message = ChangeNotification | FrameworkNotification;
/** A document that lists archived Resource Lists, or Resource Dumps, of previous moments; whole or a part of an index. */
interface SnapshotArchive extends PartDocument {
  readonly kind: 'resource-list-archive' | 'resource-dump-archive';
  readonly entries: readonly ArchivedSnapshot[];
}

/** A document that lists archived Change Lists, or Change Dumps, of previous intervals; whole or a part of an index. */
interface IntervalArchive extends PartDocument {
  readonly kind: 'change-list-archive' | 'change-dump-archive';
  readonly entries: readonly ArchivedInterval[];
}

export interface ArchivedSnapshot {
  readonly uri: string;
  readonly at: Date;
  /** Date of the archived document; given for dumps only. */
  readonly lastmod?: Date | undefined;
}

export interface ArchivedInterval {
  readonly uri: string;
  readonly from: Date;
  readonly until: Date;
  /** Date of the archived document; given for dumps only. */
  readonly lastmod?: Date | undefined;
}

export type Archive = SnapshotArchive | IntervalArchive;

interface ArchiveIndex extends SetDocument {
  readonly kind: `${Archive['kind']}-index`;
  readonly parts: readonly { readonly uri: string }[];
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
  | ChangeDumpManifest
  | SnapshotArchive
  | IntervalArchive
  | ArchiveIndex;

/** Returns the number of `<url>` or `<sitemap>` elements of a document. */
export function countEntries(document: Document | Message): number {
  if ('capabilityLists' in document) return document.capabilityLists.length;
  if ('capabilities' in document) return document.capabilities.length;
  if ('resources' in document) return document.resources.length;
  if ('changes' in document) return document.changes.length;
  if ('packages' in document) return document.packages.length;
  if ('bitstreams' in document) return document.bitstreams.length;
  return ('entries' in document ? document.entries : document.parts).length;
}
