/** Finds files of versions and TimeMaps in the site, and stages missing ones. */

import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { getOrInsert } from '../../../../base/group.js';
import { repositoryOf } from '../../../../history/find.js';
import type { Bitstream } from '../../../../history/plan/packages.js';
import { foldersOf } from '../../../../paths/folders.js';
import { type Publishable, readIfThere, sumOfFile } from '../../../../paths/hold/files.js';
import { refuseForeign } from '../../../../paths/hold/foreign.js';
import { isOurs } from '../../../../paths/hold/ownership.js';
import { VERSIONS_INVENTORY } from '../../../../paths/ours.js';
import { openReader, readBitstream, writePieces } from '../../../dumps/bitstreams.js';
import type { PlannedRun } from '../../../feature.js';
import { type Inventory, readInventory, writeInventory } from '../inventory.js';
import type { VersionFile } from '../plan.js';

export interface WantedFile extends VersionFile {
  readonly type?: string | undefined;
  /** The bytes of the file, or their place in the site or in git. */
  readonly content: Uint8Array | Bitstream['source'];
}

/** The files of versions and TimeMaps in the site, as the inventory of previous runs lists them, and those that this run stages. */
export class VersionFolder {
  readonly inventory: Inventory;
  readonly #run: PlannedRun;
  readonly #staging: string;
  /** Time at which the inventory was written, in milliseconds since 1970. */
  readonly #written: number;
  /** Paths of folders above the files in the inventory. */
  readonly #own: ReadonlySet<string>;
  /** Folders that were looked for, by path: true for those that exist. */
  readonly #folders = new Map<string, boolean>();
  readonly #staged: Publishable[] = [];

  constructor(run: PlannedRun, staging: string) {
    this.#run = run;
    this.#staging = staging;
    const file = join(run.site, VERSIONS_INVENTORY);
    this.inventory = readInventory((isOurs(file) ? readIfThere(file) : undefined) ?? '');
    this.#written = this.#look(VERSIONS_INVENTORY)?.mtimeMs ?? 0;
    this.#own = new Set([...this.inventory.keys()].flatMap(foldersOf));
  }

  isOwn(path: string): boolean {
    const isFile = this.#find(path)?.isFile() === true;
    return isFile && this.#isListed(path, sumOfFile(join(this.#run.site, path)));
  }

  /**
   * Stages missing files, each once. Returns the paths of files that have to wait for the next run, because an outdated file
   * or folder of ours is in the way, which stays until the lists that link to it are replaced.
   * @throws ResyncError `not-ours` if a file of others is in the way, `file-changing`, `git-failed`
   */
  async store(files: readonly WantedFile[]): Promise<ReadonlySet<string>> {
    const blocked = new Set(files.map(({ path }) => path).filter((path) => this.#isBlocked(path)));
    const absent = files
      .filter(({ path }) => !blocked.has(path))
      .filter((one) => !this.#has(one))
      .map((one, index) => ({
        ...one,
        file: join(this.#staging, `versions-${this.#staged.length + index}`),
      }));
    await this.#write(absent);
    for (const { path, file } of absent) this.#staged.push({ path, file, owned: true });
    return blocked;
  }

  /** Returns the files to publish: the inventory, then staged files in the order in which they were stored. */
  list(inventory: Inventory): Publishable[] {
    return [{ path: VERSIONS_INVENTORY, content: [writeInventory(inventory)] }, ...this.#staged];
  }

  async #write(files: readonly (WantedFile & { readonly file: string })[]): Promise<void> {
    const { site, source } = this.#run;
    const sources = files.flatMap(({ content }) => (content instanceof Uint8Array ? [] : content));
    const reader = openReader(sources, repositoryOf(source));
    try {
      for (const { path: name, length, hash, type, content, file } of files) {
        const pieces =
          content instanceof Uint8Array
            ? [content]
            : readBitstream({ name, length, hash, type, source: content }, site, reader);
        await writePieces(file, pieces);
      }
    } finally {
      reader?.close();
    }
  }

  /** Tests if the site has a wanted file with its bytes. @throws ResyncError `not-ours` if a file of others is in its place */
  #has({ path, sha256, length }: VersionFile): boolean {
    // Folders that are links out of the site were refused before.
    const found = this.#look(path);
    if (found === undefined) return false;
    const [only, ...others] = this.inventory.get(path) ?? [];
    const isListed = found.isFile() && only === sha256 && others.length === 0 && found.size === length;
    // The inventory does not prove the bytes of a newer file, which may have been changed since.
    if (isListed && found.mtimeMs <= this.#written) return true;
    const file = join(this.#run.site, path);
    const digest = found.isFile() ? sumOfFile(file) : '';
    if (digest !== sha256 && !this.#isListed(path, digest)) throw refuseForeign(file);
    return digest === sha256;
  }

  #isBlocked(path: string): boolean {
    return (
      (this.#own.has(path) && this.#find(path)?.isDirectory() === true) ||
      foldersOf(path).some((folder) => this.inventory.has(folder) && this.#find(folder)?.isFile() === true)
    );
  }

  #isListed(path: string, digest: string): boolean {
    return this.inventory.get(path)?.includes(digest) === true;
  }

  /** Returns facts of a file or folder; undefined if it is missing or in a linked folder. */
  #find(path: string): Stats | undefined {
    const isFolder = (folder: string) =>
      getOrInsert(this.#folders, folder, () => this.#look(folder)?.isDirectory() === true);
    return foldersOf(path).every(isFolder) ? this.#look(path) : undefined;
  }

  #look(path: string): Stats | undefined {
    return lstatSync(join(this.#run.site, path), { throwIfNoEntry: false });
  }
}
