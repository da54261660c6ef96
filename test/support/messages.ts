/** Reads back what channels send, as a Destination would: the product writes messages, and goes by the lists. */

import { DOCUMENT_CAPABILITIES } from '../../src/standard/capabilities.js';
import type { DocumentChange, Message } from '../../src/standard/document.js';
import { checkDocument, DocumentError } from '../../src/standard/make.js';
import type { ReadDocument, ReadEntry } from '../../src/standard/xml/as-read.js';
import { makeDocument } from '../../src/standard/xml/parse.js';

/**
 * Makes the strict value of a message, as `makeDocument` does of a document.
 *
 * @param kind of the channel that it came from: the examples of the draft do not say it themselves
 * @throws DocumentError
 */
export function makeMessage(read: ReadDocument, kind: Message['kind']): Message {
  const { root, head, entries } = read;
  const said = head.md?.attributes.capability;
  if (root !== 'urlset' || (said !== undefined && said !== kind))
    throw new DocumentError(`Notification §2: ${said ?? `a <${root}>`} on a channel of ${kind}`);
  if (kind === 'change-notification') {
    const { up, changes } = readChanges({ ...read, entries: entries.map(dateByLastmod) });
    return checkDocument({ kind: 'change-notification', up, changes });
  }
  const { up } = readChanges({ ...read, entries: [] });
  return checkDocument({ kind: 'framework-notification', up, changes: entries.map(makeNews) });
}

/** The entries of a message are those of a Change List. */
function readChanges(read: ReadDocument) {
  const md = { line: 1, attributes: { capability: 'changelist', from: '1970' } };
  const document = makeDocument({ ...read, head: { ...read.head, md } });
  if (document.kind !== 'change-list') throw new Error(document.kind);
  return document;
}

/** The examples of the draft say when something was changed in `<lastmod>` alone. */
function dateByLastmod(entry: ReadEntry): ReadEntry {
  const { md, lastmod: datetime } = entry;
  if (md === undefined || md.attributes.datetime !== undefined || datetime === undefined) return entry;
  return { ...entry, md: { ...md, attributes: { ...md.attributes, datetime } } };
}

function makeNews({ loc, links, md }: ReadEntry): DocumentChange {
  const index = links.find(({ attributes }) => attributes.rel === 'index')?.attributes.href;
  return {
    change: choose(['created', 'updated', 'deleted'], md?.attributes.change),
    capability: choose(
      [...DOCUMENT_CAPABILITIES, 'capabilitylist', 'description'],
      md?.attributes.capability,
    ),
    uri: loc ?? choose([], loc),
    index,
  };
}

function choose<T extends string>(values: readonly T[], said: string | undefined): T {
  const found = values.find((value) => value === said);
  if (found === undefined) throw new DocumentError(`§7: not a defined value: ${said}`);
  return found;
}
