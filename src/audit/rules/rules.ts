/** What the standard demands of one document by itself (§7–§14, Appendix A). Pure. */

import { URL_LENGTH_LIMIT } from '../../paths/urls.js';
import {
  type AttributeName,
  kindOf,
  type Oddity,
  type ReadDocument,
  type ReadElement,
  type ReadEntry,
  type ReadHead,
} from '../../resourcesync/as-read.js';
import { CHANGE_FREQUENCIES, parseDatetime } from '../../resourcesync/model.js';
import type { CheckCode, Finding, Tell } from '../checks.js';
import { isRelationType } from './relations.js';

/** The kinds of document that an audit tells apart: all of the standard's. */
export type Kind = NonNullable<ReturnType<typeof kindOf>> | 'source-description-index';

/** What is known of a document before it is read. */
export interface DocumentContext {
  /** Its URL. */
  readonly uri: string;
  /** What a document above said that it is; undefined where nothing did. */
  readonly expected?: Kind | 'capability' | undefined;
  /** The URLs to which its `up` link has to lead; undefined where nothing above is known. */
  readonly up?: string | undefined;
  /** The index of which it is a part. */
  readonly index?: string | undefined;
  readonly now: Date;
}

/** The times that a kind of document has, in its head and in its entries (Appendix A, Table 4). */
type TimeRule = 'mandatory' | 'recommended' | 'optional' | 'forbidden';
interface KindRule {
  readonly root: ReadDocument['root'];
  readonly up: boolean;
  readonly head: { readonly at: TimeRule; readonly from: TimeRule };
  readonly entry: { readonly at: TimeRule; readonly from: TimeRule };
  /** What entries say besides times and what all may say. */
  readonly facts: readonly AttributeName[];
}

const NEITHER = { at: 'forbidden', from: 'forbidden' } as const;
const AT = { at: 'mandatory', from: 'forbidden' } as const;
const AT_OPTIONAL = { at: 'optional', from: 'forbidden' } as const;
const FROM = { at: 'forbidden', from: 'mandatory' } as const;
const FROM_RECOMMENDED = { at: 'forbidden', from: 'recommended' } as const;
const LIST = { root: 'urlset', up: true, facts: [] } as const;
const INDEX = { root: 'sitemapindex', up: true, facts: [] } as const;

const RULES: Readonly<Record<Kind, KindRule>> = {
  'source-description': { ...LIST, up: false, head: NEITHER, entry: NEITHER, facts: ['capability'] },
  'source-description-index': { ...INDEX, up: false, head: NEITHER, entry: NEITHER, facts: ['capability'] },
  'capability-list': { ...LIST, head: NEITHER, entry: NEITHER, facts: ['capability'] },
  'resource-list': { ...LIST, head: AT, entry: NEITHER },
  'resource-list-index': { ...INDEX, head: AT, entry: AT_OPTIONAL },
  'resource-dump': { ...LIST, head: AT, entry: AT_OPTIONAL },
  'resource-dump-index': { ...INDEX, head: AT, entry: AT_OPTIONAL },
  'resource-dump-manifest': { ...LIST, head: AT, entry: NEITHER, facts: ['path'] },
  'change-list': { ...LIST, head: FROM, entry: NEITHER, facts: ['change', 'datetime'] },
  'change-list-index': { ...INDEX, head: FROM, entry: FROM_RECOMMENDED },
  'change-dump': { ...LIST, head: FROM, entry: FROM_RECOMMENDED },
  'change-dump-index': { ...INDEX, head: FROM, entry: FROM_RECOMMENDED },
  'change-dump-manifest': { ...LIST, head: FROM, entry: NEITHER, facts: ['change', 'datetime', 'path'] },
};

const ENTRY_FACTS: readonly AttributeName[] = ['encoding', 'hash', 'length', 'type'];
const LINK_FACTS: readonly AttributeName[] = [
  'encoding',
  'hash',
  'href',
  'length',
  'modified',
  'pri',
  'rel',
  'type',
];
export const TIMES = ['at', 'completed', 'from', 'until'] as const;

/** Made once: there are very many entries. */
const ENTRY_ATTRIBUTES: ReadonlyMap<string, readonly AttributeName[]> = new Map(
  Object.entries(RULES).map(([kind, { facts }]) => [kind, [...ENTRY_FACTS, ...TIMES, ...facts]]),
);

const RESOURCESYNC = 'http://www.openarchives.org/rs/terms/';
const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const PATCH = 'http://www.openarchives.org/rs/terms/patch';
/** Hexadecimal digits. */
const DIGEST_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['md5', 32],
  ['sha-256', 64],
  ['sha-512', 128],
]);
/** The clock of a Source may be ahead of ours by so many milliseconds. */
const CLOCK_SKEW = 5 * 60_000;

/** Which kind a document says it is; undefined when the standard does not define it. */
export function kindOfDocument(read: Pick<ReadDocument, 'root' | 'head'>): Kind | undefined {
  const description = read.root === 'sitemapindex' && read.head.md?.attributes.capability === 'description';
  return description ? 'source-description-index' : kindOf(read);
}

/** What a `capability` stands for, as an index or not. */
export function capabilityOf(kind: Kind): string {
  return kind
    .replace(/-index$/, '')
    .replace(/^(?:source)-/, '')
    .replaceAll(/-(?!manifest)/g, '');
}

/** Finds all that is wrong with one document, and says which kind it is. */
export function checkDocument(read: ReadDocument, context: DocumentContext, tell: Tell): Kind | undefined {
  const say: Say = (code, finding = {}, count = 1) =>
    tell(code, { document: context.uri, ...finding }, count);
  for (const oddity of read.oddities) checkOddity(oddity, say);
  const capability = read.head.md?.attributes.capability;
  const kind = kindOfDocument(read);
  if (capability === undefined) {
    say('capability-missing', { expected: context.expected && capabilityWanted(context.expected) });
    return undefined;
  }
  if (kind === undefined) {
    const other = read.root === 'sitemapindex' ? kindOfDocument({ ...read, root: 'urlset' }) : undefined;
    if (other === undefined) say('capability-undefined', { found: capability });
    else say('root-wrong', { found: 'sitemapindex', expected: 'urlset' });
    return undefined;
  }
  if (context.expected !== undefined && context.expected !== 'capability') {
    const wanted = capabilityWanted(context.expected);
    if (wanted !== capability) {
      say('document-of-other-kind', { found: capability, expected: wanted });
      return undefined;
    }
  }
  const rule = RULES[kind];
  checkHead(read, rule, kind, context, say);
  const end = snapshotEndOf(read.head);
  for (const entry of read.entries) checkEntry(entry, rule, kind, context, end, say);
  checkTogether(read, kind, say);
  return kind;
}

function capabilityWanted(expected: Kind | 'capability'): string {
  return expected === 'capability' ? 'a capability' : capabilityOf(expected);
}

/**
 * Starts to check the entries of a Resource List one by one, by themselves; those that `checkDocument` is not given.
 *
 * @param head what stands before them
 */
export function startResourceChecks(
  head: ReadHead,
  context: DocumentContext,
  tell: Tell,
): (entry: ReadEntry) => void {
  const end = snapshotEndOf(head);
  const say: Say = (code, finding = {}) => tell(code, { document: context.uri, ...finding });
  return (entry) => checkEntry(entry, RULES['resource-list'], 'resource-list', context, end, say);
}

function snapshotEndOf(head: ReadHead): Date | undefined {
  return timeOf(head, 'completed') ?? timeOf(head, 'at');
}

type Say = (code: CheckCode, finding?: Omit<Finding, 'document'>, count?: number) => void;

function checkOddity({ what, name, namespace, line, parent, count }: Oddity, say: Say): void {
  const found =
    what === 'attribute' ? `${parent}@${name}` : what === 'text' ? name : `<${name}> in <${parent}>`;
  // `xsi:schemaLocation` and its like say where a schema is.
  if (namespace === 'http://www.w3.org/2001/XMLSchema-instance') return;
  const extension = namespace !== '' && namespace !== RESOURCESYNC && namespace !== SITEMAP;
  switch (what) {
    case 'repeated':
      say('element-repeated', { line, found }, count);
      break;
    case 'late':
      say('element-late', { line, found });
      break;
    case 'text':
      say('text-misplaced', { line, found: `<${name}>` }, count);
      break;
    case 'element':
      say(extension ? 'extension' : 'element-undefined', { line, found }, count);
      break;
    case 'attribute':
      // An attribute without a prefix is not in the namespace of its element.
      say(extension ? 'extension' : 'attribute-undefined', { line, found }, count);
  }
}

function checkHead(
  { head }: ReadDocument,
  rule: KindRule,
  kind: Kind,
  context: DocumentContext,
  say: Say,
): void {
  const line = head.md?.line ?? 1;
  checkTimes({ md: head.md, line }, rule.head, context.now, say);
  checkPlaced(head.md, ['capability', ...TIMES], say);
  for (const link of head.links) checkLink(link, undefined, context.uri, say);
  const up = linksOf(head, 'up');
  const [first] = up;
  if (rule.up && first === undefined) say('up-missing', { expected: context.up });
  if (rule.up && context.up !== undefined && first !== undefined && !sameUri(first, context.up)) {
    say('up-wrong', { line: lineOfLink(head, 'up'), found: first, expected: context.up });
  }
  if (rule.root === 'urlset') {
    const [index] = linksOf(head, 'index');
    if (index === undefined && context.index !== undefined)
      say('index-link-missing', { expected: context.index });
    if (index !== undefined && context.expected !== undefined && !sameUri(index, context.index ?? '')) {
      const expected = context.index ?? 'none: it is in no index';
      say('index-link-wrong', { line: lineOfLink(head, 'index'), found: index, expected });
    }
  }
  if (kind === 'source-description' && linksOf(head, 'describedby').length === 0) say('describedby-missing');
}

function checkEntry(
  entry: ReadEntry,
  rule: KindRule,
  kind: Kind,
  context: DocumentContext,
  snapshotEnd: Date | undefined,
  say: Say,
): void {
  const { loc, md } = entry;
  const attributes = md?.attributes ?? {};
  const tell: Say = (code, finding = {}) => say(code, placeOf(entry, finding));
  if (loc === undefined || loc === '') tell('loc-missing');
  else if (!isAbsoluteUri(loc)) tell('loc-invalid', { found: loc });
  else {
    if (loc.length >= URL_LENGTH_LIMIT) {
      tell('loc-too-long', { found: `${loc.length} characters`, expected: `fewer than ${URL_LENGTH_LIMIT}` });
    }
    if (hostOf(loc) !== hostOf(context.uri))
      tell('loc-off-host', { found: hostOf(loc), expected: hostOf(context.uri) });
  }
  checkTime('lastmod', entry.lastmod, context.now, tell);
  if (
    entry.changefreq !== undefined &&
    !(CHANGE_FREQUENCIES as readonly string[]).includes(entry.changefreq)
  ) {
    tell('changefreq-invalid', { found: entry.changefreq, expected: CHANGE_FREQUENCIES.join(', ') });
  }
  checkTimes(entry, rule.entry, context.now, tell);
  checkPlaced(md, ENTRY_ATTRIBUTES.get(kind) ?? [], tell);
  checkFacts(attributes, tell);
  for (const link of entry.links) checkLink(link, kind, context.uri, tell);
  const { capability, change, datetime, path } = attributes;
  if (rule.facts.includes('capability') && capability === undefined) {
    // §8: the element is optional in a Source Description, but not without this.
    if (kind === 'capability-list' || md !== undefined) tell('entry-capability-missing');
  }
  if (rule.facts.includes('change')) {
    if (change === undefined) tell('change-missing');
    else if (!/^(?:created|updated|deleted)$/.test(change)) {
      tell('change-invalid', { found: change, expected: 'created, updated, deleted' });
    }
    if (datetime === undefined) tell('datetime-missing');
    else checkTime('datetime', datetime, context.now, tell);
    if (change === 'deleted' && (attributes.hash ?? attributes.length) !== undefined)
      tell('change-of-deleted');
  }
  if (rule.facts.includes('path')) {
    if (path === undefined && change !== 'deleted') tell('path-missing');
    if (path !== undefined && change === 'deleted') tell('path-of-deleted', { found: path });
    if (path !== undefined && !isSafePath(path)) tell('path-invalid', { found: path });
  }
  if (kind === 'resource-list') {
    if (attributes.hash === undefined) tell('hash-missing');
    const lastmod = entry.lastmod === undefined ? undefined : parseDatetime(entry.lastmod);
    // §10.1: all that is in the list is as old as the snapshot, or changed while it was taken.
    if (lastmod !== undefined && snapshotEnd !== undefined && lastmod > snapshotEnd) {
      tell('lastmod-after-snapshot', { found: entry.lastmod, expected: snapshotEnd.toISOString() });
    }
  }
  if (kind === 'resource-dump' || kind === 'change-dump') {
    for (const name of ['type', 'length'] as const) {
      if (attributes[name] === undefined) tell('package-undescribed', { expected: name });
    }
    if (attributes.hash === undefined) tell('hash-missing');
  }
}

function checkFacts({ hash, length, type }: ReadElement['attributes'], say: Say): void {
  if (length !== undefined && !/^\d{1,15}$/.test(length)) say('length-invalid', { found: length });
  if (type !== undefined && !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/.test(type))
    say('type-invalid', { found: type });
  for (const token of hash?.split(/\s+/).filter(Boolean) ?? []) {
    const [, name = '', digest = ''] = /^([^:]*):(.*)$/.exec(token) ?? [];
    const expected = DIGEST_LENGTHS.get(name);
    if (name === '' || !/^(?:[\da-f]{2})+$/i.test(digest)) {
      say('hash-invalid', { found: token, expected: 'such as md5:, then hexadecimal digits' });
    } else if (expected === undefined) say('hash-unknown', { found: name });
    else if (digest.length !== expected) {
      say('hash-invalid', { found: `${name} of ${digest.length} digits`, expected: `${expected} digits` });
    }
  }
  if (hash !== undefined && hash.trim() === '') say('hash-invalid', { found: 'nothing' });
}

/** Attributes that the standard defines, but not there. */
function checkPlaced(md: ReadElement | undefined, allowed: readonly AttributeName[], say: Say): void {
  for (const name in md?.attributes) {
    if (!allowed.includes(name as AttributeName))
      say('attribute-misplaced', { line: md?.line, found: `rs:md@${name}` });
  }
}

interface Bearer {
  readonly md: ReadElement | undefined;
  readonly line: number;
}

/** Appendix A: which times there are. §7: their form and order. */
function checkTimes(bearer: Bearer, rule: KindRule['head'], now: Date, say: Say): void {
  const attributes = bearer.md?.attributes ?? {};
  const line = bearer.md?.line ?? bearer.line;
  for (const [begin, end] of [
    ['at', 'completed'],
    ['from', 'until'],
  ] as const) {
    const [since, to] = [attributes[begin], attributes[end]];
    switch (rule[begin]) {
      case 'forbidden':
        for (const name of [begin, end]) {
          if (attributes[name] !== undefined) say('time-misplaced', { line, found: name });
        }
        continue;
      case 'mandatory':
        if (since === undefined) say('time-missing', { line, expected: begin });
        break;
      case 'recommended':
        if (since === undefined) say('time-not-said-though-recommended', { line, expected: begin });
        break;
      case 'optional':
        if (since === undefined) say('time-not-said', { line, expected: begin });
    }
    const [first, last] = [checkTime(begin, since, now, say), checkTime(end, to, now, say)];
    if (first !== undefined && last !== undefined && last < first) {
      say('time-reversed', { line, found: `${end} ${to}`, expected: `not before ${begin}, ${since}` });
    }
  }
}

function checkTime(name: string, text: string | undefined, now: Date, say: Say): Date | undefined {
  if (text === undefined) return undefined;
  const time = parseDatetime(text);
  if (time === undefined)
    say('time-invalid', { found: `${name} ${text}`, expected: 'such as 2026-11-20T10:15:00Z' });
  else {
    if (!/T\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text)) say('time-incomplete', { found: `${name} ${text}` });
    if (time.getTime() > now.getTime() + CLOCK_SKEW) say('time-in-future', { found: `${name} ${text}` });
  }
  return time;
}

/** A link of a head, where `kind` is undefined, or of an entry (§7, §14). */
function checkLink(link: ReadElement, kind: Kind | undefined, base: string, say: Say): void {
  const { line, attributes } = link;
  const { rel, href, pri, modified } = attributes;
  const tell: Say = (code, finding) => say(code, { line, ...finding });
  for (const name of ['rel', 'href'] as const) {
    if (attributes[name] === undefined) tell('link-incomplete', { expected: name });
  }
  if (href !== undefined && !isAbsoluteUri(href)) {
    tell('link-invalid', {
      found: href,
      expected: URL.canParse(href, base) ? new URL(href, base).href : 'an absolute URI',
    });
  }
  if (rel !== undefined && !isRelationType(rel)) tell('relation-unknown', { found: rel });
  checkFacts(attributes, tell);
  const inManifest = kind === 'resource-dump-manifest' || kind === 'change-dump-manifest';
  for (const name in attributes) {
    const allowed = LINK_FACTS.includes(name as AttributeName) || (name === 'path' && inManifest);
    if (!allowed) tell('attribute-misplaced', { found: `rs:ln@${name}` });
  }
  if (attributes.path !== undefined && !isSafePath(attributes.path))
    tell('path-invalid', { found: attributes.path });
  if (pri !== undefined && !/^[1-9]\d{0,5}$/.test(pri))
    tell('priority-invalid', { found: pri, expected: '1 to 999999' });
  if (modified !== undefined && parseDatetime(modified) === undefined) {
    tell('time-invalid', { found: `modified ${modified}`, expected: 'such as 2026-11-20T10:15:00Z' });
  }
  if (rel === PATCH) {
    if (kind !== 'change-list' && kind !== 'change-dump-manifest') tell('patch-misplaced');
    if (attributes.type === undefined) tell('patch-without-type');
    if (kind === 'change-dump-manifest' && attributes.path === undefined) tell('patch-without-path');
  }
  if (rel === 'timegate') {
    const facts = Object.keys(attributes).filter((name) => name !== 'rel' && name !== 'href');
    if (facts.length > 0) tell('timegate-with-facts', { found: facts.join(', ') });
  }
}

/** What entries have to be to one another. */
function checkTogether({ head, entries }: ReadDocument, kind: Kind, say: Say): void {
  switch (kind) {
    case 'capability-list':
      checkRepeated(entries, (entry) => entry.md?.attributes.capability, 'capability-repeated', say);
      return;
    case 'resource-dump-manifest':
      checkRepeated(entries, (entry) => entry.md?.attributes.path, 'path-repeated', say);
      checkRepeated(entries, (entry) => entry.loc, 'entry-repeated', say);
      return;
    case 'change-list':
      checkChangeOrder(head, entries, say);
      return;
    case 'change-dump-manifest':
      checkRepeated(entries, (entry) => entry.md?.attributes.path, 'path-repeated', say);
      checkChangeOrder(head, entries, say);
      return;
    case 'resource-dump':
      checkRepeated(entries, (entry) => entry.loc, 'entry-repeated', say);
      checkFormats(entries, say);
      return;
    case 'change-dump':
      checkRepeated(entries, (entry) => entry.loc, 'entry-repeated', say);
      checkFormats(entries, say);
      checkIntervals(head, entries, 'packages-out-of-order', say);
      return;
    case 'change-list-index':
    case 'change-dump-index':
      checkRepeated(entries, (entry) => entry.loc, 'entry-repeated', say);
      checkIntervals(head, entries, 'parts-out-of-order', say);
      return;
    case 'resource-list-index':
    case 'resource-dump-index':
      checkRepeated(entries, (entry) => entry.loc, 'entry-repeated', say);
      for (const entry of entries) {
        const [whole, part] = [timeOf(head, 'at'), timeOf(entry, 'at')];
        // §7: what is in the whole is as of `at` or later.
        if (whole !== undefined && part !== undefined && part < whole) {
          say(
            'part-at-before-index',
            placeOf(entry, { found: textOf(entry, 'at'), expected: textOf(head, 'at') }),
          );
        }
      }
      return;
    case 'resource-list':
      // Whoever puts the parts of a list together sees what is repeated.
      return;
    case 'source-description':
    case 'source-description-index':
      checkRepeated(entries, (entry) => entry.loc, 'entry-repeated', say);
  }
}

function checkRepeated(
  entries: readonly ReadEntry[],
  keyOf: (entry: ReadEntry) => string | undefined,
  code: CheckCode,
  say: Say,
): void {
  const seen = new Set<string>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === undefined) continue;
    if (seen.has(key)) say(code, placeOf(entry, { found: key }));
    seen.add(key);
  }
}

/** §12.1, §13.2: forward chronological order; §7: within the interval. */
function checkChangeOrder(head: ReadHead, entries: readonly ReadEntry[], say: Say): void {
  const [from, until] = [timeOf(head, 'from'), timeOf(head, 'until')];
  let last: Date | undefined;
  let lastText: string | undefined;
  for (const entry of entries) {
    const datetime = timeOf(entry, 'datetime');
    if (datetime === undefined) continue;
    const found = textOf(entry, 'datetime');
    if (last !== undefined && datetime < last) {
      say('changes-out-of-order', placeOf(entry, { found, expected: `not before ${lastText}` }));
    }
    if (from !== undefined && datetime < from) {
      say('change-outside-interval', placeOf(entry, { found, expected: `from ${textOf(head, 'from')}` }));
    } else if (until !== undefined && datetime > until) {
      say('change-outside-interval', placeOf(entry, { found, expected: `until ${textOf(head, 'until')}` }));
    }
    [last, lastText] = [datetime, found];
  }
}

/** §12.2, §13.1: forward chronological order, and what the whole says of its interval. */
function checkIntervals(
  head: ReadHead,
  entries: readonly ReadEntry[],
  outOfOrder: 'packages-out-of-order' | 'parts-out-of-order',
  say: Say,
): void {
  const timed = entries.filter((entry) => timeOf(entry, 'from') !== undefined);
  for (const [index, entry] of timed.entries()) {
    const before = timed[index - 1];
    if (before === undefined) continue;
    const [from, end] = [timeOf(entry, 'from') as Date, timeOf(before, 'until')];
    const facts = { found: `from ${textOf(entry, 'from')}`, expected: `after ${textOf(before, 'until')}` };
    if (from < (timeOf(before, 'from') as Date)) {
      say(outOfOrder, placeOf(entry, { ...facts, expected: `after ${textOf(before, 'from')}` }));
    } else if (end === undefined) say('open-part-not-last', placeOf(before));
    else if (from > end) say('interval-gap', placeOf(entry, facts));
    else if (from < end) say('interval-overlap', placeOf(entry, facts));
  }
  const [first, last] = [timed[0], timed.at(-1)];
  if (first === undefined || last === undefined || timed.length < entries.length) return;
  const [from, until] = [timeOf(head, 'from'), timeOf(head, 'until')];
  const [begin, end] = [timeOf(first, 'from'), timeOf(last, 'until')];
  // What is promised for the whole has to be in the parts; an open whole may end before its last part is published.
  const late = from !== undefined && begin !== undefined && from < begin;
  const early = until !== undefined && (end === undefined || until > end);
  const before = from !== undefined && begin !== undefined && from > begin;
  if (late || before) {
    say('index-interval-differs', {
      line: head.md?.line,
      found: `from ${textOf(head, 'from')}`,
      expected: textOf(first, 'from'),
    });
  }
  if (early) {
    const expected = textOf(last, 'until') ?? 'none: the last part is open';
    say('index-interval-differs', { line: head.md?.line, found: `until ${textOf(head, 'until')}`, expected });
  }
}

/** §11.1, §13.1: packages of one format. */
function checkFormats(entries: readonly ReadEntry[], say: Say): void {
  const types = new Set(entries.flatMap((entry) => entry.md?.attributes.type ?? []));
  if (types.size > 1) say('packages-mixed', { found: [...types].join(', ') });
}

function placeOf(entry: ReadEntry, finding: Omit<Finding, 'document'> = {}): Omit<Finding, 'document'> {
  return { line: entry.line, ...(entry.loc !== undefined && { entry: entry.loc }), ...finding };
}

/** The value of an attribute of `<rs:md>`. */
export function textOf({ md }: ReadHead, name: AttributeName): string | undefined {
  return md?.attributes[name];
}

/** The moment that an attribute of `<rs:md>` tells; undefined where it is not there, or is none. */
export function timeOf(bearer: ReadHead, name: AttributeName): Date | undefined {
  const text = textOf(bearer, name);
  return text === undefined ? undefined : parseDatetime(text);
}

/** The targets of the links with a relation type. */
export function linksOf({ links }: ReadHead, rel: string): string[] {
  return links.flatMap(({ attributes }) =>
    attributes.rel?.split(/\s+/).includes(rel) === true && attributes.href !== undefined
      ? [attributes.href]
      : [],
  );
}

function lineOfLink({ links }: ReadHead, rel: string): number | undefined {
  return links.find(({ attributes }) => attributes.rel === rel)?.line;
}

function isAbsoluteUri(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]+$/i.test(text) && URL.canParse(text);
}

function hostOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).host : '';
}

/** Whether two URLs are one and the same after normalisation. */
export function sameUri(a: string, b: string): boolean {
  return a === b || (URL.canParse(a) && URL.canParse(b) && new URL(a).href === new URL(b).href);
}

/** §11.2, §13.2: below the package's root, with a leading slash; nothing that leaves the folder where it is unpacked. */
export function isSafePath(path: string): boolean {
  return (
    /^\/[^/\\]/.test(path) &&
    !/[\\\0]/.test(path) &&
    !path.split('/').some((part) => part === '..' || part === '.')
  );
}
