/** Redirect rules, in one form for all hosts, and the one that answers a path. Pure. */

import { unlessThrown } from '../../base/errors.js';
import { addressOf } from '../address.js';

/** How patterns are read: as these hosts document it. */
export type RedirectHost = 'netlify' | 'cloudflare' | 'vercel';

export interface RedirectRule {
  /** File, and its line or the number of the entry, such as `_redirects:3`. */
  readonly where: string;
  readonly pattern: PathPattern;
  /** With `:name` or `$1` for what the wildcards of the pattern match. */
  readonly target: string;
  readonly status: number;
  /** True if it also counts where a page exists. */
  readonly isForced: boolean;
}

/** Matches paths in the form of `normalizePath`. */
interface PathPattern {
  /** All of them begin with it. */
  readonly prefix: string;
  readonly expression: RegExp;
}

/** The form in which paths are compared. */
export function normalizePath(path: string): string {
  return addressOf(`https://site.invalid${path}`).slice('https://site.invalid'.length);
}

/**
 * Returns the first rule that matches, and its target with what the wildcards matched.
 *
 * @param exists whether a page answers the path, so that only forced rules count
 */
export function findRule(
  rules: readonly RedirectRule[],
  path: string,
  exists: boolean,
): Pick<RedirectRule, 'where' | 'target' | 'status'> | undefined {
  for (const { pattern, isForced, where, target, status } of rules) {
    if ((exists && !isForced) || !path.startsWith(pattern.prefix)) continue;
    const match = pattern.expression.exec(path);
    if (match !== null) return { where, status, target: fill(target, match.groups ?? {}) };
  }
  return undefined;
}

function fill(target: string, groups: Readonly<Record<string, string | undefined>>): string {
  return target.replace(/:([A-Za-z_]\w*)[*+?]?|\$(\d+)/g, (written, name?: string, number?: string) => {
    const group = name ?? `_${number}`;
    return group in groups ? (groups[group] ?? '') : written;
  });
}

/** Returns undefined if the pattern is not understood. */
export function compilePattern(from: string, host: RedirectHost): PathPattern | undefined {
  const [literal, source] = host === 'vercel' ? readVercelPattern(from) : readLinePattern(from, host);
  // A name that stands twice, or an expression of others that is none.
  const expression =
    source === undefined ? undefined : unlessThrown(() => new RegExp(`^${source}$`), SyntaxError);
  return expression && { prefix: literal.replace(/\/$/, ''), expression };
}

/** The text before the first wildcard, and a regular expression; undefined if it is not understood. */
type ReadPattern = readonly [literal: string, source: string | undefined];

const escapeText = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const normalizeLiteral = (text: string) => normalizePath(`/${text}`).slice(1);

/** Netlify takes paths with and without a slash at the end for the same, and `/a/*` for `/a`, too. Cloudflare decodes nothing. */
function readLinePattern(from: string, host: Exclude<RedirectHost, 'vercel'>): ReadPattern {
  const isLoose = host === 'netlify';
  const path = isLoose ? from.replace(/(?<=.)\/$/, '') : from;
  const wildcard = isLoose ? /((?<=\/)\*$|(?<=\/):[A-Za-z]\w*)/ : /(\*|:[A-Za-z]\w*)/;
  const read = isLoose ? normalizeLiteral : serializeLiteral;
  // An escaped wildcard is none, so literals are decoded one by one.
  const [literal = '', ...others] = path
    .split(wildcard)
    .map((part, index) => (index % 2 === 0 ? read(part) : part));
  const source = others.map((part, index) => {
    if (index % 2 === 1) return escapeText(part);
    return part === '*' ? '(?<splat>.*)' : `(?<${part.slice(1)}>[^/]+)`;
  });
  const all = escapeText(literal) + source.join('');
  if (!isLoose) return [literal, all];
  const splat = '\\/(?<splat>.*)';
  return [literal, all.endsWith(splat) ? `${all.slice(0, -splat.length)}(?:${splat})?` : `${all}\\/?`];
}

function serializeLiteral(text: string): string {
  return new URL(`https://site.invalid/${text}`).pathname.slice(1);
}

/** An expression in brackets, which may hold brackets once more. */
const GROUP = String.raw`\((?:\\.|[^()\\]|\((?:\\.|[^()\\])*\))*\)`;
const TOKEN = new RegExp(
  String.raw`(?<slash>/?)(?::(?<name>[A-Za-z_]\w*)(?<one>${GROUP})?|(?<unnamed>${GROUP}))(?<often>[*+?]?)|\\(?<escaped>.)|(?<text>[^\\/:(){}*+?]+|/)|(?<other>.)`,
  'gs',
);

/** Reads a pattern as path-to-regexp does: `:name`, `:name(expression)` and `(expression)`, each with `*`, `+` or `?` behind it. */
function readVercelPattern(from: string): ReadPattern {
  let literal: string | undefined;
  let read = '';
  let source = '';
  let count = 0;
  for (const { groups = {} } of from.matchAll(TOKEN)) {
    const { slash = '', name, unnamed, one = unnamed, often = '', escaped, text, other } = groups;
    if (other !== undefined) return ['', undefined];
    if (text !== undefined || escaped !== undefined) {
      const part = normalizeLiteral(text ?? escaped ?? '');
      read += part;
      source += escapeText(part);
      continue;
    }
    literal ??= read;
    const single = one?.slice(1, -1) ?? '[^/]+?';
    const many = /[*+]/.test(often) ? `(?:${single})(?:\\/(?:${single}))*` : single;
    const part = `${escapeText(slash)}(?<${name ?? `_${++count}`}>${many})`;
    source += /[*?]/.test(often) ? `(?:${part})?` : part;
  }
  return [literal ?? read, source];
}
