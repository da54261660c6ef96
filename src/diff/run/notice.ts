/**
 * Notice of builds that change files that nobody edited: nearly all pages, or any file if the previous publication was built
 * from the same sources.
 */

import { ResyncError } from '../../base/errors.js';
import type { Notice } from '../../base/notices.js';
import { isOfSource } from '../../history/git/sources.js';
import type { GitHistory, KnownHistory } from '../../history/history.js';
import type { ScannedSite } from '../../site/scanned.js';
import { judgeType } from '../../standard/content.js';
import { areMostPagesUpdated } from '../reproducible.js';

/**
 * Makes the notice if builds seem to change files by themselves. Fetches nothing from the live site.
 *
 * @param place absolute path and URL of the site
 * @param past the history, its state with this site, and the commit from which the site was built
 * @param updates number of resources that this publication updates
 */
export async function noticeBuild(
  { site, url }: { readonly site: string; readonly url: string },
  scanned: ScannedSite,
  {
    history,
    known,
    builtOf,
  }: {
    readonly history: GitHistory;
    readonly known: KnownHistory | undefined;
    readonly builtOf: Promise<string | undefined>;
  },
  updates: number,
): Promise<Notice[]> {
  if (known?.pending !== true || updates === 0) return [];
  const pages = scanned.resources.filter(({ type }) => judgeType(type) === 'page').length;
  const source = await findSameSource(history, builtOf);
  if (source === undefined && !areMostPagesUpdated(updates, pages)) return [];
  // The comparison is large, and few runs need it.
  const { judgePublication } = await import('./build.js');
  try {
    const judged = await judgePublication({ site, scanned, history }, url, known, source);
    if (judged === undefined) return [];
    const { kind: _, ...facts } = judged;
    return [{ code: 'build-not-reproducible', ...facts }];
  } catch (error) {
    // The lists are right without this notice.
    if (error instanceof ResyncError) return [];
    throw error;
  }
}

/** Returns the commit from which the site was built, if the newest publication was built from the same one. */
export async function findSameSource(
  history: GitHistory,
  builtOf: Promise<string | undefined>,
): Promise<string | undefined> {
  const source = await builtOf;
  if (source === undefined) return undefined;
  return (await isOfSource(history, source)) ? source : undefined;
}
