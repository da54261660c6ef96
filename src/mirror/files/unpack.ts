/** Takes resources out of packages, if that is cheaper than single requests. */

import type { Rows } from '../../base/columns/rows.js';
import { ignoring, ResyncError } from '../../base/errors.js';
import { addressOf } from '../../paths/address.js';
import { writeInto } from '../../paths/held/own.js';
import { toFacts } from '../../source/listed.js';
import { digestBody } from '../../source/origin/origin.js';
import { PackageError } from '../../source/packages/unzip.js';
import type { HeldPackage, ListedPackage, PackageStore } from '../../source/sets/packages.js';
import { strongestDigest } from '../../standard/model.js';
import { textOf } from '../../standard/rules/values.js';
import type { Outcome, Want } from '../plan/model.js';
import type { Outcomes } from '../plan/outcomes.js';
import { type FetchContext, lookAround, nameReady } from './fetch.js';
import { digestsFor, findWrong, isVerifiable, toOutcome } from './verify.js';

/** Assumptions about connections: milliseconds for a round trip, and bytes in a millisecond over all connections. */
const ROUND_TRIP = 50;
const SPEED = 2000;
/** Least number of wanted resources for which lists of packages are read. */
export const FEWEST = 20;

/** Number of connections, and pauses between requests in milliseconds. */
export interface Waits {
  readonly connections: number;
  /** Pauses between two packages, and between two single files. */
  readonly gap: number;
  readonly fileGap: number;
}

/** Returns whether packages take no more time than a request for each resource, estimated by bytes and requests. */
export function isCheaper(
  wants: Rows<Want>,
  packages: readonly ListedPackage[],
  { connections, gap, fileGap }: Waits,
): boolean {
  if (wants.length < FEWEST || packages.length === 0) return false;
  // Packages are fetched one after another.
  let packed = packages.length * Math.max(ROUND_TRIP, gap);
  for (const { entry } of packages) packed += bytesOfEntry(entry) / SPEED;
  let single = wants.length * Math.max(ROUND_TRIP / connections, fileGap);
  for (const { entry } of wants) single += (bytesOfEntry(entry) || 0) / SPEED;
  // False if the length of a package is not listed: then `packed` is NaN.
  return packed <= single;
}

/** Returns the listed length in bytes, or NaN if none is listed. */
export function bytesOfEntry({ length }: Pick<Want['entry'], 'length'>): number {
  return length === undefined ? Number.NaN : Number(length);
}

/** Takes wanted resources out of packages, and leaves others to requests. @param packages in their order; later ones win */
export async function unpack(
  context: FetchContext,
  store: PackageStore,
  packages: readonly ListedPackage[],
  { wants, outcomes }: Unpacking,
): Promise<void> {
  /** Positions of the wanted resources that no package has given yet, by URL. */
  const waiting = new Map<string, number>();
  for (const [place, { entry }] of wants.entries()) if (isVerifiable(entry)) waiting.set(entry.uri, place);
  const find = (uri: string) => wants.at(waiting.get(uri) ?? wants.length);
  for (const listed of packages.toReversed()) {
    if (waiting.size === 0) break;
    // If a package cannot be read, each of its resources can be requested.
    const held = await store.open(listed, 'bytes').catch(ignoring(ResyncError));
    if (held === undefined) continue;
    for (const [uri, path] of findMembers(held, find)) {
      const want = find(uri);
      const outcome = want && ((await lookAround(context, want)) ?? (await take(context, held, path, want)));
      if (want === undefined || outcome === undefined) continue;
      outcomes.set(want, outcome);
      waiting.delete(uri);
    }
    await store.drop(listed);
  }
}

interface Unpacking {
  readonly wants: Rows<Want>;
  readonly outcomes: Outcomes;
}

/** Finds the members of a package that have wanted bytes: their paths by URL. */
function findMembers(
  { manifest, bytes }: HeldPackage,
  find: (uri: string) => Want | undefined,
): Map<string, string> {
  const members = new Map<string, string>();
  for (const entry of manifest.entries) {
    const { loc = '' } = entry;
    const want = find(addressOf(loc));
    const path = textOf(entry, 'path');
    if (want === undefined || path === undefined || !bytes.paths.has(path)) continue;
    if (strongestDigest(toFacts(entry).hash) === strongestDigest(want.entry.hash))
      members.set(want.entry.uri, path);
  }
  return members;
}

async function take(
  context: FetchContext,
  { bytes }: HeldPackage,
  path: string,
  want: Want,
): Promise<Outcome | undefined> {
  const name = nameReady(want);
  try {
    const digested = await writeInto(context.ready, name, (write) =>
      digestBody(bytes.read(path), digestsFor(want.entry), undefined, write),
    );
    if (findWrong(want.entry, digested) === undefined) return toOutcome('ready', want, digested);
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
  }
  context.ready.remove(name);
  return undefined;
}
