/** From the document where an audit begins down to all that it leads to (§8–§13). */

import { SOURCE_DESCRIPTION } from '../paths/ours.js';
import { copyText } from '../source/detach.js';
import { readStart } from '../source/find.js';
import type { ListedChange } from '../source/listed.js';
import { isAbsent } from '../source/origin/origin.js';
import { CAPABILITIES, isChannel } from '../standard/document.js';
import { parseDatetime } from '../standard/model.js';
import type { Flag } from '../standard/rules/checks.js';
import { capabilityOf, type StandardKind } from '../standard/rules/kinds.js';
import { linksOf, textOf } from '../standard/rules/values.js';
import type { ReadDocument } from '../standard/xml/as-read.js';
import { compareFacts, withoutSilence } from './agreement/differences.js';
import { type AuditedSet, type ListedTable, startListed, startSet } from './agreement/set.js';
import { compareTimeMap } from './agreement/timemaps.js';
import { auditArchive, comparePast, startPast } from './archives.js';
import { auditCapability } from './capability.js';
import { flagAbsent, type Run, readDocument, URI_BYTES } from './read.js';

/** Begins at any document, and goes down. */
export async function auditFrom(run: Run, uri: string): Promise<void> {
  const found = await readDocument(run, { uri });
  if (found?.kind === undefined) return;
  const { read, kind } = found;
  if (uri.endsWith(`/${SOURCE_DESCRIPTION}`) && !kind.startsWith('source-description')) {
    const said = { found: textOf(read.head, 'capability'), expected: 'description' };
    run.flag('document-of-other-kind', { document: uri, line: read.head.md?.line, ...said });
  }
  switch (kind) {
    case 'source-description':
    case 'source-description-index':
      if (new URL(uri).pathname !== `/${SOURCE_DESCRIPTION}`) {
        run.flag('description-not-well-known', {
          document: uri,
          expected: new URL(`/${SOURCE_DESCRIPTION}`, uri).href,
        });
      }
      return auditDescription(run, uri, read, kind);
    case 'capability-list':
      return auditSet(run, uri, read);
    default: {
      // A document that leads nowhere up: it is all there is.
      const set = startSet();
      await auditCapability(run, set, { uri, up: undefined, read, kind });
      await finishSet(run, set);
    }
  }
}

async function auditDescription(
  run: Run,
  document: string,
  read: ReadDocument,
  kind: StandardKind,
): Promise<void> {
  noteLinks(run, document, read);
  for (const entry of read.entries) {
    const { loc, line } = entry;
    const found = textOf(entry, 'capability');
    if (kind === 'source-description' && found !== undefined && found !== 'capabilitylist') {
      run.flag('capability-undefined', { document, line, entry: loc, found });
    }
    if (loc === undefined) continue;
    const uri = copyText(loc);
    if (run.origin.isApart(uri)) {
      const reason = 'not in this folder: another build describes it';
      run.flag('not-checked', { document, line, entry: uri, found: reason });
      continue;
    }
    if (kind === 'source-description-index') {
      const part = await readDocument(run, { uri, expected: 'source-description', index: document });
      if (part?.kind === 'source-description') await auditDescription(run, uri, part.read, part.kind);
    } else {
      const list = await readDocument(run, { uri, expected: 'capability-list', up: document });
      if (list?.kind === 'capability-list') await auditSet(run, uri, list.read);
    }
  }
}

/** What §8 and §9 want described by another document. */
function noteLinks(run: Run, document: string, { head, entries }: ReadDocument): void {
  for (const bearer of [head, ...entries]) {
    for (const expected of linksOf(bearer, 'describedby')) {
      run.bounds.keep(URI_BYTES + expected.length);
      run.links.push({ document, line: bearer.links[0]?.line, expected: copyText(expected) });
    }
  }
}

export async function checkLinks({ links, timeMaps, origin, flag }: Run): Promise<void> {
  const seen = new Set<string>();
  for (const { expected: entry = '', ...place } of links) {
    // A place in a document is looked for by its readers.
    const uri = entry.replace(/#.*$/s, '');
    if (seen.has(uri)) continue;
    seen.add(uri);
    const opened = await origin.open(uri);
    if (isAbsent(opened)) {
      flagAbsent(opened, 'link-broken', { ...place, entry }, flag);
      continue;
    }
    const told = timeMaps.get(entry) ?? [];
    // One change of a resource has nothing to contradict.
    const text = await readStart(opened.body, told.length < 2 ? 1 : MOST_TIMEMAP_BYTES);
    if (told.length < 2 || text === undefined || text.length >= MOST_TIMEMAP_BYTES) continue;
    compareTimeMap(uri, text, told, flag);
  }
}

/** Of a longer one, only the beginning would be known. */
const MOST_TIMEMAP_BYTES = 4 * 1024 * 1024;

/** One set of resources, from its Capability List (§9). */
async function auditSet(run: Run, document: string, read: ReadDocument): Promise<void> {
  noteLinks(run, document, read);
  const set = startSet();
  const archiveOf = (capability: StandardKind): string | undefined =>
    read.entries.find(
      (entry) => textOf(entry, 'capability') === capabilityOf(`${capability}-archive` as StandardKind),
    )?.loc;
  // Dumps are compared with the lists, so they come after them, wherever they stand.
  for (const capability of ['resource-list', 'change-list', 'resource-dump', 'change-dump'] as const) {
    for (const entry of read.entries) {
      if (entry.loc === undefined || textOf(entry, 'capability') !== capability.replace('-', '')) continue;
      const taker = capability === 'resource-list' ? set : undefined;
      const uri = copyText(entry.loc);
      const archives = archiveOf(capability) ?? false;
      const found = await readDocument(run, { uri, expected: capability, up: document, archives }, taker);
      if (found?.kind !== undefined)
        await auditCapability(run, set, { uri, up: document, read: found.read, kind: found.kind });
    }
  }
  await auditPast(run, set, { document, read });
  for (const entry of read.entries) {
    const capability = textOf(entry, 'capability');
    if (capability === undefined || CAPABILITIES.some((name) => name === capability)) continue;
    // There is nothing to read: it tells of news while one listens (Notification 0.8, §3).
    if (isChannel(capability)) continue;
    run.flag('capability-undefined', { document, line: entry.line, entry: entry.loc, found: capability });
  }
  await finishSet(run, set);
}

/** The archives of a set, which are compared with its lists. */
async function auditPast(
  run: Run,
  set: AuditedSet,
  { document: up, read }: { readonly document: string; readonly read: ReadDocument },
): Promise<void> {
  const past = startPast();
  for (const expected of ARCHIVES) {
    for (const entry of read.entries) {
      if (entry.loc === undefined || textOf(entry, 'capability') !== capabilityOf(expected)) continue;
      const uri = copyText(entry.loc);
      const found = await readDocument(run, { uri, expected, up, archives: false });
      if (found?.kind !== undefined)
        await auditArchive(run, past, { uri, up, read: found.read, kind: found.kind });
    }
  }
  comparePast(run, past, set);
}

const ARCHIVES = [
  'resource-list-archive',
  'change-list-archive',
  'resource-dump-archive',
  'change-dump-archive',
] as const;

async function finishSet(run: Run, set: AuditedSet): Promise<void> {
  compareListWithChanges(set, run.flag);
  const { present, deleted } = deriveExpected(set);
  if (run.page !== undefined) run.page.isCovered ||= present.has(run.page.uri);
  const kept = run.listed.add(present, set.digests);
  // Of a sample, the rest of the set is forgotten: a Source of many sets takes the room of one.
  if (kept < present.size) run.bounds.keep(Math.floor((kept / present.size - 1) * set.kept));
  for (const { uri: entry, document, line, datetime: found } of deleted) {
    run.deleted.push({ document, line, entry, found });
  }
}

/** Change List against Resource List: the newest change of a URI that the list has to know, and its entry there. */
function compareListWithChanges({ resources, at, changes }: AuditedSet, flag: Flag): void {
  if (resources === undefined || changes === undefined || at === undefined) return;
  const newest = new Map<string, ListedChange>();
  for (const event of changes.events) newest.set(event.uri, event);
  for (const event of newest.values()) {
    // §7: the list holds all changes up to `at`; of a later one, or one without a time, it need not know.
    if (event.time === undefined || event.time > at.time) continue;
    const { uri: entry, document, line } = event;
    const listed = resources.get(entry);
    if (event.change === 'deleted') {
      if (listed !== undefined)
        flag('deleted-but-listed', { document, line, entry, expected: `not in ${listed.document}` });
    } else if (listed === undefined) flag('changed-but-not-listed', { document, line, entry });
    else {
      // §12.1: a change need not say anything of the representation, nor be the time of its last modification.
      const difference = compareFacts(...withoutSilence(event, listed));
      if (difference?.contradiction === true) {
        const { found, expected } = difference;
        flag('change-differs-from-list', { document, line, entry, found, expected });
      }
    }
  }
  const { from } = changes.interval;
  if (from === undefined) return;
  for (const { uri: entry, document, line, lastmod } of resources.values()) {
    const time = lastmod === undefined ? undefined : parseDatetime(lastmod);
    if (time === undefined || time <= from || newest.has(entry)) continue;
    if (changes.interval.until !== undefined && time > changes.interval.until) continue;
    flag('lastmod-without-change', { document, line, entry, found: `lastmod ${lastmod}` });
  }
}

/**
 * What there should be now: the Resource List, and the changes after it (§5.2); and what is gone by now. Uses the
 * Resource List up, which may be large.
 */
function deriveExpected({ resources, at, changes }: AuditedSet): {
  present: ListedTable;
  /** The last change of each URI that is gone. */
  deleted: ListedChange[];
} {
  const present = resources ?? startListed();
  const deleted = new Map<string, ListedChange>();
  for (const event of changes?.events ?? []) {
    const { uri, change, datetime, time } = event;
    if (change === 'deleted') deleted.set(uri, event);
    else deleted.delete(uri);
    if (resources !== undefined && (time === undefined || at === undefined || time <= at.time)) continue;
    if (change === 'deleted') present.delete(uri);
    else if (change !== undefined) present.set(uri, { ...event, lastmod: datetime });
  }
  return { present, deleted: [...deleted.values()].filter(({ uri }) => !present.has(uri)) };
}
