/** Redirect rules, in one form for all hosts, and the one that answers a path. Pure. */

import { unlessThrown } from '../../base/errors.js';
import { groupBy } from '../../base/group.js';
import { addressOf } from '../address.js';

/** Host that defines the syntax of patterns. */
export type RedirectHost = 'netlify' | 'cloudflare' | 'vercel';

export interface RedirectRule extends PathPattern {
  /** File, and its line or the number of the entry, such as `_redirects:3`. */
  readonly where: string;
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

/** Rules with their places, by folder: to try 2,000 rules on each of 20,000 addresses takes five seconds. */
export type RuleIndex = ReadonlyMap<string, readonly (readonly [place: number, rule: RedirectRule])[]>;

export function indexRules(rules: readonly RedirectRule[]): RuleIndex {
  return groupBy(rules.entries(), ([, { folder }]) => folder);
}

/** Where a redirect leads, and what says so. */
export type Hop = Pick<RedirectRule, 'where' | 'target' | 'status'>;

/** Returns the first matching rule, and its target with wildcards replaced. @param exists whether only forced rules count */
export function findRule(index: RuleIndex, path: string, exists: boolean): Hop | undefined {
  const rules = listFolders(path).flatMap((folder) => index.get(folder) ?? []);
  for (const [, rule] of rules.sort(([a], [b]) => a - b)) {
    const match = exists && !rule.isForced ? null : rule.expression.exec(path);
    if (match) return { ...rule, target: fill(rule.target, match.groups ?? {}) };
  }
  return undefined;
}

/** `/a/b/` → `/a/b`, `/a` and the empty one of the root. */
function listFolders(path: string): string[] {
  return Array.from(closeFolder(path).matchAll(/\//g), ({ index }) => path.slice(0, index));
}

function fill(target: string, groups: Readonly<Record<string, string | undefined>>): string {
  return target.replace(/:([A-Za-z_]\w*)[*+]?|\$(\d+)/g, (written, name?: string, number?: string) => {
    const group = name ?? `_${number}`;
    return group in groups ? (groups[group] ?? '') : written;
  });
}

const escapeText = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const closeFolder = (path: string) => path.replace(/\/?$/, '/');
// Behind another character, a dot that stands alone is no dot segment.
const normalizeText = (text: string) => normalizePath(`/_${text}`).slice(2);

/** Returns undefined if the pattern is not understood. */
export function compilePattern(from: string, host: RedirectHost): PathPattern | undefined {
  const { wildcard, readText, readWildcard, end } = SYNTAX[host];
  // The text before the first wildcard, that wildcard, the text behind it, and so on.
  const parts = from.split(wildcard);
  const [first = '', next = '/'] = parts;
  // A name that stands twice, or an expression of others that is none.
  return unlessThrown(() => {
    const literal = next.startsWith('/') ? closeFolder(readText(first)) : readText(first);
    const source = parts.map((part, index) =>
      index % 2 === 0 ? escapeText(readText(part)) : readWildcard(part, (index + 1) / 2),
    );
    return {
      folder: literal.slice(0, literal.lastIndexOf('/')),
      expression: new RegExp(`^${source.join('')}${end}$`),
    };
  }, SyntaxError);
}

interface PatternSyntax {
  readonly wildcard: RegExp;
  /** Reads text between wildcards. @throws SyntaxError */
  readonly readText: (text: string) => string;
  /** Makes a regular expression for a wildcard. @param number from 1 */
  readonly readWildcard: (wildcard: string, number: number) => string;
  /** Regular expression for what may follow. */
  readonly end: string;
}

/** An expression in brackets, which may hold others, down to eight in each other. */
const GROUP = Array.from({ length: 8 }).reduce<string>(
  (inner) => String.raw`\((?:\\.|[^()\\]${inner && `|${inner}`})*\)`,
  '',
);

const SYNTAX: Readonly<Record<RedirectHost, PatternSyntax>> = {
  // A slash at the end never counts. `:name` is a segment, and `*` the end of one: `/a/*` matches `/a`, too.
  netlify: {
    wildcard: /((?<=\/):[^/]+|\/\*(?=\/|$)|\*(?=\/|$)|(?<=.)\/$)/,
    readText: normalizeText,
    readWildcard: (wildcard) => {
      if (wildcard === '/') return '';
      if (wildcard === '/*') return '(?:\\/(?<splat>.*))?';
      return wildcard === '*' ? '\\/?(?<splat>.*)' : `(?<${wildcard.slice(1)}>[^/]+)`;
    },
    end: '\\/?',
  },
  // Nothing is decoded.
  cloudflare: {
    wildcard: /(\*|:[A-Za-z]\w*)/,
    readText: (text) => new URL(`https://site.invalid/_${text}`).pathname.slice(2),
    readWildcard: (wildcard) => (wildcard === '*' ? '(?<splat>.*)' : `(?<${wildcard.slice(1)}>[^/]+)`),
    end: '',
  },
  // As path-to-regexp 6 has it: `:name`, `:name(expression)` and `(expression)`, each with `*`, `+` or `?` behind it.
  vercel: {
    wildcard: new RegExp(String.raw`((?<!\\)[./]?(?::\w+(?:${GROUP})?|${GROUP})[*+?]?)`),
    readText: (text) => {
      if (/(?<!\\)[:*+?(){}]/.test(text)) throw new SyntaxError('an operator without an operand');
      return normalizeText(text.replace(/\\(.)/g, '$1'));
    },
    readWildcard: readParameter,
    end: '',
  },
};

const PARAMETER = /^(?<prefix>[./]?)(?::(?<name>\w+))?(?:\((?<given>.*)\))?(?<often>[*+?]?)$/s;

function readParameter(parameter: string, number: number): string {
  const { prefix = '', name, given, often = '' } = PARAMETER.exec(parameter)?.groups ?? {};
  const single = `(?:${given ?? '[^/]+?'})`;
  const separator = escapeText(prefix);
  const all = /[*+]/.test(often) ? `${single}(?:${separator}${single})*` : single;
  const group = name === undefined ? all : `(?<${name}>${all})`;
  return `(?:${separator}(?<_${number}>${group}))${/[*?]/.test(often) ? '?' : ''}`;
}
