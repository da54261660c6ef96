/** Finds files of versions and TimeMaps in the site, and stages missing ones. */

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { getOrInsert } from '../../../../base/group.js';
import { repositoryOf } from '../../../../history/find.js';
import { BlobReader } from '../../../../history/git/blobs.js';
import type { Repository } from '../../../../history/git/repository.js';
import type { HistoryPlace } from '../../../../history/history.js';
import type { Bitstream } from '../../../../history/plan/packages.js';
import { foldersOf } from '../../../../paths/folders.js';
import { type Publishable, readIfThere, sumOfFile } from '../../../../paths/hold/files.js';
import { refuseForeign } from '../../../../paths/hold/foreign.js';
import { isOurs } from '../../../../paths/hold/ownership.js';
import { VERSIONS_INVENTORY } from '../../../../paths/ours.js';
import { readBitstream, writePieces } from '../../../dumps/bitstreams.js';
import { type Inventory, readInventory, writeInventory } from '../inventory.js';
import type { VersionFile } from '../plan.js';

/** A site that has or had versions, its history, and the staging folder. */
interface VersionsPlace {
  readonly site: string;
  readonly source: HistoryPlace | undefined;
  readonly staging: string;
}

export interface WantedFile extends VersionFile {
  readonly type?: string | undefined;
  /** The bytes of the file, or their place in the site or in git. */
  readonly content: Uint8Array | Bitstream['source'];
}

export interface VersionFolder {
  readonly inventory: Inventory;
  readonly isOwn: (path: string) => boolean;
  /**
   * Stages missing files, each once. Returns the paths of files that have to wait for the next run, because an outdated file
   * or folder of ours is in the way; that cannot go before the lists that link to it.
   * @throws ResyncError `not-ours` if a file of others is in the way, `file-changing`, `git-failed`
   */
  readonly store: (files: readonly WantedFile[]) => Promise<ReadonlySet<string>>;
  /** Returns the files to publish: the inventory, then staged files in the order in which they were stored. */
  readonly list: (inventory: Inventory) => Publishable[];
}

export function openVersionFolder({ site, source, staging }: VersionsPlace): VersionFolder {
  const previous = readPreviousFiles(site);
  const staged: Publishable[] = [];
  return {
    inventory: previous.inventory,
    isOwn: previous.isOwn,
    async store(files) {
      const blocked = new Set(files.map(({ path }) => path).filter(previous.isBlocked));
      const absent = files
        .filter(({ path }) => !blocked.has(path))
        .filter((one) => !previous.isThere(one.path, one))
        .map((one, index) => ({ ...one, file: join(staging, `versions-${staged.length + index}`) }));
      await writeFiles(absent, site, repositoryOf(source));
      for (const { path, file } of absent) staged.push({ path, file, owned: true });
      return blocked;
    },
    list: (inventory) => [{ path: VERSIONS_INVENTORY, content: [writeInventory(inventory)] }, ...staged],
  };
}

async function writeFiles(
  files: readonly (WantedFile & { readonly file: string })[],
  site: string,
  repository: Repository | undefined,
): Promise<void> {
  const blobs = files.flatMap(({ content }) => ('blob' in content ? content.blob : []));
  const reader =
    blobs.length === 0 || repository === undefined ? undefined : BlobReader.open(repository, blobs);
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

/** Reads the inventory of previous runs. Returns tests that compare files in the site with it. */
function readPreviousFiles(site: string) {
  const file = join(site, VERSIONS_INVENTORY);
  const text = isOurs(file) ? readIfThere(file) : undefined;
  const inventory = readInventory(text ?? '');
  const statOf = (path: string) => lstatSync(join(site, path), { throwIfNoEntry: false });
  const written = statOf(VERSIONS_INVENTORY)?.mtimeMs ?? 0;
  const folders = new Map<string, boolean>();
  const isInside = (path: string) =>
    foldersOf(path).every((folder) =>
      getOrInsert(folders, folder, () => statOf(folder)?.isDirectory() === true),
    );
  const find = (path: string) => (isInside(path) ? statOf(path) : undefined);
  const isListed = (path: string, digest: string) => inventory.get(path)?.includes(digest) === true;
  const own = new Set([...inventory.keys()].flatMap(foldersOf));
  return {
    inventory,
    isThere(path: string, { sha256, length }: Pick<VersionFile, 'sha256' | 'length'>): boolean {
      // Folders that are links out of the site were refused before.
      const found = statOf(path);
      if (found === undefined) return false;
      const [only, ...others] = inventory.get(path) ?? [];
      // The inventory does not prove the bytes of a newer file, which may have been changed since.
      if (
        found.isFile() &&
        only === sha256 &&
        others.length === 0 &&
        found.size === length &&
        found.mtimeMs <= written
      )
        return true;
      const digest = found.isFile() ? sumOfFile(join(site, path)) : '';
      if (digest !== sha256 && !isListed(path, digest)) throw refuseForeign(join(site, path));
      return digest === sha256;
    },
    isBlocked: (path: string) =>
      (own.has(path) && find(path)?.isDirectory() === true) ||
      foldersOf(path).some((folder) => inventory.has(folder) && find(folder)?.isFile() === true),
    isOwn(path: string): boolean {
      return find(path)?.isFile() === true && isListed(path, sumOfFile(join(site, path)));
    },
  };
}
