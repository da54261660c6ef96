/** Refuses documents that break a rule of the standard. */

import type {
  ArchivedInterval,
  CapabilityList,
  ChangeDump,
  ChangeDumpManifest,
  ChangeNotification,
  Document,
  IntervalIndex,
  Message,
} from './document.js';
import { DOCUMENT_LIMITS } from './limits.js';

/** Thrown if a document would break a rule of the standard, which the message cites. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

/** Returns the document, or the message, if it keeps the rules. @throws DocumentError */
export function checkDocument<D extends Document | Message>(document: D): D {
  checkRules(document);
  return document;
}

function checkRules(document: Document | Message): void {
  switch (document.kind) {
    case 'source-description':
      requireEach(document.capabilityLists, '§8: one entry per Capability List');
      break;
    case 'capability-list':
      checkCapabilities(document);
      break;
    case 'resource-list':
      requireEntries(document.resources.length);
      break;
    case 'resource-list-index':
    case 'resource-dump-index':
      requireEach(document.parts, '§10.2: one entry per part');
      break;
    case 'change-list':
      requireEntries(document.changes.length);
      requireOrder(document.changes, document, '§12.1');
      break;
    case 'change-list-index':
    case 'change-dump-index':
      checkIntervals(document);
      break;
    case 'resource-dump':
      requireEach(document.packages, '§11.1: one entry per package');
      break;
    case 'resource-dump-manifest':
      requireEntries(document.bitstreams.length);
      requirePaths(document.bitstreams, '§11.2');
      break;
    case 'change-dump':
      checkChangeDump(document);
      break;
    case 'change-dump-manifest':
      checkChanges(document);
      break;
    case 'change-notification':
      checkNotification(document);
      break;
    case 'framework-notification':
      requireNews(document.changes);
      requireEach(document.changes, 'Notification §5: one entry per document');
      break;
    case 'resource-list-archive':
    case 'resource-dump-archive':
      requireArchived(document.entries.map(({ uri, at }) => ({ uri, from: at, until: at })));
      break;
    case 'change-list-archive':
    case 'change-dump-archive':
      requireArchived(document.entries);
      break;
    default:
      requireEach(document.parts, ARCHIVED_ONCE);
  }
}

/** Checks the rule of §9 for Capability Lists: "must only contain one entry per capability". */
function checkCapabilities({ capabilities }: CapabilityList): void {
  requireDistinct(
    capabilities.map(({ capability }) => capability),
    '§9: one entry per capability',
  );
}

function checkChangeDump(document: ChangeDump): void {
  requireEach(document.packages, '§13.1: one entry per package');
  const ends = document.packages.map(({ until }) => ({ datetime: until }));
  requireOrder(ends, document, '§13.1');
}

function checkNotification({ changes }: ChangeNotification): void {
  const { datetime } = requireNews(changes);
  requireEntries(changes.length);
  requireOrder(changes, { from: datetime, until: undefined }, 'Notification §4');
}

/** Checks the parts of an index of intervals: they follow one another, and only the last one may still be open. */
function checkIntervals({ parts }: IntervalIndex): void {
  requireEach(parts, '§12.2: one entry per part');
  for (const [index, { from }] of parts.entries()) {
    const before = parts[index - 1];
    if (before === undefined) continue;
    if (before.until === undefined) throw new DocumentError('§12.2: a part after an open part');
    if (from < before.until) throw new DocumentError('§12.2: parts stand in forward chronological order');
  }
}

function checkChanges(document: ChangeDumpManifest): void {
  const { bitstreams } = document;
  requireEntries(bitstreams.length);
  requirePaths(bitstreams, '§13.2');
  const events = bitstreams.map(({ event }) => event);
  requireOrder(events, document, '§13.2');
  // §13.2: "Except in the case of change="deleted", the element must also have a path attribute."
  const wrong = bitstreams.find(({ event, path }) => (event.change === 'deleted') !== (path === undefined));
  if (wrong !== undefined)
    throw new DocumentError(`§13.2: a deletion has no path, everything else has one; ${wrong.event.uri}`);
}

/** Requires that a message has a change, and returns the first. The draft on notifications: "If a Source wishes to notify". */
function requireNews<T>([first]: readonly T[]): T {
  if (first === undefined) throw new DocumentError('Notification §4, §5: a message has at least one change');
  return first;
}

const ARCHIVED_ONCE = 'Archives: one entry per document';

/** Requires that archived documents are named once, and oldest first. The times that they cover may overlap. */
function requireArchived(entries: readonly ArchivedInterval[]): void {
  requireEach(entries, ARCHIVED_ONCE);
  for (const [index, { from, until }] of entries.entries()) {
    const before = entries[index - 1];
    if (before !== undefined && from < before.from)
      throw new DocumentError('Archives: entries stand in forward chronological order');
    if (until < from) throw new DocumentError('§7: until is not before from');
  }
}

/** Requires that changes are in forward chronological order, and (§7) that none is before `from` or after `until`. */
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

/** Requires distinct paths, each "relative to root of the package and […] expressed with a leading slash". */
function requirePaths(bitstreams: readonly { readonly path: string | undefined }[], section: string): void {
  const paths = bitstreams.flatMap(({ path }) => path ?? []);
  requireDistinct(paths, `${section}: one bitstream per path`);
  const other = paths.find((path) => !path.startsWith('/'));
  if (other !== undefined) throw new DocumentError(`${section}: a path has a leading slash; ${other}`);
}

/** Requires distinct URIs, and no more entries than a document may have. */
function requireEach(entries: readonly { readonly uri: string }[], rule: string): void {
  const uris = entries.map(({ uri }) => uri);
  requireDistinct(uris, rule);
  requireEntries(uris.length);
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
