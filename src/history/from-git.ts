/** Derives the timeline of a site from its publications in git. */

import { ResyncError } from '../base/errors.js';
import { say, Words } from '../base/text/say.js';
import type { Config } from '../config/config.js';
import { resolveSite } from '../files/folder.js';
import { isSnapshotRef, pathOfDocument } from '../paths/ours.js';
import type { ScannedSite } from '../site/scanned.js';
import { cutChanges } from '../standard/cuts/changes.js';
import type { Resource } from '../standard/model.js';
import {
  type CommittedSet,
  findBaseline,
  makeArchiveInput,
  planCommittedArchive,
} from './archives/from-git.js';
import { type DifferingFile, findUnchanged } from './git/checkout.js';
import { noticeDates, noticeHistory, noticeKept, noticeLineEnds } from './git/notices.js';
import { Versions } from './git/versions.js';
import type { GitHistory, Timeline } from './history.js';
import { readHiding } from './past/hiding.js';
import { findBeginnings } from './past/listing.js';
import {
  groupChanges,
  noticeChangeDump,
  type PlannedChangeDump,
  planChangePackages,
} from './plan/change-packages.js';
import { deriveHistory, type SiteHistory, type UriChange } from './plan/derive.js';
import type { Publication } from './plan/replay.js';

/**
 * Derives the timeline of a site from its publications in git. Reads versions from git, unless the site still has them.
 * @throws ResyncError `git-failed`, `extras-invalid`
 */
export async function readCommitted(
  config: Config,
  scanned: ScannedSite,
  history: GitHistory,
  now: Date,
): Promise<Timeline> {
  return await deriveTimeline(config, scanned, history, now).catch((error: unknown) => {
    throw nameLostFile(error, history.publications);
  });
}

/** Adds to an error about a blob of git which file of which commit it is. Returns other errors unchanged. */
function nameLostFile(error: unknown, publications: readonly Publication[]): unknown {
  if (!(error instanceof ResyncError)) return error;
  for (const { id, changes } of publications) {
    const lost = changes.find(({ blob }) => blob !== undefined && error.message.includes(blob));
    if (lost === undefined) continue;
    return new ResyncError(
      error.code,
      say`${Words.asWritten(error.message)}\nIt is ${lost.path} as it is in commit ${id}. Fetch it from another clone. A smaller changes.window leaves older changes out.`,
      { cause: error },
    );
  }
  return error;
}

async function deriveTimeline(
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
  const versions = new Versions(scanned, history.digests, config.type);
  const missing = await versions.read(sets.flatMap(listBlobs), config.hash, history);

  const timelines = sets.map((set) => ({
    lists: set.listed.map((segment) => ({ ...segment, changes: segment.changes.map(versions.represent) })),
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
    digests: history.digests,
    notices: [
      ...noticeHistory(config, history, derived),
      ...noticeDates(history),
      ...noticeLineEnds(derived.lineEnds),
      ...noticeKept(history, derived, scanned),
      ...(missing > 0 ? [{ code: 'versions-missing', count: missing } as const] : []),
      // A change that no package could hold is reported once: for the current dump, or for the archived ones.
      ...timelines.flatMap(({ changeDump, archive }) =>
        noticeChangeDump(changeDump?.shortened === undefined ? archive?.bytes?.changes : changeDump),
      ),
    ],
  };
}

/** Lists the blobs of the versions that the lists of a set name, or of all its versions if it has an archive. */
function listBlobs({ changes, listed, baseline }: CommittedSet): string[] {
  const blobsOf = (some: readonly UriChange[]) =>
    some.flatMap((change) => (change.change === 'deleted' ? [] : change.file.blob));
  if (baseline === undefined) return listed.flatMap((list) => blobsOf(list.changes));
  return [...Array.from(baseline.values(), ({ blob }) => blob), ...blobsOf(changes)];
}

function planChangeDump(
  { withdrawn }: Config,
  { from: begin, up, changes, listed }: CommittedSet,
  { represent, sourceOf }: Versions,
): PlannedChangeDump {
  const first = listed.find((segment) => segment.changes.length > 0)?.changes[0];
  const publications = first === undefined ? [] : groupChanges(changes, begin, first.datetime);
  const from = publications[0]?.from ?? listed[0]?.from ?? begin;
  return planChangePackages(publications, { from, up, withdrawn }, represent, sourceOf);
}

interface CommittedHistory extends SiteHistory {
  /** Paths of files that differ from their committed bytes only in line ends, and so count as unchanged. */
  readonly lineEnds: readonly string[];
}

/**
 * Replays the publications in git up to the scanned site. A file counts as unchanged if only the checkout made it differ:
 * with other line ends, or with the content in the place of a pointer.
 * @throws ResyncError `git-failed`
 */
async function replayCommitted(
  config: Config,
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

/** Lists updated files: their bytes differ from those that the newest publication has at the same URLs. */
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

/** Returns the publications as if the newest versions of the given files had the bytes that the site has now. */
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
  config: Config,
  scanned: ScannedSite,
  history: GitHistory,
  now: Date,
): Promise<SiteHistory> {
  const { sets, uriOf } = scanned;
  const hiding = config.noindex === 'skip' ? await readHiding(config.url, scanned, history) : undefined;
  const begins = await findBeginnings(sets, history);
  return deriveHistory(
    history,
    sets.map(({ holds, files }, index) => ({
      hiding,
      begins: begins[index],
      uriOf: (path) => (holds(path) ? uriOf(path) : undefined),
      files: new Map(files.map(({ uri, path, blob }) => [uri, { path, blob }])),
    })),
    now,
    config.record,
    config.changes.since,
  );
}
