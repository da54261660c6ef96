/** The wording of mistakes in a configuration: where, what is wanted, what was found, what may be meant. */

import { closestMatch } from 'leven';
import type * as v from 'valibot';
import { ResyncError } from '../errors.js';
import { joinWords, say, type Words } from '../text/say.js';
import { LinkSchema } from './links.js';
import { ChangesSchema, DumpsSchema, OptionsSchema, SetSchema } from './schema.js';

/** One line: where, what is wanted, what was got. */
export function wordIssue(
  issue: v.BaseIssue<unknown>,
  labels: Readonly<Record<string, string>>,
  root = 'configuration',
  options: Readonly<Record<string, unknown>> = OptionsSchema.entries,
): string {
  const keys = (issue.path ?? []).map(({ key }) => String(key));
  const [first, ...rest] = keys;
  const label = first === undefined ? undefined : findLabel(labels, first);
  // A flag's value is one text on the command line: its position in a list says nothing there.
  const where = label ?? keys.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`)).join('');
  const name = where === '' ? root : where.replace(/^\./, '');
  const entries: Readonly<Record<string, unknown>> =
    root === 'links'
      ? LinkSchema.entries
      : rest.length === 0
        ? options
        : first === 'changes'
          ? ChangesSchema.entries
          : first === 'dumps'
            ? DumpsSchema.entries
            : SetSchema.entries;
  const key = keys.at(-1) ?? '';
  if (issue.type === 'object' && issue.expected === 'never') {
    return `${name}: is not an option; ${suggest(key, Object.keys(entries))}`;
  }
  if (issue.received === 'undefined' && Object.hasOwn(entries, key)) {
    return `${name}: is missing; wants ${(entries[key] as { message: string }).message}`;
  }
  return `${name}: wants ${issue.type === 'object' ? 'an object' : issue.message}; got ${show(issue.input)}${suggestValue(issue)}`;
}

/** Labels are asked for by names that users made up, such as `constructor`. */
export function findLabel(labels: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(labels, name) ? labels[name] : undefined;
}

function suggestValue(issue: v.BaseIssue<unknown>): string {
  const values = issue.type === 'picklist' ? (issue.expected ?? '').match(/[\w-]+/g) : null;
  const nearest = typeof issue.input === 'string' ? findNearest(issue.input, values ?? []) : undefined;
  return nearest === undefined ? '' : `, did you mean ${nearest}?`;
}

/** Ends a sentence about a name that does not exist. */
export function suggest(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known);
  return nearest === undefined ? `there are ${known.join(', ')}` : `did you mean ${nearest}?`;
}

function findNearest(name: string, known: readonly string[]): string | undefined {
  return closestMatch(name, [...known], { maxDistance: Math.max(2, Math.floor(name.length / 3)) });
}

export function show(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (value instanceof Date) return 'an invalid date';
  if (value instanceof Promise) return 'a promise: the function has to return the value itself';
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}

/** An error that lists every mistake, a line each. */
export function makeConfigError(mistakes: readonly string[]): ResyncError {
  const count = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`;
  return new ResyncError('config-invalid', say`The configuration has ${count}:\n${listMistakes(mistakes)}`);
}

export function listMistakes(mistakes: readonly string[]): Words {
  return joinWords(mistakes.map((mistake) => say`  ${mistake}`));
}
