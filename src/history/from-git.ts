/** Derives the state of a site from the publications in git. */

import { mapRows } from '../base/columns/rows.js';
import { formatDatetime } from '../base/datetime.js';
import type { Notice } from '../base/notices.js';
import type { Config } from '../config/config.js';
import { resolveSite } from '../files/folder.js';
import { isSnapshotRef, pathOfDocument } from '../paths/ours.js';
import { makeUri, URL_LENGTH_LIMIT } from '../paths/urls.js';
import { chooseType, makeFacts } from '../site/resource.js';
import type { ScannedSite } from '../site/scanned.js';
import { cutChanges, horizonOf } from '../standard/cuts/changes.js';
import type { ChangeSegment } from '../standard/limits.js';
import type { ChangeEvent, Representation, Resource } from '../standard/model.js';
import type { ArchivedBytes, ArchiveInput } from './archives/archive.js';
import { type ArchivePlan, planArchive } from './archives/plan.js';
import { rewind, type StateChange, takeSnapshots } from './archives/snapshots.js';
import { type DifferingFile, findUnchanged } from './git/checkout.js';
import { type BlobDigest, BlobDigester, locateBlob } from './git/digest-blobs.js';
import type { BlobDigests, GitHistory, Timeline } from './history.js';
import { readHiding } from './past/hiding.js';
import { findBeginnings } from './past/listing.js';
import {
  groupChanges,
  noticeChangeDump,
  type PlannedChangeDump,
  planChangePackages,
} from './plan/change-packages.js';
import { deriveHistory, type SetHistory, type SiteHistory, type UriChange } from './plan/derive.js';
import { findKeptFolders } from './plan/kept-folders.js';
import type { Bitstream } from './plan/packages.js';
import { type FileVersion, type Publication, secondsOf } from './plan/replay.js';

/**
 * Derives the lists of a site from its publications. Versions are read from git, unless the site still has them.
 *
 * @param now the moment of this run
 * @throws ResyncError `git-failed`, `extras-invalid`
 */
export async function readCommitted(
  config: Config,
  scanned: ScannedSite,
  history: GitHistory,
  now: Date,
): Promise<Timeline> {
  const derived = await replayCommitted(config, scanned, history, now);
  const sets = derived.sets.map((set, index): CommittedSet => {
    const plan = planCommittedArchive(config, derived, set);
    return {
      ...set,
      up: config.url + pathOfDocument(scanned.sets[index]?.name, 'capabilitylist'),
      listed: cutChanges(set.changes, { from: set.from, at: derived.at, reach: plan?.end }, config.changes),
      plan,
      baseline: plan && findBaseline(set.changes, scanned, index),
    };
  });
  const versions = await readVersions(config, scanned, history, sets.flatMap(listBlobs));
  const { represent, digests, missing } = versions;

  const timelines = sets.map((set) => ({
    lists: set.listed.map((segment) => ({ ...segment, changes: segment.changes.map(represent) })),
    lastmod: ({ uri }: Resource) => set.lastmod(uri),
    changeDump: config.dumps.changes ? planChangeDump(config, set, versions) : undefined,
    archive: makeArchiveInput(config, derived, set, versions),
  }));
  return {
    from: derived.from,
    at: derived.at,
    newest: derived.newest,
    pending: derived.pending,
    sets: timelines,
    committed: derived,
    digests,
    notices: [
      ...noticeHistory(config, history, derived),
      ...noticeDates(history),
      ...noticeLineEnds(derived),
      ...noticeKept(history, derived, scanned),
      ...(missing > 0 ? [{ code: 'versions-missing', count: missing } as const] : []),
      // A change that no package could hold is reported once: for the current dump, or for the archived ones.
      ...timelines.flatMap(({ changeDump, archive }) =>
        noticeChangeDump(changeDump?.shortened === undefined ? archive?.bytes?.changes : changeDump),
      ),
    ],
  };
}

/** A set of resources, and the parts of its history to publish. */
interface CommittedSet extends SetHistory {
  readonly up: string;
  /** The changes of the current Change Lists. */
  readonly listed: readonly ChangeSegment<UriChange>[];
  readonly plan: ArchivePlan<UriChange> | undefined;
  /** Files at the baseline, if that is archived. */
  readonly baseline: ReadonlyMap<string, FileVersion> | undefined;
}

function planCommittedArchive(
  { archives, record }: Pick<Config, 'archives' | 'record'>,
  { at, newest, sets }: SiteHistory,
  { from, changes }: SetHistory,
): ArchivePlan<UriChange> | undefined {
  if (archives === undefined) return undefined;
  const moments = new Set(sets.flatMap((set) => set.changes.map(({ datetime }) => datetime.getTime())));
  const begin = from.getTime();
  const publications = [...moments.add(begin)].filter((time) => time >= begin).sort((a, b) => a - b);
  return planArchive(
    changes,
    publications.map((time) => new Date(time)),
    { from, newest: record ? at : newest },
    archives,
  );
}

/** Goes back from the scanned site to the first published state of a set. */
function findBaseline(changes: readonly UriChange[], { sets }: ScannedSite, index: number) {
  const files = sets[index]?.files.map(({ uri, path, blob }) => [uri, { path, blob }] as const);
  return rewind<FileVersion>(new Map(files), changes);
}

/** Lists the blobs to describe: with an archive, those of all changes. */
function listBlobs({ changes, listed, baseline }: CommittedSet): string[] {
  const blobsOf = (some: readonly UriChange[]) =>
    some.flatMap((change) => (change.change === 'deleted' ? [] : change.file.blob));
  if (baseline === undefined) return listed.flatMap((list) => blobsOf(list.changes));
  return [...Array.from(baseline.values(), ({ blob }) => blob), ...blobsOf(changes)];
}

function planChangeDump(
  { withdrawn }: Pick<Config, 'withdrawn'>,
  { from: begin, up, changes, listed }: CommittedSet,
  { represent, sourceOf }: Versions,
): PlannedChangeDump {
  const first = listed.find((segment) => segment.changes.length > 0)?.changes[0];
  const publications = first === undefined ? [] : groupChanges(changes, begin, first.datetime);
  const from = publications[0]?.from ?? listed[0]?.from ?? begin;
  return planChangePackages(publications, { from, up, withdrawn }, represent, sourceOf);
}

function makeArchiveInput(
  { archives, withdrawn }: Pick<Config, 'archives' | 'withdrawn'>,
  { from: undated, baseline: beginning, truncated }: SiteHistory,
  { from, up, changes, past, plan, baseline: files }: CommittedSet,
  versions: Versions,
): ArchiveInput | undefined {
  if (plan === undefined || files === undefined) return undefined;
  const { represent, sourceOf } = versions;
  const blobs = new Map<Resource, string>();
  const makeVersion = (uri: string, file: FileVersion, lastmod: Date | undefined): Resource | 'unknown' => {
    const { length, hash, type } = versions.describe(uri, file);
    if (length === undefined || hash === undefined) return 'unknown';
    if (archives?.dumps && sourceOf(file.blob) === undefined) return 'unknown';
    const resource = {
      uri,
      path: file.path,
      length,
      hash,
      ...(type !== undefined && { type }),
      ...(lastmod !== undefined && { lastmod }),
    };
    if (archives?.dumps) blobs.set(resource, file.blob);
    return resource;
  };
  const planBytes = (): ArchivedBytes => {
    const publications = groupChanges(changes, from, from).filter(({ until }) => until <= plan.end);
    return {
      undated,
      withdrawn,
      sourceOf: (resource) => {
        const blob = blobs.get(resource) ?? '';
        return sourceOf(blob) ?? { blob };
      },
      changes: planChangePackages(publications, { from, up, withdrawn }, represent, sourceOf),
    };
  };
  return {
    bytes: archives?.dumps ? planBytes() : undefined,
    lists: plan.lists.map((list) => ({ ...list, changes: list.changes.map(represent) })),
    *snapshots() {
      const dates = new Map<string, Date>();
      for (const { uri, datetime } of past) if (datetime <= from) dates.set(uri, datetime);
      const first = truncated ? undefined : beginning;
      const baseline = new Map(
        [...files].map(([uri, file]) => [uri, makeVersion(uri, file, dates.get(uri) ?? first)] as const),
      );
      const steps = changes.map((change): StateChange<Resource | 'unknown'> => {
        const { uri, datetime } = change;
        const value = change.change === 'deleted' ? undefined : makeVersion(uri, change.file, datetime);
        return { uri, datetime, value };
      });
      for (const { at, values } of takeSnapshots(baseline, steps, plan.moments)) {
        // In a partial clone, what is not here cannot be described; the notice about versions says so.
        if (!values.includes('unknown')) yield { at, values: values as readonly Resource[] };
      }
    },
  };
}

type ReplayConfig = Pick<
  Config,
  'site' | 'url' | 'urls' | 'selection' | 'noindex' | 'sets' | 'record' | 'hash' | 'changes'
>;

interface CommittedHistory extends SiteHistory {
  /** Paths of files that differ from what is committed in line ends alone, and count as unchanged. */
  readonly lineEnds: readonly string[];
}

/**
 * Replays the publications up to the site as it was scanned. Files that differ from git only as a checkout makes them
 * differ count as unchanged. @throws ResyncError `git-failed`
 */
export async function replayCommitted(
  config: ReplayConfig,
  scanned: ScannedSite,
  history: GitHistory,
  now: Date,
): Promise<CommittedHistory> {
  const derived = await deriveCommitted(config, scanned, history, now);
  const differing = isSnapshotRef(history.place.ref) ? [] : listDiffering(derived, scanned);
  if (differing.length === 0) return { ...derived, lineEnds: [] };
  const { pointed, lineEnds } = await findUnchanged(history.place, resolveSite(config.site), differing);
  const unchanged = [...pointed, ...lineEnds];
  if (unchanged.length === 0) return { ...derived, lineEnds: [] };
  const publications = withPresentBytes(history.publications, unchanged);
  return {
    ...(await deriveCommitted(config, scanned, { ...history, publications }, now)),
    lineEnds: lineEnds.map(({ path }) => path),
  };
}

/** Lists updated files: their bytes differ from those that the newest publication has under their URLs. */
function listDiffering({ sets }: SiteHistory, scanned: ScannedSite): DifferingFile[] {
  const updated = new Map(
    sets.flatMap(({ unpublished }) =>
      unpublished.flatMap(({ uri, previous, present }) =>
        previous && present ? [[uri, { previous, present }]] : [],
      ),
    ),
  );
  if (updated.size === 0) return [];
  const differing: DifferingFile[] = [];
  for (const file of scanned.resources) {
    const found = updated.get(file.uri);
    if (found !== undefined) differing.push({ ...found.previous, file, id: found.present.blob });
  }
  return differing;
}

/** Replaces the newest versions of files by those in the site, which are listed with their own bytes from then on. */
function withPresentBytes(
  publications: readonly Publication[],
  files: readonly DifferingFile[],
): readonly Publication[] {
  const present = new Map(files.map(({ path, id }) => [path, id]));
  const newestFirst = publications.toReversed().map((publication) => {
    if (!publication.changes.some(({ path }) => present.has(path))) return publication;
    const changes = publication.changes.map((change) => {
      const blob = present.get(change.path) ?? change.blob;
      present.delete(change.path);
      return { ...change, blob };
    });
    return { ...publication, changes };
  });
  return newestFirst.reverse();
}

async function deriveCommitted(
  config: ReplayConfig,
  scanned: ScannedSite,
  history: GitHistory,
  now: Date,
): Promise<SiteHistory> {
  const hiding = config.noindex === 'skip' ? await readHiding(config, scanned, history) : undefined;
  const begins = await findBeginnings(config.sets, history);
  return deriveHistory(
    history,
    config.sets.map(({ holds }, index) => ({
      hiding,
      begins: begins[index],
      uriOf: (path) => {
        if (config.selection(path) !== undefined || !holds(path)) return undefined;
        const uri = makeUri(config.url, path, config.urls);
        return uri.length < URL_LENGTH_LIMIT ? uri : undefined;
      },
      files: new Map(scanned.sets[index]?.files.map(({ uri, path, blob }) => [uri, { path, blob }])),
    })),
    now,
    config.record,
    config.changes.since,
  );
}

/** The versions of files that the lists name: their digests, and where their bytes are. */
class Versions {
  readonly digests: BlobDigests;
  /** Number of versions that a partial clone lacks. */
  readonly missing: number;
  readonly #config: Pick<Config, 'type'>;
  readonly #typeOf: ScannedSite['typeOf'];
  readonly #files: ReadonlyMap<string, string>;

  constructor(config: Pick<Config, 'type'>, scanned: ScannedSite, digests: BlobDigests, missing: number) {
    this.#config = config;
    this.#typeOf = scanned.typeOf;
    this.digests = digests;
    this.missing = missing;
    this.#files = new Map(scanned.files.map(({ path }, index) => [scanned.blobs[index] ?? '', path]));
  }

  readonly represent = (change: UriChange): ChangeEvent => {
    const { uri, datetime } = change;
    if (change.change === 'deleted') return { change: 'deleted', uri, datetime };
    return { change: change.change, uri, datetime, representation: this.describe(uri, change.file) };
  };

  describe(uri: string, { path, blob }: FileVersion): Representation {
    const { length, hash } = this.digests.get(blob) ?? {};
    const named = this.#typeOf(path);
    const type =
      length === undefined || hash === undefined
        ? named
        : chooseType(makeFacts({ uri, path, length, hash }, named), this.#config);
    return {
      ...(length !== undefined && { length }),
      ...(hash !== undefined && { hash }),
      ...(type !== undefined && { type }),
    };
  }

  /** The place of the bytes of a version, or undefined if neither the site nor git has them. */
  readonly sourceOf = (blob: string): Bitstream['source'] | undefined => {
    const file = this.#files.get(blob);
    if (file !== undefined) return { file };
    return this.digests.get(blob)?.pointer === undefined ? { blob } : undefined;
  };
}

/** Reads versions from git, unless the site still holds the same bytes. */
async function readVersions(
  config: Pick<Config, 'hash' | 'type'>,
  scanned: ScannedSite,
  history: GitHistory,
  blobs: readonly string[],
): Promise<Versions> {
  const previous = new Map<string, BlobDigest>();
  const digests = joinDigests(scanned, previous);
  const isPublished = isSnapshotRef(history.place.ref);
  const add = (read: ReadonlyMap<string, BlobDigest>) => {
    for (const [blob, digest] of read)
      previous.set(blob, isPublished ? withoutPointer(digest) : followPointer(digest));
  };
  add(history.digests);
  const unread = new Set(blobs.filter((blob) => !digests.has(blob)));
  const read = await readUnread(config, history, unread);
  add(read);
  return new Versions(config, scanned, digests, unread.size - read.size);
}

async function readUnread(
  { hash }: Pick<Config, 'hash'>,
  { publications, place }: GitHistory,
  unread: ReadonlySet<string>,
): Promise<ReadonlyMap<string, BlobDigest>> {
  if (unread.size === 0) return new Map();
  const digester = await BlobDigester.open(place.repository, hash, (blob) => locateBlob(publications, blob));
  for (const blob of unread) digester.add(blob);
  return (await digester.finish()).digests;
}

/** In a snapshot, a blob is the published file itself, even if it looks like a pointer. */
function withoutPointer({ length, hash }: BlobDigest): BlobDigest {
  return { length, hash };
}

function followPointer(digest: BlobDigest): BlobDigest {
  const { pointer } = digest;
  return pointer === undefined
    ? digest
    : { length: pointer.length, hash: `sha-256:${pointer.sha256}`, pointer };
}

/** Digests by blob; those of the present site are made on demand. */
function joinDigests(
  { blobs, resources }: Pick<ScannedSite, 'blobs' | 'resources'>,
  others: ReadonlyMap<string, BlobDigest>,
): BlobDigests {
  const places = new Map(blobs.map((blob, place) => [blob, place]));
  const present = (place: number | undefined): BlobDigest | undefined => {
    const resource = place === undefined ? undefined : resources.at(place);
    return resource && { length: resource.length, hash: resource.hash };
  };
  return {
    has: (blob) => places.has(blob) || others.has(blob),
    get: (blob) => present(places.get(blob)) ?? others.get(blob),
    *[Symbol.iterator]() {
      yield* others;
      for (const [blob, place] of places) yield [blob, present(place) as BlobDigest];
    },
  };
}

function noticeHistory(
  config: Config,
  { publications, place: { ref, folder } }: GitHistory,
  { from, begins, at, truncated }: SiteHistory,
): Notice[] {
  if (publications.length === 0) {
    return config.record ? [] : [{ code: 'no-publication', ref: folder === '' ? ref : `${ref}:${folder}` }];
  }
  if (begins) return [{ code: 'listing-changed', from: formatDatetime(from) }];
  const wanted = truncated && config.archives !== undefined;
  if (!wanted && from.getTime() <= horizonOf(at.getTime(), config.changes)) return [];
  return [{ code: 'changes-known-from', from: formatDatetime(from), truncated }];
}

function noticeDates({ misdated }: GitHistory): Notice[] {
  const [example] = misdated;
  if (example === undefined) return [];
  return [
    { code: 'commit-dates-ahead', count: misdated.length, commit: example.id, seconds: secondsOf(example) },
  ];
}

function noticeLineEnds({ lineEnds: [example, ...others] }: CommittedHistory): Notice[] {
  return example === undefined ? [] : [{ code: 'line-ends-differ', count: others.length + 1, example }];
}

/** A branch that deploys write may have files that no build has. */
function noticeKept(
  { publications, place: { ref } }: GitHistory,
  { sets }: SiteHistory,
  { files }: ScannedSite,
): Notice[] {
  if (ref === 'HEAD' || isSnapshotRef(ref)) return [];
  const gone = sets.flatMap(({ unpublished }) =>
    unpublished.flatMap(({ previous, present }) => (previous && !present ? previous.path : [])),
  );
  const kept =
    gone.length === 0
      ? []
      : findKeptFolders(
          publications,
          [...new Set(gone)],
          mapRows(files, ({ path }) => path),
        );
  return kept.map(({ folder, count }) => ({ code: 'kept-on-branch', ref, folder, count }));
}
