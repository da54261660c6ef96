/** Tests if every build of a site seems to change nearly all pages. */

import type { UnstableBuild } from '../base/notices.js';
import type { ContentKind } from '../files/page/kind.js';
import type { Comparison } from './model.js';

/** A build whose result depends on when it ran. */
export interface Unreproducible extends UnstableBuild {
  readonly kind: ContentKind;
}

const FEWEST_PAGES = 5;
/** Least share of compared pages that differ only in masked values: not all, because some may have been edited, too. */
const MASKED_SHARE = 0.8;

export function areMostPagesUpdated(updated: number, pages: number): boolean {
  return pages >= FEWEST_PAGES && updated * 2 > pages;
}

/**
 * Judges a build by its updated pages, or a sample of these; if the sources in git are the same, by all files: none should
 * differ in times, hashes or numbers alone. A new text may come from elsewhere: from a database, or from an edit by hand.
 * @param counts numbers of pages, or of all files @param source commit of the sources, if the last publication has the same
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
  if (source !== undefined) return masked === 0 ? undefined : { ...judged, source };
  const areAlike = sample.masked >= compared * MASKED_SHARE && masked * 2 > pages;
  return areMostPagesUpdated(updated, pages) && areAlike ? judged : undefined;
}
