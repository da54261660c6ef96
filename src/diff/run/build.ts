/** Judges by a few pages whether every build of a site changes nearly all of them. */

import type { GitHistory, KnownHistory } from '../../history/known.js';
import type { Resource } from '../../resourcesync/model.js';
import type { ScannedSite } from '../../site/scan.js';
import { startComparison } from '../compare.js';
import { judgeType } from '../content.js';
import { areMostPagesUpdated, judgeBuild, takeSample, type Unreproducible } from '../reproducible.js';
import { startReading } from './past-in-git.js';
import { readUnchanged } from './present.js';

/** Larger pages are passed by: what is told is not worth to read them. In bytes. */
const PAGE_LIMIT = 1_000_000;

/**
 * Compares a sample of the pages that this publication updates with what git has.
 *
 * @param site absolute path
 * @returns undefined when few pages changed, or the build looks reproducible
 * @throws ResyncError `git-failed`, `file-changing`
 */
export async function judgePublication(
  site: string,
  scanned: ScannedSite,
  { publications, place }: GitHistory,
  known: KnownHistory,
): Promise<Unreproducible | undefined> {
  const pages = scanned.resources.filter(({ type }) => judgeType(type) === 'page');
  const uris = listUpdated(known);
  const updated = pages.filter(({ uri }) => uris.has(uri));
  if (!areMostPagesUpdated(updated.length, pages.length)) return undefined;
  const sample = takeSample(updated);
  const blobs = findBlobs(publications, new Set(sample.map(({ path }) => path)));
  // How large they are, git would have to be asked first, which takes as long as all the rest.
  const here = sample.flatMap((page) => {
    const blob = blobs.get(page.path) ?? '';
    return blob === '' || page.length > PAGE_LIMIT ? [] : [{ page, blob }];
  });
  const comparer = startComparison();
  const reader = startReading(
    place.repository,
    here.map(({ blob }) => blob),
  );
  try {
    for (const { page } of here) {
      const before = await reader.readNext();
      const after = readUnchanged(site, page.path, page.length);
      comparer.add({ ...factsOf(page), change: 'updated' }, { before, after });
    }
  } finally {
    reader.close();
  }
  return judgeBuild({ updated: updated.length, pages: pages.length }, comparer.finish().pages);
}

function factsOf({ uri, path, type, length }: Resource) {
  return { uri, path, type, length };
}

/** What this publication updates. */
function listUpdated({ at, sets }: KnownHistory): ReadonlySet<string> {
  const uris = new Set<string>();
  for (const { changes } of sets.flatMap(({ lists }) => lists)) {
    for (const { change, uri, datetime } of changes) {
      if (change === 'updated' && datetime.getTime() === at.getTime()) uris.add(uri);
    }
  }
  return uris;
}

/** What paths had last. A page that had another path is none that a sample would miss. */
function findBlobs(
  publications: GitHistory['publications'],
  paths: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const blobs = new Map<string, string>();
  for (let index = publications.length - 1; index >= 0 && blobs.size < paths.size; index--) {
    for (const { path, blob } of publications[index]?.changes ?? []) {
      if (paths.has(path) && !blobs.has(path)) blobs.set(path, blob ?? '');
    }
  }
  return blobs;
}
