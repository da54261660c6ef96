/** Walks the folders of the site, and lists their entries. */

import { isUtf8 } from 'node:buffer';
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { explainRefused } from '../base/errors.js';
import type { SkipReason } from '../base/reasons.js';
import { say } from '../base/text/say.js';
import { WORK_FOLDER } from '../paths/ours.js';

const OF_GIT = /(?:^|\/)\.git$/;

export interface FolderEntry {
  readonly path: string;
  readonly isFolder: boolean;
  /** Why an entry that is no regular file is skipped; undefined for a regular file. */
  readonly kind: SkipReason | undefined;
  /** True if the bytes of the name are not Unicode. Nothing below such a folder can be reached. */
  readonly nameless: boolean;
}

/** Lists files of a site, and folders not to enter (`isClosed`); leaves out `.git` and our work folder. */
export function* listEntries(
  site: string,
  list: (site: string, folder: string) => readonly FolderEntry[] = readFolder,
  isClosed: (path: string) => boolean = () => false,
): Generator<FolderEntry, void> {
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of list(site, folder)) {
      const { path, isFolder, nameless } = entry;
      if (nameless || !isFolder || isClosed(path)) yield entry;
      else if (!OF_GIT.test(path) && path !== WORK_FOLDER) folders.push(path);
    }
  }
}

/** Lists a folder of the site, '' for the site itself. @throws ResyncError `file-unreadable` */
export function readFolder(site: string, folder: string): FolderEntry[] {
  const entries = readEntries(site, folder);
  const nameless = findNameless(site, folder, entries);
  return entries.map((entry) => ({
    path: folder === '' ? entry.name : `${folder}/${entry.name}`,
    isFolder: entry.isDirectory(),
    kind: skippedByKind(entry),
    nameless: nameless.has(entry.name),
  }));
}

function skippedByKind(entry: Dirent): SkipReason | undefined {
  if (entry.isFile()) return undefined;
  return entry.isSymbolicLink() ? 'symbolic-link' : 'special-file';
}

/** Finds names that are not Unicode, as Node.js shows them. A name may also rightly contain a replacement character. */
function findNameless(site: string, folder: string, entries: readonly Dirent[]): ReadonlySet<string> {
  const suspects = entries.filter(({ name }) => name.includes('\uFFFD') || !name.isWellFormed());
  if (suspects.length === 0) return new Set();
  const names = readdirSync(`${site}/${folder}`, { encoding: 'buffer' });
  const broken = names.filter((name) => !isUtf8(name)).map(String);
  return new Set([...broken, ...suspects.map(({ name }) => name).filter((name) => !name.isWellFormed())]);
}

function readEntries(site: string, folder: string): Dirent[] {
  try {
    return readdirSync(`${site}/${folder}`, { withFileTypes: true });
  } catch (error) {
    throw explainRefused(
      error,
      'file-unreadable',
      (refusal) =>
        say`Cannot read the folder ${join(site, folder)} (${refusal}).\nMake it readable. Folders that are left out must be readable, too.`,
    );
  }
}
