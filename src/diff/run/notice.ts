/** Makes the notice about builds that change unedited files: nearly all pages, or any file if the sources are the same. */

import { ResyncError } from '../../base/errors.js';
import type { Notice } from '../../base/notices.js';
import { takeSample } from '../../base/sample.js';
import { readUnchanged } from '../../files/beginning.js';
import { isOfSource } from '../../history/git/sources.js';
import type { GitHistory } from '../../history/history.js';
import type { SiteHistory } from '../../history/plan/derive.js';
import type { ScannedSite } from '../../site/scanned.js';
import { judgeType } from '../../standard/content.js';
import type { ChangedResource } from '../model.js';
import { areMostPagesUpdated, judgeBuild } from '../reproducible.js';
import { compareWithPast } from './compare-past.js';
import type { ReadPresent } from './past.js';
import { findPastInGit } from './past-in-git.js';
import type { VersionsPlace } from './versions.js';

/** Limit of files to compare, in bytes: larger ones are skipped. */
const LONGEST = 1_000_000;

/**
 * Makes the notice if builds seem to change files by themselves, by a sample of the updated files. Fetches nothing from the
 * live site.
 *
 * @param url of the site
 * @param builtOf the commit of the sources from which the site was built
 * @param updates number of resources that this publication updates
 */
export async function noticeBuild(
  place: VersionsPlace,
  url: string,
  committed: SiteHistory,
  builtOf: Promise<string | undefined>,
  updates: number,
): Promise<Notice[]> {
  const { site, scanned, history } = place;
  const source = await findSameSource(history, builtOf);
  const { files } = selectFiles([], scanned, source);
  if (source === undefined && !areMostPagesUpdated(updates, files)) return [];
  try {
    const past = await findPastInGit(place, committed);
    const { updated } = selectFiles(past.changes, scanned, source);
    if (source === undefined && !areMostPagesUpdated(updated.length, files)) return [];
    const sample = takeSample(updated).filter(({ length }) => length <= LONGEST);
    const readFile: ReadPresent = ({ path, length }) => readUnchanged(site, path, length);
    const { comparison } = await compareWithPast({ ...past, changes: sample }, readFile, url);
    const judged = judgeBuild({ updated: updated.length, pages: files }, comparison, source);
    if (judged === undefined) return [];
    const { kind: _, ...facts } = judged;
    return [{ code: 'build-not-reproducible', ...facts }];
  } catch (error) {
    if (error instanceof ResyncError) return [];
    throw error;
  }
}

/** Returns the commit of the sources of the site, if the newest publication was built from the same sources. */
export async function findSameSource(
  history: GitHistory,
  builtOf: Promise<string | undefined>,
): Promise<string | undefined> {
  const source = await builtOf;
  if (source === undefined) return undefined;
  return (await isOfSource(history, source)) ? source : undefined;
}

/** Selects the updated files by which a build is judged, and counts all such files: pages, or all if the sources are the same. */
export function selectFiles(
  changes: readonly ChangedResource[],
  { resources }: ScannedSite,
  source: string | undefined,
): { readonly updated: readonly ChangedResource[]; readonly files: number } {
  const counts = (type: string | undefined) => source !== undefined || judgeType(type) === 'page';
  return {
    updated: changes.filter(({ change, type }) => change === 'updated' && counts(type)),
    files: resources.filter(({ type }) => counts(type)).length,
  };
}
