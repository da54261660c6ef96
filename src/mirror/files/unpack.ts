/** Takes resources out of packages, where that is cheaper than asking for each. */

import type { Rows } from '../../base/columns/rows.js';
import { ignoring, ResyncError } from '../../base/errors.js';
import { addressOf } from '../../paths/address.js';
import { writeInto } from '../../paths/held/own.js';
import { strongestDigest, toFacts } from '../../source/listed.js';
import { digestBody } from '../../source/origin/origin.js';
import { PackageError } from '../../source/packages/unzip.js';
import type { HeldPackage, ListedPackage, PackageStore } from '../../source/sets/packages.js';
import { textOf } from '../../standard/rules/values.js';
import type { Outcome, Want } from '../plan/model.js';
import type { Outcomes } from '../plan/outcomes.js';
import { type FetchContext, lookAround, nameReady } from './fetch.js';
import { digestsFor, findWrong, isVerifiable, toOutcome } from './verify.js';

/** What a connection is taken for: milliseconds there and back, and bytes in a millisecond for all of them together. */
const ROUND_TRIP = 50;
const SPEED = 2000;
/** For fewer, a package is not worth it. */
export const FEWEST = 20;

/** What is waited for while things are fetched, in milliseconds. */
export interface Waits {
  readonly connections: number;
  /** Between two packages, and between two files that are asked for one by one. */
  readonly gap: number;
  readonly fileGap: number;
}

/** Whether packages take less time than asking for every resource that is wanted, as the bytes and the requests of both tell. */
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
  // Of packages that do not say how long they are, nobody knows.
  return packed <= single;
}

/** As it is listed; not a number where that is not said. */
export function bytesOfEntry({ length }: Pick<Want['entry'], 'length'>): number {
  return length === undefined ? Number.NaN : Number(length);
}

/**
 * Takes what is wanted out of packages. What they do not have, or not as it is listed, is left to be asked for.
 *
 * @param packages in their order; what a later one has counts
 */
export async function unpack(
  context: FetchContext,
  store: PackageStore,
  packages: readonly ListedPackage[],
  { wants, outcomes }: Unpacking,
): Promise<void> {
  /** Places among the wants. */
  const waiting = new Map<string, number>();
  for (const [place, { entry }] of wants.entries()) if (isVerifiable(entry)) waiting.set(entry.uri, place);
  const find = (uri: string) => wants.at(waiting.get(uri) ?? wants.length);
  for (const listed of packages.toReversed()) {
    if (waiting.size === 0) break;
    // A package that cannot be used is no loss: each of its resources can be asked for.
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

/** What to take out of packages. */
interface Unpacking {
  /** None of them has an outcome. */
  readonly wants: Rows<Want>;
  /** Takes what becomes of each. */
  readonly outcomes: Outcomes;
}

/** What a package has with the bytes that are wanted: paths by URL. */
function findMembers(
  { manifest, bytes }: HeldPackage,
  find: (uri: string) => Want | undefined,
): Map<string, string> {
  const members = new Map<string, string>();
  for (const entry of manifest.entries) {
    const want = find(addressOf(entry.loc ?? ''));
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
