/** Judgement, by a sample of files, whether builds change files that nobody edited. */

import { takeSample } from '../../base/sample.js';
import { readUnchanged } from '../../files/beginning.js';
import type { KnownHistory } from '../../history/history.js';
import { judgeType } from '../../standard/content.js';
import type { Resource } from '../../standard/model.js';
import { Comparer } from '../compare.js';
import type { Comparison } from '../model.js';
import { areMostPagesUpdated, judgeBuild, type Unreproducible } from '../reproducible.js';
import { PageVersions, type VersionsPlace } from './versions.js';

/** Larger pages are skipped, in bytes. */
const PAGE_LIMIT = 1_000_000;

/**
 * Compares a sample of the updated pages with their versions in git; or a sample of all files, if none should differ.
 *
 * @param url of the site
 * @param source the commit of the sources, if the previous publication was built from it
 * @returns undefined if few pages changed, or the build seems to be reproducible
 * @throws ResyncError `git-failed`, `file-changing`
 */
export async function judgePublication(
  place: VersionsPlace,
  url: string,
  { committed }: KnownHistory,
  source: string | undefined,
): Promise<Unreproducible | undefined> {
  const all = source !== undefined;
  const { resources } = place.scanned;
  const pages = resources.filter(({ type }) => all || judgeType(type) === 'page');
  const previous = new Map(
    committed?.sets.flatMap(({ unpublished }) =>
      unpublished.map(({ uri, previous, present }) => [uri, present && previous?.blob]),
    ),
  );
  const updated: UpdatedPage[] = [];
  for (const page of pages) {
    const blob = previous.get(page.uri);
    if (blob !== undefined) updated.push({ page, blob });
  }
  if (!all && !areMostPagesUpdated(updated.length, pages.length)) return undefined;
  const sample = takeSample(updated).filter(({ page }) => page.length <= PAGE_LIMIT);
  const comparison = await comparePages(place, url, sample);
  return judgeBuild({ updated: updated.length, pages: pages.length }, comparison, source);
}

interface UpdatedPage {
  readonly page: Resource;
  /** Its previous version. */
  readonly blob: string;
}

/** Compares pages with their previous versions. Versions that a partial clone lacks are skipped. */
async function comparePages(
  place: VersionsPlace,
  url: string,
  pages: readonly UpdatedPage[],
): Promise<Pick<Comparison, 'pages' | 'files'>> {
  const comparer = new Comparer(url);
  const versions = await PageVersions.open(place);
  try {
    versions.ask(pages.map(({ blob }) => blob));
    for (const { page, blob } of pages) {
      const before = await versions.read(blob);
      const after = readUnchanged(place.site, page.path, page.length);
      if (before !== undefined) comparer.add({ ...page, change: 'updated' }, { before, after });
    }
  } finally {
    versions.close();
  }
  return comparer.finish();
}
