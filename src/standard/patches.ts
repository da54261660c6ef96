/** Patches of JSON files (RFC 6902): made where they are short and surely right, and applied within bounds. Pure. */

import { applyPatch, createPatch, type Operation } from 'rfc6902';
import { unlessThrown } from '../base/errors.js';
import { decodeUtf8 } from '../base/text/utf8.js';

/** A patch is of use where it is smaller than this share of the file. */
const MOST_SHARE = 1 / 4;

/** So many steps of a comparison are worth it: a strange file must not take long. */
const MOST_STEPS = 200_000;
/** Arrays are compared element by element, each with each, as long as there are so few pairs. */
const MOST_PAIRS = 10_000;
/** How deep values lie in one another, at most. */
const MOST_DEPTH = 100;
/** So many operations are applied, at most. */
const MOST_OPERATIONS = 10_000;

/**
 * Makes the patch that leads from one version of a file to the next.
 *
 * @returns undefined where one of them is not written as `JSON.stringify` writes, both differ in that, or a patch would not
 *   be short
 */
export function makeJsonPatch(before: Uint8Array, after: Uint8Array): Uint8Array | undefined {
  const [old, next] = [parseJsonText(before), parseJsonText(after)];
  if (old === undefined || next === undefined) return undefined;
  if (old.indent !== next.indent || old.end !== next.end) return undefined;
  const operations = compare(old, next);
  if (operations === undefined || operations.length > MOST_OPERATIONS) return undefined;
  const patch = new TextEncoder().encode(JSON.stringify(operations));
  if (patch.length >= after.length * MOST_SHARE) return undefined;
  const result = applyJsonPatch(before, patch);
  return result !== undefined && Buffer.compare(result, after) === 0 ? patch : undefined;
}

/**
 * Applies a patch that adds, removes and replaces; others are not known to end in time.
 *
 * @returns undefined where it cannot be applied
 */
export function applyJsonPatch(before: Uint8Array, patch: Uint8Array): Uint8Array | undefined {
  const old = parseJsonText(before);
  const operations = parseJsonText(patch)?.value;
  if (old === undefined || !Array.isArray(operations) || operations.length > MOST_OPERATIONS)
    return undefined;
  if (!operations.every(isKnown)) return undefined;
  const results = applyPatch(old.value, operations);
  return results.every((result) => result === null) ? writeJsonText(old) : undefined;
}

/** No part of a path means what all objects inherit. */
const INHERITED = /\/(?:__proto__|constructor|prototype)(?:\/|$)/;

function isKnown(operation: unknown): operation is Operation {
  if (typeof operation !== 'object' || operation === null) return false;
  const { op, path } = operation as { readonly op?: unknown; readonly path?: unknown };
  const known = op === 'add' || op === 'remove' || op === 'replace';
  return known && typeof path === 'string' && path.startsWith('/') && !INHERITED.test(path);
}

/** What is too much to compare. */
class TooMuch extends Error {}

function compare(old: JsonText, next: JsonText): readonly Operation[] | undefined {
  let steps = 0;
  const count = (more: number) => {
    steps += more;
    if (steps > MOST_STEPS) throw new TooMuch();
  };
  const make = () =>
    createPatch(old.value, next.value, (one: unknown, other: unknown, pointer) => {
      if (pointer.tokens.length > MOST_DEPTH) throw new TooMuch();
      count(1 + sizeOf(one) + sizeOf(other));
      if (!Array.isArray(one) || !Array.isArray(other)) return undefined;
      const pairs = one.length * other.length;
      if (pairs > MOST_PAIRS) return compareLong(one, other, pointer.toString());
      count(pairs);
      return undefined;
    });
  return unlessThrown(make, TooMuch);
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** Compares long arrays by what stands in only one of them; elements that changed places cost much, and so be it. */
function compareLong(one: readonly unknown[], other: readonly unknown[], path: string): Operation[] {
  const write = (value: unknown) => JSON.stringify(value);
  const [olds, news] = [one.map(write), other.map(write)];
  const [old, next] = [new Set(olds), new Set(news)];
  const operations: Operation[] = [];
  // `place` is where the next element belongs once the operations so far are done.
  for (let [index, place] = [0, 0]; index < olds.length || place < news.length; ) {
    const [was, is] = [olds[index], news[place]];
    if (was === is) [index, place] = [index + 1, place + 1];
    else {
      const isGone = was !== undefined && !next.has(was);
      const isNew = is !== undefined && !old.has(is);
      const at = `${path}/${place}`;
      if (isGone && isNew) operations.push({ op: 'replace', path: at, value: other[place] });
      else if (isGone || (!isNew && was !== undefined)) operations.push({ op: 'remove', path: at });
      else operations.push({ op: 'add', path: at, value: other[place] });
      const last = operations.at(-1)?.op;
      if (last !== 'add') index++;
      if (last !== 'remove') place++;
    }
    if (operations.length > MOST_OPERATIONS) throw new TooMuch();
  }
  return operations;
}

/** A value, and how it is written. */
interface JsonText {
  readonly value: unknown;
  /** What `JSON.stringify` is given to indent. */
  readonly indent: string;
  /** What stands behind the value: a line break, or nothing. */
  readonly end: string;
}

/** Reads a file; undefined where writing it again would give other bytes. */
function parseJsonText(bytes: Uint8Array): JsonText | undefined {
  const text = decodeUtf8(bytes);
  const read = () => {
    if (text === undefined) return undefined;
    const [end = ''] = /(?:\r?\n)?$/.exec(text) ?? [];
    const [, indent = ''] = /^[[{]\n([ \t]{1,10})\S/.exec(text) ?? [];
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value, null, indent) + end === text ? { value, indent, end } : undefined;
  };
  // A RangeError: values lie in one another too deep to be written.
  return unlessThrown(read, SyntaxError, RangeError);
}

function writeJsonText({ value, indent, end }: JsonText): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value, null, indent) + end);
}
