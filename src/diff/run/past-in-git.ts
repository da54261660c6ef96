/** Finds the previous publication in git. */

import { formatDatetime } from '../../base/datetime.js';
import { PAGE_LIMIT } from '../../files/page/page.js';
import { type ReplayRules, replayCommitted } from '../../history/from-git.js';
import { BlobReader } from '../../history/git/blobs.js';
import { readBlobLengths } from '../../history/git/digest-blobs.js';
import type { GitHistory, GitPlace } from '../../history/history.js';
import type { SiteHistory } from '../../history/plan/derive.js';
import type { UnpublishedChange } from '../../history/plan/replay.js';
import type { ScannedSite } from '../../site/scanned.js';
import type { ChangedResource } from '../model.js';
import { mergeSets, NO_VERSIONS, type Past, type PastHistory, type VersionReader } from './past.js';
import { readVersion } from './versions.js';

export async function findPastInGit(
  rules: ReplayRules,
  scanned: ScannedSite,
  history: GitHistory,
  now: Date,
): Promise<Past> {
  const replayed = await replayCommitted(rules, scanned, history, now);
  const { newest, sets } = replayed;
  const unpublished = mergeSets(sets.map((set) => set.unpublished));
  const { ref, folder, repository } = history.place;
  const previous = new Map(unpublished.map(({ uri, previous }) => [uri, previous?.blob]));
  const blobs = [...previous.values()].filter((blob) => blob !== undefined);
  const lengths = await readBlobLengths(repository, [...new Set(blobs)]);
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
    changes: describeChanges(unpublished, scanned, previousLength),
    readLimit: Number.POSITIVE_INFINITY,
    previousLength,
    openVersions: (uris) => {
      const asked = uris.flatMap((uri) => previous.get(uri) ?? []);
      return asked.length === 0 ? NO_VERSIONS : new GitVersions(history.place, asked);
    },
    history: newest && makeHistory(replayed, history.place, newest),
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

function makeHistory({ baseline, truncated, sets }: SiteHistory, place: GitPlace, newest: Date): PastHistory {
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
    async openLost(lost) {
      const blobs = lost.map(({ digest = '' }) => digest);
      const here = await readBlobLengths(place.repository, [...new Set(blobs)]);
      return new GitVersions(place, blobs, (blob) => here.has(blob));
    },
  };
}

class GitVersions implements VersionReader {
  readonly #place: GitPlace;
  readonly #reader: BlobReader;
  readonly #blobs: Iterator<string>;
  readonly #isHere: (blob: string) => boolean;

  /** Starts a process of git to read versions. @param blobs their ids, in order @param isHere tests if this clone has a blob */
  constructor(place: GitPlace, blobs: readonly string[], isHere: (blob: string) => boolean = () => true) {
    this.#place = place;
    this.#reader = BlobReader.open(place.repository, blobs.filter(isHere));
    this.#blobs = blobs.values();
    this.#isHere = isHere;
  }

  async readNext(): Promise<Uint8Array | undefined> {
    const { done, value: blob } = this.#blobs.next();
    if (done === true || !this.#isHere(blob)) return undefined;
    return readVersion(this.#reader, this.#place, blob, PAGE_LIMIT);
  }

  close(): void {
    this.#reader.close();
  }
}
