/** The wording of mistakes in a configuration: where, what is wanted, what was found, what may be meant. */

import * as v from 'valibot';
import { ResyncError } from '../errors.js';
import { matchAll, matchGroups } from '../text/match.js';
import { joinWords, say, type Words } from '../text/say.js';
import { findNearest } from '../text/suggest.js';
import { formatCount } from '../text/units.js';
import { isUrl } from '../url.js';
import { findRemoved } from './removed.js';

export interface ConfigOrigin {
  /** First line of the message. @default 'The configuration cannot be used' */
  readonly title?: string;
  /** Names of options as the user wrote them, such as `{ url: '--url' }`. @default as in `UserConfig` */
  readonly labels?: Readonly<Record<string, string>>;
  readonly mistakes?: readonly string[];
  /** Names of the options that `mistakes` is about: the schema reports nothing about these. */
  readonly reported?: readonly string[];
}

/**
 * Checks options against a schema, and fills in its defaults.
 * @param more mistakes that no schema finds @param reword hides secrets @throws ResyncError `config-invalid` that lists every mistake
 */
export function parseOptions<const S extends v.GenericSchema>(
  schema: S,
  user: unknown,
  origin: ConfigOrigin,
  more: readonly string[] = [],
  reword = (issue: v.BaseIssue<unknown>) => issue,
): v.InferOutput<S> {
  const { title, labels = {}, mistakes: former = [], reported = [] } = origin;
  const { success, output, issues = [] } = v.safeParse(schema, user, { abortPipeEarly: true });
  const isNew = ({ path }: v.BaseIssue<unknown>) => !reported.includes(String(path?.[0]?.key));
  const word = (issue: v.BaseIssue<unknown>) => wordIssue(reword(issue), labels);
  const mistakes = [...former, ...issues.filter(isNew).map(word), ...more];
  if (mistakes.length > 0 || !success) throw makeConfigError(mistakes, title);
  return output;
}

export function wordIssue(
  issue: v.BaseIssue<unknown>,
  labels: Readonly<Record<string, string>>,
  root = 'configuration',
): string {
  const { path: steps = [] } = issue;
  const keys = steps.map(({ key }) => String(key));
  const name = nameOption(keys, labels) ?? root;
  const path = writePath(keys);
  const isUnknown = issue.type === 'object' && issue.expected === 'never';
  const option = path.replace(/\[\d+\]/g, '');
  const removed = findRemoved(isUnknown ? option : `${option}=${issue.input}`);
  if (removed !== undefined) return `${path} is gone. ${removed}`;
  if (isUnknown) return `${name} is not an option. ${issue.message}`;
  if (issue.received === 'undefined' && issue.path?.at(-1)?.type === 'object')
    return `${name} is missing. Give ${issue.message}`;
  return `${name} must be ${issue.message}, but is ${show(issue.input)}${suggestValue(issue)}`;
}

/** Returns the name of an option as the user wrote it; undefined for the configuration itself. */
function nameOption(keys: readonly string[], labels: Readonly<Record<string, string>>): string | undefined {
  const [first] = keys;
  if (first === undefined) return undefined;
  // A flag's value is one text on the command line: its position in a list says nothing there.
  return findLabel(labels, first) ?? writePath(keys);
}

/** Writes the path of an option, such as `sets[0].name`. */
function writePath(keys: readonly string[]): string {
  const where = keys.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`)).join('');
  return where.replace(/^\./, '');
}

/** Finds the label of an option. Only own properties count: the name that a user wrote may be `constructor`. */
export function findLabel(labels: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(labels, name) ? labels[name] : undefined;
}

function hasPassword(text: string): boolean {
  return (
    isUrl(text) && /^(?:http|ws)s?:/i.test(text) && new URL(text).username + new URL(text).password !== ''
  );
}

const HOST = /^(?:\/\/)?((?:[a-z\d-]+\.)+[a-z]{2,}|localhost)(:\d+)?(\/\S*)?$/i;

function suggestValue(issue: v.BaseIssue<unknown>): string {
  if (typeof issue.input === 'string' && hasPassword(issue.input)) {
    return '. Only mirror can send a password: set RESYNC_HEADER to a header such as "Authorization: Basic …"';
  }
  const key = issue.path?.at(-1)?.key;
  const [, host, port = '', path = '/'] = matchGroups(
    HOST,
    typeof issue.input === 'string' ? issue.input : '',
  );
  if (['url', 'source', 'servedAt'].includes(String(key)) && host !== undefined) {
    const scheme = host.toLowerCase() === 'localhost' ? 'http' : 'https';
    return `. Did you mean ${scheme}://${host}${port}${path}?`;
  }
  const { type, input, expected } = issue;
  const values = type === 'picklist' ? matchAll(/[\w-]+/g, String(expected)) : [];
  const nearest = typeof input === 'string' ? findNearest(input, values) : undefined;
  return nearest === undefined ? '' : `. Did you mean ${nearest}?`;
}

export function show(value: unknown): string {
  if (JSON.stringify(value)?.includes('PRIVATE KEY-----')) return 'a private key';
  if (typeof value === 'function') return 'a function';
  if (value instanceof Date) return 'an invalid date';
  if (value instanceof Promise) return 'a promise. The function must return the value itself';
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}

export function makeConfigError(
  found: readonly string[],
  title = 'The configuration cannot be used',
): ResyncError {
  // The same sentence is listed once: two wrong values may give it.
  const mistakes = [...new Set(found)];
  const count = formatCount(mistakes.length, 'mistake');
  return new ResyncError('config-invalid', say`${title}: ${count}\n${listMistakes(mistakes)}`);
}

export function listMistakes(mistakes: readonly string[]): Words {
  return joinWords(mistakes.map((mistake) => say`  ${mistake}`));
}
