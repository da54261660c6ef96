/** Gets what a plan wants, and tells how far it is. */

import { mapRows, type Rows } from '../../base/columns/rows.js';
import { ignoring, ResyncError } from '../../base/errors.js';
import { readCrawlDelay } from '../../source/find.js';
import { strongestDigest } from '../../source/listed.js';
import { listPackages } from '../../source/sets/lists.js';
import { workSideBySide } from '../../source/web/side-by-side.js';
import { obtain } from '../files/fetch.js';
import { bytesOfEntry, FEWEST, isCheaper, unpack } from '../files/unpack.js';
import { foldersAbove } from '../names/path.js';
import { DOCUMENTS_SET, type Failed, type Want } from '../plan/model.js';
import { Outcomes } from '../plan/outcomes.js';
import { listFilePaths } from '../plan/settle.js';
import { type MirrorNeeds, MOST_FAILURES } from '../report.js';
import { isAllowed, type Reading } from './read-source.js';
import type { Session } from './session.js';

/** Of `maxBytes`, what one resource may have that does not say how long it is. */
const SHARE_UNLISTED = 0.01;

/** Gets every resource that a plan wants, from packages or one by one. */
export async function getAll(session: Session, reading: Reading): Promise<Outcomes> {
  const { config, origin, ready, observe, received } = session;
  const { plan } = reading;
  const total = plan.wants.length;
  const begin = performance.now();
  const gone = new Set<string>();
  const leaving = new Set<string>();
  for (const path of listFilePaths(plan.deletions)) {
    gone.add(path);
    for (const one of [path, ...foldersAbove(path)]) leaving.add(one);
  }
  const shop = {
    origin,
    folder: config.folder,
    ready,
    left: new Set(ready.list().map(({ name }) => name)),
    isOurs: ({ kept, path }: Want) => kept !== undefined || gone.has(path),
    isLeaving: (path: string) => leaving.has(path),
    isAllowed: (uri: string) => isAllowed(session, uri),
    received,
    mostUnlisted: config.maxBytes * SHARE_UNLISTED,
  };
  const outcomes = new Outcomes(plan.wants);
  const isCovered = ({ entry, sets }: Want) =>
    reading.proof === undefined ||
    sets.includes(DOCUMENTS_SET) ||
    strongestDigest(entry.hash)?.startsWith('sha-') === true;
  if (reading.proof !== undefined)
    for (const want of plan.wants) if (!isCovered(want)) outcomes.set(want, UNCOVERED);
  const isOpen = (want: Want) => !outcomes.has(want);
  for await (const { packages, wants } of choosePackages(session, reading, isOpen))
    await unpack(shop, reading.store, packages, { wants, outcomes });
  let done = outcomes.size;
  let rest: Rows<Want> = done === 0 ? plan.wants : plan.wants.filter(isOpen);
  if (rest.length > 1) await learnDelays(session);
  const takes = rest.length * gapOfFiles(session);
  if (takes > 0) observe({ stage: 'resources', done, total, takes });
  for (let round = 0; round <= MORE_ROUNDS && rest.length > 0; round++) {
    await workSideBySide(rest, config.http.connections, async (want) => {
      outcomes.set(want, await obtain(shop, want));
      const [bytes, elapsed] = [received.bytes(), performance.now() - begin];
      if (round === 0) observe({ stage: 'resources', done: ++done, total, bytes, elapsed });
    });
    const again = outcomes.failed().filter(([want, { reason }]) => !isFinal(reason) && isCovered(want));
    rest = mapRows(again, ([want]) => want);
  }
  return outcomes;
}

/** What nobody signed. */
const UNCOVERED: Failed = {
  kind: 'failed',
  reason: 'different',
  found: 'the lists are signed, and have no SHA-256 or SHA-512 of it',
};

/** Rounds over what failed, after the first. */
const MORE_ROUNDS = 2;

/** What is not there, or not ours, will not be otherwise in a moment. */
function isFinal(reason: Failed['reason']): boolean {
  return reason === 'missing' || reason === 'in-the-way';
}

/**
 * Chooses what is cheaper to have from packages, set by set.
 *
 * @param isOpen whether something is still to be had
 */
async function* choosePackages(session: Session, { read, plan, reader, store }: Reading, isOpen: IsOpen) {
  const { config, pace } = session;
  const { from, http } = config;
  if (from === 'list') return;
  for (const { offer, id, since } of read) {
    const kind = since === undefined ? 'resource-dump' : 'change-dump';
    if ((since === undefined ? offer.resourceDumps : offer.changeDumps).length === 0) continue;
    const wants = plan.wants.filter((want) => want.sets.includes(id) && isOpen(want));
    // A set that offers nothing but its dump: the packages are here by now.
    const isHere = (since === undefined ? offer.resourceLists : offer.changeLists).length === 0;
    const isWorthIt = from === 'dump' || isHere || wants.length >= FEWEST;
    if (wants.length === 0 || !isWorthIt) continue;
    const mayDo = from === 'dump' || isHere;
    // Without its dump, a set can be had resource by resource.
    const listing = listPackages({ reader, store }, offer, kind, since ?? 0).catch(ignoring(ResyncError));
    // Neither answer decides what else is asked for.
    const [packages = []] = await Promise.all([listing, mayDo ? undefined : learnDelays(session)]);
    if (!mayDo) {
      const gap = pace.gapOf(originOf(session), false);
      if (!isCheaper(wants, packages, { ...http, gap, fileGap: gapOfFiles(session) })) continue;
    }
    yield { id, packages, wants };
  }
}

type IsOpen = (want: Want) => boolean;

function originOf({ config: { source, servedAt = source } }: Session): string {
  return new URL(servedAt).origin;
}

function gapOfFiles(session: Session): number {
  return session.pace.gapOf(originOf(session), true);
}

/** Reads once in a run what servers ask of those who fetch file after file. */
async function learnDelays(session: Session): Promise<void> {
  const { origin, pace, config } = session;
  const learn = async (server: string) => pace.delay(server, await readCrawlDelay(origin, server));
  const unknown = [originOf(session), ...config.allow].filter((server) => !pace.knowsDelay(server));
  await Promise.all(unknown.map(learn));
}

/**
 * Says what it would take to get what a plan wants, with what was asked for so far.
 *
 * @param isMissing whether something has to be fetched
 */
export async function foresee(session: Session, reading: Reading, isMissing: IsOpen): Promise<MirrorNeeds> {
  const { pace } = session;
  const packed = new Set<number>();
  const add = (entry: Want['entry']) => {
    bytes += bytesOfEntry(entry) || 0;
    if (uris.length < MOST_FAILURES) uris.push(entry.uri);
  };
  const uris: string[] = [];
  let [files, packages, bytes] = [0, 0, 0];
  for await (const chosen of choosePackages(session, reading, isMissing)) {
    packed.add(chosen.id);
    packages += chosen.packages.length;
    for (const { entry } of chosen.packages) add(entry);
  }
  for (const want of reading.plan.wants) {
    if (!isMissing(want) || want.sets.some((id) => packed.has(id))) continue;
    files++;
    add(want.entry);
  }
  if (files > 1) await learnDelays(session);
  const documents = pace.requests();
  const gap = pace.gapOf(originOf(session), false);
  const time = (documents + packages) * gap + files * gapOfFiles(session);
  return {
    requests: documents + packages + files,
    bytes: pace.bytes() + bytes,
    ...(time > 0 && { time: Math.round(time) }),
    uris,
  };
}
