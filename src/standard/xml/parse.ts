/** Documents as they were read to the strict values that `serialize.ts` writes. */

import {
  type Archive,
  type ArchiveIndex,
  CAPABILITIES,
  type CapabilityEntry,
  CHANNELS,
  type ChangeDump,
  type ChangeDumpManifest,
  DOCUMENT_CAPABILITIES,
  type Document,
  type DocumentChange,
  type IntervalIndex,
  type Message,
  type PackageEntry,
  type ResourceDump,
  type ResourceDumpManifest,
  type SnapshotIndex,
} from '../document.js';
import {
  DocumentError,
  makeArchiveIndex,
  makeCapabilityList,
  makeChangeDump,
  makeChangeDumpManifest,
  makeChangeList,
  makeChangeNotification,
  makeFrameworkNotification,
  makeIntervalArchive,
  makeIntervalIndex,
  makeResourceDump,
  makeResourceDumpManifest,
  makeResourceList,
  makeSnapshotArchive,
  makeSnapshotIndex,
  makeSourceDescription,
} from '../make.js';
import {
  CHANGE_FREQUENCIES,
  type ChangeEvent,
  type Link,
  parseDatetime,
  type Representation,
  type Resource,
} from '../model.js';
import {
  type AttributeName,
  kindOf,
  type ReadDocument,
  type ReadElement,
  type ReadEntry,
  type ReadHead,
} from './as-read.js';

/**
 * Makes the strict value of a document, of which `serialize.ts` writes the same bytes again if it wrote the first.
 * What the values have no place for (`completed`, extensions, `lastmod` outside of Resource Lists and archives)
 * is dropped; a change is written with its `datetime` as `lastmod`, whatever was read. The `path` of resources is empty: documents name URIs, not files.
 *
 * @throws DocumentError where something is missing, is not of its form, or breaks a rule of the standard
 */
export function makeDocument(read: ReadDocument): Document {
  const { head, entries } = read;
  const kind = kindOf(read);
  const own = { md: head.md, links: head.links, line: head.md?.line ?? 1 };
  switch (kind) {
    case undefined:
      throw new DocumentError(
        `§7: the capability ${head.md?.attributes.capability} is not one of the standard`,
      );
    case 'source-description':
      return makeSourceDescription({
        describedby: findLink(own, 'describedby'),
        capabilityLists: entries.map((entry) => ({
          uri: requireLoc(entry),
          describedby: findLink(entry, 'describedby'),
        })),
      });
    case 'capability-list':
      return makeCapabilityList({
        up: requireLink(own, 'up'),
        describedby: findLink(own, 'describedby'),
        capabilities: entries.map((entry) => ({
          uri: requireLoc(entry),
          capability: requireCapability(entry),
        })),
      });
    case 'resource-list':
      return makeResourceList({
        ...linksAbove(own),
        at: requireTime(own, 'at'),
        resources: entries.map(makeResource),
      });
    case 'change-list':
      return makeChangeList({ ...linksAbove(own), ...interval(own), changes: entries.map(makeChange) });
    case 'resource-dump':
    case 'change-dump':
      return makeDump(kind, own, entries);
    case 'resource-dump-manifest':
    case 'change-dump-manifest':
      return makeManifest(kind, own, entries);
    case 'resource-list-index':
    case 'resource-dump-index':
    case 'change-list-index':
    case 'change-dump-index':
      return makeIndex(kind, own, entries);
    case 'change-notification':
    case 'framework-notification':
      throw new DocumentError(`Notification §2: a ${kind} is a message, and no document`);
    default:
      return makeArchive(kind, own, entries);
  }
}

function makeArchive(
  kind: Archive['kind'] | ArchiveIndex['kind'],
  own: Bearer,
  entries: readonly ReadEntry[],
): Archive | ArchiveIndex {
  const up = requireLink(own, 'up');
  const index = findLink(own, 'index');
  const common = (entry: ReadEntry) => ({
    uri: requireLoc(entry),
    ...(entry.lastmod !== undefined && { lastmod: toTime(entry, 'lastmod', entry.lastmod) }),
  });
  switch (kind) {
    case 'resource-list-archive':
    case 'resource-dump-archive':
      return makeSnapshotArchive({
        kind,
        up,
        index,
        entries: entries.map((entry) => ({ ...common(entry), at: requireTime(entry, 'at') })),
      });
    case 'change-list-archive':
    case 'change-dump-archive':
      return makeIntervalArchive({
        kind,
        up,
        index,
        entries: entries.map((entry) => ({ ...common(entry), ...closedInterval(entry) })),
      });
    default:
      return makeArchiveIndex({ kind, up, parts: entries.map((entry) => ({ uri: requireLoc(entry) })) });
  }
}

/**
 * Makes the strict value of a message, as `makeDocument` does of a document.
 *
 * @param kind of the channel that it came from: the examples of the draft do not say it themselves
 * @throws DocumentError
 */
export function makeMessage(read: ReadDocument, kind: Message['kind']): Message {
  const { head, entries } = read;
  const said = head.md?.attributes.capability;
  if (read.root !== 'urlset' || (said !== undefined && said !== kind))
    throw new DocumentError(`Notification §2: ${said ?? `a <${read.root}>`} on a channel of ${kind}`);
  const up = requireLink({ md: head.md, links: head.links, line: head.md?.line ?? 1 }, 'up');
  return kind === 'change-notification'
    ? makeChangeNotification({ up, changes: entries.map(makeToldChange) })
    : makeFrameworkNotification({ up, changes: entries.map(makeNews) });
}

/** The examples of the draft say when something was changed in `<lastmod>` alone. */
function makeToldChange(entry: ReadEntry): ChangeEvent {
  const { md, lastmod: datetime } = entry;
  if (md === undefined || md.attributes.datetime !== undefined || datetime === undefined)
    return makeChange(entry);
  return makeChange({ ...entry, md: { ...md, attributes: { ...md.attributes, datetime } } });
}

function makeNews(entry: ReadEntry): DocumentChange {
  return {
    change: requireOneOf(entry, CHANGES, requireValue(entry, 'change')),
    capability: requireOneOf(
      entry,
      [...DOCUMENT_CAPABILITIES, 'capabilitylist', 'description'],
      requireValue(entry, 'capability'),
    ),
    uri: requireLoc(entry),
    index: findLink(entry, 'index'),
  };
}

function makeDump(
  kind: 'resource-dump' | 'change-dump',
  own: Bearer,
  entries: readonly ReadEntry[],
): ResourceDump | ChangeDump {
  if (kind === 'resource-dump') {
    return makeResourceDump({
      ...linksAbove(own),
      at: requireTime(own, 'at'),
      packages: entries.map((entry) => ({ ...makePackage(entry), at: requireTime(entry, 'at') })),
    });
  }
  return makeChangeDump({
    ...linksAbove(own),
    ...interval(own),
    packages: entries.map((entry) => ({ ...makePackage(entry), ...closedInterval(entry) })),
  });
}

function makeManifest(
  kind: 'resource-dump-manifest' | 'change-dump-manifest',
  own: Bearer,
  entries: readonly ReadEntry[],
): ResourceDumpManifest | ChangeDumpManifest {
  const up = requireLink(own, 'up');
  if (kind === 'resource-dump-manifest') {
    return makeResourceDumpManifest({
      up,
      at: requireTime(own, 'at'),
      bitstreams: entries.map((entry) => ({
        resource: makeResource(entry),
        path: requireValue(entry, 'path'),
      })),
    });
  }
  return makeChangeDumpManifest({
    up,
    ...closedInterval(own),
    bitstreams: entries.map((entry) => ({ event: makeChange(entry), path: entry.md?.attributes.path })),
  });
}

function makeIndex(
  kind: SnapshotIndex['kind'] | IntervalIndex['kind'],
  own: Bearer,
  entries: readonly ReadEntry[],
): SnapshotIndex | IntervalIndex {
  const up = requireLink(own, 'up');
  switch (kind) {
    case 'resource-list-index':
    case 'resource-dump-index':
      return makeSnapshotIndex({
        kind,
        up,
        ...archivesOf(own),
        at: requireTime(own, 'at'),
        parts: entries.map((entry) => ({ uri: requireLoc(entry) })),
      });
    case 'change-list-index':
    case 'change-dump-index':
      return makeIntervalIndex({
        kind,
        up,
        ...archivesOf(own),
        parts: entries.map((entry) => ({ uri: requireLoc(entry), ...interval(entry) })),
      });
  }
}

/** What has metadata and links: the head of a document, or an entry. */
type Bearer = ReadHead & { readonly line: number };

function linksAbove(bearer: Bearer): { up: string; index: string | undefined; archives?: string } {
  return { up: requireLink(bearer, 'up'), index: findLink(bearer, 'index'), ...archivesOf(bearer) };
}

function archivesOf(bearer: Bearer): { archives?: string } {
  const archives = findLink(bearer, 'archives');
  return archives === undefined ? {} : { archives };
}

function interval(bearer: Bearer): { from: Date; until: Date | undefined } {
  return { from: requireTime(bearer, 'from'), until: findTime(bearer, 'until') };
}

function closedInterval(bearer: Bearer): { from: Date; until: Date } {
  return { from: requireTime(bearer, 'from'), until: requireTime(bearer, 'until') };
}

/**
 * Makes the strict value of an entry of a Resource List, as `makeDocument` does.
 *
 * @throws DocumentError
 */
export function makeResource(entry: ReadEntry): Resource {
  const { type } = entry.md?.attributes ?? {};
  const { changefreq, links } = entry;
  return {
    uri: requireLoc(entry),
    path: '',
    length: requireNumber(entry, requireValue(entry, 'length')),
    hash: requireValue(entry, 'hash'),
    ...(type !== undefined && { type }),
    ...(entry.lastmod !== undefined && { lastmod: toTime(entry, 'lastmod', entry.lastmod) }),
    ...(changefreq !== undefined && { changefreq: requireOneOf(entry, CHANGE_FREQUENCIES, changefreq) }),
    ...(links.length > 0 && { links: links.map(makeLink) }),
  };
}

function makeLink(element: ReadElement): Link {
  const { rel, href, pri, modified, hash, length, type, encoding, path } = element.attributes;
  if (rel === undefined || href === undefined) return refuseAt(element, '§7: a link has rel and href');
  return {
    rel,
    href,
    ...(pri !== undefined && { pri: requireNumber(element, pri) }),
    ...(modified !== undefined && { modified: toTime(element, 'modified', modified) }),
    ...(hash !== undefined && { hash }),
    ...(length !== undefined && { length: requireNumber(element, length) }),
    ...(type !== undefined && { type }),
    ...(encoding !== undefined && { encoding }),
    ...(path !== undefined && { path }),
  };
}

function makeChange(entry: ReadEntry): ChangeEvent {
  const uri = requireLoc(entry);
  const datetime = requireTime(entry, 'datetime');
  const change = requireOneOf(entry, CHANGES, requireValue(entry, 'change'));
  if (change === 'deleted') return { change, uri, datetime };
  const { hash, length, type } = entry.md?.attributes ?? {};
  const representation: Representation = {
    ...(hash !== undefined && { hash }),
    ...(length !== undefined && { length: requireNumber(entry, length) }),
    ...(type !== undefined && { type }),
  };
  const { links } = entry;
  return { change, uri, datetime, representation, ...(links.length > 0 && { links: links.map(makeLink) }) };
}

function makePackage(entry: ReadEntry): PackageEntry {
  return {
    uri: requireLoc(entry),
    length: requireNumber(entry, requireValue(entry, 'length')),
    hash: requireValue(entry, 'hash'),
    contents: requireLink(entry, 'contents'),
  };
}

function requireLoc(entry: ReadEntry): string {
  return entry.loc ?? refuseAt(entry, '§7: an entry has a <loc>');
}

const CHANGES = ['created', 'updated', 'deleted'] as const;

function requireCapability(entry: ReadEntry): CapabilityEntry['capability'] {
  return requireOneOf(entry, [...CAPABILITIES, ...CHANNELS], requireValue(entry, 'capability'));
}

function requireValue(bearer: Bearer, name: AttributeName): string {
  return bearer.md?.attributes[name] ?? refuseAt(bearer, `§7: <rs:md> has no ${name}`);
}

function findTime(bearer: Bearer, name: AttributeName): Date | undefined {
  const text = bearer.md?.attributes[name];
  return text === undefined ? undefined : toTime(bearer, name, text);
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
