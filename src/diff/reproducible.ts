/** Says whether a site looks as if every build of it changed nearly all pages. */

import type { ContentKind } from '../files/page/kind.js';
import type { Comparison } from './model.js';

/** A build whose result depends on when it ran. */
export interface Unreproducible {
  /** So many pages were updated. */
  readonly updated: number;
  /** So many pages the site has. */
  readonly pages: number;
  /** So many of those updated differ in times, dates, hashes and numbers only. */
  readonly masked: number;
  /** Whether each of them was looked at; otherwise `masked` comes from a sample. */
  readonly exact: boolean;
  /** The line in which most differ. It comes from the site. */
  readonly line: string;
  /** Whether readers see it. */
  readonly kind: ContentKind;
  /**
   * The commit of the sources, where the publication before was built of the same: then it is certain, and all numbers are
   * of files of all kinds.
   */
  readonly source?: string;
}

const FEWEST_PAGES = 5;
/** Some pages may have been edited as well. */
const MASKED_SHARE = 0.8;

/** Whether so many pages changed that it is worth to find out why. */
export function areMostPagesUpdated(updated: number, pages: number): boolean {
  return pages >= FEWEST_PAGES && updated * 2 > pages;
}

/**
 * Judges by a comparison of the updated pages or of a sample of them. Where the publication before was built of the same
 * sources, whatever was updated is not because of these: then it judges all files.
 *
 * @param counts how many pages, or files, were updated, and how many there are now
 * @param source the commit of the sources, where it is that of the publication before
 * @returns undefined when the build looks reproducible
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
