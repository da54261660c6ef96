/** The archived dumps of a set of resources whose history the live site keeps. */

import type { Notice } from '../../../base/notices.js';
import type { KnownArchive, LivePast } from '../../../history/archives/known.js';
import type { LivePackage } from '../../../history/live/published.js';
import type { ArchivedInterval, ArchivedSnapshot, ChangeDump } from '../../../standard/document.js';
import type { ClosedSegment } from '../../../standard/limits.js';
import type { ChangeEvent } from '../../../standard/model.js';
import type { MadePackage } from '../../dumps/job.js';
import { type ArchivedText, type ArchivePlace, areAsNamed } from './compose.js';
import { composeDumps } from './dumps.js';
import { type CarryPlace, carryNewest, noticeEnd, type ReadArchived } from './live.js';
import { parseArchived } from './parse.js';
import { type PackagePlace, startTakingPackages, type TakePackages } from './take-packages.js';

/** What the archives of dumps name. */
export interface LiveDumps {
  readonly held: readonly ArchivedSnapshot[];
  readonly told: readonly ArchivedInterval[];
  /** What only they name. */
  readonly packages: readonly MadePackage[];
  readonly notices: readonly Notice[];
}

/**
 * Carries archived dumps on, and archives those that are live: the Resource Dump as it was before this run, and the packages of
 * publications, where a period is over.
 *
 * @param made the packages of this run, by path
 * @param add takes the documents
 */
export async function archiveLiveDumps(
  place: PackagePlace & ArchivePlace,
  { lists }: KnownArchive,
  { entries, packages }: LivePast & { readonly packages: NonNullable<LivePast['packages']> },
  made: ReadonlyMap<string, MadePackage>,
  add: (text: ArchivedText) => void,
): Promise<LiveDumps> {
  const take = await startTakingPackages(place, made);
  const { snapshot, changes } = packages;
  const last = entries['changelist-archive'].at(-1)?.until ?? new Date(0);
  const snapshots = await carryDumps<ArchivedSnapshot>(
    place,
    {
      kind: 'resource-dump',
      live: entries['resourcedump-archive'],
      added: snapshot ? [{ entry: { uri: '', at: snapshot.at }, packages: snapshot.packages }] : [],
    },
    take,
    add,
  );
  const intervals = await carryDumps<ArchivedInterval>(
    place,
    {
      kind: 'change-dump',
      live: entries['changedump-archive'],
      added: lists.filter(({ until }) => until > last).map((list) => packInterval(list, changes)),
    },
    take,
    add,
  );
  const named = new Set([...snapshots.packages, ...intervals.packages]);
  const all = new Map([...made, ...[...named].map((one) => [one.path, one] as const)]);
  const composed = composeDumps(
    place,
    {
      packages: [],
      snapshots: snapshots.added.map(({ entry: { at }, paths }) => ({ at, paths })),
      intervals: intervals.added,
    },
    all,
    add,
  );
  return {
    held: [...snapshots.entries, ...composed.held],
    told: [...intervals.entries, ...composed.told],
    packages: [...named].filter(({ path }) => !made.has(path)),
    notices: [...snapshots.notices, ...intervals.notices],
  };
}

/** The packages of all publications of an interval. */
function packInterval(
  { from, until, changes }: ClosedSegment<ChangeEvent>,
  live: ChangeDump['packages'],
): NewDump<ArchivedInterval> {
  const packages = live.filter((one) => one.until > from && one.until <= until);
  const moments = new Set(packages.map((one) => one.until.getTime()));
  const isWhole = changes.every(({ datetime }) => moments.has(datetime.getTime()));
  return { entry: { uri: '', from, until }, packages: isWhole ? packages : undefined };
}

type Entry = ArchivedInterval | ArchivedSnapshot;

/** A dump that is to be archived now. */
interface NewDump<E extends Entry> {
  /** Its name is not known before it is written. */
  readonly entry: E;
  /** Undefined where the live site does not have all of them, under names that tell what they are. */
  readonly packages: readonly LivePackage[] | undefined;
}

/** An archive of dumps, carried on. */
interface CarriedDumps<E extends Entry> {
  readonly entries: readonly E[];
  /** Those that are to be written, oldest first. */
  readonly added: readonly { readonly entry: E; readonly paths: readonly string[] }[];
  /** What all of them name. */
  readonly packages: ReadonlySet<MadePackage>;
  readonly notices: readonly Notice[];
}

/** The dumps of one kind that there are to be. */
interface DumpArchive<E extends Entry> {
  readonly kind: 'resource-dump' | 'change-dump';
  /** What the live site has archived, oldest first. */
  readonly live: readonly E[];
  readonly added: readonly NewDump<E>[];
}

/**
 * Carries dumps on, the newest first. One that cannot be had ends the archive there. Where something is withdrawn, an archive of
 * changes begins after it, and a Resource Dump that had it is left out.
 *
 * @param add takes the documents
 */
async function carryDumps<E extends Entry>(
  place: CarryPlace,
  { kind, live, added }: DumpArchive<E>,
  take: TakePackages,
  add: (text: ArchivedText) => void,
): Promise<CarriedDumps<E>> {
  const isOfChanges = kind === 'change-dump';
  const packages = new Set<MadePackage>();
  const keep = (some: readonly MadePackage[]) => {
    for (const one of some) packages.add(one);
  };
  const entries: E[] = [];
  const planned: CarriedDumps<E>['added'][number][] = [];
  for (const one of added.toReversed()) {
    const taken = one.packages === undefined ? 'lost' : await take(one.packages);
    if (taken === 'lost') {
      const notices = noticeEnd(`${kind}-archive`, [one.entry], []);
      return { entries, added: planned, packages, notices };
    }
    if (taken !== 'withdrawn') {
      keep(taken);
      planned.unshift({ entry: one.entry, paths: taken.map(({ path }) => path) });
    } else if (isOfChanges) return { entries, added: planned, packages, notices: [] };
  }
  let isOver = false;
  const carried = await carryNewest(
    place,
    live,
    ({ uri }, read) => readDump(uri.slice(place.url.length), { kind, url: place.url, read, take }),
    ({ text, taken }, entry) => {
      isOver ||= isOfChanges && taken === 'withdrawn';
      if (isOver || taken === 'withdrawn') return;
      keep(taken);
      add(text);
      entries.unshift(entry);
    },
  );
  return { entries, added: planned, packages, notices: noticeEnd(`${kind}-archive`, live, carried) };
}

/** Reads an archived dump, and gets its packages; undefined where that cannot be. */
async function readDump(
  path: string,
  {
    kind,
    url,
    read,
    take,
  }: {
    readonly kind: 'resource-dump' | 'change-dump';
    readonly url: string;
    readonly read: ReadArchived;
    readonly take: TakePackages;
  },
) {
  const bytes = await read(path);
  if (bytes === undefined || !areAsNamed(url, path, [bytes])) return undefined;
  const document = await parseArchived(bytes);
  if (document?.kind !== kind || !('packages' in document)) return undefined;
  const taken = await take(document.packages);
  if (taken === 'lost') return undefined;
  const text = { path, uri: url + path, kind, entries: document.packages.length, bytes };
  return { text, taken };
}
