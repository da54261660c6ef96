/** Fetches the resources that a plan wants, from packages or one by one, and reports progress. */

import type { Rows } from '../../base/columns/rows.js';
import { ignoring, ResyncError } from '../../base/errors.js';
import { foldersOf } from '../../paths/folders.js';
import { readCrawlDelay } from '../../source/robots.js';
import { listPackages } from '../../source/sets/lists.js';
import type { ListedPackage } from '../../source/sets/packages.js';
import { workSideBySide } from '../../source/web/side-by-side.js';
import { strongestDigest } from '../../standard/model.js';
import { type FetchContext, obtain } from '../files/fetch.js';
import { bytesOfEntry, FEWEST, isCheaper, unpack } from '../files/unpack.js';
import { DOCUMENTS_SET, type Failed, type Want } from '../plan/model.js';
import { isAllowed } from '../plan/origins.js';
import { Outcomes } from '../plan/outcomes.js';
import type { MirrorPlan } from '../plan/plan.js';
import { listFilePaths } from '../plan/settle.js';
import { type MirrorNeeds, MOST_FAILURES } from '../report.js';
import type { Offered } from './read-source.js';
import type { Session } from './session.js';

/** Share of `maxBytes` that one resource without a listed length may have. */
const SHARE_UNLISTED = 0.01;
/** Number of further rounds over the resources that failed. */
const MORE_ROUNDS = 2;

export async function fetchAll(session: Session, offered: Offered, plan: MirrorPlan): Promise<Outcomes> {
  const { config, observe, web } = session;
  const total = plan.wants.length;
  const begin = performance.now();
  const context = makeContext(session, plan);
  const outcomes = new Outcomes(plan.wants);
  const isSigned = ({ entry, sets }: Want) =>
    offered.proof === undefined ||
    sets.includes(DOCUMENTS_SET) ||
    strongestDigest(entry.hash)?.startsWith('sha-') === true;
  if (offered.proof !== undefined)
    for (const want of plan.wants) if (!isSigned(want)) outcomes.set(want, UNSIGNED);
  const isOpen = (want: Want) => !outcomes.has(want);
  for await (const { packages, wants } of choosePackages(session, offered, plan, isOpen))
    await unpack(context, offered.packages, packages, { wants, outcomes });
  let done = outcomes.size;
  let rest: Rows<Want> = done === 0 ? plan.wants : plan.wants.filter(isOpen);
  if (rest.length > 1) await learnDelays(session);
  const takes = rest.length * gapOfFiles(session);
  if (takes > 0) observe({ stage: 'resources', done, total, takes });
  for (let round = 0; round <= MORE_ROUNDS && rest.length > 0; round++) {
    await workSideBySide(rest, config.http.connections, async (want) => {
      const outcome = await obtain(context, want);
      // The reason that was found first stays: a further round may find only that the host is given up.
      const isSame = round > 0 && outcome.kind === 'failed' && outcome.reason === 'failed';
      if (!isSame) outcomes.set(want, outcome);
      const [bytes, elapsed] = [web.received.bytes(), performance.now() - begin];
      if (round === 0) observe({ stage: 'resources', done: ++done, total, bytes, elapsed });
    });
    const retried = outcomes.failed().filter(([want, { reason }]) => !isFinal(reason) && isSigned(want));
    rest = retried.map(([want]) => want);
  }
  return outcomes;
}

function makeContext({ config, web, store }: Session, plan: MirrorPlan): FetchContext {
  const gone = new Set<string>();
  const leaving = new Set<string>();
  for (const path of listFilePaths(plan.deletions)) {
    gone.add(path);
    for (const one of [path, ...foldersOf(path)]) leaving.add(one);
  }
  return {
    origin: web.origin,
    folder: config.folder,
    ready: store.ready,
    left: new Set(store.ready.list().map(({ name }) => name)),
    isOurs: ({ kept, path }) => kept !== undefined || gone.has(path),
    isLeaving: (path) => leaving.has(path),
    isAllowed: (uri) => isAllowed(config, uri),
    received: web.received,
    mostUnlisted: config.maxBytes * SHARE_UNLISTED,
  };
}

const UNSIGNED: Failed = {
  kind: 'failed',
  reason: 'different',
  found: 'the lists are signed, and have no SHA-256 or SHA-512 of it',
};

/** Returns whether a failure is final, so that the resource is not tried again in this run. */
function isFinal(reason: Failed['reason']): boolean {
  return reason === 'missing' || reason === 'in-the-way';
}

type IsOpen = (want: Want) => boolean;

interface ChosenPackages {
  readonly id: number;
  readonly packages: readonly ListedPackage[];
  readonly wants: Rows<Want>;
}

/** Chooses packages, set by set, if they are cheaper than single requests. @param isOpen whether a resource is still wanted */
async function* choosePackages(
  session: Session,
  { read, reader, packages: store }: Offered,
  plan: MirrorPlan,
  isOpen: IsOpen,
): AsyncGenerator<ChosenPackages, void> {
  const { config, web } = session;
  const { from, http } = config;
  if (from === 'list') return;
  for (const { offer, id, since } of read) {
    const kind = since === undefined ? 'resource-dump' : 'change-dump';
    if ((since === undefined ? offer.resourceDumps : offer.changeDumps).length === 0) continue;
    const wants = plan.wants.filter((want) => want.sets.includes(id) && isOpen(want));
    // The packages of a set that offers only its dump are here already.
    const isHere = (since === undefined ? offer.resourceLists : offer.changeLists).length === 0;
    const isWorthIt = from === 'dump' || isHere || wants.length >= FEWEST;
    if (wants.length === 0 || !isWorthIt) continue;
    const isChosen = from === 'dump' || isHere;
    // If the dump cannot be read, resources are requested one by one.
    const listing = listPackages({ reader, store }, offer, kind, since ?? 0).catch(ignoring(ResyncError));
    // The list of packages and `robots.txt` are requested side by side.
    const [packages = []] = await Promise.all([listing, isChosen ? undefined : learnDelays(session)]);
    if (!isChosen) {
      const gap = web.pace.gapOf(originOf(session), false);
      if (!isCheaper(wants, packages, { ...http, gap, fileGap: gapOfFiles(session) })) continue;
    }
    yield { id, packages, wants };
  }
}

function originOf({ config: { source, servedAt = source } }: Session): string {
  return new URL(servedAt).origin;
}

function gapOfFiles(session: Session): number {
  return session.web.pace.gapOf(originOf(session), true);
}

/** Reads, once in a run, which delay servers ask for between requests for single files (`Crawl-delay`). */
async function learnDelays(session: Session): Promise<void> {
  const { config, web } = session;
  const learn = async (server: string) => web.pace.delay(server, await readCrawlDelay(web.origin, server));
  const unknown = [originOf(session), ...config.allow].filter((server) => !web.pace.knowsDelay(server));
  await Promise.all(unknown.map(learn));
}

/** Estimates what a run takes: all requests so far, and those of the plan. @param isMissing whether a resource has to be fetched */
export async function estimateNeeds(
  session: Session,
  offered: Offered,
  plan: MirrorPlan,
  isMissing: IsOpen,
): Promise<MirrorNeeds> {
  const { pace } = session.web;
  const packed = new Set<number>();
  const add = (entry: Pick<Want['entry'], 'length'> & { readonly uri: string }) => {
    bytes += bytesOfEntry(entry) || 0;
    if (uris.length < MOST_FAILURES) uris.push(entry.uri);
  };
  const uris: string[] = [];
  let [files, packages, bytes] = [0, 0, 0];
  for await (const chosen of choosePackages(session, offered, plan, isMissing)) {
    packed.add(chosen.id);
    packages += chosen.packages.length;
    for (const { entry } of chosen.packages) add(entry);
  }
  for (const want of plan.wants) {
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
