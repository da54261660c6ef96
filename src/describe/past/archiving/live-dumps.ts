/** The archived dumps of a set of resources whose history the live site keeps. */

import type { Notice } from '../../../base/notices.js';
import type { KnownArchive, LivePast } from '../../../history/archives/known.js';
import type { ClosedSegment } from '../../../standard/cuts/changes.js';
import type { ArchivedInterval, ArchivedSnapshot, ChangeDump } from '../../../standard/document.js';
import type { ChangeEvent } from '../../../standard/model.js';
import type { MadePackage } from '../../dumps/job.js';
import { carryDumps, type NewDump } from './carry-dumps.js';
import type { ArchivedText, ArchivePlace } from './compose.js';
import { composeDumps } from './dumps.js';
import { type PackagePlace, startTakingPackages } from './take-packages.js';

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
