/** Finds the previous publication in git. */

import { formatDatetime } from '../../base/datetime.js';
import { readBlobLengths } from '../../history/git/blobs.js';
import type { SiteHistory } from '../../history/plan/derive.js';
import type { UnpublishedChange } from '../../history/plan/replay.js';
import type { ScannedSite } from '../../site/scanned.js';
import type { ChangedResource } from '../model.js';
import { mergeSets, type Past, type PastHistory } from './past.js';
import { openVersions, type VersionsPlace } from './versions.js';

/** Finds the newest publication. @param committed the history up to the scanned site @throws ResyncError `git-failed` */
export async function findPastInGit(place: VersionsPlace, committed: SiteHistory): Promise<Past> {
  const { newest, sets } = committed;
  const unpublished = mergeSets(sets.map((set) => set.unpublished));
  const { ref, folder, repository } = place.history.place;
  const previous = new Map(unpublished.map(({ uri, previous }) => [uri, previous?.blob]));
  const blobs = [...previous.values()].filter((blob) => blob !== undefined);
  const lengths = await readBlobLengths(repository, blobs);
  const previousLength = (uri: string) => {
    const blob = previous.get(uri);
    return blob === undefined ? undefined : lengths.get(blob);
  };
  return {
    comparedWith: {
      history: 'git',
      ref,
      folder,
      ...(newest !== undefined && { at: formatDatetime(newest) }),
    },
    changes: describeChanges(unpublished, place.scanned, previousLength),
    readLimit: Number.POSITIVE_INFINITY,
    previousLength,
    openVersions: (uris) =>
      openVersions(
        place,
        uris.flatMap((uri) => previous.get(uri) ?? []),
      ),
    history: newest && makeHistory(committed, place, newest),
  };
}

function describeChanges(
  unpublished: readonly UnpublishedChange[],
  { resources, typeOf }: ScannedSite,
  previousLength: Past['previousLength'],
): ChangedResource[] {
  const present = new Map(resources.map((resource) => [resource.uri, resource]));
  return unpublished.map(({ uri, previous, present: file }): ChangedResource => {
    const resource = present.get(uri);
    if (file === undefined || resource === undefined) {
      const path = previous?.path ?? '';
      const length = previousLength(uri) ?? 0;
      return { change: 'deleted', uri, path, type: typeOf(path), length, digest: previous?.blob };
    }
    const { path, type, length } = resource;
    const change = previous === undefined ? 'created' : 'updated';
    return { change, uri, path, type, length, digest: file.blob };
  });
}

function makeHistory(
  { baseline, truncated, sets }: SiteHistory,
  place: VersionsPlace,
  newest: Date,
): PastHistory {
  return {
    from: baseline,
    truncated,
    *events() {
      // Later changes are pending: those of this build.
      for (const { past } of sets)
        for (const { change, uri, datetime, previous } of past)
          if (datetime <= newest)
            yield { change, uri, datetime, path: previous?.path, digest: previous?.blob };
    },
    openLost: (lost) =>
      openVersions(
        place,
        lost.map(({ digest = '' }) => digest),
      ),
  };
}
