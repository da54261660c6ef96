/** What has changed, for the next program, until it has taken it: the lines that it gets, one for each URL. */

import { closeSync, fsyncSync, writeFileSync } from 'node:fs';
import { judgeType } from '../../diff/content.js';
import type { ContentKind } from '../../diff/model.js';
import type { HeldFolder } from '../../paths/held/folder.js';
import { openOwn, readOwn } from '../../paths/held/own.js';
import { loadTypes, type TypeOf } from '../../site/types.js';
import type { Files } from '../plan/columns.js';
import { isDocument } from '../plan/model.js';
import type { MirrorChange } from '../report.js';
import type { Line } from './format.js';
import { writeNew } from './seal.js';
import { readTexts, tellFile } from './state.js';

/** Either has the lines that count, so that those of before are there until those of now are whole. */
const PLACES = ['waiting', 'waiting-2'] as const;
/** Tells which has them, and that they were written here, as the seal tells it of all else. Replaced at once. */
const SEAL = 'waiting-seal';
const NEXT_SEAL = 'waiting-seal-2';
const MOST_SEAL = 200;
/** A thousand lines or so are written at once. */
const PIECE = 256 * 1024;

/** Lines that wait. */
export interface WaitingChanges {
  readonly count: number;
  /** Read anew each time. */
  readonly changes: Iterable<MirrorChange>;
  /** Opens them as they are, a line of JSON each; to be closed. */
  readonly open: () => number;
}

/** Whether a program is told of a line: nobody is of documents of the builder, and of what is as it was. */
export function isTold(line: Line): boolean {
  return line.kind === 'gone'
    ? line.isDocument !== true
    : line.change !== undefined && !isDocument(line.kept.sets);
}

/** As a program is told of a line; undefined where it is not. */
export function tellLine(line: Line): MirrorChange | undefined {
  if (!isTold(line)) return undefined;
  const datetime = line.time === undefined ? {} : { datetime: wordTime(line.time) };
  if (line.kind === 'gone') {
    // Where it is taken, a file is there again: that of another URL.
    const path = line.isTaken ? {} : { path: line.path };
    return { change: 'deleted', uri: line.uri, ...path, ...datetime, ...line.meaning } as MirrorChange;
  }
  const { path, length, hash } = line.kept;
  return {
    change: line.change,
    uri: line.uri,
    path,
    length,
    hash,
    ...datetime,
    ...line.meaning,
  } as MirrorChange;
}

/** As precise as the Source. */
function wordTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** Whether lines are kept here for a program: from then on, every run adds its own, until they are taken. */
export function areKept(memory: HeldFolder): boolean {
  return PLACES.some((place) => memory.look(place) !== undefined);
}

/** Begins to keep lines. */
export function startWaiting(memory: HeldFolder): void {
  if (findSealed(memory) === undefined && isEmpty(readWaiting(memory))) writeWaiting(memory, [], true);
}

function isEmpty(values: Iterable<unknown>): boolean {
  for (const _ of values) return false;
  return true;
}

/** Adds what a run has done. Doing it twice does no harm. */
export function addWaiting(memory: HeldFolder, lines: Iterable<Line>): void {
  const waiting = new Map<string, MirrorChange>();
  for (const change of readWaiting(memory)) waiting.set(change.uri, change);
  const isSure = waiting.size === 0 || findSealed(memory) !== undefined;
  for (const line of lines) {
    const change = tellLine(line);
    if (change === undefined) continue;
    const before = waiting.get(change.uri);
    // The last change tells the place.
    waiting.delete(change.uri);
    waiting.set(change.uri, before === undefined ? change : mergeChanges(before, change));
  }
  writeWaiting(memory, waiting.values(), isSure);
}

/** Weakest first. */
const STRENGTH: readonly (ContentKind | undefined)[] = ['markup', 'binary', 'data', 'text', undefined];

/** Two changes of one URL, of which neither was taken, against what was taken before. */
export function mergeChanges(before: MirrorChange, now: MirrorChange): MirrorChange {
  const { kind: _, ...rest } = now;
  const strength = Math.max(...[before, now].map(({ kind }) => STRENGTH.indexOf(kind)));
  const kind = STRENGTH[strength];
  const created = before.change === 'created' ? 'created' : 'updated';
  return { ...rest, change: now.change === 'deleted' ? 'deleted' : created, ...(kind && { kind }) };
}

/**
 * What waits; undefined where nothing does.
 *
 * @param readFiles the files as they are, for lines that nobody knows who wrote: of these, the URLs count
 */
export async function recallWaiting(
  memory: HeldFolder,
  readFiles: () => Files | undefined,
): Promise<WaitingChanges | undefined> {
  if (!areKept(memory)) return undefined;
  if (findSealed(memory) === undefined) {
    const files = readFiles();
    // What cannot be read tells nothing: the next run knows more.
    if (files === undefined) return undefined;
    const typeOf = await loadTypes();
    const uris = new Map([...readWaiting(memory)].map((change) => [change.uri, change]));
    writeWaiting(
      memory,
      [...uris.values()].map((change) => confirmChange(change, files, typeOf)),
      true,
    );
  }
  let count = 0;
  for (const _ of readWaiting(memory)) count++;
  const place = findSealed(memory);
  if (count > 0 && place !== undefined) {
    const changes = { [Symbol.iterator]: () => readWaiting(memory) };
    return { count, changes, open: () => open(memory, place) };
  }
  forgetWaiting(memory);
  return undefined;
}

/** Says nothing but what the folder shows. Of a page, it may be anything; what is none is not to be taken for one. */
function confirmChange({ uri, change }: MirrorChange, files: Files, typeOf: TypeOf): MirrorChange {
  const kept = files.get(uri);
  if (kept === undefined) return { change: 'deleted', uri };
  const { path, length, hash } = kept;
  const kind = judgeType(typeOf(path));
  const told = kind === undefined || kind === 'page' ? {} : { kind };
  return { change: change === 'created' ? 'created' : 'updated', uri, path, length, hash, ...told };
}

/** Once all of them are taken. */
export function forgetWaiting(memory: HeldFolder): void {
  const sealed = findSealed(memory);
  for (const place of PLACES) if (place !== sealed) memory.clear(place);
  for (const name of [...PLACES, SEAL]) memory.clear(name);
}

/** Where lines are that were written here; undefined where there are none. */
function findSealed(memory: HeldFolder): (typeof PLACES)[number] | undefined {
  const said = readOwn(memory, SEAL, MOST_SEAL);
  return PLACES.find((place) => said === tellFile(memory, place));
}

function open(memory: HeldFolder, place: string): number {
  const file = openOwn(memory, place);
  if (file === undefined) throw new Error('the lines that wait are gone');
  return file;
}

/** Those that were written here, or else all that there are. */
function* readWaiting(memory: HeldFolder): Generator<MirrorChange, void> {
  const sealed = findSealed(memory);
  for (const place of sealed === undefined ? PLACES : [sealed])
    if (memory.look(place) !== undefined) yield* readPlace(memory, place);
}

/** What is no line says nothing. */
function* readPlace(memory: HeldFolder, place: string): Generator<MirrorChange, void> {
  for (const text of readTexts(() => open(memory, place))) {
    let change: Partial<MirrorChange> | null;
    try {
      change = JSON.parse(text);
    } catch (error) {
      if (error instanceof SyntaxError) continue;
      throw error;
    }
    if (typeof change?.uri === 'string') yield change as MirrorChange;
  }
}

/** @param isSure whether what is written was made here */
function writeWaiting(memory: HeldFolder, changes: Iterable<MirrorChange>, isSure: boolean): void {
  const former = findSealed(memory) ?? PLACES.find((one) => memory.look(one) !== undefined);
  const [place, other] = former === PLACES[0] ? [PLACES[1], PLACES[0]] : PLACES;
  memory.clear(place);
  const file = memory.create(place);
  try {
    let text = '';
    for (const change of changes) {
      text += `${JSON.stringify(change)}\n`;
      if (text.length < PIECE) continue;
      writeFileSync(file, text);
      text = '';
    }
    writeFileSync(file, text);
    // On disk before the memory says that all is done: a machine that goes off loses no line.
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (isSure) {
    writeNew(memory, NEXT_SEAL, tellFile(memory, place));
    memory.move(NEXT_SEAL, memory, SEAL);
  } else memory.clear(SEAL);
  memory.clear(other);
}
