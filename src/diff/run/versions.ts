/** Reads versions of pages, from the site if it has the same bytes, or else from git. */

import { readUnchanged } from '../../files/beginning.js';
import { PAGE_LIMIT } from '../../files/page/page.js';
import { BlobReader, listPresent } from '../../history/git/blobs.js';
import { readPointer } from '../../history/git/pointers.js';
import type { GitHistory } from '../../history/history.js';
import { isSnapshotRef } from '../../paths/ours.js';
import type { ReadPresent, SiteWithHistory, VersionReader } from './past.js';

export interface VersionsPlace extends Pick<SiteWithHistory, 'site' | 'scanned' | 'readFile'> {
  readonly history: GitHistory;
}

export interface PagePlace extends VersionsPlace, Pick<SiteWithHistory, 'records'> {}

type SiteFile = Parameters<ReadPresent>[0];

/** Reads versions of pages by their blob ids. One process of git reads the versions that the site does not have. */
export class PageVersions {
  readonly #place: VersionsPlace;
  readonly #present: ReadonlySet<string> | undefined;
  /** Places of the files of the site, by their blob ids. */
  #places: ReadonlyMap<string, number> | undefined;
  #reader: BlobReader | undefined;

  private constructor(place: VersionsPlace, present: ReadonlySet<string> | undefined) {
    this.#place = place;
    this.#present = present;
  }

  /** Creates the reader of versions. @throws ResyncError `git-failed` */
  static async open(place: VersionsPlace): Promise<PageVersions> {
    return new PageVersions(place, await listPresent(place.history.place.repository));
  }

  /** Requests versions, which must be read in the order of the requests. */
  ask(blobs: readonly string[]): void {
    const wanted = blobs.filter((blob) => this.#isInGit(blob));
    if (wanted.length === 0) return;
    this.#reader ??= new BlobReader(this.#place.history.place.repository);
    this.#reader.ask(wanted);
  }

  /** Reads the next version; undefined if missing or over `PAGE_LIMIT`. @throws ResyncError `git-failed`, `file-changing` */
  async read(blob: string): Promise<Uint8Array | undefined> {
    const found = this.#findInSite(blob);
    const file = found === undefined ? undefined : this.#place.scanned.resources.at(found);
    if (file !== undefined) return this.#readFile(file);
    if (!this.#isInGit(blob)) return undefined;
    const bytes = await this.#reader?.readWhole(blob, PAGE_LIMIT);
    // The bytes behind a pointer of Git LFS are not in git.
    const isPointer =
      bytes !== undefined && !isSnapshotRef(this.#place.history.place.ref) && readPointer(bytes);
    return isPointer ? undefined : bytes;
  }

  close(): void {
    this.#reader?.close();
  }

  /** Tests if git has to read a blob. False also for blobs that a partial clone lacks, so that git does not fetch them. */
  #isInGit(blob: string): boolean {
    return this.#findInSite(blob) === undefined && this.#present?.has(blob) !== false;
  }

  #findInSite(blob: string): number | undefined {
    this.#places ??= new Map(this.#place.scanned.blobs.map((one, place) => [one, place]));
    return this.#places.get(blob);
  }

  #readFile(file: SiteFile): Uint8Array | undefined {
    const { site, readFile = ({ path, length }) => readUnchanged(site, path, length) } = this.#place;
    return file.length <= PAGE_LIMIT ? readFile(file) : undefined;
  }
}

/** Opens a reader of versions in git. @param blobs their ids, in the order of reading @throws ResyncError `git-failed` */
export async function openVersions(place: VersionsPlace, blobs: readonly string[]): Promise<VersionReader> {
  const versions = await PageVersions.open(place);
  versions.ask(blobs);
  const next = blobs.values();
  return {
    async readNext() {
      const { value } = next.next();
      return value === undefined ? undefined : versions.read(value);
    },
    close: () => versions.close(),
  };
}
