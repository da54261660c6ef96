/** Redirect rules, in one form for all hosts, and the search for the rule that answers a path. Pure. */

import { unlessThrown } from '../../base/errors.js';
import { groupBy } from '../../base/group.js';
import { addressOf } from '../address.js';
import { foldersOf } from '../folders.js';

export type RedirectHost = 'netlify' | 'cloudflare' | 'vercel';

export interface RedirectRule extends PathPattern {
  /** Place of the rule: a file, and the line or the number of the entry in it, such as `_redirects:3`. */
  readonly where: string;
  /** Target of the redirect, with `:name` or `$1` for the matches of the wildcards in the pattern. */
  readonly target: string;
  readonly status: number;
  /** True if the rule also counts for paths at which a page exists. */
  readonly isForced: boolean;
}

/** A pattern for paths in the form that `normalizePath` returns. */
interface PathPattern {
  /** The path, if the pattern has no wildcard, or the folder in which all matching paths are; without a slash at the end. */
  readonly folder: string;
  readonly expression: RegExp;
}

export function normalizePath(path: string): string {
  return addressOf(`https://site.invalid${path}`).slice('https://site.invalid'.length);
}

/** Rules and their places in the list, by folder: to try 2,000 rules on each of 20,000 addresses takes five seconds. */
export type RuleIndex = ReadonlyMap<string, readonly (readonly [place: number, rule: RedirectRule])[]>;

export function indexRules(rules: readonly RedirectRule[]): RuleIndex {
  return groupBy(rules.entries(), ([, { folder }]) => folder);
}

export type Hop = Pick<RedirectRule, 'where' | 'target' | 'status'>;

/** Returns the first matching rule, with wildcards in its target replaced. @param exists true if only forced rules count */
export function findRule(index: RuleIndex, path: string, exists: boolean): Hop | undefined {
  const rules = foldersOf(closeFolder(path)).flatMap((folder) => index.get(folder) ?? []);
  for (const [, rule] of rules.sort(([a], [b]) => a - b)) {
    const match = exists && !rule.isForced ? null : rule.expression.exec(path);
    if (match) return { ...rule, target: fill(rule.target, match.groups ?? {}) };
  }
  return undefined;
}

function fill(target: string, groups: Readonly<Record<string, string | undefined>>): string {
  return target.replace(/:([A-Za-z_]\w*)[*+]?|\$(\d+)/g, (written, name?: string, number?: string) => {
    const group = name ?? `_${number}`;
    return group in groups ? (groups[group] ?? '') : written;
  });
}

const escapeText = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const closeFolder = (path: string) => path.replace(/\/?$/, '/');
// The underscore keeps a lone dot after it from being a dot segment.
const normalizeText = (text: string) => normalizePath(`/_${text}`).slice(2);

/** Compiles the pattern of a rule; returns undefined if it is not understood. */
export function compilePattern(from: string, host: RedirectHost): PathPattern | undefined {
  const { wildcard, readText, readWildcard, end } = SYNTAX[host];
  // Texts and wildcards in turn: the text before the first wildcard, that wildcard, the text after it, and so on.
  const parts = from.split(wildcard);
  const [first = '', next = '/'] = parts;
  // A SyntaxError means that a name occurs twice in the pattern, or that an expression in it is not valid.
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
  /** Regular expression for what may follow the whole pattern. */
  readonly end: string;
}

/** Matches an expression in parentheses, which may contain others, nested up to eight deep. */
const GROUP = Array.from({ length: 8 }).reduce<string>(
  (inner) => String.raw`\((?:\\.|[^()\\]${inner && `|${inner}`})*\)`,
  '',
);

const SYNTAX: Readonly<Record<RedirectHost, PatternSyntax>> = {
  // On Netlify, a slash at the end never counts. `:name` is a segment, and `*` the end of one: `/a/*` matches `/a`, too.
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
  // Cloudflare decodes nothing in patterns.
  cloudflare: {
    wildcard: /(\*|:[A-Za-z]\w*)/,
    readText: (text) => new URL(`https://site.invalid/_${text}`).pathname.slice(2),
    readWildcard: (wildcard) => (wildcard === '*' ? '(?<splat>.*)' : `(?<${wildcard.slice(1)}>[^/]+)`),
    end: '',
  },
  // The syntax of path-to-regexp 6: `:name`, `:name(expression)` and `(expression)`, which may end in `*`, `+` or `?`.
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
