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
  readonly capability: 'resourcelist' | 'changelist';
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

/** Groups the Resource Lists of one snapshot (§10.2). */
export interface ResourceListIndex {
  readonly kind: 'resource-list-index';
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

/** Groups Change Lists of consecutive intervals (§12.2). */
export interface ChangeListIndex {
  readonly kind: 'change-list-index';
  /** URI of the Capability List; mandatory. */
  readonly up: string;
  /** Oldest first; the last one may be open. */
  readonly parts: readonly { readonly uri: string; readonly from: Date; readonly until: Date | undefined }[];
}

export type Document =
  | SourceDescription
  | CapabilityList
  | ResourceList
  | ResourceListIndex
  | ChangeList
  | ChangeListIndex;

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

export function makeResourceListIndex(fields: Omit<ResourceListIndex, 'kind'>): ResourceListIndex {
  requireDistinct(
    fields.parts.map(({ uri }) => uri),
    '§10.2: one entry per Resource List',
  );
  requireEntries(fields.parts.length);
  return { kind: 'resource-list-index', ...fields };
}

export function makeChangeList(fields: Omit<ChangeList, 'kind'>): ChangeList {
  const { from, until, changes } = fields;
  requireEntries(changes.length);
  let last = from;
  for (const { datetime } of changes) {
    // §12.1: forward chronological order. §7: `datetime` is neither before `from` nor after `until`.
    if (datetime < last) throw new DocumentError('§12.1: changes stand in forward chronological order');
    last = datetime;
  }
  if (until !== undefined && until < last) throw new DocumentError('§7: no change is after until');
  return { kind: 'change-list', ...fields };
}

export function makeChangeListIndex(fields: Omit<ChangeListIndex, 'kind'>): ChangeListIndex {
  const { parts } = fields;
  requireDistinct(
    parts.map(({ uri }) => uri),
    '§12.2: one entry per Change List',
  );
  requireEntries(parts.length);
  for (const [index, { from }] of parts.entries()) {
    const before = parts[index - 1];
    if (before === undefined) continue;
    // Only the last list may still be open, and the lists follow one another.
    if (before.until === undefined) throw new DocumentError('§12.2: a list after an open list');
    if (from < before.until)
      throw new DocumentError('§12.2: Change Lists stand in forward chronological order');
  }
  return { kind: 'change-list-index', ...fields };
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
    case 'resource-list-index':
    case 'change-list-index':
      return document.parts.length;
  }
}
