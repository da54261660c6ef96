/** The archived dumps of a set of resources whose history the live site keeps. What this run makes or holds is not fetched. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice } from '../../../base/notices.js';
import type { KnownArchive, LivePast } from '../../../history/archives/known.js';
import { spend } from '../../../history/live/budget.js';
import { areSameBytes } from '../../../history/live/compare.js';
import type { LivePackage } from '../../../history/live/published.js';
import { folderOfSet, isOwnDocument } from '../../../paths/ours.js';
import type { ArchivedInterval, ArchivedSnapshot, ChangeDump } from '../../../standard/document.js';
import type { ClosedSegment } from '../../../standard/limits.js';
import type { ChangeEvent } from '../../../standard/model.js';
import { carryPackage } from '../../dumps/carry.js';
import { readFormer } from '../../dumps/former.js';
import type { MadePackage } from '../../dumps/job.js';
import { isAsNamed } from '../../dumps/manifest.js';
import { parseStanding } from '../../standing.js';
import { type ArchivedEntry, carryNewest, noticeEnd, type ReadArchived } from './carry.js';
import { type ArchivedText, type ArchivePlace, areAsNamed } from './compose.js';
import { composeDumps, type WrittenDumps } from './dumps.js';

/**
 * Carries archived dumps on, and archives those that are live: the Resource Dump as it was before this run, and the packages of
 * publications, where a period is over.
 *
 * @param made the packages of this run, by path
 * @param add takes the documents
 */
export async function archiveLiveDumps(
  place: ArchivePlace,
  { lists }: KnownArchive,
  { entries, packages }: LivePast & { readonly packages: NonNullable<LivePast['packages']> },
  made: ReadonlyMap<string, MadePackage>,
  add: (text: ArchivedText) => void,
): Promise<WrittenDumps> {
  const take = await startTakingPackages(place, made);
  const last = entries['changelist-archive'].at(-1)?.until ?? new Date(0);
  const snapshots = await carryDumps<ArchivedSnapshot>(
    place,
    'resource-dump',
    { live: entries['resourcedump-archive'], added: packages.snapshot ? [packages.snapshot] : [] },
    take,
    add,
  );
  const intervals = await carryDumps<ArchivedInterval>(
    place,
    'change-dump',
    {
      live: entries['changedump-archive'],
      added: lists.filter(({ until }) => until > last).map((list) => packInterval(list, packages.changes)),
    },
    take,
    add,
  );
  const named = new Map([...snapshots.packages, ...intervals.packages].map((one) => [one.path, one]));
  const composed = composeDumps(
    place,
    { snapshots: snapshots.added, intervals: intervals.added },
    new Map([...made, ...named]),
    add,
  );
  return {
    held: [...snapshots.entries, ...composed.held],
    told: [...intervals.entries, ...composed.told],
    packages: [...named.values()].filter(({ path }) => !made.has(path)),
    notices: [...snapshots.notices, ...intervals.notices],
  };
}

/** The packages of all publications of an interval. */
function packInterval(
  { from, until, changes }: ClosedSegment<ChangeEvent>,
  live: ChangeDump['packages'],
): NewDump {
  const packages = live.filter((one) => one.until > from && one.until <= until);
  const moments = new Set(packages.map((one) => one.until.getTime()));
  const isWhole = changes.every(({ datetime }) => moments.has(datetime.getTime()));
  return { at: until, packages: isWhole ? packages : undefined };
}

/** A dump that is to be archived now. */
interface NewDump {
  /** Its moment, or the end of its interval. */
  readonly at: Date;
  /** Undefined where the live site does not have all of them, under names that tell what they are. */
  readonly packages: readonly LivePackage[] | undefined;
}

/** An archive of dumps, carried on. */
interface CarriedDumps<E extends ArchivedEntry> {
  readonly entries: readonly E[];
  /** Those that are to be written, oldest first. */
  readonly added: readonly (Pick<NewDump, 'at'> & { readonly paths: readonly string[] })[];
  /** What all of them name. */
  readonly packages: readonly MadePackage[];
  readonly notices: readonly Notice[];
}

/**
 * Carries dumps on, the newest first. One that cannot be had ends the archive there. Where something is withdrawn, an archive of
 * changes begins after it, and a Resource Dump that had it is left out.
 *
 * @param dumps those that are live, and those that are to be archived now; both oldest first
 * @param add takes the documents
 */
async function carryDumps<E extends ArchivedEntry>(
  place: ArchivePlace,
  kind: 'resource-dump' | 'change-dump',
  dumps: { readonly live: readonly E[]; readonly added: readonly NewDump[] },
  take: TakePackages,
  add: (text: ArchivedText) => void,
): Promise<CarriedDumps<E>> {
  const archive = kind === 'resource-dump' ? 'resourcedump-archive' : 'changedump-archive';
  const packages: MadePackage[] = [];
  const entries: E[] = [];
  const added: CarriedDumps<E>['added'][number][] = [];
  for (const { at, packages: listed } of dumps.added.toReversed()) {
    const taken = listed === undefined ? 'lost' : await take(listed);
    if (taken === 'lost') return { entries, added, packages, notices: noticeEnd(archive, { at }) };
    if (taken === 'withdrawn' && kind === 'change-dump') return { entries, added, packages, notices: [] };
    if (taken === 'withdrawn') continue;
    packages.push(...taken);
    added.unshift({ at, paths: taken.map(({ path }) => path) });
  }
  let isOver = false;
  const { notices } = await carryNewest(
    place,
    archive,
    dumps.live,
    (path, read) => readDump(place.url, path, kind, read, take),
    ({ text, taken }, entry) => {
      isOver ||= kind === 'change-dump' && taken === 'withdrawn';
      if (isOver || taken === 'withdrawn') return;
      packages.push(...taken);
      add(text);
      entries.unshift(entry);
    },
  );
  return { entries, added, packages, notices };
}

/** Reads an archived dump, and gets its packages; undefined where that cannot be. */
async function readDump(
  url: string,
  path: string,
  kind: 'resource-dump' | 'change-dump',
  read: ReadArchived,
  take: TakePackages,
) {
  const bytes = await read(path);
  if (bytes === undefined || !areAsNamed(url, path, [bytes])) return undefined;
  const document = await parseStanding(bytes);
  if (document?.kind !== kind || !('packages' in document)) return undefined;
  const taken = await take(document.packages);
  if (taken === 'lost') return undefined;
  return { text: { path, uri: url + path, kind, entries: document.packages.length, bytes }, taken };
}

/** Gets packages: all of them, or none where one cannot be had as it is listed, or holds what is withdrawn. */
type TakePackages = (
  listed: readonly LivePackage[],
) => Promise<readonly MadePackage[] | 'lost' | 'withdrawn'>;

/** @param made the packages of this run, by path */
export async function startTakingPackages(
  place: Omit<ArchivePlace, 'up'>,
  made: ReadonlyMap<string, MadePackage>,
): Promise<TakePackages> {
  const { site, url, set, budget, withdrawn } = place;
  const folder = folderOfSet(set);
  const former = await readFormer(site, folder, url);
  // Archived dumps share packages, and are read side by side.
  const carried = new Map<string, Promise<MadePackage | undefined>>();

  async function takeOne(listed: LivePackage): Promise<MadePackage | undefined> {
    const path = listed.uri.slice(url.length);
    const copy = path.replace(/\.zip$/, '.xml');
    const isOwn = path.startsWith(`${folder}/`) && path !== copy && isOwnDocument(path);
    if (!isOwn || listed.uri !== url + path || listed.contents !== url + copy) return undefined;
    const got = made.get(path) ?? carried.get(path) ?? carry(listed, copy);
    if (got instanceof Promise) carried.set(path, got);
    const one = await got;
    return one !== undefined && areSameBytes(one, listed) === true ? one : undefined;
  }

  async function carry(listed: LivePackage, copy: string): Promise<MadePackage | undefined> {
    const one = await carryPackage(place, listed, former, () => spend(budget, listed.length));
    const file = one?.files.find(({ path }) => path === copy);
    const text = file && 'file' in file ? readFileSync(file.file ?? join(site, copy), 'utf8') : '';
    return one !== undefined && isAsNamed(copy, text) ? { ...one, isCurrent: false } : undefined;
  }

  function holdsWithdrawn({ manifest: { document } }: MadePackage): boolean {
    return document.kind === 'resource-dump-manifest'
      ? document.bitstreams.some(({ resource }) => withdrawn(resource.uri))
      : document.bitstreams.some(({ event }) => event.change !== 'deleted' && withdrawn(event.uri));
  }

  return async (listed) => {
    const taken: MadePackage[] = [];
    for (const entry of listed) {
      const one = await takeOne(entry);
      if (one === undefined) return 'lost';
      if (holdsWithdrawn(one)) return 'withdrawn';
      taken.push(one);
    }
    return taken;
  };
}
