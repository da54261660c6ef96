/** Test whether every build of a site seems to change nearly all pages. */

import type { ContentKind } from '../files/page/kind.js';
import type { Comparison } from './model.js';

/** A build whose result depends on when it ran. */
export interface Unreproducible {
  readonly updated: number;
  readonly pages: number;
  /** Number of updated pages that differ only in times, dates, hashes and numbers. */
  readonly masked: number;
  /** Whether all were compared; otherwise, `masked` is estimated from a sample. */
  readonly exact: boolean;
  /** The line of the largest group. It comes from the site. */
  readonly line: string;
  readonly kind: ContentKind;
  /** The commit of the sources if the last publication has the same: the result is certain, and includes all files. */
  readonly source?: string;
}

const FEWEST_PAGES = 5;
/** Less than 1, because some pages may have been edited as well. */
const MASKED_SHARE = 0.8;

export function areMostPagesUpdated(updated: number, pages: number): boolean {
  return pages >= FEWEST_PAGES && updated * 2 > pages;
}

/**
 * Judges a build by its updated pages or a sample; of the same sources, by all files, none of which should have changed.
 * @param counts numbers of pages, or of all files @param source the commit, if the last publication was built from it
 * @returns undefined if the build seems to be reproducible
 */
export function judgeBuild(
  { updated, pages }: { readonly updated: number; readonly pages: number },
  comparison: Pick<Comparison, 'pages' | 'files'>,
  source: string | undefined,
): Unreproducible | undefined {
  const sample = source === undefined ? comparison.pages : comparison.files;
  const { compared, line = '', kind = 'binary' } = sample;
  const masked = compared === 0 ? 0 : Math.round((updated * sample.masked) / compared);
  const judged = { updated, pages, masked, exact: compared >= updated, line, kind };
  if (source !== undefined) return updated === 0 ? undefined : { ...judged, source };
  const areAlike = sample.masked >= compared * MASKED_SHARE && masked * 2 > pages;
  return areMostPagesUpdated(updated, pages) && areAlike ? judged : undefined;
}
