/** Redirect rules, in one form for all hosts, and the one that answers a path. Pure. */

import { unlessThrown } from '../../base/errors.js';
import { groupBy } from '../../base/group.js';
import { addressOf } from '../address.js';

/** Host that defines the syntax of patterns. */
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
  /** The path, if there is no wildcard, or the folder in which all of them are; without a slash at the end. */
  readonly folder: string;
  readonly expression: RegExp;
}

export function normalizePath(path: string): string {
  return addressOf(`https://site.invalid${path}`).slice('https://site.invalid'.length);
}

/** Finds rules by their folders: a site may have tens of thousands of rules, and of addresses. */
export class RuleTable {
  readonly #rules: readonly RedirectRule[];
  /** Places of rules by the folders of their patterns. */
  readonly #places: ReadonlyMap<string, readonly number[]>;

  constructor(rules: readonly RedirectRule[]) {
    this.#rules = rules;
    this.#places = groupBy(rules.keys(), (place) => rules[place]?.pattern.folder);
  }

  /**
   * Returns the first matching rule, and its target with wildcards replaced. @param exists whether only forced rules count
   */
  find(path: string, exists: boolean): Pick<RedirectRule, 'where' | 'target' | 'status'> | undefined {
    const places = listFolders(path).flatMap((folder) => this.#places.get(folder) ?? []);
    for (const place of places.sort((a, b) => a - b)) {
      const rule = this.#rules[place];
      const match = rule && (!exists || rule.isForced) ? rule.pattern.expression.exec(path) : null;
      if (rule && match) return { ...rule, target: fill(rule.target, match.groups ?? {}) };
    }
    return undefined;
  }
}

/** `/a/b/` → `/a/b`, `/a` and the empty one of the root. */
function listFolders(path: string): string[] {
  return Array.from(closeFolder(path).matchAll(/\//g), ({ index }) => path.slice(0, index));
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
  return expression && { folder: literal.slice(0, literal.lastIndexOf('/')), expression };
}

/** The text before the first wildcard, or a whole path and a slash, and a regular expression; undefined if it is not understood. */
type ReadPattern = readonly [literal: string, source: string | undefined];

const escapeText = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const closeFolder = (path: string) => path.replace(/\/?$/, '/');
// Behind another character, a dot that stands alone is no dot segment.
const normalizeLiteral = (text: string) => normalizePath(`/_${text}`).slice(2);

/** Netlify takes paths with and without a slash at the end for the same, and `/a/*` for `/a`, too. Cloudflare decodes nothing. */
function readLinePattern(from: string, host: Exclude<RedirectHost, 'vercel'>): ReadPattern {
  const isLoose = host === 'netlify';
  const path = isLoose ? from.replace(/(?<=.)\/$/, '') : from;
  const wildcard = isLoose ? /((?<=\/)\*$|(?<=\/):[A-Za-z]\w*)/ : /(\*|:[A-Za-z]\w*)/;
  const read = isLoose ? normalizeLiteral : serializeLiteral;
  // An escaped wildcard is none, so literals are decoded one by one.
  const [first = '', ...others] = path
    .split(wildcard)
    .map((part, index) => (index % 2 === 0 ? read(part) : part));
  const source = others.map((part, index) => {
    if (index % 2 === 1) return escapeText(part);
    return part === '*' ? '(?<splat>.*)' : `(?<${part.slice(1)}>[^/]+)`;
  });
  const literal = others.length === 0 ? closeFolder(first) : first;
  const all = escapeText(first) + source.join('');
  if (!isLoose) return [literal, all];
  const splat = '\\/(?<splat>.*)';
  return [literal, all.endsWith(splat) ? `${all.slice(0, -splat.length)}(?:${splat})?` : `${all}\\/?`];
}

function serializeLiteral(text: string): string {
  return new URL(`https://site.invalid/_${text}`).pathname.slice(2);
}

/** An expression in brackets, which may hold others, down to eight in each other. */
const GROUP = Array.from({ length: 8 }).reduce<string>(
  (inner) => String.raw`\((?:\\.|[^()\\]${inner && `|${inner}`})*\)`,
  '',
);
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
    literal ??= read + slash;
    const single = one?.slice(1, -1) ?? '[^/]+?';
    const many = /[*+]/.test(often) ? `(?:${single})(?:\\/(?:${single}))*` : single;
    const part = `${escapeText(slash)}(?<${name ?? `_${++count}`}>${many})`;
    source += /[*?]/.test(often) ? `(?:${part})?` : part;
  }
  return [literal ?? closeFolder(read), source];
}
