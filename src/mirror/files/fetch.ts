/** Fetches one resource into the `ready` folder, unless the copy has it. */

import { hash as digestText } from 'node:crypto';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { OPEN_FLAGS } from '../../base/open-flags.js';
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

/** The origin, the folders and the rules with which resources are fetched. */
export interface FetchContext {
  readonly origin: Origin;
  readonly folder: string;
  /** Folder for complete files, which a journal will name. */
  readonly ready: HeldFolder;
  /** Names of the files that a killed run has left in the `ready` folder. */
  readonly left: ReadonlySet<string>;
  /** Returns whether a file at the path of a resource is ours, so that it may be replaced. */
  readonly isOurs: (want: Want) => boolean;
  /** Returns whether our file at a path, or below it, is to be removed. */
  readonly isLeaving: (path: string) => boolean;
  readonly isAllowed: (uri: string) => boolean;
  readonly received: DownloadCounter;
  /** Limit of the bytes of a resource without a listed length. */
  readonly mostUnlisted: number;
}

/** Returns the name of a resource in the `ready` folder; with another listed digest or length, it has another name. */
export function nameReady({ entry: { uri, hash = '', length = '' } }: Pick<Want, 'entry'>): string {
  return digestText('sha256', [uri, hash, length].join('\n'), 'buffer').toString('hex', 0, 16);
}

/**
 * Obtains a resource: looks into the folders first, then requests its URL, then other addresses of the same bytes. A memento
 * is requested only if the URL has other bytes than listed.
 */
export async function obtain(context: FetchContext, want: Want): Promise<Outcome> {
  const { entry } = want;
  const local = await lookAround(context, want);
  if (local !== undefined) return local;
  const first = await fetchFrom(context, want, spellingOf(entry));
  if (first.kind !== 'failed') return first;
  const { copies = [] } = entry;
  for (const { rel, uri } of copies) {
    if (!context.isAllowed(uri) || (rel === 'memento' && first.reason !== 'different')) continue;
    const outcome = await fetchFrom(context, { ...want, kept: undefined }, uri);
    if (outcome.kind !== 'failed') return outcome;
  }
  return first;
}

/** Finds an outcome without a request: the file is right, a killed run left it ready, or something is in its way. */
export async function lookAround(context: FetchContext, want: Want): Promise<Outcome | undefined> {
  const { entry, path } = want;
  const occupant = lookAt(context.folder, path);
  const isOurs = context.isOurs(want);
  if (occupant.kind === 'obstacle' && !context.isLeaving(occupant.path))
    return block(`${occupant.path} is ${occupant.what} that is not ours`);
  const names = digestsFor(entry);
  if (occupant.kind === 'file' && isVerifiable(entry) && couldBe(want, occupant.length)) {
    const bytes = await digestFile(openInCopy(context, path), names);
    if (findWrong(entry, bytes) === undefined) return toOutcome('right', want, bytes);
  }
  if (occupant.kind === 'file' && !isOurs) return block(`${path} is not ours, and is not overwritten`);
  if (context.left.size === 0 || !isVerifiable(entry)) return undefined;
  const staged = nameReady(want);
  if (!context.left.has(staged)) return undefined;
  const found = context.ready.look(staged);
  // A file with a second link could be changed through it.
  if (found?.isFile() !== true || found.nlink !== 1) return undefined;
  const bytes = await digestFile(context.ready.open(staged), names);
  if (findWrong(entry, bytes) !== undefined) return undefined;
  return toOutcome('ready', want, bytes);
}

/** Opens a file of the copy for reading. @returns its descriptor */
export function openInCopy({ folder }: Pick<FetchContext, 'folder'>, path: string): number {
  return openSync(join(folder, path), OPEN_FLAGS);
}

function block(found: string): Failed {
  return { kind: 'failed', reason: 'in-the-way', found };
}

/** Returns whether a file has the listed length, if any; otherwise, its bytes need not be read. */
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
    // The rest of a body far longer than listed is not read: the resource has other bytes.
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

/** Returns whether the copy still has the file, with the saved length: a missing file cannot be unchanged. */
function hasFile({ folder }: FetchContext, { path, kept }: Want): boolean {
  const occupant = lookAt(folder, path);
  return occupant.kind === 'file' && occupant.length === kept?.length;
}

async function save(context: FetchContext, want: Want, opened: Opened): Promise<Outcome> {
  const { entry } = want;
  const name = nameReady(want);
  // Files in the `ready` folder are verified again before a later run uses them: see `lookAround`.
  const { length, isRight } = toWanted(entry);
  const wanted = {
    digests: digestsFor(entry),
    length,
    isRight: isRight && ((bytes: Bytes) => findWrong(entry, bytes) === undefined),
  };
  const most = length === undefined ? context.mostUnlisted : Number.POSITIVE_INFINITY;
  const digested = await saveOpened(context.ready, name, opened, wanted, () => {
    let total = 0;
    return (piece) => {
      total += piece.length;
      if (total > most) throw new FetchError('failed', `more than ${most} bytes, and no length is listed`);
      context.received.take(piece.length);
    };
  });
  if (isAbsent(digested)) {
    context.ready.remove(name);
    return { kind: 'failed', reason: 'failed', found: digested.found };
  }
  const found = findWrong(entry, digested);
  if (found !== undefined) {
    context.ready.remove(name);
    return { kind: 'failed', reason: 'different', found };
  }
  context.received.countFile();
  const before = want.kept;
  const isSame = before?.validators !== undefined && before.hash === toKept(want, digested).hash;
  if (!isSame || !hasFile(context, want)) return toOutcome('ready', want, digested, opened);
  context.ready.remove(name);
  return toOutcome('right', want, digested, opened);
}
