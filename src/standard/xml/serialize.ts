/** Documents to XML. */

import type {
  ArchivedInterval,
  ArchivedSnapshot,
  ArchiveIndex,
  CapabilityListEntry,
  Document,
  DocumentChange,
  IntervalIndex,
  Message,
  PackageEntry,
  SnapshotIndex,
} from '../document.js';
import { type ChangeEvent, formatDatetime, type Link, type Resource } from '../model.js';
import { RESOURCESYNC, SITEMAP } from '../namespaces.js';
import { type Attributes, entry, escapeXml, linkTo, md } from './elements.js';

/** Rows are handed on in chunks of about this many characters. */
const CHUNK = 1 << 18;

/** What every document comes down to (§7, Table 2). */
interface Layout {
  readonly root: 'urlset' | 'sitemapindex';
  /** The elements that stand before the entries. */
  readonly head: readonly string[];
  /** Each begins with a line break. */
  readonly rows: Iterable<string>;
}

/**
 * Writes a document, or a message.
 *
 * @param comment stands before the root element; says whose document it is
 * @returns its pieces: UTF-8 when encoded, `\n` line ends
 * @throws RangeError where a value holds a character that XML 1.0 cannot express
 */
export function* serializeDocument(document: Document | Message, comment: string): Generator<string, void> {
  yield serializeHead(document, comment);
  yield* serializeRows(document);
}

/** Writes what stands before the entries of a document; with its rows it is the whole document. */
export function serializeHead(document: Document | Message, comment: string): string {
  const { root, head } = layOut(document);
  const elements = head.map((element) => `\n  ${element}`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${comment} -->
<${root} xmlns="${SITEMAP}" xmlns:rs="${RESOURCESYNC}">${elements}`;
}

/** Writes the entries of a document, and its end. */
export function* serializeRows(document: Document | Message): Generator<string, void> {
  const { root, rows } = layOut(document);
  let chunk = '';
  for (const row of rows) {
    chunk += row;
    if (chunk.length >= CHUNK) {
      yield chunk;
      chunk = '';
    }
  }
  yield `${chunk}\n</${root}>\n`;
}

function layOut(document: Document | Message): Layout {
  switch (document.kind) {
    case 'source-description':
      return {
        root: 'urlset',
        head: [...linkTo('describedby', document.describedby), md({ capability: 'description' })],
        rows: document.capabilityLists.map(serializeCapabilityList),
      };
    case 'capability-list':
      return {
        root: 'urlset',
        head: [
          ...linkTo('describedby', document.describedby),
          ...linkTo('up', document.up),
          md({ capability: 'capabilitylist' }),
        ],
        rows: document.capabilities.map(({ uri, capability }) => entry('url', uri, md({ capability }))),
      };
    case 'resource-list':
      return layOutPart(document, snapshot('resourcelist', document), document.resources, (resource) =>
        serializeResource(resource),
      );
    case 'change-list':
      return layOutPart(document, interval('changelist', document), document.changes, (event) =>
        serializeChange(event),
      );
    case 'resource-dump':
      return layOutPart(document, snapshot('resourcedump', document), document.packages, (packed) =>
        serializePackage(packed, { at: formatDatetime(packed.at) }),
      );
    case 'change-dump':
      return layOutPart(document, interval('changedump', document), document.packages, (packed) =>
        serializePackage(packed, { from: formatDatetime(packed.from), until: formatDatetime(packed.until) }),
      );
    case 'resource-dump-manifest':
      return layOutPart(
        document,
        snapshot('resourcedump-manifest', document),
        document.bitstreams,
        ({ resource, path }) => serializeResource(resource, path),
      );
    case 'change-dump-manifest':
      return layOutPart(
        document,
        interval('changedump-manifest', document),
        document.bitstreams,
        ({ event, path }) => serializeChange(event, path),
      );
    case 'resource-list-archive':
    case 'resource-dump-archive':
      return layOutPart(document, md({ capability: capabilityOf(document) }), document.entries, (archived) =>
        serializeArchived(archived, snapshot(undefined, archived)),
      );
    case 'change-list-archive':
    case 'change-dump-archive':
      return layOutPart(document, md({ capability: capabilityOf(document) }), document.entries, (archived) =>
        serializeArchived(archived, interval(undefined, archived)),
      );
    case 'resource-list-index':
    case 'resource-dump-index':
    case 'change-list-index':
    case 'change-dump-index':
      return layOutIndex(document);
    // §7 demands what the examples of the draft do not have: what the document is.
    case 'change-notification':
      return layOutPart(document, md({ capability: document.kind }), document.changes, (event) =>
        serializeChange(event),
      );
    case 'framework-notification':
      return layOutPart(document, md({ capability: document.kind }), document.changes, serializeNews);
    default:
      return layOutArchiveIndex(document);
  }
}

function layOutIndex(document: SnapshotIndex | IntervalIndex): Layout {
  const up = [...linkTo('up', document.up), ...linkTo('archives', document.archives)];
  const capability = capabilityOf(document);
  if (isSnapshot(document)) {
    const rows = document.parts.map(({ uri }) => entry('sitemap', uri, snapshot(undefined, document)));
    return { root: 'sitemapindex', head: [...up, snapshot(capability, document)], rows };
  }
  const { parts } = document;
  const whole = { from: parts[0]?.from, until: parts.at(-1)?.until };
  const rows = parts.map((part) => entry('sitemap', part.uri, interval(undefined, part)));
  return { root: 'sitemapindex', head: [...up, interval(capability, whole)], rows };
}

/** What an archive as a whole says of itself, its parts say, too: none has a time. */
function layOutArchiveIndex(document: ArchiveIndex): Layout {
  const head = [...linkTo('up', document.up), md({ capability: capabilityOf(document) })];
  return { root: 'sitemapindex', head, rows: document.parts.map(({ uri }) => entry('sitemap', uri)) };
}

/** `change-list-archive-index` → `changelist-archive` */
function capabilityOf({ kind }: Document): string {
  return kind.replace('-index', '').replace('-', '');
}

function serializeArchived({ uri, lastmod }: ArchivedSnapshot | ArchivedInterval, about: string): string {
  const modified = lastmod === undefined ? [] : [`<lastmod>${formatDatetime(lastmod)}</lastmod>`];
  return entry('url', uri, ...modified, about);
}

function isSnapshot(document: SnapshotIndex | IntervalIndex): document is SnapshotIndex {
  return document.kind === 'resource-list-index' || document.kind === 'resource-dump-index';
}

interface Archivable {
  readonly archives?: string | undefined;
}

/** What may be a part of an index, or stand alone. */
function layOutPart<T>(
  { up, index, archives }: { readonly up: string; readonly index?: string | undefined } & Archivable,
  about: string,
  entries: Iterable<T>,
  serialize: (entry: T) => string,
): Layout {
  return {
    root: 'urlset',
    head: [...linkTo('up', up), ...linkTo('index', index), ...linkTo('archives', archives), about],
    rows: mapLazily(entries, serialize),
  };
}

function* mapLazily<T>(entries: Iterable<T>, serialize: (entry: T) => string): Generator<string, void> {
  for (const item of entries) yield serialize(item);
}

function snapshot(capability: string | undefined, { at }: { readonly at: Date }): string {
  return md({ capability, at: formatDatetime(at) });
}

function interval(
  capability: string | undefined,
  { from, until }: { readonly from: Date | undefined; readonly until: Date | undefined },
): string {
  return md({ capability, from: from && formatDatetime(from), until: until && formatDatetime(until) });
}

function serializeCapabilityList({ uri, describedby }: CapabilityListEntry): string {
  return entry('url', uri, md({ capability: 'capabilitylist' }), ...linkTo('describedby', describedby));
}

function serializeNews({ uri, change, capability, index }: DocumentChange): string {
  return entry('url', uri, md({ change, capability }), ...linkTo('index', index));
}

function serializePackage({ uri, length, hash, contents }: PackageEntry, moment: Attributes): string {
  return entry(
    'url',
    uri,
    md({ type: 'application/zip', length, hash, ...moment }),
    ...linkTo('contents', contents, 'application/xml'),
  );
}

/**
 * Writes the `<url>` element of a resource, on a line of its own that begins with the line break (§10.1).
 *
 * @param path where its bytes are in a package, in a manifest (§11.2)
 * @throws RangeError where a value holds a character that XML 1.0 cannot express
 */
export function serializeResource(resource: Resource, path?: string): string {
  const { uri, lastmod, changefreq, hash, length, type, links } = resource;
  let row = `\n  <url><loc>${escapeXml(uri)}</loc>`;
  if (lastmod !== undefined) row += `<lastmod>${formatDatetime(lastmod)}</lastmod>`;
  if (changefreq !== undefined) row += `<changefreq>${changefreq}</changefreq>`;
  row += `<rs:md hash="${escapeXml(hash)}" length="${length}"`;
  if (type !== undefined) row += ` type="${escapeXml(type)}"`;
  if (path !== undefined) row += ` path="${escapeXml(path)}"`;
  row += '/>';
  for (const link of links ?? []) row += serializeLink(link);
  return `${row}</url>`;
}

/**
 * Writes the `<url>` element of a change, as `serializeResource` does (§12.1, §13.2). What was created or updated has
 * a `<lastmod>`, the moment of the change, as in the standard's Examples 19 and 24: Destinations compare it with their
 * copy's.
 *
 * @throws RangeError where a value holds a character that XML 1.0 cannot express
 */
export function serializeChange(event: ChangeEvent, path?: string): string {
  const moment = formatDatetime(event.datetime);
  let row = `\n  <url><loc>${escapeXml(event.uri)}</loc>`;
  if (event.change !== 'deleted') row += `<lastmod>${moment}</lastmod>`;
  row += `<rs:md change="${event.change}" datetime="${moment}"`;
  if (event.change !== 'deleted') {
    const { hash, length, type } = event.representation;
    if (hash !== undefined) row += ` hash="${escapeXml(hash)}"`;
    if (length !== undefined) row += ` length="${length}"`;
    if (type !== undefined) row += ` type="${escapeXml(type)}"`;
  }
  if (path !== undefined) row += ` path="${escapeXml(path)}"`;
  row += '/>';
  if (event.change !== 'deleted') for (const link of event.links ?? []) row += serializeLink(link);
  return `${row}</url>`;
}

function serializeLink({ rel, pri, href, modified, hash, length, type, encoding, path }: Link): string {
  let row = `<rs:ln rel="${escapeXml(rel)}"`;
  if (pri !== undefined) row += ` pri="${pri}"`;
  row += ` href="${escapeXml(href)}"`;
  if (modified !== undefined) row += ` modified="${formatDatetime(modified)}"`;
  if (hash !== undefined) row += ` hash="${escapeXml(hash)}"`;
  if (length !== undefined) row += ` length="${length}"`;
  if (type !== undefined) row += ` type="${escapeXml(type)}"`;
  if (encoding !== undefined) row += ` encoding="${escapeXml(encoding)}"`;
  if (path !== undefined) row += ` path="${escapeXml(path)}"`;
  return `${row}/>`;
}
