/** Writes documents as XML. */

import { formatDatetime } from '../../base/datetime.js';
import { joinPieces } from '../../base/text/chunks.js';
import type { ArchivedInterval, ArchivedSnapshot, Document, Message, PackageEntry } from '../document.js';
import type { ChangeEvent, Link, Resource } from '../model.js';
import { LISTING, PAGES_RELATION, RESOURCESYNC, SITEMAP } from '../namespaces.js';
import { capabilityOf, RULES } from '../rules/kinds.js';
import { type Attributes, entry, linkTo, ln, md, modifiedAt } from './elements.js';

/**
 * Writes a document, or a message, in pieces. @param comment before the root element; names the writer
 * @throws RangeError if a value holds a character that XML 1.0 cannot express
 */
export function* serializeDocument(document: Document | Message, comment: string): Generator<string, void> {
  yield serializeHead(document, comment);
  yield* serializeRows(document);
}

export function serializeHead(document: Document | Message, comment: string): string {
  const elements = listHead(document).map((element) => `\n  ${element}`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${comment} -->
<${RULES[document.kind].root} xmlns="${SITEMAP}" xmlns:rs="${RESOURCESYNC}">${elements.join('')}`;
}

export function* serializeRows(document: Document | Message): Generator<string, void> {
  yield* joinPieces(listRows(document));
  yield `\n</${RULES[document.kind].root}>\n`;
}

/** The moment (`at`) or the interval (`from`, `until`) of a document or an entry (Appendix A). */
interface Times {
  readonly at?: Date;
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Metadata in the head of documents of all kinds (§7, Table 2). */
interface Head extends Times {
  readonly kind: Document['kind'] | Message['kind'];
  readonly describedby?: string | undefined;
  readonly up?: string;
  readonly index?: string | undefined;
  readonly archives?: string | undefined;
  readonly sums?: string | undefined;
  readonly listing?: string | undefined;
  readonly pages?: string | undefined;
}

function listHead(document: Document | Message): string[] {
  const { kind, describedby, up, index, archives, sums, listing, pages, ...head }: Head = document;
  return [
    ...linkTo('describedby', describedby),
    ...linkTo('up', up),
    ...linkTo('index', index),
    ...linkTo('archives', archives),
    ...linkTo('related', sums, 'text/plain'),
    ...linkTo(LISTING, listing),
    ...linkTo(PAGES_RELATION, pages, 'application/json'),
    // §7 demands a capability, which the examples of the draft on notifications lack.
    md({ capability: capabilityOf(kind), ...writeTimes(spanOf(document) ?? head) }),
  ];
}

/** Returns the interval of an index, which spans those of its parts; undefined for other documents. */
function spanOf(document: Document | Message): Times | undefined {
  if (document.kind !== 'change-list-index' && document.kind !== 'change-dump-index') return undefined;
  return { from: document.parts[0]?.from, until: document.parts.at(-1)?.until };
}

function writeTimes({ at, from, until }: Times): Attributes {
  return {
    at: at && formatDatetime(at),
    from: from && formatDatetime(from),
    until: until && formatDatetime(until),
  };
}

/** Lists the entries of a document as XML, each on a line of its own that begins with the line break. */
function listRows(document: Document | Message): Iterable<string> {
  switch (document.kind) {
    case 'source-description':
      return document.capabilityLists.map(({ uri, describedby }) =>
        entry('url', uri, md({ capability: 'capabilitylist' }), ...linkTo('describedby', describedby)),
      );
    case 'capability-list':
      return document.capabilities.map(({ uri, capability }) => entry('url', uri, md({ capability })));
    case 'resource-list':
      return mapLazily(document.resources, (resource) => serializeResource(resource));
    case 'change-list':
    case 'change-notification':
      return mapLazily(document.changes, (event) => serializeChange(event));
    case 'resource-dump':
    case 'change-dump':
      return mapLazily<PackageEntry & Times>(document.packages, ({ uri, length, hash, contents, ...times }) =>
        entry(
          'url',
          uri,
          md({ type: 'application/zip', length, hash, ...writeTimes(times) }),
          ...linkTo('contents', contents, 'application/xml'),
        ),
      );
    case 'resource-dump-manifest':
      return mapLazily(document.bitstreams, ({ resource, path }) => serializeResource(resource, path));
    case 'change-dump-manifest':
      return mapLazily(document.bitstreams, ({ event, path }) => serializeChange(event, path));
    case 'resource-list-archive':
    case 'resource-dump-archive':
    case 'change-list-archive':
    case 'change-dump-archive':
      return mapLazily<ArchivedSnapshot | ArchivedInterval>(document.entries, ({ uri, lastmod, ...times }) =>
        entry('url', uri, modifiedAt(lastmod), md(writeTimes(times))),
      );
    case 'framework-notification':
      return document.changes.map(({ uri, change, capability, index }) =>
        entry('url', uri, md({ change, capability }), ...linkTo('index', index)),
      );
    case 'resource-list-index':
    case 'resource-dump-index':
      return document.parts.map(({ uri }) => entry('sitemap', uri, md(writeTimes({ at: document.at }))));
    case 'change-list-index':
    case 'change-dump-index':
      return document.parts.map(({ uri, ...times }) => entry('sitemap', uri, md(writeTimes(times))));
    // The index of an archive: neither it nor its parts have a time.
    default:
      return document.parts.map(({ uri }) => entry('sitemap', uri));
  }
}

function* mapLazily<T>(entries: Iterable<T>, serialize: (entry: T) => string): Generator<string, void> {
  for (const item of entries) yield serialize(item);
}

/**
 * Writes the `<url>` element of a resource, after a line break (§10.1). @param path of its bytes in a package (§11.2)
 * @throws RangeError if a value holds a character that XML 1.0 cannot express
 */
export function serializeResource(resource: Resource, path?: string): string {
  const { uri, lastmod, changefreq, hash, length, type, links = [] } = resource;
  return entry(
    'url',
    uri,
    modifiedAt(lastmod),
    changefreq === undefined ? '' : `<changefreq>${changefreq}</changefreq>`,
    md({ hash, length, type, path }),
    ...links.map(serializeLink),
  );
}

/**
 * Writes the `<url>` element of a change (§12.1, §13.2). The moment of a creation or update is also its `<lastmod>`, as in the
 * standard's Examples 19 and 24: Destinations compare it with that of their copy.
 */
function serializeChange(event: ChangeEvent, path?: string): string {
  const { change, uri } = event;
  const datetime = formatDatetime(event.datetime);
  if (event.change === 'deleted') return entry('url', uri, md({ change, datetime, path }));
  const { representation, links = [] } = event;
  const { hash, length, type } = representation;
  return entry(
    'url',
    uri,
    modifiedAt(event.datetime),
    md({ change, datetime, hash, length, type, path }),
    ...links.map(serializeLink),
  );
}

function serializeLink(link: Link): string {
  const { rel, pri, href, hash, length, type, encoding, path } = link;
  const modified = link.modified && formatDatetime(link.modified);
  return ln({ rel, pri, href, modified, hash, length, type, encoding, path });
}
