/** `pages.json`: the pages of a site with titles, dates of changes and digests of their texts. Pure. */

import * as v from 'valibot';
import type { Rows } from '../base/columns/rows.js';
import { formatDatetime, parseDatetime } from '../base/datetime.js';
import { ResyncError, unlessThrown } from '../base/errors.js';
import { joinPieces } from '../base/text/chunks.js';
import { say } from '../base/text/say.js';
import { PAGES_BEGINNING } from './model.js';

export interface SitePage {
  readonly url: string;
  readonly title?: string | undefined;
  readonly lang?: string | undefined;
  /** Moment at which the page was first published; undefined if unknown. */
  readonly created?: Date | undefined;
  /** Moment of the last change of the page's main text; undefined if unknown, or if there was none. */
  readonly changed?: Date | undefined;
  /** Digest of the page's main text: 16 hexadecimal digits. Undefined if the page is too long to be read. */
  readonly text?: string | undefined;
  /** Quotation of the newest change of the page's main text; undefined if nothing is quoted. */
  readonly excerpt?: string | undefined;
}

export interface SitePages {
  /** Number of the rule by which main texts were read: digests of different rules cannot be compared. */
  readonly rule: number;
  readonly at: Date;
  readonly pages: Rows<SitePage>;
}

/** Writes `pages.json` in pieces. @throws ResyncError `write-failed` at the end, if it is too long for later builds to read */
export function* serializePages(site: SitePages, most = PAGES_BYTES): Generator<string, void> {
  let bytes = 0;
  for (const text of joinPieces(listLines(site))) {
    bytes += Buffer.byteLength(text);
    yield text;
  }
  if (bytes > most) {
    throw new ResyncError(
      'write-failed',
      say`pages.json would have ${bytes} bytes for ${site.pages.length} pages; files of more than ${most} are not read.\nExclude pages, or write neither sitemap, feed nor page.`,
    );
  }
}

function* listLines({ rule, at, pages }: SitePages): Generator<string, void> {
  let separator = `${PAGES_BEGINNING}"rule":${rule},"at":"${formatDatetime(at)}","pages":[\n`;
  for (const { url, title, lang, created, changed, text, excerpt } of pages) {
    const moments = {
      created: created && formatDatetime(created),
      changed: changed && formatDatetime(changed),
    };
    yield separator + JSON.stringify({ url, title, lang, ...moments, text, excerpt });
    separator = ',\n';
  }
  yield pages.length === 0 ? `${separator}\n]}\n` : '\n]}\n';
}

/** Limit of `pages.json` in bytes, for writing and for reading: enough for some 400,000 pages. */
export const PAGES_BYTES = 128 * 1024 ** 2;
/** Limit of a line of `pages.json` for reading, in characters; the lines that we write are shorter. */
const LONGEST_LINE = 16_384;

const Moment = v.pipe(v.string(), v.endsWith('Z'), v.transform(parseDatetime), v.date());
const HeadSchema = v.strictObject({
  generator: v.string(),
  rule: v.number(),
  at: Moment,
  pages: v.tuple([]),
});
const PageSchema = v.strictObject({
  url: v.string(),
  title: v.optional(v.string()),
  lang: v.optional(v.string()),
  created: v.optional(Moment),
  changed: v.optional(Moment),
  text: v.optional(v.pipe(v.string(), v.regex(/^[\da-f]{16}$/))),
  excerpt: v.optional(v.string()),
});

/**
 * Reads `pages.json`, line by line; returns the mistake if `serializePages` would not write such a file.
 * @param base URL of the site, with a trailing slash: all pages are below it
 */
export function parsePages(text: string, base: string): SitePages | string {
  if (text.length > PAGES_BYTES) return `it has more than ${PAGES_BYTES} bytes`;
  const lines = text.split('\n');
  const head = readObject(HeadSchema, `${lines[0]}]}`);
  if (!lines[0]?.startsWith(PAGES_BEGINNING) || head === undefined)
    return 'its head is not that of a pages.json';
  if (lines.at(-1) !== '' || lines.at(-2) !== ']}') return 'it is not whole';
  const pages: SitePage[] = [];
  let last = '';
  const rows = lines.slice(1, -2);
  for (const [index, line] of rows[0] === '' ? [] : rows.entries()) {
    const isLast = index === rows.length - 1;
    const page =
      isLast || line.endsWith(',') ? readObject(PageSchema, isLast ? line : line.slice(0, -1)) : undefined;
    if (page === undefined) return `line ${index + 2} is not that of a page`;
    if (!page.url.startsWith(base)) return `line ${index + 2} names a page that is not below ${base}`;
    if (page.url <= last) return `line ${index + 2} is not in the order of URLs`;
    pages.push(page);
    last = page.url;
  }
  return { rule: head.rule, at: head.at, pages };
}

/** Parses a line of JSON; returns undefined if it does not have the form of the schema. */
function readObject<S extends v.GenericSchema>(schema: S, line: string): v.InferOutput<S> | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  const value = unlessThrown(() => JSON.parse(line) as unknown, SyntaxError);
  const { success, output } = v.safeParse(schema, value);
  return success ? output : undefined;
}
