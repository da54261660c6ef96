/** Reads files at the root of a site with rules for others: `_headers` for its host, and `robots.txt` for crawlers. Pure. */

import { matchGroups } from '../base/text/match.js';
import { TIMEMAPS_FOLDER, VERSIONS_FOLDER } from './ours.js';

/** Headers that a host adds to the responses for the URLs that a pattern matches. */
export interface HostRule {
  /** Path of a URL, or a whole URL; `*` stands for anything, `:name` for a segment. */
  readonly path: string;
  readonly line: number;
  readonly headers: readonly {
    readonly line: number;
    /** In lower case. */
    readonly name: string;
    /** Undefined if the header of other rules is removed. */
    readonly value: string | undefined;
  }[];
}

/** In UTF-8, a character for each byte. */
export const BYTE_ORDER_MARK = /^\xef\xbb\xbf/;

/** Reads `_headers` as hosts do: a line that begins with a path or URL, indented or not, is a rule. @param lines Latin-1 */
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

/** Returns whether a rule is about versions, which are no resources. */
export function isVersionRule({ path }: Pick<HostRule, 'path'>): boolean {
  return path.startsWith(`/${VERSIONS_FOLDER}/`) || path.startsWith(`/${TIMEMAPS_FOLDER}/`);
}

export const HOST_RULES = '_headers';

/** The root element stands within so many characters, which are bytes at most. */
export const ROOT_WITHIN = 4096;

/** Returns whether a text may be a Sitemap or a Sitemap index, which documents of ResourceSync are, too. */
export function isSitemap(beginning: string): boolean {
  return /<(?:[\w-]+:)?(?:urlset|sitemapindex)[\s>]/.test(beginning.slice(0, ROOT_WITHIN));
}

/** Finds the longest `Crawl-delay` for a program, or else for all, in seconds; 0 for none. @param agent in lower case */
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
      // A group for a program stands for all that others say, also where it asks for nothing.
      delays.set(named, delays.get(named) ?? 0);
    } else if (/^(?:allow|disallow|crawl-delay)$/.test(field)) {
      isInRules = true;
      const delay = field === 'crawl-delay' && /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : 0;
      for (const one of agents) delays.set(one, Math.max(delays.get(one) ?? 0, delay));
    }
  }
  return delays.get(agent) ?? delays.get('*') ?? 0;
}

/** The names of sitemaps, as generators give them; an index names the other one. */
export const SITEMAP_NAMES = ['sitemap-index.xml', 'sitemap_index.xml', 'sitemap.xml'];

interface SitemapLine {
  /** Position of its beginning in the text. */
  readonly index: number;
  /** As it is written: anything without white space. */
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
