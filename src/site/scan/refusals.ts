/** Refuses what cannot be listed, or could not be read safely. */

import { lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ResyncError, unlessRefused } from '../../base/errors.js';
import { groupBy } from '../../base/group.js';
import type { SkipReason } from '../../base/notices.js';
import { say } from '../../base/text/say.js';
import { fitsZip } from '../../standard/cuts/borders.js';

/** So far, in milliseconds, the clock of a file system in the network may be behind ours. */
const CLOCK_DIFFERENCE = 60_000;

/** For so many folders, listing the one above them is quicker than looking at each. */
const WORTH_LISTING = 16;

/** Before the file is read, which takes its time. */
export function refuseLarge(site: string, path: string): void {
  const length = statSync(`${site}/${path}`, { throwIfNoEntry: false })?.size ?? 0;
  if (fitsZip([{ length }])) return;
  throw new ResyncError(
    'file-too-large',
    say`${path} has ${length} bytes, more than a ZIP package can hold.\nLeave it out with --exclude ${JSON.stringify(path)}, or leave out --dumps; nothing has been written.`,
  );
}

/**
 * A file is never read through a link in its own place; a folder on the way to it may have become one. Who replaces a
 * folder changes the one above it: where that shows, all folders in it are looked at, after the last file was read.
 *
 * @param folders all that were listed
 * @param begin when the first of them was
 */
export function refuseSwapped(site: string, folders: readonly string[], begin: number): void {
  const below = groupBy(folders, (folder) =>
    folder === '' ? undefined : folder.slice(0, Math.max(0, folder.lastIndexOf('/'))),
  );
  const look = (folder: string) => lstatSync(`${site}/${folder}`, { throwIfNoEntry: false });
  for (const [parent, children] of below) {
    if ((look(parent)?.ctimeMs ?? begin) < begin - CLOCK_DIFFERENCE) continue;
    const links = children.length < WORTH_LISTING ? undefined : listLinks(`${site}/${parent}`);
    if (links?.size === 0) continue;
    const swapped = children.find(
      (folder) => links?.has(basename(folder)) ?? look(folder)?.isSymbolicLink() === true,
    );
    if (swapped === undefined) continue;
    throw new ResyncError(
      'file-changing',
      say`${join(site, swapped)} became a symbolic link while it was read; nothing has been written.\nFind out who did that, and run again when nobody changes the site.`,
    );
  }
}

/** The names of the symbolic links in a folder; undefined where it cannot be listed any more. */
function listLinks(folder: string): ReadonlySet<string> | undefined {
  const entries = unlessRefused(() => readdirSync(folder, { withFileTypes: true }));
  return entries && new Set(entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name));
}

export function refuseName(path: string): never {
  throw new ResyncError(
    'name-not-unicode',
    say`The name ${JSON.stringify(path)} is not valid Unicode (\uFFFD or \\u… stands for what is not), so it has no URL.\nRename the file or folder, or leave it out with --exclude.`,
  );
}

export function refuseConflict(uri: string, a: string, b: string, style: string): never {
  const [first, second] = a < b ? [a, b] : [b, a];
  throw new ResyncError(
    'url-conflict',
    say`${first} and ${second} have one URL, ${uri} (with --urls ${style}).\nLeave one of them out with --exclude, or choose the --urls style of your host.`,
  );
}

export function refuseEmpty(site: string, skipped: Readonly<Partial<Record<SkipReason, number>>>): never {
  const left = Object.values(skipped).reduce((sum, count) => sum + count, 0);
  throw new ResyncError(
    'site-empty',
    left === 0
      ? say`${site} is empty. Is it the right folder?\nBuild the site first, or name the folder that the build writes.`
      : say`${site} holds nothing to list: ${left === 1 ? 'its one file is' : `all ${left} files are`} left out. Is it the right folder?\nName the folder that the build writes, or look at --include and --exclude.`,
  );
}
