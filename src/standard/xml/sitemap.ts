/** Writes sitemaps, or changes only the dates of existing ones. */

import type { Rows } from '../../base/columns/rows.js';
import { formatDatetime, parseDatetime } from '../../base/datetime.js';
import { SITEMAP } from '../namespaces.js';
import { entry, modifiedAt } from './elements.js';
import type { StandingSitemap } from './read-sitemap.js';

export interface SitemapEntry {
  readonly uri: string;
  readonly lastmod: Date | undefined;
}

/** Writes a sitemap, or an index of sitemaps. @param comment before the root element; names the writer */
export function serializeSitemap(
  root: 'urlset' | 'sitemapindex',
  entries: Rows<SitemapEntry>,
  comment: string,
): string {
  const name = root === 'urlset' ? 'url' : 'sitemap';
  const rows = entries.map(({ uri, lastmod }) => entry(name, uri, modifiedAt(lastmod)));
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${comment} -->
<${root} xmlns="${SITEMAP}">${rows.join('')}
</${root}>
`;
}

type KnownDate =
  | Date
  /** A listed address whose date is not known. */
  | 'unknown'
  /** An address that the site does not list. */
  | 'foreign';

interface DatingRules {
  readonly dateOf: (uri: string) => KnownDate;
  /** Existing dates before this time are kept for addresses without a known date. */
  readonly before: Date;
  /** Our mark, for a comment at the end of the file. */
  readonly comment: string;
}

/** Sets the dates of a sitemap, and changes nothing else; days stay days. Returns the text in pieces, and the newest date. */
export function dateSitemap(
  { text, entries }: StandingSitemap,
  { dateOf, before, comment }: DatingRules,
): { readonly pieces: readonly string[]; readonly newest: Date | undefined } {
  const pieces: string[] = [];
  let place = 0;
  let newest: Date | undefined;
  const edit = (start: number, end: number, replacement: string) => {
    pieces.push(text.slice(place, start), replacement);
    place = end;
  };
  const meet = (date: Date | undefined) => {
    if (date !== undefined && !(newest !== undefined && date <= newest)) newest = date;
  };
  const first = entries.find(({ lastmods }) => lastmods[0]?.said)?.lastmods[0]?.said;
  for (const { loc, behind, indent, prefix, lastmods } of entries) {
    const known = dateOf(loc);
    if (known instanceof Date && lastmods.length === 0) {
      edit(behind, behind, `${indent}<${prefix}lastmod>${write(known, first)}</${prefix}lastmod>`);
      meet(known);
    }
    for (const { start, end, content, said } of lastmods) {
      const stays = known === 'foreign' || (known === 'unknown' && isEarlier(said, before));
      if (stays) meet(parseDatetime(said));
      else if (known === 'unknown') edit(findIndent(text, start), end, '');
      else {
        meet(known);
        const date = write(known, said === '' ? first : said);
        if (content === undefined) edit(start, end, `<${prefix}lastmod>${date}</${prefix}lastmod>`);
        else if (!isSame(said, date)) edit(content.start, content.end, date);
      }
    }
  }
  const rest = text.slice(place);
  const mark = `<!-- ${comment} -->`;
  const isMarked = text.trimEnd().endsWith(mark);
  pieces.push(isMarked ? rest : rest.endsWith('\n') ? `${rest}${mark}\n` : rest + mark);
  return { pieces, newest };
}

/** Returns whether two sitemaps are the same but for their dates, and a comment at the end. */
export function differInDates(one: StandingSitemap, other: StandingSitemap, comment: string): boolean {
  return (
    one.isIndex === other.isIndex &&
    one.entries.length === other.entries.length &&
    one.entries.every(({ loc }, index) => loc === other.entries[index]?.loc) &&
    withoutDates(one, comment) === withoutDates(other, comment)
  );
}

function withoutDates({ text, entries }: StandingSitemap, comment: string): string {
  const pieces: string[] = [];
  let place = 0;
  for (const { start, end } of entries.flatMap(({ lastmods }) => lastmods)) {
    pieces.push(text.slice(place, findIndent(text, start)));
    place = end;
  }
  return (pieces.join('') + text.slice(place)).trimEnd().replace(`<!-- ${comment} -->`, '').trimEnd();
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Writes a date: as a day if `like` is one, or else as a moment. */
function write(date: Date, like: string | undefined): string {
  const moment = formatDatetime(date);
  return like !== undefined && DAY.test(like) ? moment.slice(0, 10) : moment;
}

function isSame(said: string, date: string): boolean {
  return (
    said === date || (!DAY.test(said) && parseDatetime(said)?.getTime() === parseDatetime(date)?.getTime())
  );
}

/** Returns whether a date is before a moment; a date that is only the day of the moment is not. */
function isEarlier(said: string, moment: Date): boolean {
  if (DAY.test(said)) return said < formatDatetime(moment).slice(0, 10);
  const date = parseDatetime(said);
  return date !== undefined && date < moment;
}

function findIndent(text: string, start: number): number {
  let place = start;
  while (place > 0 && /\s/.test(text.charAt(place - 1))) place--;
  return place;
}
