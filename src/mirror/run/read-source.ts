/** One round of a run: what the Source lists now, what follows from it for the folder, and the bytes that are new. */

import { formatDatetime } from '../../base/datetime.js';
import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { isUrl } from '../../base/url.js';
import { addressOf } from '../../paths/address.js';
import { rootOfSource } from '../../paths/urls.js';
import { isPlainPlace, refusePreview } from '../../source/find.js';
import { digestBody } from '../../source/origin/origin.js';
import { OF_NO_VERSION } from '../../source/sets/conditions.js';
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
} from '../../source/sets/sets.js';
import type { Proof } from '../../source/sets/signed.js';
import type { MirrorHead } from '../memory/format.js';
import { proveTo, requireNewer } from '../memory/trust.js';
import type { FileTable } from '../plan/columns.js';
import { DOCUMENTS_SET, type SetState } from '../plan/model.js';
import { type Planner, startPlanner } from '../plan/plan.js';
import type { MirroredSet } from '../report.js';
import type { ResolvedMirror } from '../resolved.js';
import { collectDocuments, type DocumentSearch, makeRoom } from './documents.js';
import { readSet, type SetWork } from './read-set.js';
import type { Session } from './session.js';

/** What the Source lists, and what is to be done about it. */
export type Reading = Readonly<Awaited<ReturnType<typeof readSource>>>;

/** So many other origins are named. */
const MOST_OTHERS = 3;

/** How to look at what a Source lists. */
interface RoundChoice {
  /** URLs whose files are damaged. */
  readonly mends: ReadonlySet<string>;
  /** Whether archived changes may count. */
  readonly fromArchive: boolean;
}

/** Milliseconds that a deploy may take. */
const PAUSE = 10_000;

export async function readSource(session: Session, files: FileTable, look: RoundChoice) {
  try {
    return await readOnce(session, files, look);
  } catch (error) {
    const mayPass = error instanceof ResyncError && 'mayPass' in error && error.mayPass === true;
    if (!mayPass) throw error;
  }
  // Documents of one publication, and sums of another: a deploy may be going on.
  await session.clock.sleep(PAUSE);
  session.forgetAnswers();
  return readOnce(session, files, look);
}

async function readOnce(session: Session, files: FileTable, look: RoundChoice) {
  const store = new PackageStore(session);
  try {
    return await readWith(store, session, files, look);
  } catch (error) {
    store.close();
    throw error;
  }
}

/** What the sums prove of what is read; undefined if nobody signed it, and nobody needs the sums. */
async function prove(session: Session, reader: DocumentReader, beginning: string, offers: readonly Offer[]) {
  const { config } = session;
  session.judgeBy(undefined);
  const isNeeded = session.trust.keys !== undefined || config.documents;
  if (!isNeeded && offers.every(({ sums }) => sums === undefined)) return undefined;
  const proof = await proveTo(session.trust, config, reader, beginning, offers);
  if (isSigned(proof)) session.judgeBy(proof?.judge);
  return proof;
}

const isSigned = (proof: Proof | undefined) => (proof?.keys.length ?? 0) > 0;

/** @throws ResyncError `signature-invalid` where sets are older than `maxAge` allows */
export function requireFresh(
  { config, now }: Pick<Session, 'config' | 'now'>,
  states: readonly SetState[],
): void {
  const { maxAge } = config;
  if (maxAge === undefined) return;
  const old = states.find(({ moment }) => moment === undefined || now - moment > maxAge);
  if (old === undefined) return;
  const at = old.moment === undefined ? 'no moment' : formatDatetime(new Date(old.moment));
  throw new ResyncError(
    'signature-invalid',
    say`${old.uri} tells of ${at}, which is older than --max-age allows.\nNothing was changed. Somebody may serve an old state, or the publisher has published nothing since.`,
  );
}

async function readWith(
  store: PackageStore,
  begun: Session,
  files: FileTable,
  { mends, fromArchive }: RoundChoice,
) {
  const { config, observe, origin } = begun;
  observe({ stage: 'documents', done: 0 });
  const reader = new DocumentReader(origin, config.mostKept);
  const { beginning, found } = await findSets(begun, reader);
  const { offers } = found;
  const chosen = chooseSets(found, config.sets);
  const sums = await prove(begun, reader, beginning, chosen);
  // Sums that nobody signed say what there is, and make nothing of it surer.
  const proof = isSigned(sums) ? sums : undefined;
  const unread = found.unread.filter(({ uri }) => isChosen(uri, config.sets));
  const { session, documents, displaced } = await keepDocuments(begun, sums, reader, { files, unread });
  const { head } = session;
  const planner = startPlanner(files, addressOf(rootOfSource(config.source)), mends);
  let elsewhere = 0;
  const setsElsewhere = config.sets.length === 0 ? found.elsewhere : [];
  const others = new Set<string>(setsElsewhere.slice(0, MOST_OTHERS).map((uri) => new URL(uri).origin));
  const list: Planner['list'] = (entry, set, time) => {
    if (isAllowed(session, entry.uri)) return planner.list(entry, set, time);
    elsewhere++;
    if (others.size < MOST_OTHERS) others.add(new URL(entry.uri).origin);
    return true;
  };
  const compare: Planner['compare'] = (event, set) =>
    isAllowed(session, event.entry.uri) ? planner.compare(event, set) : 'same';
  const states: SetState[] = [...(head?.sets ?? [])];
  const sets: MirroredSet[] = [];
  /** What was read of each set, and since when its changes count. */
  const read: { readonly offer: Offer; readonly id: number; readonly since: number | undefined }[] = [];
  for (const offer of chosen) {
    const known = states.find(({ uri }) => uri === offer.uri);
    const former = known ?? { id: 1 + Math.max(0, ...states.map(({ id }) => id)), uri: offer.uri };
    const missing = (head?.missing ?? []).filter(({ sets: ids }) => ids.includes(former.id));
    const work = {
      offer,
      former,
      isKnown: known !== undefined && head !== undefined,
      wholly: findReason(session, proof),
      fromArchive,
      missing: missing.map(({ entry }) => entry),
      listsNow: session.listsNow,
      now: session.now,
    };
    const readOne = async () => [await readSet({ reader, store }, work, { ...planner, list, compare })];
    const [reading] = await tryReading(offer.uri, readOne, unread);
    if (reading === undefined) continue;
    const { state, ...told } = reading;
    states.splice(known === undefined ? states.length : states.indexOf(known), 1, state);
    sets.push({ uri: offer.uri, ...told });
    read.push({ offer, id: former.id, since: told.way === 'changes' ? former.moment : undefined });
    observe({ stage: 'documents', done: reader.count() });
  }
  if (read.length === 0) for (const { error } of unread) throw error;
  const skipped = reader.skipped();
  const now = states.filter(({ id }) => read.some((one) => one.id === id));
  requireFresh(session, now);
  if (proof !== undefined) requireNewer(session.trust, proof, now);
  const there = new Set([...offers, ...unread].map(({ uri }) => uri));
  const gone = states.filter(({ uri }) => config.sets.length === 0 && !there.has(uri));
  for (const { id } of gone) planner.dropOthers(id);
  for (const document of documents) planner.list(document, DOCUMENTS_SET);
  planner.dropOthers(DOCUMENTS_SET);
  const plan = planner.finish();
  const digests = new Map(documents.map(({ uri, hash }) => [uri, hash]));
  return {
    beginning,
    reader,
    proof,
    store,
    read,
    plan,
    /** Whether documents are to be kept; and whether they are of another moment than those that were read. */
    hasDocuments: documents.length > 0,
    isMixed: reader.known().some(({ uri, digest }) => {
      const hash = digests.get(addressOf(uri));
      return hash !== undefined && hash !== `sha-256:${digest}`;
    }),
    /** Resources that have another name now, because a document of the builder has theirs. */
    displaced: [...displaced, ...plan.displaced],
    /** As the folder stands for them once the plan is carried out. */
    states: states.filter((state) => !gone.includes(state)),
    sets,
    elsewhere,
    /** URLs of Capability Lists on origins that are not mirrored. */
    setsElsewhere,
    /** Sets that cannot be read, while others can. Their files stay as they are. */
    unread,
    /** What was not understood in lists. Files that no list was found to name stay as they are. */
    skipped,
    /** Origins that others are on, the first few, where nothing else is listed: then there is nothing to copy. */
    onlyOn: plan.wants.length + plan.unchanged === 0 ? [...others] : [],
    /** Whether nothing but a look at every resource tells whether it has changed. */
    hasPlain: chosen.some(({ isPlain }) => isPlain),
  };
}

/** The documents of the builder, where they are kept, and room for them in the folder. */
async function keepDocuments(
  session: Session,
  proof: Proof | undefined,
  reader: DocumentReader,
  search: DocumentSearch,
) {
  if (!session.config.documents || proof === undefined) return { session, documents: [], displaced: [] };
  const documents = await collectDocuments(session, proof, reader, search);
  return { documents, ...(await makeRoom(session, search.files, documents)) };
}

/** Begins where the last run began, as long as that leads somewhere, and it was a run of ours. */
export async function findSets(
  { origin, config, head, isSure }: Pick<Session, 'origin' | 'config' | 'head' | 'isSure'>,
  reader: DocumentReader,
): Promise<{ beginning: string; found: SourceSets }> {
  // What is no URL cannot be read, and is told as such.
  const mayAsk = (uri: string) => !isUrl(uri) || isAllowed({ config }, uri);
  const former = head?.beginning;
  // A site that had nothing but a Sitemap may have more by now.
  const mayBegin = isSure && former !== undefined && (former === config.source || !isPlainPlace(former));
  const isThere = mayBegin && !('failure' in (await open(origin, former)));
  const beginning = isThere ? former : await findSource(origin, config.source, former);
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

/** Asks for what is sure to be given, so that it is known whether the server looks at conditions. */
async function open(origin: Session['origin'], uri: string) {
  const opened = await origin.open(uri, { fresh: true, validators: OF_NO_VERSION });
  if (!('failure' in opened)) await digestBody(opened.body, [], 0).catch(() => undefined);
  return opened;
}

/** Why all that is listed is to be looked at, although changes are known. */
function findReason({ config, head, isSure }: Session, proof: Proof | undefined): SetWork['wholly'] {
  if (!isSure) return 'cloned';
  // What was copied before nobody had signed, or somebody else.
  const isOther =
    head !== undefined && proof?.keys.every(({ line }) => head.signers?.includes(line) !== true);
  if (isOther === true) return 'signed';
  if (config.verify) return 'verify';
  return isMoreAllowed(config, head) ? 'origins' : undefined;
}

/** Whether files are to be had now that the last run passed by, and that no list of changes tells of. */
export function isMoreAllowed({ allow }: ResolvedMirror, head: MirrorHead | undefined): boolean {
  return head !== undefined && allow.some((origin) => !head.allow.includes(origin));
}

export function isAllowed({ config: { home, allow } }: Pick<Session, 'config'>, uri: string): boolean {
  // Nearly all are: then nothing has to be taken apart.
  if (uri.startsWith(home)) return true;
  const { origin } = new URL(uri);
  return `${origin}/` === home || allow.includes(origin);
}
