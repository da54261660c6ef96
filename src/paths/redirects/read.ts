/** Reads the rules in files of hosts: `_redirects`, and the values of `netlify.toml` and `vercel.json`. Pure. */

import type { WrittenRule } from './rule.js';

/** A file of more rules is refused. */
export const MOST_RULES = 100_000;
/** Longer patterns and targets are not read, in characters. */
const LONGEST = 2_000;

/** Rules of a file, and the places of those that are not understood. */
export interface ReadRules {
  readonly rules: WrittenRule[];
  readonly unread: string[];
}

/** Cloudflare ignores lines with any other. */
const STATUS = { netlify: /^\d{3}!?$/, cloudflare: /^(?:200|30[12378])$/ };

/** Cloudflare ignores more rules than these; once one has a wildcard, those behind it count as if they had one. */
const MOST_PLAIN = 2_000;
const MOST_WILD = 100;

type HostOfLines = Exclude<WrittenRule['host'], 'vercel'>;

/**
 * Reads `_redirects`. Rules that count for some visitors only, by country, language, role, cookie or query, answer no address, so they are
 * left out.
 *
 * @param origin of the site: rules for others are left out, too
 */
export function readRedirectLines(text: string, host: HostOfLines, origin: string): ReadRules {
  const found: ReadRules = { rules: [], unread: [] };
  const count = { plain: 0, wild: 0 };
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
    .entries()) {
    const [from, ...words] = line
      .replace(/(?:^|\s)#.*$/, '')
      .trim()
      .split(/\s+/);
    if (from === undefined || from === '') continue;
    const where = `_redirects:${index + 1}`;
    const place = words.findIndex((word) => /^(?:\/|https?:\/\/)/i.test(word));
    const [to, status = host === 'netlify' ? '301' : '302', ...conditions] = words.slice(place);
    const isConditional = place > 0 || conditions.some((word) => word.includes('='));
    if (place < 0 || to === undefined || !STATUS[host].test(status)) found.unread.push(where);
    else if (host === 'cloudflare' && isIgnored(from, to, status, count)) found.unread.push(where);
    else if (!isConditional) {
      // Cloudflare follows rules whether or not a page exists.
      const isForced = status.endsWith('!') || host === 'cloudflare';
      add(found, { where, host, from, to, status: Number.parseInt(status, 10), isForced }, origin);
    }
  }
  return found;
}

/** Returns whether Cloudflare ignores a rule: it is for a host, shows another site, redirects itself, or there are too many. */
function isIgnored(
  from: string,
  to: string,
  status: string,
  count: Record<'plain' | 'wild', number>,
): boolean {
  if (!from.startsWith('/')) return true;
  const kind = count.wild > 0 || /\*|:[A-Za-z]/.test(from) ? 'wild' : 'plain';
  if (++count[kind] > (kind === 'wild' ? MOST_WILD : MOST_PLAIN)) return true;
  const isHere = to.startsWith('/');
  return isHere ? /\/\*?$/.test(from) && /\/index(?:\.html)?$/.test(to) : status === '200';
}

/** Reads the value of `redirects` in `netlify.toml`; conditions as in `_redirects`. */
export function readNetlifyTables(value: unknown, where: string, origin: string): ReadRules {
  return readEntries(
    value,
    where,
    ({ from, to, status = 301, force, query, conditions }) => {
      if (query !== undefined || conditions !== undefined) return 'conditional';
      return { host: 'netlify', from, to, status, isForced: force === true };
    },
    origin,
  );
}

/** Reads the value of `redirects` in `vercel.json`, whose rules count before files do. */
export function readVercelEntries(value: unknown, where: string, origin: string): ReadRules {
  return readEntries(
    value,
    where,
    ({ source, destination, permanent, statusCode, has, missing }) => {
      if (has !== undefined || missing !== undefined) return 'conditional';
      const status = statusCode ?? (permanent === false ? 307 : 308);
      return { host: 'vercel', from: source, to: destination, status, isForced: true };
    },
    origin,
  );
}

type Entry = Readonly<Partial<Record<string, unknown>>>;
type Unchecked = Pick<WrittenRule, 'host' | 'isForced'> & Readonly<Record<'from' | 'to' | 'status', unknown>>;

function readEntries(
  value: unknown,
  file: string,
  read: (entry: Entry) => Unchecked | 'conditional',
  origin: string,
): ReadRules {
  const found: ReadRules = { rules: [], unread: [] };
  for (const [index, entry] of (Array.isArray(value) ? (value as unknown[]) : []).entries()) {
    const where = `${file}:${index + 1}`;
    const rule = typeof entry === 'object' && entry !== null ? read(entry as Entry) : undefined;
    if (rule === 'conditional') continue;
    const { from, to, status } = rule ?? {};
    if (
      rule === undefined ||
      typeof from !== 'string' ||
      typeof to !== 'string' ||
      typeof status !== 'number'
    )
      found.unread.push(where);
    else add(found, { ...rule, where, from, to, status }, origin);
  }
  return found;
}

/** Adds a rule that counts for the site; one for all paths of which none is in its target answers everything alike, so nothing. */
function add({ rules, unread }: ReadRules, rule: WrittenRule, origin: string): void {
  const isAbsolute = /^https?:\/\//i.test(rule.from);
  if (rule.from.length > LONGEST || rule.to.length > LONGEST || (!isAbsolute && !rule.from.startsWith('/'))) {
    unread.push(rule.where);
    return;
  }
  if (isAbsolute && !`${rule.from}/`.toLowerCase().startsWith(`${origin}/`)) return;
  const path = (isAbsolute ? rule.from.slice(origin.length) : rule.from) || '/';
  if (path.includes('?') && rule.host !== 'vercel') return;
  const isFallback = rule.status === 200 && /^\/\*$/.test(path) && !rule.to.includes(':splat');
  if (!isFallback) rules.push({ ...rule, from: path });
}
