/** Judges by a few files whether builds of a site change them by themselves. */

import { takeSample } from '../../base/sample.js';
import { readUnchanged } from '../../files/beginning.js';
import type { KnownHistory } from '../../history/known.js';
import { judgeType } from '../../standard/content.js';
import type { Resource } from '../../standard/model.js';
import { Comparer } from '../compare.js';
import type { Comparison } from '../model.js';
import { areMostPagesUpdated, judgeBuild, type Unreproducible } from '../reproducible.js';
import { PageVersions, type VersionsPlace } from './versions.js';

/** Larger pages are passed by: what is told is not worth to read them. In bytes. */
const PAGE_LIMIT = 1_000_000;

/**
 * Compares a sample of the pages that this publication updates with what git has; or of all files, where they should not differ.
 *
 * @param url of the site
 * @param source the commit of the sources, where the publication before was built of the same
 * @returns undefined when few pages changed, or the build looks reproducible
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
  const formers = new Map(
    committed?.sets.flatMap(({ unpublished }) =>
      unpublished.map(({ uri, former, present }) => [uri, present && former?.blob]),
    ),
  );
  const updated = [...pages.filter(({ uri }) => formers.get(uri) !== undefined)];
  if (!all && !areMostPagesUpdated(updated.length, pages.length)) return undefined;
  const here = takeSample(updated)
    .filter(({ length }) => length <= PAGE_LIMIT)
    .map((page) => ({ page, blob: formers.get(page.uri) ?? '' }));
  const read = await comparePages(place, url, here);
  return judgeBuild({ updated: updated.length, pages: pages.length }, read, source);
}

interface FormerPage {
  readonly page: Resource;
  /** What it was before. */
  readonly blob: string;
}

/** Compares pages with what they were. Those that a partial clone does not have are passed by. */
async function comparePages(
  place: VersionsPlace,
  url: string,
  pages: readonly FormerPage[],
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
