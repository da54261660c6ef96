/** The publication before, as git keeps it. */

import { formatDatetime } from '../../base/datetime.js';
import type { Config } from '../../config/config.js';
import { PAGE_LIMIT } from '../../files/page/page.js';
import { replayCommitted } from '../../history/from-git.js';
import { startBlobReader } from '../../history/git/blobs.js';
import { readBlobLengths } from '../../history/git/digest-blobs.js';
import type { GitHistory, GitPlace } from '../../history/known.js';
import type { UnpublishedChange } from '../../history/plan/replay.js';
import type { ScannedSite } from '../../site/scanned.js';
import type { ChangedResource } from '../model.js';
import { type FormerReader, mergeSets, type Past, READ_NOTHING } from './past.js';
import { readVersion } from './versions.js';

/** @throws ResyncError `git-failed` */
export async function findPastInGit(
  config: Config,
  scanned: ScannedSite,
  history: GitHistory,
  now: Date,
): Promise<Past> {
  const { newest, sets } = await replayCommitted(config, scanned, history, now);
  const unpublished = mergeSets(sets.map((set) => set.unpublished));
  const { ref, folder, repository } = history.place;
  const formers = new Map(
    unpublished.flatMap(({ uri, former }) => (former === undefined ? [] : [[uri, former.blob]])),
  );
  const lengths = await readBlobLengths(repository, [...new Set(formers.values())]);
  const formerLength = (uri: string) => lengths.get(formers.get(uri) ?? '');
  const present = new Map(scanned.resources.map((resource) => [resource.uri, resource]));
  return {
    comparedWith: {
      history: 'git',
      ref,
      folder,
      ...(newest !== undefined && { at: formatDatetime(newest) }),
    },
    changes: unpublished.map(tell),
    readLimit: Number.POSITIVE_INFINITY,
    formerLength,
    startReading: (uris) =>
      startReadingVersions(
        history.place,
        uris.map((uri) => formers.get(uri) ?? ''),
      ),
  };

  function tell({ uri, former, present: file }: UnpublishedChange): ChangedResource {
    const resource = present.get(uri);
    if (file === undefined || resource === undefined) {
      const path = former?.path ?? '';
      const type = scanned.typeOf(path);
      return { change: 'deleted', uri, path, type, length: formerLength(uri) ?? 0, digest: former?.blob };
    }
    const { path, type, length } = resource;
    const change = former === undefined ? 'created' : 'updated';
    return { change, uri, path, type, length, digest: file.blob };
  }
}

/** @param ids of blobs that are here */
function startReadingVersions(place: GitPlace, ids: readonly string[]): FormerReader {
  if (ids.length === 0) return READ_NOTHING;
  const reader = startBlobReader(place.repository, ids);
  let next = 0;
  return {
    readNext: () => readVersion(reader, place, ids[next++] ?? '', PAGE_LIMIT),
    close: () => reader.close(),
  };
}
