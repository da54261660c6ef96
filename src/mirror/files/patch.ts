/** Brings a file up to date by a patch, where that is safe, and cheaper than to fetch the file (§14.4). */

import { closeSync, readFileSync } from 'node:fs';
import { writeInto } from '../../paths/held/own.js';
import { toWanted } from '../../source/listed.js';
import { type Bytes, digestBody, digestOpened, isAbsent } from '../../source/origin/origin.js';
import type { Entry, ListedPatch } from '../../source/sets/entry.js';
import { makeWhole } from '../../source/web/bounds.js';
import { PATCHED_BYTES } from '../../standard/limits.js';
import type { Kept, Outcome, Want } from '../plan/model.js';
import { nameReady, openInCopy, type Workshop } from './fetch.js';
import { digestsFor, findWrong, isVerifiable, toOutcome } from './verify.js';

/**
 * Applies a patch to the file that the folder has of the version before. The result counts only where its digest is the
 * listed one.
 *
 * @returns undefined where that is not possible, for whatever reason: then the resource is fetched
 */
export async function patchKept(shop: Workshop, want: Want): Promise<Outcome | undefined> {
  const { entry, kept, path } = want;
  const { patch } = entry;
  const { length = Number.POSITIVE_INFINITY } = toWanted(entry);
  if (patch === undefined || kept === undefined || !isVerifiable(entry)) return undefined;
  if (patch.length >= length || Math.max(kept.length, length) > PATCHED_BYTES) return undefined;
  if (!shop.isOurs(want) || !shop.isAllowed(patch.uri)) return undefined;
  const before = await readKept(shop, path, kept);
  if (before === undefined) return undefined;
  const operations = await fetchPatch(shop, entry, patch);
  if (operations === undefined) return undefined;
  const { applyJsonPatch } = await import('../../standard/patches.js');
  const after = applyJsonPatch(before, operations);
  if (after === undefined || after.length > length) return undefined;
  const bytes = await digest(after, entry);
  if (findWrong(entry, bytes) !== undefined) return undefined;
  shop.received.countFile();
  await writeInto(shop.ready, nameReady(want), async (write) => write(Buffer.from(after)));
  return toOutcome('ready', want, bytes);
}

/** The file as we put it there; undefined where somebody has changed it. */
async function readKept(shop: Workshop, path: string, kept: Kept): Promise<Buffer | undefined> {
  const standing = shop.look(path);
  if (standing.kind !== 'file' || standing.length !== kept.length) return undefined;
  const bytes = readOpened(openInCopy(shop, path));
  const known = toEntry(kept);
  return findWrong(known, await digest(bytes, known)) === undefined ? bytes : undefined;
}

function readOpened(file: number): Buffer {
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** No more than the listed length is read. */
async function fetchPatch(
  { origin, received }: Workshop,
  { encoding }: Entry,
  patch: ListedPatch,
): Promise<Buffer | undefined> {
  const listed = toEntry(patch);
  if (!isVerifiable(listed) || encoding !== undefined) return undefined;
  const opened = await origin.open(patch.uri, { most: patch.length, isFile: true });
  if (isAbsent(opened)) return undefined;
  const pieces: Buffer[] = [];
  const wanted = { digests: digestsFor(listed), length: patch.length };
  const digested = await digestOpened(opened, wanted, (piece) => {
    pieces.push(piece);
    return received.take(piece.length);
  });
  if (isAbsent(digested) || findWrong(listed, digested) !== undefined) return undefined;
  return Buffer.concat(pieces);
}

/** What is known of bytes, as a list would say it. */
function toEntry({ hash, length }: Pick<ListedPatch, 'hash' | 'length'>): Entry {
  return { uri: '', hash, length: `${length}`, type: undefined, encoding: undefined };
}

async function digest(bytes: Uint8Array, entry: Entry): Promise<Bytes> {
  return digestBody(makeWhole(Buffer.from(bytes)), digestsFor(entry));
}
