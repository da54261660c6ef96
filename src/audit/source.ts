/** Reads a Source, from the first document down to all that it leads to (§8–§13). */

import { addressOf } from '../paths/address.js';
import { SOURCE_DESCRIPTION } from '../paths/ours.js';
import type { Beginning } from '../source/find.js';
import { copyText, type ListedChange } from '../source/listed.js';
import { isDefinedCapability } from '../standard/capabilities.js';
import { capabilityOf, type StandardKind } from '../standard/rules/kinds.js';
import { findSums, linksOf, textOf } from '../standard/rules/values.js';
import type { ReadDocument } from '../standard/xml/as-read.js';
import { compareListWithChanges } from './agreement/lists.js';
import { type AuditedSet, createSet, createTable, type ListedTable, listEvents } from './agreement/set.js';
import { type ArchivedPast, auditArchive, comparePast, createPast } from './archives.js';
import { auditCapability } from './capability.js';
import { flagAll } from './findings.js';
import { noteDeletedBefore } from './gone.js';
import { listPageMoments } from './page-dates.js';
import { notePages, readPagesOf } from './pages.js';
import type { Reading } from './picture.js';
import { auditDocument, type FoundDocument, flagNested, isKnown, URI_BYTES } from './read.js';
import { noteSitemapDates, readSitemapBeside } from './sitemap.js';

/** Reads all documents of a Source, and checks each by itself, and each set of resources. */
export async function readSource(
  reading: Reading,
  { uri, page, from, others = [] }: Beginning,
): Promise<void> {
  reading.description = uri;
  reading.from = from;
  if (page !== undefined) reading.page = { uri: page, isCovered: false };
  reading.sitemap = await readSitemapBeside(reading.run, uri);
  for (const one of [uri, ...others]) await readFrom(reading, one);
}

/** Reads a document of any kind, and all documents that it leads to. */
async function readFrom(reading: Reading, uri: string): Promise<void> {
  const { run } = reading;
  const found = await auditDocument(reading, { uri });
  if (!isKnown(found)) return;
  const { read, kind } = found;
  if (uri.endsWith(`/${SOURCE_DESCRIPTION}`) && !kind.startsWith('source-description')) {
    const said = { found: textOf(read.head, 'capability'), expected: 'description' };
    run.flag('document-of-other-kind', { document: uri, line: read.head.md?.line, ...said });
  }
  switch (kind) {
    case 'source-description':
    case 'source-description-index':
      if (new URL(uri).pathname !== `/${SOURCE_DESCRIPTION}`) {
        const expected = new URL(`/${SOURCE_DESCRIPTION}`, uri).href;
        run.flag('description-not-well-known', { document: uri, expected });
      }
      return readDescription(reading, found);
    case 'capability-list':
      return readSet(reading, found);
    default: {
      // A list or dump without a Capability List above it is a set by itself.
      const set = createSet();
      await auditCapability(reading, set, found);
      finishSet(reading, set, createPast());
    }
  }
}

async function readDescription(
  reading: Reading,
  { uri: document, read, kind }: FoundDocument,
  depth = 0,
): Promise<void> {
  const { run } = reading;
  noteLinks(reading, document, read);
  reading.pages ??= await readPagesOf(run, read);
  for (const entry of read.entries) {
    const { loc, line } = entry;
    const found = textOf(entry, 'capability');
    if (kind === 'source-description' && found !== undefined && found !== 'capabilitylist') {
      run.flag('capability-undefined', { document, line, entry: loc, found });
    }
    if (loc === undefined) continue;
    const uri = copyText(loc);
    if (run.folder?.isApart(uri) === true) {
      const reason = 'not in this folder: another build describes it';
      run.flag('not-checked', { document, line, entry: uri, found: reason });
      continue;
    }
    const below = await auditDocument(
      reading,
      kind === 'source-description-index'
        ? { uri, expected: 'source-description', index: document }
        : { uri, expected: 'capability-list', up: document },
    );
    if (!isKnown(below)) continue;
    if (kind === 'source-description-index') {
      const isList = below.kind === 'source-description';
      if (isList || flagNested(run, document, entry, depth)) await readDescription(reading, below, depth + 1);
    } else if (below.kind === 'capability-list') await readSet(reading, below);
  }
}

/** Notes links to documents that describe a Source or a set (`describedby`, §8, §9). */
function noteLinks({ run, links }: Reading, document: string, { head, entries }: ReadDocument): void {
  for (const bearer of [head, ...entries]) {
    for (const expected of linksOf(bearer, 'describedby')) {
      run.bounds.keep(URI_BYTES + expected.length);
      links.push({ document, line: bearer.links[0]?.line, expected: copyText(expected) });
    }
  }
}

/** Kinds of lists and dumps in the order of reading: lists first, since dumps are compared with them. */
const LISTS = ['resource-list', 'change-list', 'resource-dump', 'change-dump'] as const;

/** Reads a set of resources from its Capability List (§9). */
async function readSet(reading: Reading, { uri: up, read }: FoundDocument): Promise<void> {
  const { run } = reading;
  noteLinks(reading, up, read);
  const sums = findSums(read.head);
  reading.sums.set(up, sums === undefined ? undefined : copyText(sums));
  const [set, past] = [createSet(), createPast()];
  const listOffered = (kind: StandardKind) =>
    read.entries.filter((entry) => textOf(entry, 'capability') === capabilityOf(kind));
  for (const expected of LISTS) {
    const archives = listOffered(`${expected}-archive`)[0]?.loc ?? false;
    for (const { loc } of listOffered(expected)) {
      if (loc === undefined) continue;
      const taker = expected === 'resource-list' ? set : undefined;
      const found = await auditDocument(reading, { uri: copyText(loc), expected, up, archives }, taker);
      if (isKnown(found)) await auditCapability(reading, set, found);
    }
  }
  for (const kind of LISTS) {
    const expected = `${kind}-archive` as const;
    for (const { loc } of listOffered(expected)) {
      if (loc === undefined) continue;
      const found = await auditDocument(reading, { uri: copyText(loc), expected, up, archives: false });
      if (isKnown(found)) await auditArchive(reading, past, found);
    }
  }
  flagAll(run.flag, comparePast(past, set));
  let hasKnown = false;
  for (const entry of read.entries) {
    const found = textOf(entry, 'capability');
    // A channel has nothing to read: it sends messages while a client is connected (Notification 0.8, §3).
    const isDefined = isDefinedCapability(found);
    hasKnown ||= isDefined;
    if (found === undefined || isDefined) continue;
    run.flag('capability-undefined', { document: up, line: entry.line, entry: entry.loc, found });
  }
  if (!hasKnown) run.flag('list-missing', { document: up });
  finishSet(reading, set, past);
}

/** Compares the lists of a set once all are read, and keeps its resources to compare their bytes later. */
function finishSet(reading: Reading, set: AuditedSet, past: ArchivedPast): void {
  const { run, page, listed } = reading;
  flagAll(run.flag, compareListWithChanges(set));
  const moments = listPageMoments(reading, set);
  noteSitemapDates(reading, set, moments);
  const { present, deleted } = deriveExpected(set);
  notePages(reading, set, present, moments);
  if (page !== undefined) page.isCovered ||= present.has(addressOf(page.uri));
  const kept = listed.add(present, set.digests, (uri) => run.folder?.noteListed(uri));
  // With a sample, the rest of the set is released, so that many sets take the memory of one.
  if (kept < present.size) run.bounds.keep(Math.floor((kept / present.size - 1) * set.kept));
  for (const { uri: entry, document, line, datetime: found } of deleted) {
    reading.deleted.push({ document, line, entry, found });
  }
  if (run.config.gone) noteDeletedBefore(reading, set.changes?.interval.from, past, present);
}

/**
 * Derives the resources that should exist, and those that are gone, from the Resource List and later changes (§5.2). Edits
 * the table of the Resource List, which may be too large to copy.
 */
function deriveExpected({ resources, at, changes }: AuditedSet): {
  present: ListedTable;
  /** The last change of each resource that is gone. */
  deleted: ListedChange[];
} {
  const present = resources ?? createTable();
  const deleted = new Map<string, ListedChange>();
  for (const event of listEvents({ changes })) {
    const { uri, change, datetime, time } = event;
    if (change === 'deleted') deleted.set(uri, event);
    else deleted.delete(uri);
    if (resources !== undefined && (time === undefined || at === undefined || time <= at.time)) continue;
    if (change === 'deleted') present.delete(uri);
    else if (change !== undefined) present.set(uri, { ...event, lastmod: datetime });
  }
  return { present, deleted: [...deleted.values()].filter(({ uri }) => !present.has(uri)) };
}
