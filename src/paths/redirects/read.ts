/** Reads the rules in files of hosts: `_redirects`, and the values of `netlify.toml` and `vercel.json`. Pure. */

import { matchGroups } from '../../base/text/match.js';
import { compilePattern, type RedirectHost, type RedirectRule } from './rule.js';

/** Longer patterns and targets are not read, in characters. */
const LONGEST = 2_000;

export interface CompiledRules {
  readonly rules: RedirectRule[];
  readonly unread: string[];
}

interface WrittenRule extends Pick<RedirectRule, 'where' | 'isForced'> {
  readonly host: RedirectHost;
  readonly from: unknown;
  readonly to: unknown;
  readonly status: unknown;
  /** True if it counts for some visitors only, by country, language, role, cookie or query: it answers no address. */
  readonly isConditional: boolean;
}

/** Cloudflare ignores lines with any other. */
const STATUS = { netlify: /^(\d{3})!?$/, cloudflare: /^(200|30[12378])$/ };

export function readRedirectLines(text: string, host: Exclude<RedirectHost, 'vercel'>): WrittenRule[] {
  const lines = text.split(/\r\n?|\n/);
  return lines.flatMap((line, index): WrittenRule[] => {
    const [from = '', ...words] = line
      .replace(/(?:^|\s)#.*$/, '')
      .trim()
      .split(/\s+/);
    if (from === '') return [];
    const place = words.findIndex((word) => /^(?:\/|https?:\/\/)/i.test(word));
    const [status = host === 'netlify' ? '301' : '302', ...conditions] = words.slice(place + 1);
    return [
      {
        where: `_redirects:${index + 1}`,
        host,
        from,
        to: words[place],
        status: Number(matchGroups(STATUS[host], status)[1]),
        // Cloudflare follows rules whether or not a page exists.
        isForced: status.endsWith('!') || host === 'cloudflare',
        isConditional: place > 0 || conditions.some((word) => word.includes('=')),
      },
    ];
  });
}

export function readNetlifyTables(value: unknown): WrittenRule[] {
  return listEntries(value).map(({ from, to, status = 301, force, query, conditions }, index) => ({
    where: `netlify.toml:${index + 1}`,
    host: 'netlify',
    from,
    to,
    status,
    isForced: force === true,
    isConditional: query !== undefined || conditions !== undefined,
  }));
}

/** Reads the value of `redirects` in `vercel.json`, whose rules count before files do. */
export function readVercelEntries(value: unknown): WrittenRule[] {
  return listEntries(value).map(({ source, destination, permanent, statusCode, has, missing }, index) => ({
    where: `vercel.json:${index + 1}`,
    host: 'vercel',
    from: source,
    to: destination,
    status: statusCode ?? (permanent === false ? 307 : 308),
    isForced: true,
    isConditional: has !== undefined || missing !== undefined,
  }));
}

function listEntries(value: unknown): Readonly<Partial<Record<string, unknown>>>[] {
  return Array.isArray(value) ? value.map((entry: unknown) => Object(entry)) : [];
}

/** Leaves out rules that answer no address of the site. @param origin of the site */
export function compileRules(written: readonly WrittenRule[], origin: string): CompiledRules {
  const found: CompiledRules = { rules: [], unread: [] };
  const count = { plain: 0, wild: 0 };
  for (const { where, host, from, to, status, isForced, isConditional } of written) {
    const target = host === 'netlify' ? (to ?? findForward(from, status)) : to;
    const isRead = isText(from) && isText(target) && Number.isInteger(status);
    if (!isRead || (host === 'cloudflare' && isIgnored(from, target, Number(status), count))) {
      found.unread.push(where);
      continue;
    }
    const isAbsolute = /^https?:\/\//i.test(from);
    const isElsewhere = isAbsolute && !`${from}/`.toLowerCase().startsWith(`${origin}/`);
    const path = isAbsolute ? from.slice(origin.length) || '/' : from;
    // A target without what was asked for answers everything alike, so nothing.
    const isFallback = status === 200 && path === '/*' && !target.includes(':splat');
    const hasQuery = path.includes('?') && host !== 'vercel';
    if (isConditional || isElsewhere || isFallback || hasQuery) continue;
    const pattern = path.startsWith('/') ? compilePattern(path, host) : undefined;
    if (pattern === undefined) found.unread.push(where);
    else found.rules.push({ where, pattern, target, status: Number(status), isForced });
  }
  return found;
}

/** Netlify takes `/a/* 200` for `/a/* /a/:splat 200`. */
function findForward(from: unknown, status: unknown): string | undefined {
  const isForward = Math.floor(Number(status) / 100) === 2;
  return isForward && isText(from) && from.endsWith('/*') ? `${from.slice(0, -1)}:splat` : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST;
}

/** Cloudflare ignores more rules than these; once one has a wildcard, those behind it count as if they had one. */
const MOST_PLAIN = 2_000;
const MOST_WILD = 100;

/** Returns whether Cloudflare ignores a rule: it is for a host, shows another site, redirects itself, or there are too many. */
function isIgnored(
  from: string,
  to: string,
  status: number,
  count: Record<'plain' | 'wild', number>,
): boolean {
  if (!from.startsWith('/')) return true;
  const kind = count.wild > 0 || /\*|:[A-Za-z]/.test(from) ? 'wild' : 'plain';
  if (++count[kind] > (kind === 'wild' ? MOST_WILD : MOST_PLAIN)) return true;
  const isHere = to.startsWith('/');
  return isHere ? /\/\*?$/.test(from) && /\/index(?:\.html)?$/.test(to) : status === 200;
}
