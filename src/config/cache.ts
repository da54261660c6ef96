/**
 * What builds leave for later ones, in the `node_modules` of a project. What is not quite as it was left is nothing; no build
 * fails for what cannot be left.
 */

import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { unlessRefused } from '../base/errors.js';
import { MIRROR_FOLDER } from '../paths/ours.js';
import { findAround, listAncestors } from './file.js';

/** Where other tools keep such things, too. */
const CACHE = 'node_modules/.cache/resync-static';

/** Where a project keeps what builds leave for one site. */
export interface CachePlace {
  /** Absolute, without an extension. */
  readonly file: string;
  /** The site, relative to the project, `/` between segments: what moves with the project stays valid. */
  readonly site: string;
}

/**
 * Finds the places for a site, the nearest first: in the `node_modules` of the projects around it. A package of a
 * workspace may have no such folder of its own. What lies in a copy that `mirror` keeps is no project of ours.
 *
 * @returns none where there is no such folder, or no site
 */
export function findCaches(site: string): CachePlace[] {
  const root = unlessRefused(() => realpathSync(site));
  if (root === undefined) return [];
  return listAncestors(root)
    .filter((folder) => existsSync(join(folder, 'package.json')) && isFolder(join(folder, 'node_modules')))
    .filter((folder) => findAround(folder, MIRROR_FOLDER) === undefined)
    .map((project) => {
      const path = relative(project, root).split(sep).join('/');
      const name = createHash('sha256').update(path).digest('hex').slice(0, 16);
      return { file: join(project, CACHE, name), site: path };
    });
}

function isFolder(path: string): boolean {
  return unlessRefused(() => statSync(path).isDirectory()) === true;
}

/** Never writes through a link: not in the place of the folder, and not in that of the file. */
export function writeCached(file: string, text: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  if (!lstatSync(folder).isDirectory()) return;
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, text, { flag: 'wx' });
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Undefined unless it is a file of at most so many bytes that belongs to whom the site belongs to.
 *
 * @param seal undefined, or what `sealOf` said of the file when it was written
 */
export function readCached(file: string, site: string, most: number, seal?: string): string | undefined {
  // Windows has no such flags.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const handle = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const { size, uid } = fstatSync(handle);
    if (size > most || uid !== statSync(site).uid) return undefined;
    if (seal !== undefined && tellSeal(fstatSync(handle, { bigint: true })) !== seal) return undefined;
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

/** What is true of a file here, and of no copy of it: git carries neither, and nobody chooses them. */
export function sealOf(file: string): string {
  return tellSeal(lstatSync(file, { bigint: true }));
}

function tellSeal({ ino, ctimeNs }: { readonly ino: bigint; readonly ctimeNs: bigint }): string {
  return `${ino} ${ctimeNs}\n`;
}

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
