/** Gets what a plan wants, and tells how far it is. */

import { readdirSync } from 'node:fs';
import { ResyncError } from '../../errors.js';
import type { Workshop } from '../files/fetch.js';
import { startLooking } from '../files/place.js';
import { type Outcomes, obtainAll } from '../files/queue.js';
import { FEWEST, isCheaper, unpack } from '../files/unpack.js';
import { foldersAbove } from '../names/path.js';
import type { Outcome } from '../plan/model.js';
import type { Files, Want } from '../plan/plan.js';
import { listPackages } from '../source/lists.js';
import { isAllowed, type Reading } from './round.js';
import type { Session } from './session.js';

/** Gets every resource that a plan wants, from packages or one by one. */
export async function getAll(session: Session, files: Files, reading: Reading): Promise<Outcomes> {
  const { config, origin, ready, observe, received } = session;
  const { plan } = reading;
  const total = plan.wants.length;
  const begin = performance.now();
  const ours = new Set<string>();
  const leaving = new Set<string>();
  for (const { path } of files.values()) ours.add(path);
  for (const { path } of plan.deletions.values())
    for (const one of [path, ...foldersAbove(path)]) leaving.add(one);
  const shop = {
    origin,
    folder: config.folder,
    ready,
    left: new Set(readdirSync(ready)),
    places: startLooking(config.folder),
    isOurs: (path: string) => ours.has(path),
    isLeaving: (path: string) => leaving.has(path),
    isAllowed: (uri: string) => isAllowed(session, uri),
    received,
  };
  const unpacked = await unpackAll(session, reading, shop);
  const rest = unpacked.size === 0 ? plan.wants : plan.wants.filter((want) => !unpacked.has(want));
  let done = unpacked.size;
  const outcomes = await obtainAll(shop, rest, config.http.connections, () =>
    observe({
      stage: 'resources',
      done: ++done,
      total,
      bytes: received.bytes(),
      elapsed: performance.now() - begin,
    }),
  );
  return unpacked.size === 0 ? outcomes : new Map([...unpacked, ...outcomes]);
}

/** Takes out of the packages of each set what is cheaper to have from there. */
async function unpackAll(
  { config: { from } }: Session,
  { read, plan, reader, shelf }: Reading,
  shop: Workshop,
): Promise<ReadonlyMap<Want, Outcome>> {
  const outcomes = new Map<Want, Outcome>();
  if (from === 'list') return outcomes;
  for (const { offer, id, since } of read) {
    const wants = plan.wants.filter((want) => want.sets.includes(id) && !outcomes.has(want));
    const kind = since === undefined ? 'resource-dump' : 'change-dump';
    // A set that offers nothing but its dump: the packages are here by now.
    const isHere = (since === undefined ? offer.resourceLists : offer.changeLists).length === 0;
    const isWorthIt = from === 'dump' || isHere || wants.length >= FEWEST;
    if (wants.length === 0 || !isWorthIt) continue;
    const packages = await listPackages({ reader, shelf }, offer, kind, since ?? 0).catch(ignoreProblem);
    if (from !== 'dump' && !isHere && !isCheaper(wants, packages)) continue;
    for (const [want, outcome] of await unpack(shop, shelf, packages, wants)) outcomes.set(want, outcome);
  }
  return outcomes;
}

/** Without its dump, a set can be had resource by resource. */
function ignoreProblem(error: unknown): [] {
  if (error instanceof ResyncError) return [];
  throw error;
}
