/** What the publications that git keeps make of a site. */

import type { Notice } from '../base/notices.js';
import type { Config } from '../config/config.js';
import { pathOfDocument } from '../paths/ours.js';
import { makeUri, URL_LENGTH_LIMIT } from '../paths/urls.js';
import type { ScannedSite } from '../site/scanned.js';
import { chooseType, makeFacts } from '../site/types.js';
import { cutChanges, horizonOf } from '../standard/cuts/changes.js';
import type { ChangeSegment } from '../standard/limits.js';
import { type ChangeEvent, formatDatetime, type Representation, type Resource } from '../standard/model.js';
import type { BlobDigest } from './git/digest/facts.js';
import type { BlobDigests, GitHistory, KnownHistory } from './known.js';
import { findCommittedPast, knowCommittedArchive, listBlobs, planCommittedArchive } from './past/archived.js';
import {
  groupChanges,
  noticeChangeDump,
  type PlannedChangeDump,
  planChangePackages,
} from './plan/change-packages.js';
import { deriveHistory, type SiteHistory, type UriChange } from './plan/derive.js';
import type { FileVersion } from './plan/replay.js';

/**
 * Finds out what is known of a site from its publications. Reads from git what they brought, unless the site still has it.
 *
 * @param now the moment of this run
 * @throws ResyncError `git-failed`, `extras-invalid`
 */
export async function readCommitted(
  config: Config,
  scanned: ScannedSite,
  history: GitHistory,
  now: Date,
): Promise<KnownHistory> {
  const derived = await replayCommitted(config, scanned, history, now);
  const archives = derived.sets.map((set) => planCommittedArchive(config, derived, set));
  const segments = derived.sets.map(({ changes }, index) =>
    cutChanges(changes, { ...derived, reach: archives[index]?.end }, config.changes),
  );
  const pasts = archives.map((plan, index) => plan && findCommittedPast(derived.sets[index], scanned, index));
  const versions = await readVersions(config, scanned, history, [
    ...listBlobs(segments.flatMap((lists) => lists.flatMap(({ changes }) => changes))),
    ...pasts.flatMap((past) => past?.blobs ?? []),
  ]);
  const { represent, digests, missing } = versions;
  const files = new Map(scanned.files.map(({ path }, index) => [scanned.blobs[index] ?? '', path]));

  const known = derived.sets.map(({ changes, lastmod }, index) => {
    const listed = segments[index] ?? [];
    return {
      lists: listed.map((segment) => ({ ...segment, changes: segment.changes.map(represent) })),
      lastmod: ({ uri }: Resource) => lastmod(uri),
      changeDump: config.dumps.changes
        ? planChangeDump(scanned.sets[index]?.name, changes, listed)
        : undefined,
      archive: knowCommittedArchive(archives[index], pasts[index], derived, {
        ...versions,
        packing: config.archives?.dumps
          ? {
              up: upOf(scanned.sets[index]?.name),
              fileOf: (blob) => files.get(blob),
              withdrawn: config.withdrawn,
            }
          : undefined,
      }),
    };
  });
  return {
    from: derived.from,
    at: derived.at,
    pending: derived.pending,
    sets: known,
    committed: derived,
    digests,
    notices: [
      ...noticeHistory(config, history, derived),
      ...(missing > 0 ? [{ code: 'versions-missing', count: missing } as const] : []),
      // What no package could hold is told once: of the dump of today, or of those that are archived.
      ...known.flatMap(({ changeDump, archive }) =>
        noticeChangeDump(changeDump?.shortened === undefined ? archive?.bytes?.changes : changeDump),
      ),
    ],
  };

  function upOf(name: string | undefined): string {
    return config.url + pathOfDocument(name, 'capabilitylist');
  }

  function planChangeDump(
    name: string | undefined,
    changes: readonly UriChange[],
    listed: readonly ChangeSegment<UriChange>[],
  ): PlannedChangeDump {
    const first = listed.find((segment) => segment.changes.length > 0)?.changes[0];
    const publications = first === undefined ? [] : groupChanges(changes, derived.from, first.datetime);
    const from = publications[0]?.from ?? listed[0]?.from ?? derived.from;
    return planChangePackages(
      publications,
      { from, up: upOf(name), withdrawn: config.withdrawn },
      represent,
      (blob) => files.get(blob),
    );
  }
}

/**
 * Replays what git has, up to the site as it was scanned.
 *
 * @throws ResyncError `git-failed`
 */
export async function replayCommitted(
  config: Pick<Config, 'url' | 'urls' | 'selection' | 'sets' | 'record' | 'hash'>,
  scanned: ScannedSite,
  history: GitHistory,
  now: Date,
): Promise<SiteHistory> {
  const skips = config.sets.some(({ noindex }) => noindex === 'skip');
  const hiding = skips
    ? await (await import('./past/hiding.js')).readHiding(config, scanned, history)
    : undefined;
  return deriveHistory(
    history,
    config.sets.map(({ holds, noindex }, index) => ({
      hiding: noindex === 'skip' ? hiding : undefined,
      uriOf: (path) => {
        if (config.selection(path) !== undefined || !holds(path)) return undefined;
        const uri = makeUri(config.url, path, config.urls);
        return uri.length < URL_LENGTH_LIMIT ? uri : undefined;
      },
      files: new Map(scanned.sets[index]?.files.map(({ uri, path, blob }) => [uri, { path, blob }])),
    })),
    now,
    config.record,
  );
}

/** Reads versions from git, unless the site still holds the same bytes. */
async function readVersions(
  config: Config,
  scanned: ScannedSite,
  history: GitHistory,
  blobs: readonly string[],
) {
  const former = new Map<string, BlobDigest>(history.digests);
  const digests = joinDigests(scanned, former);
  const unread = new Set(blobs.filter((blob) => !digests.has(blob)));
  const read = await readUnread();
  for (const [blob, digest] of read) former.set(blob, digest);

  // Archives ask for what the lists have asked for already.
  const known = new Map<FileVersion, Representation>();
  const describeVersion = (uri: string, version: FileVersion): Representation => {
    const representation = known.get(version) ?? makeRepresentation(uri, version);
    known.set(version, representation);
    return representation;
  };
  const makeRepresentation = (uri: string, { path, blob }: FileVersion): Representation => {
    const { length, hash } = digests.get(blob) ?? {};
    const type =
      length === undefined || hash === undefined
        ? scanned.typeOf(path)
        : chooseType(makeFacts({ uri, path, length, hash }, scanned.typeOf(path)), config);
    return {
      ...(length !== undefined && { length }),
      ...(hash !== undefined && { hash }),
      ...(type !== undefined && { type }),
    };
  };
  const represent = (change: UriChange): ChangeEvent => {
    const { uri, datetime } = change;
    if (change.change === 'deleted') return { change: 'deleted', uri, datetime };
    return { change: change.change, uri, datetime, representation: describeVersion(uri, change.file) };
  };
  return { represent, describeVersion, digests, missing: unread.size - read.size };

  async function readUnread(): Promise<ReadonlyMap<string, BlobDigest>> {
    if (unread.size === 0) return new Map();
    const { locateBlob, startBlobDigester } = await import('./git/digest-blobs.js');
    const { publications, place } = history;
    const digester = await startBlobDigester(place.repository, config.hash, (blob) =>
      locateBlob(publications, blob),
    );
    for (const blob of unread) digester.add(blob);
    return (await digester.finish()).digests;
  }
}

/** Digests by blob: those of the present site are made when they are asked for. */
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
  { from, at, truncated }: SiteHistory,
): Notice[] {
  if (publications.length === 0) {
    return config.record ? [] : [{ code: 'no-publication', ref: folder === '' ? ref : `${ref}:${folder}` }];
  }
  // Archives are to tell everything.
  const wanted = truncated && config.archives !== undefined;
  if (!wanted && from.getTime() <= horizonOf(at.getTime(), config.changes)) return [];
  return [{ code: 'changes-known-from', from: formatDatetime(from), truncated }];
}
