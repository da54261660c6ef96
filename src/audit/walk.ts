/** From the document where an audit begins down to all that it leads to (§8–§13). */

import { parseDatetime } from '../base/datetime.js';
import { SOURCE_DESCRIPTION } from '../paths/ours.js';
import { readStart } from '../source/document.js';
import { copyText, type ListedChange } from '../source/listed.js';
import { isAbsent } from '../source/origin/origin.js';
import { CAPABILITIES, isChannel } from '../standard/document.js';
import type { Flag } from '../standard/rules/checks.js';
import { capabilityOf, type StandardKind } from '../standard/rules/kinds.js';
import { findSums, linksOf, textOf } from '../standard/rules/values.js';
import type { ReadDocument } from '../standard/xml/as-read.js';
import { compareFacts, withoutSilence } from './agreement/differences.js';
import { type AuditedSet, type ListedTable, startListed, startSet } from './agreement/set.js';
import { compareTimeMap } from './agreement/versions.js';
import { auditArchive, comparePast, startPast } from './archives.js';
import { auditCapability } from './capability.js';
import { notePages, readPagesOf } from './pages.js';
import {
  auditDocument,
  type FoundDocument,
  flagAbsent,
  flagNested,
  isKnown,
  type Run,
  URI_BYTES,
} from './read.js';
import { checkSitemapDates, listPageMoments } from './sitemap.js';

/** Begins at any document, and goes down. */
export async function auditFrom(run: Run, uri: string): Promise<void> {
  const found = await auditDocument(run, { uri });
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
      return auditDescription(run, found);
    case 'capability-list':
      return auditSet(run, found);
    default: {
      // A document that leads nowhere up: it is all there is.
      const set = startSet();
      await auditCapability(run, set, found);
      finishSet(run, set);
    }
  }
}

async function auditDescription(
  run: Run,
  { uri: document, read, kind }: FoundDocument,
  depth = 0,
): Promise<void> {
  noteLinks(run, document, read);
  run.pages ??= await readPagesOf(run, read);
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
    const below = await auditDocument(
      run,
      kind === 'source-description-index'
        ? { uri, expected: 'source-description', index: document }
        : { uri, expected: 'capability-list', up: document },
    );
    if (!isKnown(below)) continue;
    if (kind === 'source-description-index') {
      const isList = below.kind === 'source-description';
      if (isList || flagNested(run, document, entry, depth)) await auditDescription(run, below, depth + 1);
    } else if (below.kind === 'capability-list') await auditSet(run, below);
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

export async function checkLinks(run: Run): Promise<void> {
  const { links, timeMaps, origin, flag } = run;
  const seen = new Set<string>();
  for (const { expected: entry = '', ...place } of links) {
    // A place in a document is looked for by its readers.
    const uri = entry.replace(/#.*$/s, '');
    if (seen.has(uri)) continue;
    seen.add(uri);
    const opened = await origin.open(uri);
    if (isAbsent(opened)) {
      flagAbsent(opened, 'link-broken', { ...place, entry }, run);
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

/** Dumps are compared with the lists, so they come after them, wherever they stand. */
const LISTS = ['resource-list', 'change-list', 'resource-dump', 'change-dump'] as const;

/** One set of resources, from its Capability List (§9). */
async function auditSet(run: Run, { uri: up, read }: FoundDocument): Promise<void> {
  noteLinks(run, up, read);
  const sums = findSums(read.head);
  run.sums.set(up, sums === undefined ? undefined : copyText(sums));
  const [set, past] = [startSet(), startPast()];
  const listOffered = (kind: StandardKind) =>
    read.entries.filter((entry) => textOf(entry, 'capability') === capabilityOf(kind));
  for (const expected of LISTS) {
    const archives = listOffered(`${expected}-archive`)[0]?.loc ?? false;
    for (const { loc } of listOffered(expected)) {
      if (loc === undefined) continue;
      const taker = expected === 'resource-list' ? set : undefined;
      const found = await auditDocument(run, { uri: copyText(loc), expected, up, archives }, taker);
      if (isKnown(found)) await auditCapability(run, set, found);
    }
  }
  for (const kind of LISTS) {
    const expected = `${kind}-archive` as const;
    for (const { loc } of listOffered(expected)) {
      if (loc === undefined) continue;
      const found = await auditDocument(run, { uri: copyText(loc), expected, up, archives: false });
      if (isKnown(found)) await auditArchive(run, past, found);
    }
  }
  comparePast(run, past, set);
  let hasKnown = false;
  for (const entry of read.entries) {
    const found = textOf(entry, 'capability');
    // In a channel there is nothing to read: it tells of news while one listens (Notification 0.8, §3).
    const isDefined = CAPABILITIES.some((name) => name === found) || isChannel(found);
    hasKnown ||= isDefined;
    if (found === undefined || isDefined) continue;
    run.flag('capability-undefined', { document: up, line: entry.line, entry: entry.loc, found });
  }
  if (!hasKnown) run.flag('list-missing', { document: up });
  finishSet(run, set);
}

function finishSet(run: Run, set: AuditedSet): void {
  compareListWithChanges(set, run.flag);
  const moments = listPageMoments(run, set);
  checkSitemapDates(run, set, moments);
  const { present, deleted } = deriveExpected(set);
  notePages(run, set, { present, moments });
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
      if (difference?.contradiction === true)
        flag('change-differs-from-list', { document, line, entry, ...difference });
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
