/** The Destination: copies what a Source lists into a folder, and keeps the copy right (§5.2). */

import { formatDatetime } from '../base/datetime.js';
import { SYSTEM_CLOCK } from '../base/time.js';
import { areUnchanged } from '../source/sets/reader.js';
import { isChosen, type Offer } from '../source/sets/sets.js';
import type { SshKey } from '../standard/signature.js';
import { nameReady } from './files/fetch.js';
import type { MirrorHead } from './memory/format.js';
import { dropReady } from './memory/journal.js';
import { sealMemory } from './memory/seal.js';
import { lastNumber } from './memory/state.js';
import type { Files, FileTable } from './plan/columns.js';
import { compareKept } from './plan/digests.js';
import { oldestMoment, type SetState } from './plan/model.js';
import type { Outcomes } from './plan/outcomes.js';
import { mayDelete } from './plan/plan.js';
import { type Failure, type Settlement, settle } from './plan/settle.js';
import {
  type MirrorFailure,
  type MirrorObserver,
  type MirrorReport,
  type MirrorSignature,
  MOST_FAILURES,
} from './report.js';
import type { ResolvedMirror } from './resolved.js';
import { commit } from './run/carry-out.js';
import { explainLines } from './run/explain.js';
import { foresee, getAll } from './run/fetch-all.js';
import { withSession } from './run/open-session.js';
import { isMoreAllowed, type Reading, readSource, requireFresh } from './run/read-source.js';
import { confirmFiles, recallFiles } from './run/recall.js';
import { areSameLists, isDue, lookAtLists } from './run/resource-lists.js';
import type { Session } from './run/session.js';
import { findDamage } from './run/verify.js';

/** A Source that changes while it is copied is read again so often. */
const MOST_ROUNDS = 4;

/** `mirror` with a configuration that is resolved already. */
export async function mirrorSource(
  config: ResolvedMirror,
  { observe = () => undefined, clock = SYSTEM_CLOCK, status = {} }: RunOptions = {},
): Promise<MirrorReport> {
  const begin = performance.now();
  return withSession(config, { observe, clock }, (session) => synchronize(session, status, begin));
}

/** Who is told of a run. */
export interface RunOptions {
  readonly observe?: MirrorObserver | undefined;
  /** What pauses go by. */
  readonly clock?: Session['clock'] | undefined;
  /** Is filled in. */
  readonly status?: SourceStatus;
}

/** What runs find out about a Source that is followed. */
export interface SourceStatus {
  /** What the Source offers; undefined until a run had to read it. */
  offers?: readonly Offer[];
  /** As the folder stands for them. */
  sets?: readonly SetState[];
  /** Named origins that have had a public address. */
  pinned?: ReadonlySet<string>;
}

async function synchronize(opened: Session, status: SourceStatus, begin: number): Promise<MirrorReport> {
  const { config } = opened;
  status.pinned = opened.pinned;
  if (opened.head !== undefined) status.sets = opened.head.sets;
  const known = (opened.head?.sets ?? []).filter(({ uri }) => isChosen(uri, config.sets));
  // The document with which reading began is asked for first, and tells whether its server looks at conditions.
  const [areSame, listsNow] = await Promise.all([
    areDocumentsSame(opened),
    lookAtLists(opened.origin, known),
  ]);
  const session = { ...opened, listsNow };
  const isQuiet = (set: SetState) => areSameLists(set, listsNow) && !isDue(set, session.now);
  if (areSame && known.every(isQuiet)) {
    requireFresh(session, known);
    const key = session.trust.keys?.find(({ line }) => opened.head?.signers?.includes(line));
    const signature = key && tellSigner(key, true);
    return makeMirrorReport(session, { begin, signature });
  }
  const files = recallFiles(session);
  const sure = session.isSure ? session : await confirmFiles(session, files);
  const isKnown = files.size > 0 || sure.head?.files === 0;
  const work = isKnown ? sure : { ...sure, head: undefined };
  return config.dryRun ? rehearse(work, files, begin) : run(work, files, status, begin);
}

function tellSigner({ fingerprint, type, line }: SshKey, isKnown: boolean): MirrorSignature {
  return { fingerprint, type, key: line, isKnown };
}

/** Whether all documents are what they were after a run that ended in sync. */
async function areDocumentsSame({ head, config, origin, trust }: Session): Promise<boolean> {
  if (head === undefined || head.documents.length === 0 || config.verify) return false;
  if (trust.keys?.every(({ line }) => head.signers?.includes(line) !== true) === true) return false;
  const isSame =
    head.only.join('\n') === config.sets.join('\n') &&
    (head.replica ?? false) === config.documents &&
    !isMoreAllowed(config, head);
  return isSame && head.missing.length === 0 && head.held === 0 && areUnchanged(origin, head.documents);
}

/** Says what would be done. */
async function rehearse(session: Session, files: FileTable, begin: number): Promise<MirrorReport> {
  const { config } = session;
  const mends = await findMends(session, files);
  const reading = await readSource(session, files, { mends, fromArchive: true });
  const { wants, deletions, unchanged } = reading.plan;
  let [known, updated] = [0, 0];
  for (const { entry, kept } of wants) {
    if (kept === undefined) continue;
    known++;
    if (mends.has(entry.uri) || compareKept(entry, kept) === 'other') updated++;
  }
  const isWaiting = isIncomplete(reading);
  const stopped = !isWaiting && !mayDelete(deletions, files, config.maxDelete);
  const isHeld = isWaiting || stopped;
  const needs = await foresee(
    session,
    reading,
    ({ entry, kept }) => kept === undefined || mends.has(entry.uri) || compareKept(entry, kept) !== 'same',
  ).finally(() => reading.store.close());
  return makeMirrorReport(session, {
    begin,
    reading,
    needs,
    counts: {
      created: wants.length - known,
      updated,
      deleted: isHeld ? 0 : deletions.size,
      unchanged: unchanged + known - updated,
      held: isHeld ? deletions.size : 0,
      stopped,
    },
  });
}

async function run(
  session: Session,
  files: FileTable,
  status: SourceStatus,
  begin: number,
): Promise<MirrorReport> {
  const { config, head } = session;
  const timing: Timing = { begin };
  const mends = await findMends(session, files);
  const { reading, outcomes, isUnsettled } = await readAndGet(session, files, mends, timing);
  const { proof } = reading;
  const [signer] = proof?.keys ?? [];
  const signature = signer && tellSigner(signer, session.trust.keys !== undefined);
  status.offers = reading.read.map(({ offer }) => offer);
  const isWaiting = isUnsettled || isIncomplete(reading) || isGuessedWrong(reading, outcomes);
  const settlement = settle(files, reading.plan, outcomes, {
    most: config.maxDelete,
    missing: head?.missing ?? [],
    isWaiting,
    nameReady,
  });
  timing.got = performance.now();
  const next = makeHead(session, reading, settlement, isWaiting);
  const isNews = settlement.lines.length > 0 || !isSameHead(session.remembered, next, session.now);
  const journal = { head: next, lines: await explainLines(session, files, settlement.lines) };
  if (isNews) await commit(session, journal);
  else dropReady(session.memory);
  // What a clone says, the Source says, too.
  if (!isNews && !session.isSure) sealMemory(session.memory);
  status.sets = next.sets;
  return makeMirrorReport(session, {
    ...timing,
    reading,
    settlement,
    isUnsettled,
    signature,
    head: next,
  });
}

/** Whether more may be listed than was read, so that nothing is known to be gone. */
function isIncomplete({ onlyOn, unread, skipped }: Reading): boolean {
  return onlyOn.length + unread.length + skipped.length > 0;
}

/** Whether nothing is there at relative addresses: then they may be meant otherwise, and name files of the copy. */
function isGuessedWrong({ reader }: Reading, outcomes: Outcomes): boolean {
  return reader.resolved() !== undefined && outcomes.failed().some(([, { reason }]) => reason === 'missing');
}

/** The URLs of files that are to be had again. Of a clone, those that are damaged are not ours. */
async function findMends(session: Session, files: Files): Promise<ReadonlySet<string>> {
  return session.config.verify && session.isSure ? findDamage(session, files) : new Set();
}

/** Reads what is listed and gets it; again where the Source changes meanwhile, until both are of one moment. */
async function readAndGet(session: Session, files: FileTable, mends: ReadonlySet<string>, timing: Timing) {
  let fromArchive = true;
  for (let round = 1; ; round++) {
    const reading = await readSource(session, files, { mends, fromArchive });
    session.forgetAnswers();
    timing.read ??= performance.now();
    const outcomes = await getAll(session, reading).finally(() => reading.store.close());
    const isFromArchive = reading.sets.some(({ archived }) => archived !== undefined);
    if (isFromArchive && isNotAsTold(outcomes)) {
      // The archive may have missed something: the Resource List knows.
      fromArchive = false;
      continue;
    }
    const isSettled =
      !reading.isMixed &&
      (!mayBeMixed(reading, outcomes) || (await areUnchanged(session.origin, reading.reader.known())));
    if (isSettled || round >= MOST_ROUNDS) return { reading, outcomes, isUnsettled: !isSettled };
  }
}

function isNotAsTold(outcomes: Outcomes): boolean {
  return outcomes.failed().some(([, { reason }]) => reason === 'missing' || reason === 'different');
}

/** Whether what came may be of another moment than the lists: it is not as listed, or nothing tells, or there are several. */
function mayBeMixed({ states, hasDocuments }: Reading, outcomes: Outcomes): boolean {
  if (outcomes.size === 0) return false;
  return hasDocuments || states.length > 1 || outcomes.isUnverified || outcomes.failed().length > 0;
}

/** What the next run is to know. The moment advances only where nothing has failed. */
function makeHead(
  { config, head, memory, pinned }: Session,
  reading: Reading,
  settlement: Settlement,
  isWaiting: boolean,
): MirrorHead {
  const { failed, missing, held } = settlement;
  // Who reads the Source where it is published learns nothing of another address.
  const servedFrom = config.servedAt && new URL(config.servedAt).origin;
  const isRight = failed.length === 0 && !isWaiting;
  const isWhole = isRight && missing.length === 0 && !reading.hasPlain;
  return {
    format: 1,
    number: lastNumber(memory) + 1,
    source: config.source,
    beginning: reading.beginning,
    pinned: [...pinned].filter((one) => one !== servedFrom),
    sets: isRight ? reading.states : holdStates(head?.sets ?? [], reading.states),
    documents: isWhole ? reading.reader.known() : [],
    missing,
    only: config.sets,
    replica: config.documents || undefined,
    allow: config.allow,
    files: settlement.files,
    held: isRight ? held : 0,
    unverified: settlement.unverified,
    signers: reading.proof?.keys.map(({ line }) => line),
    signedAt: reading.proof?.moment,
    whole: head === undefined,
  };
}

/** The sets that were known stay as they were; new ones have a number, and no moment. */
function holdStates(former: readonly SetState[], now: readonly SetState[]): readonly SetState[] {
  const known = new Set(former.map(({ id }) => id));
  return [...former, ...now.filter(({ id }) => !known.has(id)).map(({ id, uri }) => ({ id, uri }))];
}

/** When a list was read counts no more than once in a while: otherwise a clone would be news each time. */
function isSameHead(former: MirrorHead | undefined, next: MirrorHead, now: number): boolean {
  if (former?.sets.some((set) => isDue(set, now)) === true) return false;
  const tell = (head: MirrorHead | undefined) =>
    JSON.stringify({ ...head, number: 0, whole: false }, (key, value) => (key === 'read' ? 0 : value));
  return tell(former) === tell(next);
}

/** Moments of a run, by the clock of `performance`. */
export interface Timing {
  readonly begin: number;
  /** When the documents were read. */
  read?: number;
  /** When all resources were there. */
  got?: number;
}

interface Told extends Timing {
  readonly reading?: Reading;
  readonly settlement?: Settlement;
  readonly isUnsettled?: boolean;
  readonly signature?: MirrorReport['signature'] | undefined;
  /** As the next run will find it. */
  readonly head?: MirrorHead;
  readonly needs?: MirrorReport['needs'];
  readonly counts?: Pick<MirrorReport, 'created' | 'updated' | 'deleted' | 'unchanged' | 'held' | 'stopped'>;
}

const NOTHING = { created: 0, updated: 0, deleted: 0, stopped: false };

function makeMirrorReport({ config, head: former, pace, received }: Session, told: Told): MirrorReport {
  const { reading, settlement, isUnsettled = false } = told;
  const head = told.head ?? former;
  const failed = (settlement?.failed ?? []).map(toFailure);
  if (isUnsettled && reading !== undefined) {
    const found = 'the Source changed each time while it was copied';
    failed.unshift({ uri: reading.beginning, reason: 'changing', found });
  }
  const [other] = reading?.onlyOn ?? [];
  if (reading !== undefined && other !== undefined) {
    const found = `--allow ${reading.onlyOn.join(' --allow ')}`;
    failed.unshift({ uri: reading.beginning, reason: 'elsewhere', found });
  }
  const { unread = [], skipped = [] } = reading ?? {};
  failed.unshift(
    ...unread.map(({ uri, error }) => ({ uri, reason: 'unread' as const, found: tellCause(error) })),
    ...skipped.map(({ document: uri, line, found }) => ({
      uri,
      reason: 'skipped' as const,
      found: line === undefined ? found : `line ${line}: ${found}`,
    })),
  );
  const relative = reading?.reader.resolved();
  const outstanding = (settlement?.outstanding ?? []).map(toFailure);
  const at = oldestMoment(head?.sets ?? []);
  const done = settlement ?? told.counts ?? { ...NOTHING, held: head?.held ?? 0 };
  const unchanged = reading?.plan.unchanged ?? head?.files ?? 0;
  const isToDo = config.dryRun && done.created + done.updated + done.deleted > 0;
  const right = told.counts?.unchanged ?? unchanged + countRight(settlement, reading);
  return {
    source: config.source,
    folder: config.folder,
    ...(config.servedAt !== undefined && { servedAt: config.servedAt }),
    ...(at !== undefined && { at: formatDatetime(new Date(at)) }),
    inSync: failed.length + outstanding.length === 0 && !done.stopped && !isToDo,
    dryRun: config.dryRun,
    sets: reading?.sets ?? (head?.sets ?? []).map(({ uri }) => ({ uri, way: 'unchanged' as const })),
    created: done.created,
    updated: done.updated,
    deleted: done.deleted,
    unchanged: right,
    held: done.held,
    stopped: done.stopped,
    failed: failed.slice(0, MOST_FAILURES),
    outstanding: outstanding.slice(0, MOST_FAILURES),
    unverified: head?.unverified ?? 0,
    ...(relative !== undefined && { relative }),
    elsewhere: reading?.elsewhere ?? 0,
    setsElsewhere: reading?.setsElsewhere ?? [],
    ...(told.signature !== undefined && { signature: told.signature }),
    displaced: (reading?.displaced ?? []).slice(0, MOST_FAILURES),
    requests: pace.requests(),
    bytes: pace.bytes(),
    // In a rehearsal, nothing new is there.
    unasked: Math.max(
      0,
      right + (told.needs === undefined ? done.created + done.updated : 0) - received.files(),
    ),
    pauses: pace.asked(),
    ...(told.needs && { needs: told.needs }),
    durations: measure(told),
  };
}

/** What was found, without the address, which is told beside it. */
function tellCause({ cause, message }: Error): string {
  return cause instanceof Error ? cause.message : (message.split('\n')[0] ?? '');
}

/** Those that were asked about and are as they were. */
function countRight(settlement: Settlement | undefined, reading: Reading | undefined): number {
  if (settlement === undefined || reading === undefined) return 0;
  const { created, updated, failed, outstanding } = settlement;
  return reading.plan.wants.length - created - updated - failed.length - outstanding.length;
}

function toFailure({ want: { entry, path }, reason, found }: Failure): MirrorFailure {
  return { uri: entry.uri, path, reason, found };
}

function measure({ begin, read, got }: Timing): MirrorReport['durations'] {
  const now = performance.now();
  const [first, second] = [read ?? now, got ?? now];
  return {
    documents: Math.round(first - begin),
    resources: Math.round(second - first),
    moves: Math.round(now - second),
    total: Math.round(now - begin),
  };
}
