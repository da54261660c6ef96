/** Makes the notice about builds that change unedited files: nearly all pages, or any file if the sources are the same. */

import { ResyncError } from '../../base/errors.js';
import type { Notice } from '../../base/notices.js';
import { takeSample } from '../../base/sample.js';
import { readUnchanged } from '../../files/beginning.js';
import { isOfSource } from '../../history/git/sources.js';
import type { GitHistory, Timeline } from '../../history/history.js';
import { judgeType } from '../../standard/content.js';
import type { Resource } from '../../standard/model.js';
import { Comparer } from '../compare.js';
import type { Comparison } from '../model.js';
import { areMostPagesUpdated, judgeBuild, type Unreproducible } from '../reproducible.js';
import { PageVersions, type VersionsPlace } from './versions.js';

/**
 * Makes the notice if builds seem to change files by themselves. Fetches nothing from the live site.
 *
 * @param url of the site
 * @param builtOf the commit of the sources from which the site was built
 * @param updates number of resources that this publication updates
 */
export async function noticeBuild(
  place: VersionsPlace,
  url: string,
  timeline: Timeline,
  builtOf: Promise<string | undefined>,
  updates: number,
): Promise<Notice[]> {
  const { scanned, history } = place;
  const pages = scanned.resources.filter(({ type }) => judgeType(type) === 'page').length;
  const source = await findSameSource(history, builtOf);
  if (source === undefined && !areMostPagesUpdated(updates, pages)) return [];
  try {
    const judged = await judgePublication(place, url, timeline, source);
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

/** Limit of pages to compare, in bytes: larger ones are skipped. */
const PAGE_LIMIT = 1_000_000;

/**
 * Compares a sample of the updated pages with their versions in git; if the sources are the same, of all updated files.
 *
 * @param url of the site
 * @param source the commit of the sources, if the previous publication was built from it
 * @returns undefined if few pages changed, or the build seems to be reproducible
 * @throws ResyncError `git-failed`, `file-changing`
 */
async function judgePublication(
  place: VersionsPlace,
  url: string,
  { committed }: Timeline,
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
