/** Reads digests of versions of files from git, and finds where the bytes are. */

import { isSnapshotRef } from '../../paths/ours.js';
import { chooseType, makeFacts, type TypeLookup } from '../../site/resource.js';
import type { ScannedSite } from '../../site/scanned.js';
import type { ChangeEvent, HashAlgorithm, Representation } from '../../standard/model.js';
import type { GitHistory } from '../history.js';
import type { PackagedChange } from '../plan/change-packages.js';
import type { Bitstream } from '../plan/packages.js';
import type { FileVersion } from '../plan/replay.js';
import { digestBlobs } from './digest-blobs.js';

/** The versions of files that the lists name: their digests, and where their bytes are. */
export class Versions {
  readonly #scanned: ScannedSite;
  readonly #digests: GitHistory['digests'];
  readonly #type: TypeLookup;
  /** Places of the files of the site, by their blob ids. */
  readonly #places: ReadonlyMap<string, number>;

  constructor(scanned: ScannedSite, digests: GitHistory['digests'], type: TypeLookup) {
    this.#scanned = scanned;
    this.#digests = digests;
    this.#type = type;
    this.#places = new Map(scanned.blobs.map((blob, place) => [blob, place]));
  }

  /**
   * Reads the digests of blobs from git, unless the site still holds the same bytes, or they were read before.
   * @returns the number of blobs that a partial clone lacks @throws ResyncError `git-failed`
   */
  async read(
    blobs: readonly string[],
    algorithms: readonly HashAlgorithm[],
    { place: { repository, ref } }: GitHistory,
  ): Promise<number> {
    const unread = new Set(blobs.filter((blob) => !this.#places.has(blob) && !this.#digests.has(blob)));
    for await (const [blob, { length, hash, pointer }] of digestBlobs(repository, algorithms, unread)) {
      // In a snapshot, a blob is the published file itself, even if it looks like a pointer.
      const isPointer = pointer !== undefined && !isSnapshotRef(ref);
      const pointed = isPointer && { length: pointer.length, hash: `sha-256:${pointer.sha256}`, pointer };
      this.#digests.set(blob, pointed || { length, hash });
      unread.delete(blob);
    }
    return unread.size;
  }

  readonly represent = (change: PackagedChange): ChangeEvent => {
    const { uri, datetime } = change;
    if (change.change === 'deleted') return { change: 'deleted', uri, datetime };
    return { change: change.change, uri, datetime, representation: this.describe(uri, change.file) };
  };

  describe(uri: string, { path, blob }: FileVersion): Representation {
    const place = this.#places.get(blob);
    const found = place === undefined ? this.#digests.get(blob) : this.#scanned.resources.at(place);
    const { length, hash } = found ?? {};
    const named = this.#scanned.typeOf(path);
    const type =
      length === undefined || hash === undefined
        ? named
        : chooseType(makeFacts({ uri, path, length, hash }, named), this.#type);
    return {
      ...(length !== undefined && { length }),
      ...(hash !== undefined && { hash }),
      ...(type !== undefined && { type }),
    };
  }

  /** Returns where the bytes of a version are; undefined if the site lacks them, and git has only a pointer. */
  readonly sourceOf = (blob: string): Bitstream['source'] | undefined => {
    const place = this.#places.get(blob);
    const file = place === undefined ? undefined : this.#scanned.files.at(place);
    if (file !== undefined) return { file: file.path };
    return this.#digests.get(blob)?.pointer === undefined ? { blob } : undefined;
  };
}
