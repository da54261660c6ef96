/** Errors of a scan: files that cannot be listed or were not read safely. */

import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ResyncError } from '../../base/errors.js';
import type { SkipReason } from '../../base/reasons.js';
import { say } from '../../base/text/say.js';
import { fitsZip } from '../../standard/cuts/borders.js';

/** Refuses a file that no ZIP package can hold, before it is read, which may take long. */
export function refuseLarge(site: string, path: string): void {
  const length = statSync(`${site}/${path}`, { throwIfNoEntry: false })?.size ?? 0;
  if (fitsZip([{ length }])) return;
  throw new ResyncError(
    'file-too-large',
    say`${path} has ${length} bytes, more than a ZIP package can hold.\nLeave it out with --exclude ${JSON.stringify(path)}, or leave out --dumps. Nothing has been written.`,
  );
}

/** Refuses folders that became symbolic links during the scan. Files that are links themselves are never read. */
export function refuseSwapped(site: string, folders: readonly string[]): void {
  const isLink = (folder: string) =>
    lstatSync(`${site}/${folder}`, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const swapped = folders.find((folder) => folder !== '' && isLink(folder));
  if (swapped === undefined) return;
  throw new ResyncError(
    'file-changing',
    say`${join(site, swapped)} became a symbolic link while it was read. Nothing has been written.\nFind out what changes the site, and run again.`,
  );
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
