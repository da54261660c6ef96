/** Refuses documents that break a rule of the standard. */

import {
  type ChangeDumpManifest,
  countEntries,
  type Document,
  type Message,
  type ResourceDumpManifest,
} from './document.js';
import { DOCUMENT_LIMITS } from './limits.js';

export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

/** Returns the document, or the message, if it keeps the rules. @throws DocumentError */
export function checkDocument<D extends Document | Message>(document: D): D {
  const count = countEntries(document);
  if (count > DOCUMENT_LIMITS.entries)
    throw new DocumentError(
      `§7: at most ${DOCUMENT_LIMITS.entries} entries in a document; there are ${count}`,
    );
  // A message is sent "if a Source wishes to notify" of changes (Notification 0.8, §4, §5), so it has at least one.
  if (count === 0 && document.kind.endsWith('notification'))
    throw new DocumentError('Notification §4, §5: a message has at least one change');
  requireDistinct(document);
  requireOrder(document);
  if ('bitstreams' in document) for (const bitstream of document.bitstreams) requirePath(bitstream);
  return document;
}

/** Requires one entry for each capability, document, package and path. A resource may change several times. */
function requireDistinct(document: Document | Message): void {
  const [rule, values] = listDistinct(document);
  const seen = new Set<string>();
  for (const value of values) {
    if (seen.has(value)) throw new DocumentError(`${rule}; ${value} is there twice`);
    seen.add(value);
  }
}

function listDistinct(document: Document | Message): [rule: string, values: readonly string[]] {
  const urisOf = (entries: readonly { readonly uri: string }[]) => entries.map(({ uri }) => uri);
  if ('capabilityLists' in document)
    return ['§8: one entry per Capability List', urisOf(document.capabilityLists)];
  if ('capabilities' in document)
    return ['§9: one entry per capability', document.capabilities.map(({ capability }) => capability)];
  if ('parts' in document) return ['§10.2, §12.2: one entry per part', urisOf(document.parts)];
  if ('packages' in document) return ['§11.1, §13.1: one entry per package', urisOf(document.packages)];
  if ('bitstreams' in document) {
    const paths = document.bitstreams.flatMap(({ path }) => path ?? []);
    return ['§11.2, §13.2: one bitstream per path', paths];
  }
  if ('entries' in document) return ['Archives: one entry per document', urisOf(document.entries)];
  if (document.kind === 'framework-notification')
    return ['Notification §5: one entry per document', urisOf(document.changes)];
  return ['', []];
}

/** Requires entries in forward chronological order, none of them (§7) before `from` or after `until`. */
function requireOrder(document: Document | Message): void {
  let last = 'from' in document ? document.from : undefined;
  for (const [begin, end] of listTimes(document)) {
    if (last !== undefined && begin < last)
      throw new DocumentError('§12.1, §12.2: entries stand in forward chronological order');
    last = end;
  }
  if ('entries' in document && document.entries.some((one) => 'until' in one && one.until < one.from))
    throw new DocumentError('§7: until is not before from');
  const until = 'until' in document ? document.until : undefined;
  if (until !== undefined && last !== undefined && until < last)
    throw new DocumentError('§7: nothing is after until');
}

/** Lists when each entry begins, and when the next one may begin; none may follow the open part of an index. */
function listTimes(document: Document | Message): (readonly [begin: Date, next: Date])[] {
  switch (document.kind) {
    case 'change-list':
    case 'change-notification':
      return document.changes.map(({ datetime }) => [datetime, datetime]);
    case 'change-dump':
      return document.packages.map(({ until }) => [until, until]);
    case 'change-dump-manifest':
      return document.bitstreams.map(({ event: { datetime } }) => [datetime, datetime]);
    case 'change-list-index':
    case 'change-dump-index':
      return document.parts.map(({ from, until = NEVER }) => [from, until]);
    // The times that archived documents cover may overlap.
    case 'resource-list-archive':
    case 'resource-dump-archive':
      return document.entries.map(({ at }) => [at, at]);
    case 'change-list-archive':
    case 'change-dump-archive':
      return document.entries.map(({ from }) => [from, from]);
    default:
      return [];
  }
}

const NEVER = new Date(8.64e15);

type Bitstream = (ResourceDumpManifest | ChangeDumpManifest)['bitstreams'][number];

/** Requires a path "relative to root of the package and […] expressed with a leading slash"; §13.2: a deletion has none. */
function requirePath(bitstream: Bitstream): void {
  const { path } = bitstream;
  if (path !== undefined && !path.startsWith('/'))
    throw new DocumentError(`§11.2, §13.2: a path has a leading slash; ${path}`);
  if ('event' in bitstream && (bitstream.event.change === 'deleted') !== (path === undefined))
    throw new DocumentError(`§13.2: a deletion has no path, everything else has one; ${bitstream.event.uri}`);
}
