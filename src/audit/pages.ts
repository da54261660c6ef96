/** Reads the `pages.json` of a Source, and compares it with the lists and the sitemap. */

import { formatDatetime } from '../base/datetime.js';
import { type Address, addressOf } from '../paths/address.js';
import { collectBytes } from '../source/document.js';
import { isAbsent } from '../source/origin/origin.js';
import { PAGES_RELATION } from '../standard/namespaces.js';
import { PAGES_BYTES, parsePages, type SitePage } from '../standard/pages.js';
import type { Finding } from '../standard/rules/checks.js';
import { linksOf } from '../standard/rules/values.js';
import type { ReadDocument } from '../standard/xml/as-read.js';
import type { AuditedSet, ListedTable } from './agreement/set.js';
import { isDatedOtherwise, type PageMoments, wordMoments } from './page-dates.js';
import type { AuditedPages, Picture, Problem, Run } from './picture.js';
import { flagAbsent, URI_BYTES } from './read.js';

/** Reads the `pages.json` that a Source Description names; undefined if it names none, or one that cannot be read. */
export async function readPagesOf(run: Run, { head }: ReadDocument): Promise<AuditedPages | undefined> {
  const [document] = linksOf(head, PAGES_RELATION);
  if (document === undefined) return undefined;
  const opened = await run.origin.open(document);
  if (isAbsent(opened)) {
    flagAbsent(opened, 'pages-unreadable', { document }, run);
    return undefined;
  }
  const { bytes, broken } = await collectBytes(opened.body, PAGES_BYTES + 1);
  const base = new URL('..', document).href;
  const isLonger = bytes.length > PAGES_BYTES;
  const found = broken?.found ?? (isLonger ? TOO_LARGE : parsePages(bytes.toString(), base));
  if (typeof found === 'string') {
    run.flag('pages-unreadable', { document, found });
    return undefined;
  }
  run.bounds.keep(bytes.length + URI_BYTES * found.pages.length);
  const pages = new Map(found.pages.map((page) => [addressOf(page.url), { page }]));
  return { uri: document, base, rule: found.rule, at: found.at, pages, moments: new Set() };
}

const TOO_LARGE = `it has more than ${PAGES_BYTES} bytes`;

/**
 * Notes which pages of `pages.json` a set lists, and whether its Change List agrees with their dates. If several sets list a
 * page, one that agrees is enough.
 *
 * @param present the resources of the set that should exist
 * @param moments of changes of pages in its Change List
 */
export function notePages(
  { pages: known }: Picture,
  { at, changes }: AuditedSet,
  present: ListedTable,
  moments: ReadonlyMap<Address, PageMoments>,
): void {
  if (known === undefined) return;
  if (at !== undefined) known.moments.add(at.time.getTime());
  const from = changes?.interval.from;
  for (const [address, one] of known.pages) {
    if (!present.has(address)) continue;
    const wrong = from && findWrongDate(one.page, moments.get(address), from);
    if (wrong === undefined) one.verdict = 'true';
    else one.verdict ??= wrong;
  }
}

type Said = Pick<Finding, 'found' | 'expected'>;

/** Finds a date in `pages.json` that a Change List contradicts. @param from begin of the list; earlier changes are unknown */
function findWrongDate(
  { created, changed }: SitePage,
  moments: PageMoments | undefined,
  from: Date,
): Said | undefined {
  const begun = moments?.created;
  if (begun === undefined ? created !== undefined && created > from : created?.getTime() !== begun) {
    const expected = begun === undefined ? `none after ${formatDatetime(from)}` : formatMoment(begun);
    return { found: wordDate('created', created), expected };
  }
  if (changed === undefined || changed <= from || moments?.changed.includes(changed.getTime()) === true)
    return undefined;
  return { found: wordDate('changed', changed), expected: wordMoments(moments, from) };
}

const formatMoment = (time: number) => formatDatetime(new Date(time));
const wordDate = (name: string, date: Date | undefined) =>
  `${name} ${date === undefined ? 'not said' : formatDatetime(date)}`;

export function* checkPages(picture: Picture): Generator<Problem> {
  const { documents, hasList, sitemap, pages: known } = picture;
  // A list that cannot be read may name any of the pages, or date their changes.
  if (known === undefined || [...documents.values()].some(({ kind }) => kind === undefined)) return;
  const { uri: document, at, pages } = known;
  if (trustedPages(picture) === undefined) {
    const expected = `at ${[...known.moments].map(formatMoment).join(' or ')}, as the Resource Lists`;
    yield ['pages-of-other-publication', { document, found: `at ${formatDatetime(at)}`, expected }];
    return;
  }
  for (const [address, { page, verdict }] of pages) {
    const place = { document, entry: page.url };
    const wrong = findImpossible(page, at) ?? (verdict === 'true' ? undefined : verdict);
    if (verdict === undefined && hasList) yield ['pages-entry-unlisted', place];
    else if (wrong !== undefined) yield ['pages-date-wrong', { ...place, ...wrong }];
    const dated = sitemap?.pages.get(address);
    const date = page.changed ?? page.created;
    // A date that the Change List contradicts is reported already.
    if (dated === undefined || date === undefined || typeof dated.verdict === 'object') continue;
    if (!isDatedOtherwise(dated.said, date)) continue;
    const said = { found: `lastmod ${dated.said}`, expected: formatDatetime(date) };
    yield ['sitemap-date-differs', { document: dated.document, entry: page.url, ...said }];
  }
}

/** Returns `pages.json` if it is of the same publication as the lists; one of another publication is not compared. */
export function trustedPages({ pages }: Picture): AuditedPages | undefined {
  const isOther = pages !== undefined && pages.moments.size > 0 && !pages.moments.has(pages.at.getTime());
  return isOther ? undefined : pages;
}

function findImpossible({ created, changed }: SitePage, at: Date): Said | undefined {
  const last = changed ?? created;
  if (last !== undefined && last > at)
    return { found: formatDatetime(last), expected: `not after ${formatDatetime(at)}` };
  if (created === undefined || changed === undefined || created <= changed) return undefined;
  return {
    found: wordDate('changed', changed),
    expected: `not before it was ${wordDate('created', created)}`,
  };
}
