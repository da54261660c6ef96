/** Gets the bytes of one resource into the folder of what is ready, or finds that the folder has them. */

import { hash as digestText } from 'node:crypto';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { OPEN_FLAGS } from '../../files/digest/read-file.js';
import type { HeldFolder } from '../../paths/held/folder.js';
import { toWanted } from '../../source/listed.js';
import {
  type Bytes,
  isAbsent,
  MOST_BYTES,
  MOST_LONGER,
  type Opened,
  type Origin,
} from '../../source/origin/origin.js';
import { saveOpened } from '../../source/origin/save.js';
import { spellingOf } from '../../source/sets/entry.js';
import { FetchError } from '../../source/web/bounds.js';
import type { DownloadCounter } from '../../source/web/pace.js';
import type { Failed, Outcome, Want } from '../plan/model.js';
import { lookAt } from './place.js';
import { digestFile, digestsFor, findWrong, isVerifiable, toKept, toOutcome } from './verify.js';

/** Origin and folders of resources, and the rules for fetching them. */
export interface FetchContext {
  readonly origin: Origin;
  readonly folder: string;
  /** For files on their way, which a journal names once they are whole. */
  readonly ready: HeldFolder;
  /** Names of those that were there at the start. */
  readonly left: ReadonlySet<string>;
  /** Whether a file at the path of a resource may be replaced: it is ours. */
  readonly isOurs: (want: Want) => boolean;
  /** Whether a file of ours at a path, or below it, is to be removed. */
  readonly isLeaving: (path: string) => boolean;
  /** Whether a URL may be asked for. */
  readonly isAllowed: (uri: string) => boolean;
  readonly received: DownloadCounter;
  /** Bytes that are written of a resource whose length is not listed. */
  readonly mostUnlisted: number;
}

/** The name of a resource among those that are ready: another version has another. */
export function nameReady({ entry: { uri, hash, length } }: Pick<Want, 'entry'>): string {
  return digestText('sha256', `${uri}\n${hash ?? ''}\n${length ?? ''}`, 'buffer').toString('hex', 0, 16);
}

/**
 * Looks into the folder first, then asks for the resource, then for copies of it. The version that an entry is about is
 * asked for only where the resource has changed again: it has other bytes.
 */
export async function obtain(context: FetchContext, want: Want): Promise<Outcome> {
  const { entry } = want;
  const local = await lookAround(context, want);
  if (local !== undefined) return local;
  const first = await fetchFrom(context, want, spellingOf(entry));
  if (first.kind !== 'failed') return first;
  for (const { rel, uri } of entry.copies ?? []) {
    if (!context.isAllowed(uri) || (rel === 'memento' && first.reason !== 'different')) continue;
    const outcome = await fetchFrom(context, { ...want, kept: undefined }, uri);
    if (outcome.kind !== 'failed') return outcome;
  }
  return first;
}

/** What is there already: a file with the right bytes, one that is ready from a run before, or something in the way. */
export async function lookAround(context: FetchContext, want: Want): Promise<Outcome | undefined> {
  const { entry, path } = want;
  const standing = lookAt(context.folder, path);
  const isOurs = context.isOurs(want);
  if (standing.kind === 'obstacle' && !context.isLeaving(standing.path))
    return block(`${standing.path} is ${standing.what} that is not ours`);
  const names = digestsFor(entry);
  if (standing.kind === 'file' && isVerifiable(entry) && couldBe(want, standing.length)) {
    const bytes = await digestFile(openInCopy(context, path), names);
    if (findWrong(entry, bytes) === undefined) return toOutcome('right', want, bytes);
  }
  if (standing.kind === 'file' && !isOurs) return block(`${path} is not ours, and is not overwritten`);
  if (context.left.size === 0 || !isVerifiable(entry)) return undefined;
  const staged = nameReady(want);
  if (!context.left.has(staged)) return undefined;
  const found = context.ready.look(staged);
  // What has a second name elsewhere could be changed from there.
  if (found?.isFile() !== true || found.nlink !== 1) return undefined;
  const bytes = await digestFile(context.ready.open(staged), names);
  if (findWrong(entry, bytes) !== undefined) return undefined;
  return toOutcome('ready', want, bytes);
}

/** @returns the descriptor of a file, to be read */
export function openInCopy({ folder }: Pick<FetchContext, 'folder'>, path: string): number {
  return openSync(join(folder, path), OPEN_FLAGS);
}

function block(found: string): Failed {
  return { kind: 'failed', reason: 'in-the-way', found };
}

/** A file of another length need not be read. */
function couldBe({ entry }: Want, length: number): boolean {
  return entry.length === undefined || Number(entry.length) === length;
}

async function fetchFrom(context: FetchContext, want: Want, uri: string): Promise<Outcome> {
  const { entry, kept } = want;
  const wanted = toWanted(entry);
  const asks = kept?.validators !== undefined && !isVerifiable(entry) && hasFile(context, want);
  const opened = await context.origin.open(uri, {
    isFile: true,
    encoding: entry.encoding,
    // What is longer than one of these has other bytes; only past both the server is at fault.
    most: Math.min(MOST_BYTES, (wanted.length ?? MOST_BYTES) + 2 * MOST_LONGER),
    ...(asks && { validators: kept?.validators }),
  });
  if (isAbsent(opened)) {
    return {
      kind: 'failed',
      reason: opened.failure === 'missing' ? 'missing' : 'failed',
      found: opened.found,
    };
  }
  if (opened.unchanged === true && kept !== undefined) {
    for await (const _ of opened.body) break;
    context.received.countFile();
    return { kind: 'right', kept: { ...kept, sets: want.sets } };
  }
  return save(context, want, opened);
}

/** What is not there cannot be unchanged. */
function hasFile({ folder }: FetchContext, { path, kept }: Want): boolean {
  const standing = lookAt(folder, path);
  return standing.kind === 'file' && standing.length === kept?.length;
}

async function save(context: FetchContext, want: Want, opened: Opened): Promise<Outcome> {
  const { entry } = want;
  const name = nameReady(want);
  // What is not right when it is used is not used: see `lookAround`.
  const { length, isRight } = toWanted(entry);
  const wanted = {
    digests: digestsFor(entry),
    length,
    isRight: isRight && ((bytes: Bytes) => findWrong(entry, bytes) === undefined),
  };
  const most = length === undefined ? context.mostUnlisted : Number.POSITIVE_INFINITY;
  const written: number[] = [];
  const digested = await saveOpened(context.ready, name, opened, wanted, (piece, form = 0) => {
    written[form] = (written[form] ?? 0) + piece.length;
    if (written[form] > most)
      throw new FetchError('failed', `more than ${most} bytes, and no length is listed`);
    return context.received.take(piece.length);
  });
  const problem = isAbsent(digested) ? digested.found : findWrong(entry, digested);
  if (problem !== undefined || isAbsent(digested)) {
    context.ready.remove(name);
    const reason = isAbsent(digested) ? 'failed' : 'different';
    return { kind: 'failed', reason, found: problem ?? '' };
  }
  context.received.countFile();
  const before = want.kept;
  const isSame = before?.validators !== undefined && before.hash === toKept(want, digested).hash;
  if (!isSame || !hasFile(context, want)) return toOutcome('ready', want, digested, opened);
  context.ready.remove(name);
  return toOutcome('right', want, digested, opened);
}
