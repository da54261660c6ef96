/** What the standard demands of one entry (§7–§13). Pure. */

import { URL_LENGTH_LIMIT } from '../../paths/urls.js';
import { isChannel } from '../../standard/document.js';
import { CHANGE_FREQUENCIES, isAbsoluteUri, isSafePath, isUrl, parseDatetime } from '../../standard/model.js';
import type { FlagHere } from '../../standard/rules/checks.js';
import { type KindRule, RULES } from '../../standard/rules/kinds.js';
import { placeOfEntry } from '../../standard/rules/values.js';
import type { AttributeName, ReadElement, ReadEntry } from '../../standard/xml/as-read.js';
import type { DocumentOfKind } from './context.js';
import { checkFacts, checkPlaced } from './facts.js';
import { checkLink } from './links.js';
import { checkTime, checkTimes, TIMES } from './times.js';

const ENTRY_FACTS: readonly AttributeName[] = ['encoding', 'hash', 'length', 'type'];

/** Made once: there are very many entries. */
const ENTRY_ATTRIBUTES: ReadonlyMap<string, readonly AttributeName[]> = new Map(
  Object.entries(RULES).map(([kind, { facts }]) => [kind, [...ENTRY_FACTS, ...TIMES, ...facts]]),
);

type Attributes = ReadElement['attributes'];

/** @param report takes what is wrong with the document */
export function checkEntry(entry: ReadEntry, known: DocumentOfKind, report: FlagHere): void {
  const { kind, rule, context } = known;
  const { md, changefreq } = entry;
  const attributes = md?.attributes ?? {};
  const flag: FlagHere = (code, finding = {}) => report(code, placeOfEntry(entry, finding));
  // A channel is where connections can be held open, which is rarely where the documents are.
  if (!isPlainlyBelow(entry.loc, known.root))
    checkLoc(entry.loc, isChannel(attributes.capability) ? undefined : context.uri, flag);
  checkTime('lastmod', entry.lastmod, context.now, flag);
  if (changefreq !== undefined && !(CHANGE_FREQUENCIES as readonly string[]).includes(changefreq)) {
    flag('changefreq-invalid', { found: changefreq, expected: CHANGE_FREQUENCIES.join(', ') });
  }
  checkTimes(entry, rule.entry, context.now, flag);
  checkPlaced(md, ENTRY_ATTRIBUTES.get(kind) ?? [], flag);
  checkFacts(attributes, flag);
  for (const link of entry.links) checkLink(link, kind, context.uri, flag);
  // §8: the element is optional in a Source Description, but not without this.
  if (rule.facts.includes('capability') && (kind === 'capability-list' || md !== undefined)) {
    if (attributes.capability === undefined) flag('entry-capability-missing');
  }
  if (rule.facts.includes('change')) checkChange(attributes, rule, context.now, flag);
  if (rule.facts.includes('path')) checkPath(attributes, flag);
  if (kind === 'resource-list') checkResource(entry, known, flag);
  if (kind === 'resource-dump' || kind === 'change-dump') checkPackage(attributes, flag);
}

/** Whether a URL is right at a glance, as nearly all are. One on the host of its document can be on any. */
function isPlainlyBelow(loc: string | undefined, root: string | undefined): boolean {
  if (loc === undefined || root === undefined) return false;
  return loc.startsWith(root) && loc.length < URL_LENGTH_LIMIT && /^[\w:/.~%-]*$/.test(loc);
}

/** @param document on whose host it has to be; undefined where it may be on any */
function checkLoc(loc: string | undefined, document: string | undefined, flag: FlagHere): void {
  if (loc === undefined || loc === '') {
    flag('loc-missing');
    return;
  }
  if (!isAbsoluteUri(loc)) {
    flag('loc-invalid', { found: loc });
    return;
  }
  if (loc.length >= URL_LENGTH_LIMIT)
    flag('loc-too-long', { found: `${loc.length} characters`, expected: `fewer than ${URL_LENGTH_LIMIT}` });
  if (document === undefined) return;
  const [found, expected] = [hostOf(loc), hostOf(document)];
  if (found !== expected) flag('loc-off-host', { found, expected });
}

function hostOf(uri: string): string {
  return isUrl(uri) ? new URL(uri).host : '';
}

/** §12.1, §13.2; Notification 0.8, §4, §5. */
function checkChange(
  { change, datetime, hash, length }: Attributes,
  { facts }: KindRule,
  now: Date,
  flag: FlagHere,
): void {
  if (change === undefined) flag('change-missing');
  else if (!/^(?:created|updated|deleted)$/.test(change)) {
    flag('change-invalid', { found: change, expected: 'created, updated, deleted' });
  }
  if (datetime !== undefined) checkTime('datetime', datetime, now, flag);
  else if (facts.includes('datetime')) flag('datetime-missing');
  if (change === 'deleted' && (hash ?? length) !== undefined) flag('change-of-deleted');
}

/** §11.2, §13.2. */
function checkPath({ path, change }: Attributes, flag: FlagHere): void {
  if (path === undefined) {
    if (change !== 'deleted') flag('path-missing');
    return;
  }
  if (change === 'deleted') flag('path-of-deleted', { found: path });
  if (!isSafePath(path)) flag('path-invalid', { found: path });
}

function checkResource({ md, lastmod }: ReadEntry, { snapshotEnd }: DocumentOfKind, flag: FlagHere): void {
  if (md?.attributes.hash === undefined) flag('hash-missing');
  const time = lastmod === undefined ? undefined : parseDatetime(lastmod);
  // §10.1: all that is in the list is as old as the snapshot, or changed while it was taken.
  if (time !== undefined && snapshotEnd !== undefined && time > snapshotEnd) {
    flag('lastmod-after-snapshot', { found: lastmod, expected: snapshotEnd.toISOString() });
  }
}

/** §11.1, §13.1. */
function checkPackage(attributes: Attributes, flag: FlagHere): void {
  for (const name of ['type', 'length'] as const) {
    if (attributes[name] === undefined) flag('package-undescribed', { expected: name });
  }
  if (attributes.hash === undefined) flag('hash-missing');
}
