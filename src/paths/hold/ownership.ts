/** Ownership of the files of a site: only files that this tool wrote are overwritten or removed. */

import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  ARCHIVES,
  folderOfSet,
  isDatedText,
  isOwnDocument,
  isOwnText,
  MARK_WITHIN,
  OWNER_MARK,
  SOURCE_DESCRIPTION,
} from '../ours.js';
import type { PathTest } from '../selection.js';

/** Returns whether a file has our mark, at the top of a document or the end of a package. @param ending mark of a package */
export function isOurs(file: string, ending = OWNER_MARK): boolean {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  const handle = openSync(file, 'r');
  try {
    const part = Buffer.alloc(MARK_WITHIN);
    const isPackage = file.endsWith('.zip');
    const position = isPackage ? Math.max(0, fstatSync(handle).size - MARK_WITHIN) : 0;
    const text = part.toString('latin1', 0, readSync(handle, part, 0, MARK_WITHIN, position));
    return isPackage ? text.endsWith(ending) : isOwnText(text);
  } finally {
    closeSync(handle);
  }
}

/** Limit of a sitemap in bytes, with some to spare: the protocol allows 50 MB. */
export const SITEMAP_LIMIT = 64_000_000;

/** Reads the bytes of a sitemap, decompressed if necessary; returns undefined if it is too large, or broken. */
export function readSitemapBytes(file: string): Buffer | undefined {
  return statSync(file).size > SITEMAP_LIMIT ? undefined : unpackSitemap(readFileSync(file));
}

export function unpackSitemap(bytes: Buffer): Buffer | undefined {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    // `node:zlib` is loaded only if there is a compressed file.
    const { gunzipSync } = process.getBuiltinModule('node:zlib');
    return gunzipSync(bytes, { maxOutputLength: SITEMAP_LIMIT });
  } catch {
    return undefined;
  }
}

/** Returns whether a file is a sitemap that we wrote, or in which we set the dates. */
export function isOurSitemap(file: string): boolean {
  if (!/\.xml(?:\.gz)?$/.test(file) || lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    return false;
  if (isOurs(file)) return true;
  const end = readSitemapBytes(file)?.subarray(-MARK_WITHIN).toString('latin1') ?? '';
  return isDatedText(end);
}

/** Finds files with our mark that are no `targets` any more. @param isOthers tests for files of other builds, with the same mark */
export function findOutdated(site: string, targets: ReadonlySet<string>, isOthers: PathTest): string[] {
  const isOutdated = (path: string) => !targets.has(path) && !isOthers(path) && isOurs(join(site, path));
  const outdated = isOutdated(SOURCE_DESCRIPTION) ? [SOURCE_DESCRIPTION] : [];
  const top = folderOfSet(undefined);
  const folders = existsSync(join(site, top)) ? [top] : [];
  for (const folder of folders) {
    for (const entry of readdirSync(join(site, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && (folder === top || entry.name === ARCHIVES)) folders.push(path);
      if (isOwnDocument(path) && isOutdated(path)) outdated.push(path);
    }
  }
  return outdated.sort();
}
