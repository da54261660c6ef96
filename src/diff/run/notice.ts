/** Notices that every build of a site seems to change nearly all pages. Where few changed, the comparison is not loaded. */

import { ResyncError } from '../../base/errors.js';
import type { Notice } from '../../base/notices.js';
import type { History, KnownHistory } from '../../history/known.js';
import type { ScannedSite } from '../../site/scanned.js';
import { judgeType } from '../content.js';
import { areMostPagesUpdated } from '../reproducible.js';

/**
 * Says whether every build seems to change nearly all pages. What is live is not fetched for this.
 *
 * @param site absolute path
 * @param history what is known of the publications, and what it makes of the site
 * @param updates how many resources this publication updates
 */
export async function noticeBuild(
  site: string,
  scanned: ScannedSite,
  { history, known }: { readonly history: History | undefined; readonly known: KnownHistory | undefined },
  updates: number,
): Promise<Notice[]> {
  if (history?.kind !== 'git' || known?.pending !== true) return [];
  const pages = scanned.resources.filter(({ type }) => judgeType(type) === 'page').length;
  if (!areMostPagesUpdated(updates, pages)) return [];
  const { judgePublication } = await import('./build.js');
  try {
    const judged = await judgePublication(site, scanned, history, known);
    if (judged === undefined) return [];
    const { updated, masked, exact, line } = judged;
    return [{ code: 'build-not-reproducible', updated, pages: judged.pages, masked, exact, line }];
  } catch (error) {
    // The notice is a service; the lists are right without it.
    if (error instanceof ResyncError) return [];
    throw error;
  }
}
