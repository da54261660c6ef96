/** Redirect rules of hosts: their patterns, and the table that finds the rule for a path. Pure. */

import { ResyncError, unlessThrown } from '../../base/errors.js';
import { matchGroups } from '../../base/text/match.js';
import { say } from '../../base/text/say.js';
import { limitTime } from '../../base/timed.js';
import { addressOf } from '../address.js';

/** How patterns are read: as these hosts document it. */
export type RedirectHost = 'netlify' | 'cloudflare' | 'vercel';

/** A rule as it is written. */
export interface WrittenRule {
  /** File, and its line or the number of the entry, such as `_redirects:3`. */
  readonly where: string;
  readonly host: RedirectHost;
  readonly from: string;
  readonly to: string;
  readonly status: number;
  /** True if it also counts where a page exists. */
  readonly isForced: boolean;
}

interface CompiledRule extends WrittenRule {
  readonly order: number;
  /** Undefined if the pattern has no wildcard. */
  readonly expression: RegExp | undefined;
}

/** A rule that answers a path. */
export interface FoundRule extends WrittenRule {
  /** The target, with what the wildcards matched. */
  readonly target: string;
}

/** Milliseconds for all lookups. */
const MOST_TIME = 10_000;

/** Rules of all files, the first that matches wins. */
export class RedirectTable {
  /** Rules without wildcards by path, others by the folder that all of their paths begin with. */
  readonly #plain = new Map<string, CompiledRule[]>();
  readonly #wild = new Map<string, CompiledRule[]>();
  /** Places of rules that cannot be read. */
  readonly unread: string[] = [];
  readonly #choose: (asked: Asked) => FoundRule | undefined;
  /** Milliseconds. */
  #spent = 0;

  constructor(rules: readonly WrittenRule[]) {
    let isSlow = false;
    for (const [order, rule] of rules.entries()) {
      const pattern = compilePattern(rule);
      if (pattern === undefined) this.unread.push(rule.where);
      else this.#add({ ...rule, order, expression: pattern.expression }, pattern);
      if (pattern?.isSlow === true) isSlow = true;
    }
    this.#choose = isSlow ? limitTime(choose, refuseSlow) : choose;
  }

  #add(rule: CompiledRule, { keys, expression }: Pattern): void {
    const rules = expression === undefined ? this.#plain : this.#wild;
    for (const key of keys) {
      const others = rules.get(key);
      if (others === undefined) rules.set(key, [rule]);
      else others.push(rule);
    }
  }

  /** @param exists whether a page answers the path, so that only forced rules count */
  find(path: string, exists: boolean): FoundRule | undefined {
    const rules = [...(this.#plain.get(path) ?? [])];
    for (const folder of this.#wild.size === 0 ? [] : listFolders(path))
      rules.push(...(this.#wild.get(folder) ?? []));
    if (rules.length === 0) return undefined;
    const begin = performance.now();
    const found = this.#choose({ path, exists, rules });
    this.#spent += performance.now() - begin;
    if (this.#spent > MOST_TIME) throw refuseSlow({ path });
    return found;
  }
}

/** `/a/b` → `/`, `/a/`, `/a/b/`: a rule for `/a/b/*` also matches `/a/b`. */
function listFolders(path: string): string[] {
  const whole = path.endsWith('/') ? path : `${path}/`;
  return Array.from(whole.matchAll(/\//g), ({ index }) => whole.slice(0, index + 1));
}

interface Asked {
  readonly path: string;
  readonly exists: boolean;
  readonly rules: readonly CompiledRule[];
}

function choose({ path, exists, rules }: Asked): FoundRule | undefined {
  let found: FoundRule | undefined;
  let first = Number.POSITIVE_INFINITY;
  for (const rule of rules) {
    if (rule.order >= first || (exists && !rule.isForced)) continue;
    const match = rule.expression?.exec(path);
    if (match === null) continue;
    first = rule.order;
    found = { ...rule, target: fill(rule.to, match?.groups ?? {}) };
  }
  return found;
}

function fill(target: string, groups: Readonly<Record<string, string | undefined>>): string {
  return target.replace(/:([A-Za-z_]\w*)[*+?]?|\$(\d+)/g, (written, name?: string, number?: string) => {
    const group = name ?? `_${number}`;
    return group in groups ? (groups[group] ?? '') : written;
  });
}

function refuseSlow({ path }: Pick<Asked, 'path'>): ResyncError {
  return new ResyncError(
    'redirects-unreadable',
    say`The redirect rules take too long to match; they were stopped at ${path}.\nWrite their patterns without repetitions inside of repetitions.`,
  );
}

interface Pattern {
  /** Undefined if there is no wildcard. */
  readonly expression: RegExp | undefined;
  /** The paths that it matches, or the folder in which all of them are. */
  readonly keys: readonly string[];
  /** True if a match may take long. */
  readonly isSlow: boolean;
}

function compilePattern(rule: WrittenRule): Pattern | undefined {
  return rule.host === 'vercel' ? compileVercel(rule.from) : compileLine(rule.from, rule.host);
}

const escapeText = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Two wildcards that share the characters of a segment, or one of several segments with something behind it. */
const TANGLED = /:[^/]*:|\*./;

/** Netlify takes paths with and without a slash at the end for the same, and `/a/*` for `/a`, too. */
function compileLine(from: string, host: 'netlify' | 'cloudflare'): Pattern | undefined {
  const isLoose = host === 'netlify';
  const path = isLoose && from !== '/' ? from.replace(/\/$/, '') : from;
  const wildcard = isLoose ? /((?<=\/)\*$|(?<=\/):[A-Za-z]\w*)/ : /(\*|:[A-Za-z]\w*)/;
  // An escaped wildcard is none, so literals are decoded one by one. Cloudflare decodes nothing.
  const read = isLoose ? decodeLiteral : serializeLiteral;
  const parts = path.split(wildcard).map((part, index) => (index % 2 === 0 ? read(part) : part));
  const [plain = ''] = parts;
  if (parts.length === 1)
    return { expression: undefined, keys: isLoose ? [plain, `${plain}/`] : [plain], isSlow: false };
  const source = parts.map((part, index) => {
    if (index % 2 === 0) return escapeText(part);
    return part === '*' ? '(?<splat>.*)' : `(?<${part.slice(1)}>[^/]+)`;
  });
  const all = source.join('');
  const end = isLoose ? all.replace(/(?<=.)\\\/(\(\?<splat>\.\*\))$/, '(?:\\/$1)?') : all;
  return compile(isLoose && !path.endsWith('*') ? `${end}\\/?` : end, plain, TANGLED.test(path));
}

const TOKEN = /\\(?<escaped>.)|(?<slash>\/?)(?::(?<name>[A-Za-z_]\w*)|(?=\())|(?<text>.)/sy;

/** Reads a pattern as path-to-regexp does: `:name`, `:name*`, `:name(expression)` and `(expression)`. */
function compileVercel(from: string): Pattern | undefined {
  let source = '';
  let unnamed = 0;
  let isSlow = TANGLED.test(from);
  for (let place = 0; place < from.length; ) {
    TOKEN.lastIndex = place;
    const { escaped, slash = '', name, text } = TOKEN.exec(from)?.groups ?? {};
    place = TOKEN.lastIndex;
    const literal = escaped ?? text;
    if (literal !== undefined) {
      if (text === '{' || text === '}') return undefined;
      source += escapeText(literal);
      continue;
    }
    const group = from[place] === '(' ? readGroup(from, place) : '';
    if (group === undefined) return undefined;
    place += group.length;
    const [modifier = ''] = matchGroups(/^[*+?]/, from.slice(place));
    place += modifier.length;
    isSlow ||= group !== '' || modifier !== '';
    const one = group === '' ? '[^/]+?' : group.slice(1, -1);
    const many = /[*+]/.test(modifier) ? `(?:${one})(?:\\/(?:${one}))*` : one;
    const part = `${escapeText(slash)}(?<${name ?? `_${++unnamed}`}>${many})`;
    source += /[*?]/.test(modifier) ? `(?:${part})?` : part;
  }
  const isPlain = !/[:(*+?\\{]/.test(from);
  return isPlain
    ? { expression: undefined, keys: [normalize(from)], isSlow }
    : compile(source, (/^[^:(*+?\\{]*/.exec(from) ?? [''])[0], isSlow);
}

/** Reads from one bracket to the one that closes it; undefined if none does. */
function readGroup(text: string, start: number): string | undefined {
  let depth = 0;
  for (let place = start; place < text.length; place++) {
    if (text[place] === '\\') place++;
    else if (text[place] === '(') depth++;
    else if (text[place] === ')' && --depth === 0) return text.slice(start, place + 1);
  }
  return undefined;
}

/** @param literal the text before the first wildcard */
function compile(source: string, literal: string, isSlow: boolean): Pattern | undefined {
  const expression = unlessThrown(() => new RegExp(`^${source}$`), SyntaxError);
  return expression && { expression, keys: [literal.slice(0, literal.lastIndexOf('/') + 1)], isSlow };
}

function decodeLiteral(text: string): string {
  return normalize(`/${text}`).slice(1);
}

function serializeLiteral(text: string): string {
  return new URL(`https://site.invalid/${text}`).pathname.slice(1);
}

/** The form of a path in which it is compared. */
export function normalize(path: string): string {
  return addressOf(`https://site.invalid${path}`).slice('https://site.invalid'.length);
}
