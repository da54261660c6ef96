/** Judges by a few files whether builds of a site change them by themselves. */

import { ResyncError } from '../../base/errors.js';
import { takeSample } from '../../base/sample.js';
import { readBlobLengths } from '../../history/git/digest-blobs.js';
import type { GitHistory, GitPlace, KnownHistory } from '../../history/known.js';
import { readUnchanged } from '../../site/scan/beginning.js';
import type { ScannedSite } from '../../site/scanned.js';
import { judgeType } from '../../standard/content.js';
import type { Resource } from '../../standard/model.js';
import { startComparison } from '../compare.js';
import type { Comparison } from '../model.js';
import { areMostPagesUpdated, judgeBuild, type Unreproducible } from '../reproducible.js';
import { startReadingVersions } from './past-in-git.js';

/** Larger pages are passed by: what is told is not worth to read them. In bytes. */
const PAGE_LIMIT = 1_000_000;

/**
 * Compares a sample of the pages that this publication updates with what git has; or of all files, where they should not differ.
 *
 * @param site absolute path
 * @param source the commit of the sources, where the publication before was built of the same
 * @returns undefined when few pages changed, or the build looks reproducible
 * @throws ResyncError `git-failed`, `file-changing`
 */
export async function judgePublication(
  site: string,
  scanned: ScannedSite,
  { place }: GitHistory,
  { committed }: KnownHistory,
  source: string | undefined,
): Promise<Unreproducible | undefined> {
  const all = source !== undefined;
  const pages = scanned.resources.filter(({ type }) => all || judgeType(type) === 'page');
  const formers = new Map(
    committed?.sets.flatMap(({ unpublished }) =>
      unpublished.map(({ uri, former, present }) => [uri, present && former?.blob]),
    ),
  );
  const updated = [...pages.filter(({ uri }) => formers.get(uri) !== undefined)];
  if (!all && !areMostPagesUpdated(updated.length, pages.length)) return undefined;
  // How large the former ones are, git would have to be asked first, which takes as long as all the rest.
  const here = takeSample(updated)
    .filter(({ length }) => length <= PAGE_LIMIT)
    .map((page) => ({ page, blob: formers.get(page.uri) ?? '' }));
  const read = await comparePages(site, place, here);
  return judgeBuild({ updated: updated.length, pages: pages.length }, read, source);
}

interface FormerPage {
  readonly page: Resource;
  /** What it was before. */
  readonly blob: string;
}

/** Compares pages with what they were. Those that a partial clone does not have are passed by. */
async function comparePages(
  site: string,
  place: GitPlace,
  pages: readonly FormerPage[],
): Promise<Pick<Comparison, 'pages' | 'files'>> {
  try {
    return await compareAll(site, place, pages);
  } catch (error) {
    if (!(error instanceof ResyncError && error.code === 'git-failed')) throw error;
    // Only now, because it takes as long as all the rest.
    const lengths = await readBlobLengths(
      place.repository,
      pages.map(({ blob }) => blob),
    );
    const here = pages.filter(({ blob }) => lengths.has(blob));
    if (here.length === pages.length) throw error;
    return await compareAll(site, place, here);
  }
}

async function compareAll(
  site: string,
  place: GitPlace,
  pages: readonly FormerPage[],
): Promise<Pick<Comparison, 'pages' | 'files'>> {
  const comparer = startComparison();
  const reader = startReadingVersions(
    place,
    pages.map(({ blob }) => blob),
  );
  try {
    for (const { page } of pages) {
      const before = await reader.readNext();
      const after = readUnchanged(site, page.path, page.length);
      comparer.add({ ...page, change: 'updated' }, { before, after });
    }
  } finally {
    reader.close();
  }
  return comparer.finish();
}
