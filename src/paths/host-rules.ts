/** Reads two files at the root of a site: `_headers`, with rules for its host, and `robots.txt`, with rules for crawlers. Pure. */

import { matchGroups } from '../base/text/match.js';
import { TIMEMAPS_FOLDER, VERSIONS_FOLDER } from './ours.js';

/** Headers that a host adds to the responses for the URLs that a pattern matches. */
export interface HostRule {
  /** Path of a URL, or a whole URL; `*` stands for anything, `:name` for a segment. */
  readonly path: string;
  readonly line: number;
  readonly headers: readonly {
    readonly line: number;
    readonly name: string;
    /** Value of the header; undefined if the rule removes the header that other rules add. */
    readonly value: string | undefined;
  }[];
}

/** Matches the byte order mark of UTF-8 in a text with a character for each byte (Latin-1). */
export const BYTE_ORDER_MARK = /^\xef\xbb\xbf/;

/** Reads `_headers` as hosts do: a line that begins with a path or URL, indented or not, begins a rule. @param lines Latin-1 */
export function readHostRules(lines: readonly string[]): HostRule[] {
  const rules: (HostRule & { headers: HostRule['headers'][number][] })[] = [];
  for (const [line, raw] of lines.entries()) {
    const text = raw.replace(BYTE_ORDER_MARK, '').trim();
    const [, name, value] = matchGroups(/^([^:#]+?)\s*:\s*(.*)$/, text);
    const [, removed] = matchGroups(/^!\s*([^\s:]+)$/, text);
    if (/^(?:\/|\S+:\/\/)/.test(text)) rules.push({ path: text, line, headers: [] });
    else if (removed !== undefined) {
      rules.at(-1)?.headers.push({ line, name: removed.toLowerCase(), value: undefined });
    } else if (name !== undefined && value !== undefined) {
      rules.at(-1)?.headers.push({ line, name: name.toLowerCase(), value });
    }
  }
  return rules;
}

/** Returns whether a rule of `_headers` is about versions or lists of versions, which are no resources. */
export function isVersionRule({ path }: Pick<HostRule, 'path'>): boolean {
  return path.startsWith(`/${VERSIONS_FOLDER}/`) || path.startsWith(`/${TIMEMAPS_FOLDER}/`);
}

export const HOST_RULES = '_headers';

/** Number of characters at the beginning of a text in which the root element of a sitemap is looked for. */
export const ROOT_WITHIN = 4096;

/** Returns whether a text may be a Sitemap or a Sitemap index, which documents of ResourceSync are, too. */
export function isSitemap(beginning: string): boolean {
  return /<(?:[\w-]+:)?(?:urlset|sitemapindex)[\s>]/.test(beginning.slice(0, ROOT_WITHIN));
}

/** Finds the longest `Crawl-delay` for a crawler, or else for all crawlers, in seconds; 0 for none. @param agent in lower case */
export function findCrawlDelay(robots: string, agent: string): number {
  const delays = new Map<string, number>();
  let agents: string[] = [];
  let isInRules = false;
  for (const line of robots.split(/\r\n?|\n/)) {
    const [, name = '', value = ''] = matchGroups(/^\ufeff?\s*([\w-]+)\s*:\s*([^\s#]*)/, line);
    const field = name.toLowerCase();
    if (field === 'user-agent') {
      if (isInRules) agents = [];
      isInRules = false;
      const named = value.toLowerCase();
      agents.push(named);
      // A group for one crawler replaces the group for all crawlers, even if it sets no delay.
      delays.set(named, delays.get(named) ?? 0);
    } else if (/^(?:allow|disallow|crawl-delay)$/.test(field)) {
      isInRules = true;
      const delay = field === 'crawl-delay' && /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : 0;
      for (const one of agents) delays.set(one, Math.max(delays.get(one) ?? 0, delay));
    }
  }
  return delays.get(agent) ?? delays.get('*') ?? 0;
}

/** Names that generators give to sitemaps; indexes come first, since they name the other sitemaps. */
export const SITEMAP_NAMES = ['sitemap-index.xml', 'sitemap_index.xml', 'sitemap.xml'];

interface SitemapLine {
  readonly index: number;
  /** The address of the Sitemap as it is written; it may be no URL. */
  readonly target: string;
}

/** Lists the lines that name Sitemaps. They belong to no group, and may stand anywhere (RFC 9309 §2.2.4). */
export function listSitemapLines(robots: string): SitemapLine[] {
  const lines = robots.matchAll(/^\ufeff?[ \t]*sitemap[ \t]*:[ \t]*([^\s#]+)/gim);
  return Array.from(lines, ({ index, 1: target = '' }) => ({ index, target }));
}

/** Lists the lines that begin as if they named a Sitemap, and name none, or more than one. */
export function listOddSitemapLines(robots: string): { line: number; found: string }[] {
  return robots.split(/\r\n?|\n/).flatMap((text, index) => {
    const isMeant = /^\ufeff?\s*site-?maps?(?:[\s:=]|$)/i.test(text);
    const isRight = /^\ufeff?\s*sitemap\s*:\s*[^\s#]+\s*(?:#.*)?$/i.test(text);
    return isMeant && !isRight ? { line: index + 1, found: text.trim().slice(0, MOST_QUOTED) } : [];
  });
}

const MOST_QUOTED = 500;
