/** Checks one document by itself, and each of its entries (§7–§14, Appendix A). Pure. */

import { isAbsoluteUri, isUrl } from '../../base/url.js';
import { sameAddress } from '../../paths/address.js';
import { URL_LENGTH_LIMIT } from '../../paths/urls.js';
import { isChannel } from '../../standard/capabilities.js';
import { CHANGE_FREQUENCIES, isSafePath } from '../../standard/model.js';
import { RESOURCESYNC, SCHEMA_INSTANCE, SITEMAP } from '../../standard/namespaces.js';
import type { Flag, FlagHere } from '../../standard/rules/checks.js';
import {
  capabilityOf,
  type KindRule,
  kindOfDocument,
  RULES,
  type StandardKind,
} from '../../standard/rules/kinds.js';
import { mayList } from '../../standard/rules/skipped.js';
import { lineOfLink, linksOf, placeOfEntry, timeOf } from '../../standard/rules/values.js';
import type {
  AttributeName,
  Oddity,
  ReadDocument,
  ReadElement,
  ReadEntry,
  ReadHead,
} from '../../standard/xml/as-read.js';
import { readLastmod } from '../listed.js';
import { checkFacts, checkPlaced } from './facts.js';
import { checkLink } from './links.js';
import { checkTogether } from './order.js';
import { checkTime, checkTimes, TIMES } from './times.js';

/** Reports all that is wrong with one document, and returns its kind. */
export function checkDocument(
  read: ReadDocument,
  context: DocumentContext,
  report: Flag,
): StandardKind | undefined {
  const flag: FlagHere = (code, finding = {}, count = 1) =>
    report(code, { document: context.uri, ...finding }, count);
  for (const oddity of read.oddities) checkOddity(oddity, flag);
  const kind = checkKind(read, context, flag);
  if (kind === undefined) return undefined;
  const known = toKnown(kind, read.head, context);
  checkHead(read.head, known, flag);
  for (const entry of read.entries) checkEntry(entry, known, flag);
  checkTogether(read, kind, flag);
  return kind;
}

/** Creates a check for entries that are taken out of a Resource List while it is parsed. @param head of the document */
export function createEntryCheck(
  head: ReadHead,
  context: DocumentContext,
  report: Flag,
): (entry: ReadEntry) => void {
  const known = toKnown('resource-list', head, context);
  const flag: FlagHere = (code, finding = {}) => report(code, { document: context.uri, ...finding });
  return (entry) => checkEntry(entry, known, flag);
}

function toKnown(kind: StandardKind, head: ReadHead, context: DocumentContext): DocumentOfKind {
  const snapshotEnd = timeOf(head, 'completed') ?? timeOf(head, 'at');
  const rule = RULES[kind];
  const entryAttributes = [...ENTRY_FACTS, ...TIMES, ...rule.facts];
  return { kind, rule, entryAttributes, context, host: hostOf(context.uri), snapshotEnd };
}

/** Returns the kind of a document; undefined, with a finding, if the standard does not define it, or another kind was expected. */
function checkKind(
  read: ReadDocument,
  { expected }: DocumentContext,
  flag: FlagHere,
): StandardKind | undefined {
  const capability = read.head.md?.attributes.capability;
  const kind = kindOfDocument(read);
  if (capability === undefined) {
    // By the draft on notifications, messages need no capability, and its examples have none.
    if (read.root === 'urlset' && isChannel(expected)) return expected;
    flag('capability-missing', { expected: expected && capabilityWanted(expected) });
    return undefined;
  }
  if (kind === undefined) {
    const other = read.root === 'sitemapindex' ? kindOfDocument({ ...read, root: 'urlset' }) : undefined;
    if (other === undefined) flag('capability-undefined', { found: capability });
    else flag('root-wrong', { found: 'sitemapindex', expected: 'urlset' });
    return undefined;
  }
  if (expected === undefined || expected === 'capability') return kind;
  const wanted = capabilityWanted(expected);
  if (wanted === capability) return kind;
  flag('document-of-other-kind', { found: capability, expected: wanted });
  return undefined;
}

function capabilityWanted(expected: StandardKind | 'capability'): string {
  return expected === 'capability' ? 'a capability' : capabilityOf(expected);
}

function checkOddity(oddity: Oddity, flag: FlagHere): void {
  const { what, name, namespace, line, parent, count } = oddity;
  if (namespace === SCHEMA_INSTANCE) return;
  const isExtension =
    namespace !== '' && namespace !== RESOURCESYNC && namespace !== SITEMAP && !mayList(oddity);
  const element = `<${name}> in <${parent}>`;
  switch (what) {
    case 'repeated':
      flag('element-repeated', { line, found: element }, count);
      break;
    case 'late':
      flag('element-late', { line, found: element });
      break;
    case 'relative':
      flag(parent === 'href' ? 'link-invalid' : 'loc-invalid', { line, found: name }, count);
      break;
    case 'text':
      flag('text-misplaced', { line, found: `<${name}>` }, count);
      break;
    case 'element':
      flag(isExtension ? 'extension' : 'element-undefined', { line, found: element }, count);
      break;
    case 'attribute':
      // An attribute without a prefix is not in the namespace of its element.
      flag(isExtension ? 'extension' : 'attribute-undefined', { line, found: `${parent}@${name}` }, count);
  }
}

function checkHead(head: ReadHead, { kind, rule, context }: DocumentOfKind, flag: FlagHere): void {
  checkTimes({ md: head.md, line: head.md?.line ?? 1 }, rule.head, context.now, flag);
  checkPlaced(head.md, ['capability', ...TIMES], flag);
  for (const link of head.links) checkLink(link, undefined, context.uri, flag);
  if (rule.up) checkUp(head, context, flag);
  if (rule.root === 'urlset') checkIndexLink(head, context, flag);
  checkArchivesLink(head, context, flag);
  if (kind === 'source-description' && linksOf(head, 'describedby').length === 0) flag('describedby-missing');
}

function checkUp(head: ReadHead, { up: expected }: DocumentContext, flag: FlagHere): void {
  const [found] = linksOf(head, 'up');
  if (found === undefined) flag('up-missing', { expected });
  else if (expected !== undefined && !sameAddress(found, expected)) {
    flag('up-wrong', { line: lineOfLink(head, 'up'), found, expected });
  }
}

function checkIndexLink(head: ReadHead, { index, expected }: DocumentContext, flag: FlagHere): void {
  const [found] = linksOf(head, 'index');
  if (found === undefined) {
    if (index !== undefined) flag('index-link-missing', { expected: index });
  } else if (expected !== undefined && (index === undefined || !sameAddress(found, index))) {
    const line = lineOfLink(head, 'index');
    flag('index-link-wrong', { line, found, expected: index ?? 'none: it is in no index' });
  }
}

/** Checks the link to the archive, which only a current list or dump, or its index, has. */
function checkArchivesLink(head: ReadHead, { archives }: DocumentContext, flag: FlagHere): void {
  const [found] = linksOf(head, 'archives');
  if (archives === undefined) return;
  if (found === undefined) {
    if (archives !== false) flag('archives-link-missing', { expected: archives });
  } else if (archives === false || !sameAddress(found, archives)) {
    const expected = archives === false ? 'none' : archives;
    flag('archives-link-wrong', { line: lineOfLink(head, 'archives'), found, expected });
  }
}

const ENTRY_FACTS: readonly AttributeName[] = ['encoding', 'hash', 'length', 'type'];

type Attributes = ReadElement['attributes'];

function checkEntry(entry: ReadEntry, known: DocumentOfKind, report: FlagHere): void {
  const { kind, rule, entryAttributes, context, host } = known;
  const { md, changefreq } = entry;
  const attributes = md?.attributes ?? {};
  const flag: FlagHere = (code, finding = {}) => report(code, placeOfEntry(entry, finding));
  // A channel needs a server that holds connections open, which is rarely that of the documents.
  checkLoc(entry.loc, isChannel(attributes.capability) ? undefined : host, flag);
  checkTime('lastmod', entry.lastmod, context.now, flag);
  if (changefreq !== undefined && !(CHANGE_FREQUENCIES as readonly string[]).includes(changefreq)) {
    flag('changefreq-invalid', { found: changefreq, expected: CHANGE_FREQUENCIES.join(', ') });
  }
  checkTimes(entry, rule.entry, context.now, flag);
  checkPlaced(md, entryAttributes, flag);
  checkFacts(attributes, flag);
  for (const link of entry.links) checkLink(link, kind, context.uri, flag);
  // §8: `<rs:md>` is optional in a Source Description, but must have a capability.
  if (rule.facts.includes('capability') && (kind === 'capability-list' || md !== undefined)) {
    if (attributes.capability === undefined) flag('entry-capability-missing');
  }
  if (rule.facts.includes('change')) checkChange(attributes, rule, context.now, flag);
  if (rule.facts.includes('path')) checkPath(attributes, flag);
  if (kind === 'resource-list') checkResource(entry, known, flag);
  if (kind === 'resource-dump' || kind === 'change-dump') checkPackage(attributes, flag);
}

/** Checks the address of an entry. @param expected host; undefined for any */
function checkLoc(loc: string | undefined, expected: string | undefined, flag: FlagHere): void {
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
  const found = hostOf(loc);
  if (expected !== undefined && found !== expected) flag('loc-off-host', { found, expected });
}

function hostOf(uri: string): string {
  return isUrl(uri) ? new URL(uri).host : '';
}

/** Checks the attributes of a change (§12.1, §13.2; Notification 0.8, §4, §5). */
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

/** Checks the path of a file in a package (§11.2, §13.2). */
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
  const time = readLastmod(lastmod);
  // §10.1: a listed resource is not newer than the end of the snapshot.
  if (time !== undefined && snapshotEnd !== undefined && time > snapshotEnd) {
    flag('lastmod-after-snapshot', { found: lastmod, expected: snapshotEnd.toISOString() });
  }
}

/** Checks the description of a package in a dump (§11.1, §13.1). */
function checkPackage(attributes: Attributes, flag: FlagHere): void {
  for (const name of ['type', 'length'] as const) {
    if (attributes[name] === undefined) flag('package-undescribed', { expected: name });
  }
  if (attributes.hash === undefined) flag('hash-missing');
}

export interface DocumentContext {
  readonly uri: string;
  /** Kind that the document above names; `capability` stands for any kind. */
  readonly expected?: StandardKind | 'capability' | undefined;
  /** URL that the `up` link must have, or undefined if no document above is known. */
  readonly up?: string | undefined;
  /** URL of the index of which the document is a part. */
  readonly index?: string | undefined;
  /** URL that the `archives` link must have; false if there must be no such link; undefined if unknown. */
  readonly archives?: string | false | undefined;
  readonly now: Date;
}

interface DocumentOfKind {
  readonly kind: StandardKind;
  readonly rule: KindRule;
  /** The attributes that the standard defines for entries of this kind of document. */
  readonly entryAttributes: readonly AttributeName[];
  readonly context: DocumentContext;
  readonly host: string;
  /** The end of the snapshot, if the document is one. */
  readonly snapshotEnd: Date | undefined;
}
