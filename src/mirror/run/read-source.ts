/** Reads what a Source lists now: gives its sets, by their changes or whole, to a planner. */

import { formatDatetime } from '../../base/datetime.js';
import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { isUrl } from '../../base/url.js';
import { addressOf } from '../../paths/address.js';
import { rootOfSource } from '../../paths/urls.js';
import { refusePreview } from '../../source/find.js';
import { digestBody, isAbsent, type Origin } from '../../source/origin/origin.js';
import { isPlainPlace } from '../../source/plain-sitemap.js';
import { OF_NO_VERSION } from '../../source/sets/conditions.js';
import type { Entry } from '../../source/sets/entry.js';
import type { Sources } from '../../source/sets/lists.js';
import { PackageStore } from '../../source/sets/packages.js';
import { DocumentReader } from '../../source/sets/reader.js';
import {
  chooseSets,
  findSource,
  isChosen,
  type Offer,
  readSets,
  type SourceSets,
  tryReading,
  type Unread,
} from '../../source/sets/sets.js';
import type { Proof } from '../../source/sets/signed.js';
import type { Skipped } from '../../standard/xml/as-read.js';
import type { MirrorHead } from '../memory/format.js';
import type { Past } from '../memory/past.js';
import { proveTo, requireNewer } from '../memory/trust.js';
import { DOCUMENTS_SET, type SetState } from '../plan/model.js';
import { isAllowed, OtherOrigins } from '../plan/origins.js';
import { type MirrorPlan, Planner } from '../plan/plan.js';
import type { MirroredSet } from '../report.js';
import type { ResolvedMirror } from '../resolved.js';
import { collectDocuments, requireRoom } from './documents.js';
import { readSet, type SetWork } from './read-set.js';
import type { Remembered } from './recall.js';
import type { Session } from './session.js';

/** The state of a Source, as a run read it. The planner has its resources. */
export interface Offered {
  /** URL of the document with which reading began. */
  readonly beginning: string;
  readonly reader: DocumentReader;
  /** Packages that were fetched. The caller closes them. */
  readonly packages: PackageStore;
  /** The verified signature of the Source; undefined if it has none. */
  readonly proof: Proof | undefined;
  readonly planner: Planner;
  readonly read: readonly ReadSet[];
  /** States of the sets once the plan is carried out. */
  readonly states: readonly SetState[];
  readonly sets: readonly MirroredSet[];
  /** True if the copy keeps documents of the Source. */
  readonly hasDocuments: boolean;
  /** True if documents to keep are of another moment than those that were read. */
  readonly isMixed: boolean;
  /** Number of resources on origins that are not mirrored. */
  readonly elsewhere: number;
  readonly setsElsewhere: readonly string[];
  /** The first few origins that are not mirrored. */
  readonly otherOrigins: readonly string[];
  /** Sets that cannot be read, while others can. Their files stay as they are. */
  readonly unread: readonly Unread[];
  /** Parts of lists that cannot be understood. Files that no other part lists stay as they are. */
  readonly skipped: readonly Skipped[];
  /** True if a set has only a Sitemap: only a request for each resource shows if it has changed. */
  readonly hasPlain: boolean;
}

export interface ReadSet {
  readonly offer: Offer;
  readonly id: number;
  /** Moment since which changes of the set count, in milliseconds since 1970; undefined if the set was read whole. */
  readonly since: number | undefined;
}

/** Milliseconds after which a Source is read again, since a deploy may have been going on. */
const PAUSE = 10_000;

/** Reads a Source; once more if it may have been deployed meanwhile. @param fromArchive whether archived changes may be used */
export async function readSource(remembered: Remembered, fromArchive: boolean): Promise<Offered> {
  const { clock } = remembered.session;
  try {
    return await readOnce(remembered, fromArchive);
  } catch (error) {
    const mayPass = error instanceof ResyncError && 'mayPass' in error && error.mayPass === true;
    if (!mayPass) throw error;
  }
  // The sums are of another publication than the documents: a deploy may be going on.
  await clock.sleep(PAUSE);
  return readOnce(remembered, fromArchive);
}

async function readOnce(remembered: Remembered, fromArchive: boolean): Promise<Offered> {
  const { config, web, store } = remembered.session;
  // A copy of the origin: its judge knows only the sums of this reading.
  const reader = new DocumentReader({ ...web.origin }, config.mostKept);
  const packages = new PackageStore({ ...web, origin: reader.origin, scratch: store.scratch });
  try {
    return await readWith({ reader, store: packages }, remembered, fromArchive);
  } catch (error) {
    packages.close();
    throw error;
  }
}

async function readWith(sources: Sources, remembered: Remembered, fromArchive: boolean): Promise<Offered> {
  const { reader } = sources;
  const { session, files, damaged, listsNow } = remembered;
  const { config, observe, past, now } = session;
  observe({ stage: 'documents', done: 0 });
  const { beginning, found } = await findSets(config, past, reader);
  const chosen = chooseSets(found, config.sets);
  const sums = await prove(session, reader, beginning, chosen);
  // Without a signature, sums prove nothing.
  const proof = isSigned(sums) ? sums : undefined;
  const unread = found.unread.filter(({ uri }) => isChosen(uri, config.sets));
  const keepsDocuments = config.documents && sums !== undefined;
  const documents = keepsDocuments ? await collectDocuments(session, sums, reader, { files, unread }) : [];
  requireRoom(config, files, documents);
  const setsElsewhere = config.sets.length === 0 ? found.elsewhere : [];
  const others = new OtherOrigins(config, setsElsewhere);
  const planner = new Planner(files, addressOf(rootOfSource(config.source)), damaged, others);
  const work = { wholly: findReason(config, past, proof), fromArchive, listsNow, now };
  const { states, sets, read } = await readChosen(chosen, past, unread, async (set) => {
    const reading = await readSet(sources, { ...work, ...set }, planner);
    observe({ stage: 'documents', done: reader.count() });
    return reading;
  });
  if (read.length === 0) for (const { error } of unread) throw error;
  const skipped = reader.skipped();
  const current = states.filter(({ id }) => read.some((one) => one.id === id));
  requireFresh(config, now, current);
  if (proof !== undefined) requireNewer(session.trust, proof, current);
  const listed = new Set([...found.offers, ...unread].map(({ uri }) => uri));
  const gone = states.filter(({ uri }) => config.sets.length === 0 && !listed.has(uri));
  for (const { id } of gone) planner.dropOthers(id);
  for (const document of documents) planner.list(document, DOCUMENTS_SET);
  planner.dropOthers(DOCUMENTS_SET);
  return {
    beginning,
    reader,
    packages: sources.store,
    proof,
    planner,
    read,
    states: states.filter((state) => !gone.includes(state)),
    sets,
    hasDocuments: documents.length > 0,
    isMixed: areMixed(reader, documents),
    elsewhere: others.count,
    setsElsewhere,
    otherOrigins: others.origins,
    unread,
    skipped,
    hasPlain: chosen.some(({ isPlain }) => isPlain),
  };
}

type RememberedSet = Pick<SetWork, 'offer' | 'former' | 'isKnown' | 'missing'>;
type ReadOne = (set: RememberedSet) => ReturnType<typeof readSet>;

/** Reads the chosen sets one after another. @param unread gets the sets that cannot be read */
async function readChosen(chosen: readonly Offer[], past: Past, unread: Unread[], readOne: ReadOne) {
  const states: SetState[] = [...past.sets];
  const sets: MirroredSet[] = [];
  const read: ReadSet[] = [];
  for (const offer of chosen) {
    const { uri } = offer;
    const known = states.find((state) => state.uri === uri);
    const former = known ?? { id: 1 + Math.max(0, ...states.map(({ id }) => id)), uri };
    const missing = past.missing.filter(({ sets: ids }) => ids.includes(former.id));
    const set = {
      offer,
      former,
      isKnown: known !== undefined && past.head !== undefined,
      missing: missing.map(({ entry }) => entry),
    };
    const [reading] = await tryReading(uri, async () => [await readOne(set)], unread);
    if (reading === undefined) continue;
    const { state, ...facts } = reading;
    states.splice(known === undefined ? states.length : states.indexOf(known), 1, state);
    sets.push({ uri, ...facts });
    read.push({ offer, id: former.id, since: facts.way === 'changes' ? former.moment : undefined });
  }
  return { states, sets, read };
}

/** Returns whether some document was read with other bytes than those that the copy will keep. */
function areMixed(reader: DocumentReader, documents: readonly Entry[]): boolean {
  const digests = new Map(documents.map(({ uri, hash }) => [uri, hash]));
  return reader.known().some(({ uri, digest }) => {
    const hash = digests.get(addressOf(uri));
    return hash !== undefined && hash !== `sha-256:${digest}`;
  });
}

/** Verifies the sums of a Source; returns undefined if they are unsigned, and nothing needs them. */
async function prove(session: Session, reader: DocumentReader, beginning: string, offers: readonly Offer[]) {
  const { config, trust } = session;
  const isNeeded = trust.keys !== undefined || config.documents;
  if (!isNeeded && offers.every(({ sums }) => sums === undefined)) return undefined;
  const proof = await proveTo(trust, config, reader, beginning, offers);
  if (isSigned(proof)) reader.origin.judge = proof.judge;
  return proof;
}

function isSigned(proof: Proof | undefined): proof is Proof {
  return proof !== undefined && proof.keys.length > 0;
}

/** Refuses sets that are older than `maxAge` allows. @throws ResyncError `signature-invalid` */
export function requireFresh(
  { maxAge }: Pick<ResolvedMirror, 'maxAge'>,
  now: number,
  states: readonly SetState[],
): void {
  if (maxAge === undefined) return;
  const old = states.find(({ moment }) => moment === undefined || now - moment > maxAge);
  if (old === undefined) return;
  const at = old.moment === undefined ? 'no moment' : formatDatetime(new Date(old.moment));
  throw new ResyncError(
    'signature-invalid',
    say`${old.uri} is of ${at}, which is older than --max-age allows.\nNothing was changed. The server may have an old state, or the publisher has published nothing since.`,
  );
}

/** Reads which sets the Source offers, and none of their lists. */
export async function readOffers({ config, past, web }: Session): Promise<readonly Offer[]> {
  const { found } = await findSets(config, past, new DocumentReader(web.origin, config.mostKept));
  return chooseSets(found, config.sets);
}

/** Finds the sets of a Source. Begins at the document where the last run in this folder began, if it can still be opened. */
async function findSets(
  config: ResolvedMirror,
  { head, isOurs }: Pick<Past, 'head' | 'isOurs'>,
  reader: DocumentReader,
): Promise<{ beginning: string; found: SourceSets }> {
  const { origin } = reader;
  // A text that is no URL passes: reading it fails, which is reported.
  const mayAsk = (uri: string) => !isUrl(uri) || isAllowed(config, uri);
  const saved = head?.beginning;
  // A site that had nothing but a Sitemap may have ResourceSync documents by now.
  const mayBegin = isOurs && saved !== undefined && (saved === config.source || !isPlainPlace(saved));
  const isThere = mayBegin && (await canOpen(origin, saved));
  const beginning = isThere ? saved : await findSource(origin, config.source, saved);
  const found = await readSets(reader, beginning, mayAsk);
  const [other] = found.offers.length === 0 ? found.elsewhere : [];
  if (other !== undefined && config.servedAt === undefined)
    await refusePreview(origin, config.source, other, {
      command: 'mirror',
      does: 'copy',
      operand: ' <folder>',
    });
  return { beginning, found };
}

/** Tests whether a document can be opened. A condition that never holds shows, too, whether its server heeds conditions. */
async function canOpen(origin: Origin, uri: string): Promise<boolean> {
  const opened = await origin.open(uri, { fresh: true, validators: OF_NO_VERSION });
  if (isAbsent(opened)) return false;
  await digestBody(opened.body, [], 0).catch(() => undefined);
  return true;
}

/** Returns why sets have to be read whole, although changes may lead from the last run to now. */
function findReason(
  config: ResolvedMirror,
  { head, isOurs }: Past,
  proof: Proof | undefined,
): SetWork['wholly'] {
  if (!isOurs) return 'cloned';
  // The Source that was copied before was unsigned, or signed by somebody else.
  const isOther =
    head !== undefined && proof?.keys.every(({ line }) => head.signers?.includes(line) !== true);
  if (isOther === true) return 'signed';
  if (config.verify) return 'verify';
  return isMoreAllowed(config, head) ? 'origins' : undefined;
}

/** Returns whether origins are allowed that the last run was not: no change lists their resources. */
export function isMoreAllowed({ allow }: ResolvedMirror, head: MirrorHead | undefined): boolean {
  return head !== undefined && allow.some((origin) => !head.allow.includes(origin));
}

/** Returns the first few origins that are not mirrored if all resources are on such, so that there is nothing to copy. */
export function listOnlyOrigins({ otherOrigins }: Offered, plan: MirrorPlan): readonly string[] {
  return plan.wants.length + plan.unchanged === 0 ? otherOrigins : [];
}

/** Returns whether the Source may list more than was read: then no file is known to be gone. */
export function isIncomplete(offered: Offered, plan: MirrorPlan): boolean {
  return offered.unread.length + offered.skipped.length + listOnlyOrigins(offered, plan).length > 0;
}
