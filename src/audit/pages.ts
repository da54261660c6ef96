/** `pages.json` of a Source: whether it agrees with the lists, with the sitemap, and with the pages themselves. */

import { formatDatetime } from '../base/datetime.js';
import { PAGE_LIMIT } from '../files/page/page.js';
import { RULE, readRecord } from '../files/page/record.js';
import { addressOf } from '../paths/address.js';
import { collectBytes } from '../source/document.js';
import { type Absent, type Digested, isAbsent, type Take } from '../source/origin/origin.js';
import { PAGES_RELATION } from '../standard/namespaces.js';
import { PAGES_BYTES, parsePages, type SitePage } from '../standard/pages.js';
import type { Finding } from '../standard/rules/checks.js';
import { linksOf } from '../standard/rules/values.js';
import type { ReadDocument } from '../standard/xml/as-read.js';
import type { AuditedSet, ListedTable } from './agreement/set.js';
import { type AuditedPages, flagAbsent, type Run, URI_BYTES } from './read.js';
import { isDatedOtherwise, type PageMoments, readFileStart, wordMoments } from './sitemap.js';

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
 * Notes which pages a set lists, and what its Change List says of their dates. Of several sets that list a page, one that bears
 * its dates out is enough.
 *
 * @param present all that the set lists
 * @param moments of pages, as its Change List tells them
 */
export function notePages(
  { pages: known }: Run,
  { at, changes }: AuditedSet,
  { present, moments }: { readonly present: ListedTable; readonly moments: ReadonlyMap<string, PageMoments> },
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

/** @param from when the Change List begins: nothing is known of what happened before */
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

/**
 * Compares what `pages.json` says with the lists and the sitemap, once all sets are read.
 *
 * @returns whether it is of the publication that the lists describe: of another one, nothing else is to be compared
 */
export function checkPages({ documents, hasList, flag, sitemap }: Run, known: AuditedPages): boolean {
  const { uri: document, at, moments, pages } = known;
  // What cannot be read may list any of them, or say when they changed.
  if ([...documents.values()].some(({ kind }) => kind === undefined)) return true;
  if (moments.size > 0 && !moments.has(at.getTime())) {
    const expected = `at ${[...moments].map(formatMoment).join(' or ')}, as the Resource Lists`;
    flag('pages-of-other-publication', { document, found: `at ${formatDatetime(at)}`, expected });
    return false;
  }
  for (const [address, { page, verdict }] of pages) {
    const place = { document, entry: page.url };
    const wrong = findImpossible(page, at) ?? (verdict === 'true' ? undefined : verdict);
    if (verdict === undefined && hasList) flag('pages-entry-unlisted', place);
    else if (wrong !== undefined) flag('pages-date-wrong', { ...place, ...wrong });
    const dated = sitemap?.pages.get(address);
    const date = page.changed ?? page.created;
    // One that the Change List contradicts has been told.
    if (dated === undefined || date === undefined || typeof dated.verdict === 'object') continue;
    if (!isDatedOtherwise(dated.said, date)) continue;
    const said = { found: `lastmod ${dated.said}`, expected: formatDatetime(date) };
    flag('sitemap-date-differs', { document: dated.document, entry: page.url, ...said });
  }
  return true;
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

/** A page of which bytes come; those past `PAGE_LIMIT` are counted only. */
interface ComingPage {
  readonly chunks: Buffer[];
  length: number;
}

/** Compares what `pages.json` says of single pages with their bytes, as these come. */
export class PageTexts {
  readonly #run: Run;
  /** The bytes of pages on the web that are under way: by place, and by how many codings were undone to get them. */
  readonly #coming = new Map<number, ComingPage[]>();

  constructor(run: Run) {
    this.#run = run;
  }

  /** Takes the bytes of what is listed in a place as they come; undefined if they are of no use. */
  take(place: number, uri: string): Take | undefined {
    if (!this.#isReadable(uri)) return undefined;
    const forms: ComingPage[] = [];
    this.#coming.set(place, forms);
    return (chunk, form = 0) => {
      const coming = forms[form] ?? { chunks: [], length: 0 };
      forms[form] = coming;
      if (coming.length <= PAGE_LIMIT) coming.chunks.push(chunk);
      coming.length += chunk.length;
    };
  }

  /** Compares a page, once all of it was read. */
  check(place: number, uri: string, outcome: Digested | Absent): void {
    const { origin, pages: known, bounds, flag } = this.#run;
    const forms = this.#coming.get(place);
    this.#coming.delete(place);
    const page = known?.pages.get(uri)?.page;
    if (known === undefined || page === undefined || !this.#isReadable(uri)) return;
    if (isAbsent(outcome) || outcome.more) return;
    bounds.check();
    const bytes =
      forms === undefined
        ? readFileStart(origin, uri, PAGE_LIMIT + 1)
        : Buffer.concat(forms[outcome.form ?? 0]?.chunks ?? []);
    const record = readRecord(bytes, { uri: page.url, url: known.base });
    for (const name of ['text', 'title', 'lang'] as const) {
      if (page[name] === record?.[name]) continue;
      const said = { found: `${name} ${page[name] ?? 'not said'}`, expected: record?.[name] ?? 'not said' };
      flag('pages-text-differs', { document: known.uri, entry: page.url, ...said });
      return;
    }
  }

  /** Whether the page is named, and its text was read by the rule that we know. */
  #isReadable(uri: string): boolean {
    const { pages } = this.#run;
    return pages?.rule === RULE && pages.pages.has(uri);
  }
}
