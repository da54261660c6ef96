/** Reads redirect rules from files of hosts: `_redirects`, and the values of `netlify.toml` and `vercel.json`. Pure. */

import { compilePattern, type RedirectHost, type RedirectRule } from './rule.js';

/** Limit of patterns and targets, in characters; rules with longer ones are not read. */
const LONGEST = 2_000;

export interface CompiledRules {
  readonly rules: RedirectRule[];
  readonly unread: string[];
}

/** A rule for all visitors. Rules by country, language, role, cookie or query answer no address, and are left out. */
interface WrittenRule extends Pick<RedirectRule, 'where' | 'isForced'> {
  readonly host: RedirectHost;
  readonly from: unknown;
  readonly to: unknown;
  readonly status: unknown;
}

export function readRedirectLines(text: string, host: Exclude<RedirectHost, 'vercel'>): WrittenRule[] {
  const isStrict = host === 'cloudflare';
  const lines = text.split(/\r\n?|\n/);
  return lines.flatMap((line, index): WrittenRule[] => {
    const [from = '', ...others] = line
      .replace(/(?:^|\s)#.*$/, '')
      .trim()
      .split(/\s+/);
    const place = others.findIndex((word) => /^(?:\/|https?:\/\/)/i.test(word));
    const [status = isStrict ? '302' : '301', ...conditions] = others.slice(place + 1);
    const isConditional = place > 0 || conditions.some((word) => word.includes('='));
    if (from === '' || (isConditional && !isStrict)) return [];
    const isOdd = isStrict && (place > 0 || conditions.length > 0);
    return [
      {
        where: `_redirects:${index + 1}`,
        host,
        from,
        to: isOdd ? undefined : others[place],
        status: Number(isStrict ? status : status.replace(/!$/, '')),
        // Cloudflare follows rules whether or not a page exists.
        isForced: isStrict || status.endsWith('!'),
      },
    ];
  });
}

export function readNetlifyTables(value: unknown): WrittenRule[] {
  return listEntries(value).flatMap(({ from, to, status = 301, force, query, conditions }, index) =>
    query !== undefined || conditions !== undefined
      ? []
      : { where: `netlify.toml:${index + 1}`, host: 'netlify', from, to, status, isForced: force === true },
  );
}

/** Reads the value of `redirects` in `vercel.json`, whose rules count before files do. */
export function readVercelEntries(value: unknown): WrittenRule[] {
  return listEntries(value).flatMap((entry, index) => {
    const { source: from, destination: to, permanent, statusCode, has, missing } = entry;
    const status = statusCode ?? (permanent === false ? 307 : 308);
    return has !== undefined || missing !== undefined
      ? []
      : { where: `vercel.json:${index + 1}`, host: 'vercel', from, to, status, isForced: true };
  });
}

function listEntries(value: unknown): Readonly<Partial<Record<string, unknown>>>[] {
  return Array.isArray(value) ? value.map((entry: unknown) => Object(entry)) : [];
}

/** Compiles rules that may answer addresses of the site. `unread` names those that are not understood. @param origin of the site */
export function compileRules(written: readonly WrittenRule[], origin: string): CompiledRules {
  const found: CompiledRules = { rules: [], unread: [] };
  const count = { plain: 0, wild: 0 };
  for (const { where, host, from, to, status, isForced } of written) {
    const target = host === 'netlify' ? (to ?? findForward(from, status)) : to;
    const isRead = isText(from) && isText(target) && Number.isInteger(status);
    if (!isRead || (host === 'cloudflare' && isIgnored(from, target, Number(status), count))) {
      found.unread.push(where);
      continue;
    }
    const isAbsolute = /^https?:\/\//i.test(from);
    const isElsewhere = isAbsolute && !`${from}/`.toLowerCase().startsWith(`${origin}/`);
    const path = isAbsolute ? from.slice(origin.length) || '/' : from;
    // A rewrite of all paths to one page says nothing about a single address.
    const isFallback = status === 200 && path === '/*' && !target.includes(':splat');
    const hasQuery = path.includes('?') && host === 'netlify';
    if (isElsewhere || isFallback || hasQuery) continue;
    const pattern = path.startsWith('/') ? compilePattern(path, host) : undefined;
    if (pattern === undefined) found.unread.push(where);
    else found.rules.push({ ...pattern, where, target, status: Number(status), isForced });
  }
  return found;
}

/** Returns the target of a rule without one: Netlify takes `/a/* 200` for `/a/* /a/:splat 200`. */
function findForward(from: unknown, status: unknown): string | undefined {
  const isForward = Math.floor(Number(status) / 100) === 2;
  return isForward && isText(from) && from.endsWith('/*') ? `${from.slice(0, -1)}:splat` : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST;
}

/** Limits of the rules that Cloudflare reads, without and with a wildcard. After the first wildcard, all count as if with one. */
const MOST_PLAIN = 2_000;
const MOST_WILD = 100;

function isIgnored(
  from: string,
  to: string,
  status: number,
  count: Record<'plain' | 'wild', number>,
): boolean {
  if (!from.startsWith('/')) return true;
  const kind = count.wild > 0 || /\*|:[A-Za-z]/.test(from) ? 'wild' : 'plain';
  if (++count[kind] > (kind === 'wild' ? MOST_WILD : MOST_PLAIN)) return true;
  if (![200, 301, 302, 303, 307, 308].includes(status)) return true;
  if (to.startsWith('/')) return /\/\*?$/.test(from) && /\/index(?:\.html)?$/.test(to);
  return status === 200 || !/^https:/i.test(to);
}
