/** Where files of versions are staged. A folder that the site does not have yet is put together there, and moved at once. */

import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Publishable } from '../../../../paths/hold/files.js';
import type { FormerFiles } from './files.js';

/** A file, and where it waits to be moved into the site. */
export interface StagedFile {
  readonly path: string;
  readonly file: string;
}

/** What stands in the site, and what is staged for it. */
export interface Targets {
  readonly former: FormerFiles;
  readonly tree: StagedTree;
}

export interface StagedTree {
  /** Whether the folder that a path is in is moved at once. */
  readonly isWhole: (path: string) => boolean;
  /** Where to write the file of a path. */
  readonly fileFor: (path: string) => string;
  /** What there is to publish, in the order of the files. */
  readonly list: (files: readonly StagedFile[]) => Publishable[];
}

/** @param mayBeWhole whether every file that is asked about will be written */
export function startTree(site: string, staging: string, mayBeWhole: boolean): StagedTree {
  const absent = new Map<string, boolean>();
  const made = new Set<string>();
  let count = 0;
  const isWhole = (path: string) => {
    if (!mayBeWhole) return false;
    const folder = topOf(path);
    const known = absent.get(folder);
    if (known !== undefined) return known;
    const isAbsent = lstatSync(join(site, folder), { throwIfNoEntry: false }) === undefined;
    absent.set(folder, isAbsent);
    return isAbsent;
  };
  const makeFolderOf = (file: string) => {
    const folder = file.slice(0, file.lastIndexOf('/'));
    if (folder === staging || made.has(folder)) return;
    makeFolderOf(folder);
    mkdirSync(folder);
    made.add(folder);
  };
  return {
    isWhole,
    fileFor(path) {
      if (!isWhole(path)) return join(staging, `versions-${count++}`);
      const file = `${staging}/${path}`;
      makeFolderOf(file);
      return file;
    },
    list(files) {
      const listed = new Map<string, string>();
      for (const { path, file } of files) {
        if (isWhole(path)) listed.set(topOf(path), `${staging}/${topOf(path)}`);
        else listed.set(path, file);
      }
      return Array.from(listed, ([path, file]) => ({ path, file, owned: true }));
    },
  };
}

/** `resourcesync/versions/0123456789abcdef/a.html` → `resourcesync/versions` */
function topOf(path: string): string {
  return path.slice(0, path.indexOf('/', path.indexOf('/') + 1));
}
