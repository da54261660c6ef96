/** Turns documents that were read into the strict values that `serialize.ts` writes. */

import { parseDatetime } from '../../base/datetime.js';
import { CAPABILITIES, CHANNELS, type DocumentKind } from '../capabilities.js';
import type { Document, PackageEntry } from '../document.js';
import { checkDocument, DocumentError } from '../make.js';
import {
  CHANGE_FREQUENCIES,
  type ChangeEvent,
  type Link,
  type Representation,
  type Resource,
} from '../model.js';
import { LISTING, PAGES_RELATION } from '../namespaces.js';
import { kindOfDocument, RULES } from '../rules/kinds.js';
import { findSums } from '../rules/values.js';
import type { AttributeName, ReadDocument, ReadElement, ReadEntry, ReadHead } from './as-read.js';

/**
 * Makes the strict value of a document. A document of ours serializes to the same bytes again. In those of others, values
 * without a place are dropped: `completed`, extensions, `path` of resources, `lastmod` outside of Resource Lists and archives.
 * @throws DocumentError if something is missing or malformed, or breaks a rule of the standard
 */
export function makeDocument(read: ReadDocument): Document {
  const { head, entries } = read;
  const kind = kindOfDocument(read);
  if (kind === undefined || kind === 'source-description-index')
    throw new DocumentError(
      `§7: the capability ${head.md?.attributes.capability} is not one of the standard`,
    );
  if (kind === 'change-notification' || kind === 'framework-notification')
    throw new DocumentError(`Notification §2: a ${kind} is a message, and no document`);
  const own = { md: head.md, links: head.links, line: head.md?.line ?? 1 };
  const links = RULES[kind].up ? readLinks(own) : {};
  return checkDocument({ kind, ...links, ...READERS[kind](entries, own) } as Document);
}

/** Fields of a kind of document, without the kind and the links that documents of all kinds may have. */
type Content<Kind, D = Document> = D extends { readonly kind: infer Kinds }
  ? Kind extends Kinds
    ? Omit<D, 'kind' | 'up' | 'index' | 'archives'>
    : never
  : never;

const READERS: {
  readonly [Kind in DocumentKind]: (entries: readonly ReadEntry[], own: Bearer) => Content<Kind>;
} = {
  'source-description': (entries, own) => ({
    describedby: findLink(own, 'describedby'),
    pages: findLink(own, PAGES_RELATION),
    capabilityLists: entries.map((entry) => ({
      ...readLoc(entry),
      describedby: findLink(entry, 'describedby'),
    })),
  }),
  'capability-list': (entries, own) => ({
    describedby: findLink(own, 'describedby'),
    sums: findSums(own),
    listing: findLink(own, LISTING),
    capabilities: entries.map((entry) => ({
      ...readLoc(entry),
      capability: requireOneOf(entry, [...CAPABILITIES, ...CHANNELS], requireValue(entry, 'capability')),
    })),
  }),
  'resource-list': (entries, own) => ({
    ...readAt(own),
    resources: entries.map(makeResource),
  }),
  'change-list': (entries, own) => ({
    ...readInterval(own),
    changes: entries.map(makeChange),
  }),
  'resource-dump': (entries, own) => ({
    ...readAt(own),
    packages: entries.map((entry) => ({ ...makePackage(entry), ...readAt(entry) })),
  }),
  'change-dump': (entries, own) => ({
    ...readInterval(own),
    packages: entries.map((entry) => ({ ...makePackage(entry), ...readClosed(entry) })),
  }),
  'resource-dump-manifest': (entries, own) => ({
    ...readAt(own),
    bitstreams: entries.map((entry) => ({
      resource: makeResource(entry),
      path: requireValue(entry, 'path'),
    })),
  }),
  'change-dump-manifest': (entries, own) => ({
    ...readClosed(own),
    bitstreams: entries.map((entry) => ({ event: makeChange(entry), path: entry.md?.attributes.path })),
  }),
  'resource-list-index': readSnapshotIndex,
  'resource-dump-index': readSnapshotIndex,
  'change-list-index': readIntervalIndex,
  'change-dump-index': readIntervalIndex,
  'resource-list-archive': readSnapshotArchive,
  'resource-dump-archive': readSnapshotArchive,
  'change-list-archive': readIntervalArchive,
  'change-dump-archive': readIntervalArchive,
  'resource-list-archive-index': readArchiveIndex,
  'resource-dump-archive-index': readArchiveIndex,
  'change-list-archive-index': readArchiveIndex,
  'change-dump-archive-index': readArchiveIndex,
};

function readSnapshotIndex(entries: readonly ReadEntry[], own: Bearer) {
  return { ...readAt(own), parts: entries.map(readLoc) };
}

function readIntervalIndex(entries: readonly ReadEntry[]) {
  return {
    parts: entries.map((entry) => ({ ...readLoc(entry), ...readInterval(entry) })),
  };
}

function readSnapshotArchive(entries: readonly ReadEntry[]) {
  return {
    entries: entries.map((entry) => ({ ...readLoc(entry), ...readLastmod(entry), ...readAt(entry) })),
  };
}

function readIntervalArchive(entries: readonly ReadEntry[]) {
  return {
    entries: entries.map((entry) => ({ ...readLoc(entry), ...readLastmod(entry), ...readClosed(entry) })),
  };
}

function readArchiveIndex(entries: readonly ReadEntry[]) {
  return { parts: entries.map(readLoc) };
}

/** A part of a document with metadata and links: its head, or an entry. */
type Bearer = ReadHead & { readonly line: number };

function readLinks(own: Bearer) {
  return {
    up: requireLink(own, 'up'),
    index: findLink(own, 'index'),
    archives: findLink(own, 'archives'),
  };
}

function readAt(bearer: Bearer): { at: Date } {
  return { at: requireTime(bearer, 'at') };
}

function readInterval(bearer: Bearer): { from: Date; until: Date | undefined } {
  const from = requireTime(bearer, 'from');
  const until = bearer.md?.attributes.until;
  return { from, until: until === undefined ? undefined : toTime(bearer, 'until', until) };
}

function readClosed(bearer: Bearer): { from: Date; until: Date } {
  return { from: requireTime(bearer, 'from'), until: requireTime(bearer, 'until') };
}

function readLoc(entry: ReadEntry): { uri: string } {
  return { uri: entry.loc ?? refuseAt(entry, '§7: an entry has a <loc>') };
}

function readLastmod(entry: ReadEntry): { lastmod?: Date } {
  return entry.lastmod === undefined ? {} : { lastmod: toTime(entry, 'lastmod', entry.lastmod) };
}

/** Makes the strict value of an entry of a Resource List, as `makeDocument` does. @throws DocumentError */
export function makeResource(entry: ReadEntry): Resource {
  const { changefreq } = entry;
  const { hash, length, ...facts } = readRepresentation(entry, entry.md?.attributes ?? {});
  return {
    ...readLoc(entry),
    path: '',
    length: length ?? refuseMissing(entry, 'length'),
    hash: hash ?? refuseMissing(entry, 'hash'),
    ...facts,
    ...readLastmod(entry),
    ...(changefreq !== undefined && { changefreq: requireOneOf(entry, CHANGE_FREQUENCIES, changefreq) }),
    ...readEntryLinks(entry),
  };
}

function readRepresentation(
  where: { readonly line: number },
  { hash, length, type }: ReadElement['attributes'],
): Representation {
  return {
    ...(hash !== undefined && { hash }),
    ...(length !== undefined && { length: requireNumber(where, length) }),
    ...(type !== undefined && { type }),
  };
}

function readEntryLinks({ links }: ReadEntry): { links?: Link[] } {
  return links.length === 0 ? {} : { links: links.map(makeLink) };
}

function makeLink(element: ReadElement): Link {
  const { rel, href, pri, modified, encoding, path } = element.attributes;
  if (rel === undefined || href === undefined) return refuseAt(element, '§7: a link has rel and href');
  return {
    rel,
    href,
    ...(pri !== undefined && { pri: requireNumber(element, pri) }),
    ...(modified !== undefined && { modified: toTime(element, 'modified', modified) }),
    ...readRepresentation(element, element.attributes),
    ...(encoding !== undefined && { encoding }),
    ...(path !== undefined && { path }),
  };
}

function makeChange(entry: ReadEntry): ChangeEvent {
  const { uri } = readLoc(entry);
  const datetime = requireTime(entry, 'datetime');
  const change = requireOneOf(entry, CHANGES, requireValue(entry, 'change'));
  if (change === 'deleted') return { change, uri, datetime };
  const representation = readRepresentation(entry, entry.md?.attributes ?? {});
  return { change, uri, datetime, representation, ...readEntryLinks(entry) };
}

const CHANGES = ['created', 'updated', 'deleted'] as const;

function makePackage(entry: ReadEntry): PackageEntry {
  return {
    ...readLoc(entry),
    length: requireNumber(entry, requireValue(entry, 'length')),
    hash: requireValue(entry, 'hash'),
    contents: requireLink(entry, 'contents'),
  };
}

function requireValue(bearer: Bearer, name: AttributeName): string {
  return bearer.md?.attributes[name] ?? refuseMissing(bearer, name);
}

function refuseMissing(where: { readonly line: number }, name: AttributeName): never {
  return refuseAt(where, `§7: <rs:md> has no ${name}`);
}

function requireTime(bearer: Bearer, name: AttributeName): Date {
  return toTime(bearer, name, requireValue(bearer, name));
}

function toTime(where: { readonly line: number }, name: string, text: string): Date {
  return parseDatetime(text) ?? refuseAt(where, `§7: ${name} is not a W3C Datetime: ${text}`);
}

function requireNumber(where: { readonly line: number }, text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : refuseAt(where, `§7: not a number: ${text}`);
}

function requireOneOf<T extends string>(
  where: { readonly line: number },
  values: readonly T[],
  text: string,
): T {
  return values.find((value) => value === text) ?? refuseAt(where, `§7: not a defined value: ${text}`);
}

function findLink({ links }: ReadHead, rel: string): string | undefined {
  return links.find(({ attributes }) => attributes.rel === rel)?.attributes.href;
}

function requireLink(bearer: Bearer, rel: string): string {
  return findLink(bearer, rel) ?? refuseAt(bearer, `§7: there is no link rel="${rel}"`);
}

function refuseAt({ line }: { readonly line: number }, rule: string): never {
  throw new DocumentError(`${rule} (line ${line})`);
}
