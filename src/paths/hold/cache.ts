/**
 * Cache files for later builds: in the `node_modules` of a project, or else in the user's folder for caches. A file that was altered
 * is ignored, and no build fails because a file cannot be written.
 */

import { createHash } from 'node:crypto';
import {
  closeSync,
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
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { unlessRefused } from '../../base/errors.js';
import { findAround, isWithin, listAround } from '../../base/folders.js';
import { OPEN_FLAGS } from '../../base/open-flags.js';
import { MIRROR_FOLDER } from '../ours.js';

/** Name of our cache folder, and its path in a project, where tools usually keep caches. */
const OWN = 'resync-static';
export const CACHE = `node_modules/.cache/${OWN}`;

export interface CachePlace {
  /** Absolute path of the cache file, without an extension. */
  readonly file: string;
  /** Path of the site: relative to the project, with `/`, so that it can be moved; absolute for a cache in the user's folder. */
  readonly site: string;
}

/**
 * Finds the cache places of a site, nearest first: in `node_modules` of the projects around it (some packages of a workspace
 * have none), or else in the user's cache folder, as for Hugo. Copies that `mirror` keeps do not count as projects.
 */
export function findCaches(site: string): CachePlace[] {
  const root = unlessRefused(() => realpathSync(site));
  if (root === undefined) return [];
  const places = listAround(root)
    .slice(1)
    .filter((folder) => existsSync(join(folder, 'package.json')) && isFolder(join(folder, 'node_modules')))
    .filter((folder) => findAround(folder, MIRROR_FOLDER) === undefined)
    .map((project) => {
      const path = relative(project, root).split(sep).join('/');
      return { file: join(project, CACHE, nameFile(path)), site: path };
    });
  const folder = places.length > 0 ? undefined : unlessRefused(() => findUserFolder(root));
  return folder === undefined ? places : [{ file: join(folder, nameFile(root)), site: root }];
}

const nameFile = (site: string) => createHash('sha256').update(site).digest('hex').slice(0, 16);

/**
 * Finds our folder in the user's cache, which may not exist yet. Returns undefined if it would be in the site or its
 * repository, where it would be published, or if it is a link or another owner's folder, as with `sudo`.
 */
function findUserFolder(site: string): string | undefined {
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
  const { platform } = process;
  const home = platform === 'darwin' ? 'Library/Caches' : '.cache';
  const usual = platform === 'win32' ? LOCALAPPDATA : HOME && join(HOME, home);
  const caches = XDG_CACHE_HOME || usual;
  if (!caches || !isAbsolute(caches)) return undefined;
  const folder = join(caches, OWN);
  const [standing = ''] = listAround(folder).filter((one) => existsSync(one));
  // Root may own the folder in which ours will be made. On Windows `getuid` is missing, and all owners have the number 0.
  const isOurs = [process.getuid?.(), 0].includes(statSync(standing).uid);
  const isLink = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false;
  const isPublished = isWithin(standing, findAround(site, '.git') ?? site);
  return isOurs && !isLink && !isPublished ? folder : undefined;
}

function isFolder(path: string): boolean {
  return unlessRefused(() => statSync(path).isDirectory()) === true;
}

/** Writes a cache file, but never through a link in the place of its folder or of the file itself. */
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

/** Reads a cache file; undefined if it has another owner than the site, or more than `most` bytes, or not the given seal. */
export function readCached(file: string, site: string, most: number, seal?: string): string | undefined {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const handle = openSync(file, OPEN_FLAGS);
  try {
    const { size, uid } = fstatSync(handle);
    if (size > most || uid !== statSync(site).uid) return undefined;
    if (seal !== undefined && sealOf(fstatSync(handle, { bigint: true })) !== seal) return undefined;
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

/** Returns the seal of a file, which no copy of it has: neither git nor archives preserve inode and change time. */
function sealOf({ ino, ctimeNs }: { readonly ino: bigint; readonly ctimeNs: bigint }): string {
  return `${ino} ${ctimeNs}\n`;
}

/** Writes a cache file, and its seal beside it, which fits no copy of the file. @param name of both, without an extension */
export function writeSealed(name: string, text: string): void {
  writeCached(`${name}.json`, text);
  writeCached(`${name}.seal`, sealOf(lstatSync(`${name}.json`, { bigint: true })));
}

/** Reads a file of `writeSealed` if this is no copy of it, and it was not changed since; returns undefined otherwise. */
export function readSealed(name: string, site: string, most: number): string | undefined {
  const seal = readCached(`${name}.seal`, site, SEAL_LIMIT);
  return seal === undefined ? undefined : readCached(`${name}.json`, site, most, seal);
}

const SEAL_LIMIT = 100;
