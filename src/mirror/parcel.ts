/** Copies that are carried by hand: packs one into a parcel, and applies a parcel where it fits. */

import { createReadStream, existsSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ResyncError } from '../base/errors.js';
import { type Phrase, say } from '../base/text/say.js';
import { PACKAGE_COMMENT, type PackJob } from '../describe/dumps/job.js';
import type { Bitstream } from '../history/plan/packages.js';
import { writeInto } from '../paths/held/own.js';
import { isOurs, refuseForeign } from '../paths/hold/ownership.js';
import { OWNER_MARK } from '../paths/ours.js';
import { nameBitstreams } from '../paths/package-names.js';
import { rootOfSource } from '../paths/urls.js';
import {
  type Absent,
  digestOpened,
  isAbsent,
  NO_ANSWER,
  type OpenOptions,
  type Origin,
} from '../source/origin/origin.js';
import { nameParts, type Parcel } from '../source/packages/parcel.js';
import { type ChangePart, type Event, newest } from '../source/sets/entry.js';
import { readChanges, type Sources } from '../source/sets/lists.js';
import { startReadingDocuments } from '../source/sets/reader.js';
import type { ChangeDumpManifest, ResourceDumpManifest } from '../standard/document.js';
import { makeChangeDumpManifest, makeResourceDumpManifest } from '../standard/make.js';
import { formatDatetime } from '../standard/model.js';
import { serializeDocument } from '../standard/xml/serialize.js';
import type { ResolvedMirror } from './config.js';
import { readFiles } from './memory/state.js';
import type { Files } from './plan/columns.js';
import { compareKept } from './plan/digests.js';
import { beginOf, lastOfEach } from './plan/history.js';
import { isDocument, oldestMoment } from './plan/model.js';
import type { MirrorReport, PackedParcel } from './report.js';
import { findChanges } from './run/read-set.js';
import { type Reading, readSource } from './run/round.js';
import type { Session } from './run/work.js';

/** The copy is of a later moment than the parcel. */
class OlderParcel extends Error {}

/**
 * Applies a parcel, writes one, or both.
 *
 * @param run brings the copy up to date
 * @param tell what is told where nothing was done
 * @throws ResyncError `parcel-refused`
 */
export async function withParcels(
  session: Session,
  run: (session: Session) => Promise<MirrorReport>,
  tell: () => MirrorReport,
): Promise<MirrorReport> {
  const { config, parcel } = session;
  const report = parcel === undefined ? await run(session) : await apply(session, parcel, run, tell);
  const isRight = report.inSync && report.parcel?.isOlder !== true;
  if (config.parcel === undefined || !isRight) return report;
  const begin = performance.now();
  const packed = await pack(session, config.parcel);
  const { pace } = session;
  const total = report.durations.total + Math.round(performance.now() - begin);
  const durations = { ...report.durations, total };
  return { ...report, packed, requests: pace.requests(), bytes: pace.bytes(), durations };
}

async function apply(
  session: Session,
  parcel: Parcel,
  run: (session: Session) => Promise<MirrorReport>,
  tell: () => MirrorReport,
): Promise<MirrorReport> {
  const span = { file: parcel.file, ...writeSpan(parcel) };
  // None of its files takes a request.
  const received = { ...session.received, files: () => 0 };
  try {
    const report = await run({ ...session, received, check: startChecking(session, parcel) });
    return { ...report, parcel: { ...span, isOlder: false } };
  } catch (error) {
    if (error instanceof OlderParcel) return { ...tell(), parcel: { ...span, isOlder: true } };
    throw error;
  }
}

/** What a parcel has: all that is of `until`, or what has changed since `from`. */
interface Span<T> {
  readonly from?: T | undefined;
  readonly until: T;
}

function writeSpan({ from, until }: Span<Date | number>) {
  const write = (time: Date | number) => formatDatetime(new Date(time));
  return { ...(from !== undefined && { from: write(from) }), until: write(until) };
}

/**
 * Holds a parcel against the copy: first what it says of itself, and then what follows from its documents, set by set.
 *
 * @throws OlderParcel; ResyncError `parcel-refused` where the copy is of before it begins
 */
function startChecking({ config, head, remembered }: Session, parcel: Parcel): Session['check'] {
  const { file, source, from, until } = parcel;
  const known = remembered?.sets ?? [];
  const at = oldestMoment(known);
  const requireBegin = (isRight: boolean) => {
    if (from === undefined || isRight) return;
    const [begins, is] = [from, at ?? 0].map((time) => formatDatetime(new Date(time)));
    const copy = at === undefined ? say`holds no whole copy` : say`is of ${is ?? ''}`;
    throw new ResyncError(
      'parcel-refused',
      say`The parcel ${file} has what changed since ${begins ?? ''}, and ${config.folder} ${copy}.\nNothing was changed. The parcel that is needed: resync-static mirror ${source} <folder> --parcel <file.zip>${at === undefined ? '' : say` --since ${is ?? ''}`}`,
    );
  };
  if (at !== undefined && at > until) throw new OlderParcel();
  requireBegin(at !== undefined && at >= (from ?? at));
  const missing = new Set(head?.missing.map(({ entry }) => entry.uri));
  return ({ wants }, states) => {
    for (const { id, moment = 0 } of states)
      if (moment < (known.find((set) => set.id === id)?.moment ?? 0)) throw new OlderParcel();
    for (const { entry, kept } of wants) {
      const isNews = kept === undefined || compareKept(entry, kept) === 'other';
      requireBegin(!isNews || parcel.has(entry.uri) || missing.has(entry.uri));
    }
  };
}

/** Something in a parcel. */
interface Packed {
  readonly uri: string;
  /** Undefined of what was deleted. */
  readonly bitstream: Bitstream | undefined;
  readonly event?: Event | undefined;
}

/** Of a manifest: the text of all rows, and more than a row takes beside its URL. */
const MANIFEST_BYTES = 40_000_000;
const ROW_BYTES = 400;
/** More than what stands beside the bytes of a file in a ZIP file, and than what they grow by. */
const HEADER_BYTES = 4096;

/** Packs a copy as its Source is now: what a Destination would read of it, and the files that follow from that. */
async function pack(session: Session, file: string): Promise<PackedParcel> {
  const { config, memory, scratch } = session;
  const files = readFiles(memory);
  if (files === undefined) throw refuse('What the copy remembers cannot be read. Run again.');
  const { origin, list } = record(session);
  // What is ready has been moved into place by now.
  const afresh = { ...session, origin, ready: scratch, head: undefined, check: undefined };
  const reading = await readSource(afresh, files, { mends: new Set(), fromArchive: false });
  try {
    requireSame(reading);
    const sources = { reader: startReadingDocuments(origin, config.mostKept), shelf: reading.shelf };
    const news = await findNews(sources, reading, config.since);
    const resources = listResources(files, reading, news?.events);
    const uris = new Set(resources.map(({ uri }) => uri));
    const members = [...resources, ...list().filter(({ uri }) => !uris.has(uri))];
    members.sort((a, b) => (a.uri < b.uri ? -1 : 1));
    const times = [...reading.states, ...resources.map(({ event }) => ({ moment: event?.time }))];
    const until = times.reduce((latest, { moment = 0 }) => Math.max(latest, moment), 0);
    const parts = cutParts(members, config.mostPacked);
    const targets = nameParts(file, parts.length);
    const other = targets.find((target) => existsSync(target) && !isOurs(target, PACKAGE_COMMENT));
    if (other !== undefined) throw refuseForeign(other);
    const head = {
      up: reading.read[0]?.offer.uri ?? reading.beginning,
      via: config.source,
      // Moments are written in whole seconds.
      from: news && new Date(1000 * Math.floor(news.from / 1000)),
      until: new Date(1000 * Math.ceil(until / 1000)),
    };
    const jobs: PackJob[] = [];
    for (const [index, part] of parts.entries()) {
      const manifest = `manifest-${index}`;
      await writeInto(scratch, manifest, async (write) => {
        for (const text of serializeDocument(makeManifest(part, head), OWNER_MARK)) write(Buffer.from(text));
      });
      jobs.push({
        target: targets[index] ?? file,
        manifest: scratch.at(manifest),
        bitstreams: part.flatMap(({ bitstream = [] }) => bitstream),
        site: config.folder,
        repository: undefined,
        former: [],
        comment: PACKAGE_COMMENT,
        hash: [],
      });
    }
    const bytes = await writeParts(jobs, config);
    const count = resources.filter(({ bitstream }) => bitstream !== undefined).length;
    return { files: targets, resources: count, bytes, ...writeSpan(head) };
  } finally {
    reading.shelf.close();
  }
}

function refuse(what: Phrase, cause?: unknown): ResyncError {
  return new ResyncError('parcel-refused', say`${what}\nThe copy is in sync. No parcel was written.`, {
    cause,
  });
}

/** Makes sure that the copy is what the Source lists now, and that this has a moment. */
function requireSame({ plan, states, unread, isMixed }: Reading): void {
  let isSame = !isMixed && unread.length === 0;
  for (const { entry, kept } of plan.wants)
    isSame &&= kept !== undefined && compareKept(entry, kept) !== 'other';
  if (!isSame) throw refuse('The Source has changed just now. Run again.');
  if (oldestMoment(states) === undefined)
    throw refuse(
      'The lists of the Source do not say of which moment they are, so nobody could tell which parcel is newer.',
    );
}

type Recorded = Bitstream & { readonly source: { readonly file: string } };

/** Keeps what is read: each document is asked for once, so that all that is said of it is true of what is packed. */
function record({ config, origin, scratch, received }: Session) {
  /** By URL. */
  const documents = new Map<string, Recorded>();
  const root = rootOfSource(config.source);
  const folder = relative(config.folder, scratch.path);
  let count = 0;

  async function take(uri: string, options: OpenOptions): Promise<Recorded | Absent> {
    const opened = await origin.open(uri, options);
    const file = `recorded-${count++}`;
    const digested = await writeInto(scratch, file, (write) =>
      digestOpened(opened, { digests: ['sha-256'], length: undefined }, (piece) => {
        write(piece);
        return received.take(piece.length);
      }),
    );
    if (isAbsent(digested)) return digested;
    const name = uri.startsWith(root) ? uri.slice(root.length) : uri;
    const hash = `sha-256:${digested.hex('sha-256')}`;
    const taken = {
      name,
      length: digested.length,
      hash,
      type: undefined,
      source: { file: join(folder, file) },
    };
    documents.set(uri, taken);
    return taken;
  }

  const open: Origin['open'] = async (uri, { validators, ...options } = {}) => {
    const known = documents.get(uri) ?? (await take(uri, options));
    if (isAbsent(known)) return known;
    const { encoding } = options;
    const body = createReadStream(join(config.folder, known.source.file)) as AsyncIterable<Buffer>;
    return { ...NO_ANSWER, uri, link: undefined, encoding, body };
  };
  const list = () =>
    nameAll(
      'documents',
      [...documents].map(([uri, bitstream]) => ({ uri, bitstream })),
    );
  return { origin: { ...origin, open }, list };
}

/** Names bytes so that a parcel can be unpacked anywhere. */
function nameAll(folder: string, members: readonly Packed[]): Packed[] {
  const names = new Map(nameBitstreams(members.flatMap(({ bitstream }) => bitstream?.name ?? [])));
  return members.map(({ bitstream, ...member }) => ({
    ...member,
    bitstream: bitstream && { ...bitstream, name: `${folder}/${names.get(bitstream.name)}` },
  }));
}

/** The files of the copy that go with these documents, and what was deleted. @param news undefined for all */
function listResources(files: Files, { plan }: Reading, news: readonly Event[] | undefined): Packed[] {
  const events = news && new Map(lastOfEach(news).map((event) => [event.entry.uri, event]));
  const members: Packed[] = [];
  for (const [uri, { path, length, hash, sets }] of files) {
    const event = events?.get(uri);
    const isWanted = events === undefined || event !== undefined || isDocument(sets);
    if (!isWanted || plan.deletions.has(uri)) continue;
    const bitstream = { name: path, length, hash, type: undefined, source: { file: path } };
    members.push({ uri, event, bitstream });
  }
  for (const [uri, event] of events ?? [])
    if (event.change === 'deleted' && (!files.has(uri) || plan.deletions.has(uri)))
      members.push({ uri, event, bitstream: undefined });
  return nameAll('resources', members);
}

/**
 * What has changed since a moment, set by set.
 *
 * @returns the moment of the last change before it, and all changes after it
 * @throws ResyncError `parcel-refused` where that is not known of a set
 */
async function findNews(sources: Sources, { read }: Reading, since: number | undefined) {
  const events: Event[] = [];
  let from = since ?? 0;
  let earliest: number | undefined;
  for (const { offer, id } of read) {
    // All of them, as a copy may be of any moment.
    const parts = await readChanges(sources, offer, Number.NEGATIVE_INFINITY);
    if (since === undefined) continue;
    const former = { id, uri: offer.uri, moment: since };
    const { way, parts: known = [] } = await findChanges(
      sources,
      { offer, former, fromArchive: true },
      former,
    );
    const begin = beginOf(known);
    if (way.kind === 'compare' && begin === undefined)
      throw refuse(say`The Source does not say what has changed in ${offer.uri}. Leave out --since.`);
    if (way.kind === 'compare') earliest = Math.max(begin ?? since, earliest ?? 0);
    else {
      events.push(...way.events.filter(({ time = Number.POSITIVE_INFINITY }) => time > since));
      from = Math.min(from, findLast([...(parts ?? []), ...known], since) ?? begin ?? since);
    }
  }
  if (earliest === undefined) return since === undefined ? undefined : { from, events };
  const begins = formatDatetime(new Date(1000 * Math.ceil(earliest / 1000)));
  throw refuse(
    say`The lists of changes, and the archives, begin at ${begins}. Give --since ${begins}, or leave it out to pack everything.`,
  );
}

/** When the last change was, up to a moment. */
function findLast(parts: readonly ChangePart[], most: number): number | undefined {
  const times = parts.flatMap(({ events = [] }) => events.map(({ time }) => time));
  return newest(times.filter((time) => time !== undefined && time <= most));
}

/** Cuts what is packed into parts, as few as ZIP files and manifests allow. */
function cutParts(members: readonly Packed[], { bytes, entries }: ResolvedMirror['mostPacked']): Packed[][] {
  const parts: Packed[][] = [];
  let [part, room, text]: [Packed[], number, number] = [[], 0, 0];
  for (const member of members) {
    const size = (member.bitstream?.length ?? 0) + HEADER_BYTES;
    const row = ROW_BYTES + 2 * member.uri.length;
    if (size > bytes) throw refuse(say`${member.uri} has more bytes than a ZIP file can hold.`);
    if (size > room || row > text || part.length === entries) {
      [part, room, text] = [[], bytes, MANIFEST_BYTES];
      parts.push(part);
    }
    part.push(member);
    [room, text] = [room - size, text - row];
  }
  return parts;
}

/** The manifest of one part: of a Resource Dump for all, of a Change Dump for what has changed (§11.2, §13.2). */
function makeManifest(
  members: readonly Packed[],
  { from, until, ...links }: Pick<ResourceDumpManifest, 'up' | 'via'> & Span<Date>,
): ResourceDumpManifest | ChangeDumpManifest {
  if (from === undefined) {
    const bitstreams = members.flatMap(({ uri, bitstream }) => {
      if (bitstream === undefined) return [];
      const { name, length, hash } = bitstream;
      return { resource: { uri, path: name, length, hash }, path: `/${name}` };
    });
    return makeResourceDumpManifest({ ...links, at: until, bitstreams });
  }
  const bitstreams = members.map(({ uri, event, bitstream }) => {
    // What the Source says of no moment is of that of the parcel.
    const datetime = event?.time === undefined ? until : new Date(event.time);
    if (bitstream === undefined)
      return { event: { change: 'deleted', uri, datetime }, path: undefined } as const;
    const { name, length, hash } = bitstream;
    // What one set lists no more, another one may list.
    const change = event?.change === 'created' ? 'created' : 'updated';
    return { event: { change, uri, datetime, representation: { length, hash } }, path: `/${name}` } as const;
  });
  bitstreams.sort((a, b) => a.event.datetime.getTime() - b.event.datetime.getTime());
  return makeChangeDumpManifest({ ...links, from, until, bitstreams });
}

/** Writes parts beside their places, and moves them there once all are whole, the first one last. */
async function writeParts(jobs: readonly PackJob[], { folder }: ResolvedMirror): Promise<number> {
  const nameStaged = (target: string) => `${target}.part`;
  const clear = () => {
    for (const { target } of jobs) rmSync(nameStaged(target), { force: true });
  };
  clear();
  try {
    const { packPackages } = await import('../describe/dumps/pack.js');
    const staged = jobs.map((job) => ({ ...job, target: nameStaged(job.target) }));
    const packed = await packPackages(staged, () => undefined);
    for (const { target } of jobs.toReversed()) renameSync(nameStaged(target), target);
    return packed.reduce((sum, { length }) => sum + length, 0);
  } catch (error) {
    clear();
    if (!(error instanceof ResyncError) || error.code !== 'file-changing') throw error;
    throw refuse(say`A file in ${folder} was changed since it was copied. Run again with --verify.`, error);
  }
}
