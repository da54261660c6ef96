/** What the publications that git keeps make of a site. */

import type { Config } from '../config/config.js';
import type { Notice } from '../notices.js';
import { pathOfDocument } from '../paths/ours.js';
import { makeUri, URL_LENGTH_LIMIT } from '../paths/urls.js';
import {
  groupChanges,
  noticeChangeDump,
  type PlannedChangeDump,
  planChangePackages,
} from '../plan/change-packages.js';
import { type ChangeSegment, cutChanges, horizonOf } from '../plan/changes.js';
import { deriveHistory, type SiteHistory, type UriChange } from '../plan/derive.js';
import type { PublicationLog } from '../plan/replay.js';
import { type ChangeEvent, formatDatetime, type Resource } from '../resourcesync/model.js';
import type { ScannedSite } from '../site/scan.js';
import { chooseType, makeFacts } from '../site/types.js';
import type { BlobDigest } from './git/digest-blobs.js';
import type { GitHistory, KnownHistory } from './known.js';

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
  const derived = replayCommitted(config, scanned, history, now);
  const segments = derived.sets.map(({ changes }) => cutChanges(changes, derived, config.changes));
  const { represent, digests, missing } = await readVersions(config, scanned, history, segments.flat());
  const files = new Map(scanned.resources.map(({ path }, index) => [scanned.blobs[index] ?? '', path]));

  const known = derived.sets.map(({ changes, lastmod }, index) => {
    const listed = segments[index] ?? [];
    return {
      lists: listed.map((segment) => ({ ...segment, changes: segment.changes.map(represent) })),
      lastmod: ({ uri }: Resource) => lastmod(uri),
      changeDump: config.dumps.changes
        ? planChangeDump(scanned.sets[index]?.name, changes, listed)
        : undefined,
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
      ...known.flatMap(({ changeDump }) => noticeChangeDump(changeDump)),
    ],
  };

  function planChangeDump(
    name: string | undefined,
    changes: readonly UriChange[],
    listed: readonly ChangeSegment<UriChange>[],
  ): PlannedChangeDump {
    const first = listed.find((segment) => segment.changes.length > 0)?.changes[0];
    const publications = first === undefined ? [] : groupChanges(changes, derived.from, first.datetime);
    const from = publications[0]?.from ?? listed[0]?.from ?? derived.from;
    const up = config.url + pathOfDocument(name, 'capabilitylist');
    return planChangePackages(publications, { from, up, withdrawn: config.withdrawn }, represent, (blob) =>
      files.get(blob),
    );
  }
}

/** Replays what git has, up to the site as it was scanned. */
export function replayCommitted(
  config: Pick<Config, 'url' | 'urls' | 'selection' | 'sets' | 'record'>,
  scanned: ScannedSite,
  history: PublicationLog,
  now: Date,
): SiteHistory {
  const blobs = new Map(scanned.resources.map(({ uri }, index) => [uri, scanned.blobs[index] ?? '']));
  return deriveHistory(
    history,
    config.sets.map(({ holds }, index) => ({
      uriOf: (path) => {
        if (config.selection(path) !== undefined || !holds(path)) return undefined;
        const uri = makeUri(config.url, path, config.urls);
        return uri.length < URL_LENGTH_LIMIT ? uri : undefined;
      },
      files: new Map(
        scanned.sets[index]?.resources.map(({ uri, path }) => [uri, { path, blob: blobs.get(uri) ?? '' }]),
      ),
    })),
    now,
    config.record,
  );
}

/** Reads from git what the listed changes brought, unless the site still holds the same bytes. */
async function readVersions(
  config: Config,
  scanned: ScannedSite,
  history: GitHistory,
  segments: readonly ChangeSegment<UriChange>[],
) {
  const digests = new Map<string, BlobDigest>(history.digests);
  for (const [index, resource] of scanned.resources.entries())
    digests.set(scanned.blobs[index] ?? '', resource);
  const listed = segments.flatMap(({ changes }) =>
    changes.map((change) => ('file' in change ? change.file.blob : '')),
  );
  const unread = new Set(listed.filter((blob) => blob !== '' && !digests.has(blob)));
  const read = await readUnread();
  for (const [blob, digest] of read) digests.set(blob, digest);

  const represent = (change: UriChange): ChangeEvent => {
    if (change.change === 'deleted') return { change: 'deleted', uri: change.uri, datetime: change.datetime };
    const { uri, datetime, file } = change;
    const { length, hash } = digests.get(file.blob) ?? {};
    if (length === undefined || hash === undefined) {
      const type = scanned.typeOf(file.path);
      return { change: change.change, uri, datetime, representation: type === undefined ? {} : { type } };
    }
    const type = chooseType(makeFacts({ uri, path: file.path, length, hash }, scanned.typeOf), config);
    const representation = { length, hash, ...(type !== undefined && { type }) };
    return { change: change.change, uri, datetime, representation };
  };
  return { represent, digests, missing: unread.size - read.size };

  async function readUnread(): Promise<ReadonlyMap<string, BlobDigest>> {
    if (unread.size === 0) return new Map();
    const { locateBlob, startBlobDigester } = await import('./git/digest-blobs.js');
    const { publications, place } = history;
    const digester = await startBlobDigester(place.repository, config.hash, (blob) =>
      locateBlob(publications, blob),
    );
    unread.forEach(digester.add);
    return await digester.finish();
  }
}

function noticeHistory(
  config: Config,
  { publications, place: { ref, folder } }: GitHistory,
  { from, at, truncated }: SiteHistory,
): Notice[] {
  if (publications.length === 0) {
    return config.record ? [] : [{ code: 'no-publication', ref: folder === '' ? ref : `${ref}:${folder}` }];
  }
  if (from.getTime() <= horizonOf(at.getTime(), config.changes)) return [];
  return [{ code: 'changes-known-from', from: formatDatetime(from), truncated }];
}
