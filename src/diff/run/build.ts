/** Judges by a few files whether builds of a site change them by themselves. */

import { ResyncError } from '../../base/errors.js';
import { readBlobLengths } from '../../history/git/digest-blobs.js';
import type { Repository } from '../../history/git/repository.js';
import type { GitHistory, KnownHistory } from '../../history/known.js';
import { readUnchanged } from '../../site/scan/beginning.js';
import type { ScannedSite } from '../../site/scanned.js';
import type { Resource } from '../../standard/model.js';
import { startComparison } from '../compare.js';
import { judgeType } from '../content.js';
import type { Comparison } from '../model.js';
import {
  areMostPagesUpdated,
  judgeBuild,
  judgeSameSource,
  takeSample,
  type Unreproducible,
} from '../reproducible.js';
import { listNewest } from './past.js';
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
  { publications, place }: GitHistory,
  known: KnownHistory,
  source: string | undefined,
): Promise<Unreproducible | undefined> {
  const all = source !== undefined;
  const pages = scanned.resources.filter(({ type }) => all || judgeType(type) === 'page');
  const updates = listNewest(known).filter(({ change }) => change === 'updated');
  const uris = new Set(updates.map(({ uri }) => uri));
  const updated = [...pages.filter(({ uri }) => uris.has(uri))];
  if (!all && !areMostPagesUpdated(updated.length, pages.length)) return undefined;
  const sample = takeSample(updated);
  const blobs = findBlobs(publications, new Set(sample.map(({ path }) => path)));
  // How large they are, git would have to be asked first, which takes as long as all the rest.
  const here = sample.flatMap((page) => {
    const blob = blobs.get(page.path) ?? '';
    return blob === '' || page.length > PAGE_LIMIT ? [] : [{ page, blob }];
  });
  const read = await comparePages(site, place.repository, here);
  const counts = { updated: updated.length, pages: pages.length };
  return source === undefined ? judgeBuild(counts, read.pages) : judgeSameSource(counts, read.files, source);
}

interface FormerPage {
  readonly page: Resource;
  /** What it was before. */
  readonly blob: string;
}

/** Compares pages with what they were. Those that a partial clone does not have are passed by. */
async function comparePages(
  site: string,
  repository: Repository,
  pages: readonly FormerPage[],
): Promise<Pick<Comparison, 'pages' | 'files'>> {
  try {
    return await compareAll(site, repository, pages);
  } catch (error) {
    if (!(error instanceof ResyncError && error.code === 'git-failed')) throw error;
    // Only now, because it takes as long as all the rest.
    const lengths = await readBlobLengths(
      repository,
      pages.map(({ blob }) => blob),
    );
    const here = pages.filter(({ blob }) => lengths.has(blob));
    if (here.length === pages.length) throw error;
    return await compareAll(site, repository, here);
  }
}

async function compareAll(
  site: string,
  repository: Repository,
  pages: readonly FormerPage[],
): Promise<Pick<Comparison, 'pages' | 'files'>> {
  const comparer = startComparison();
  const reader = startReadingVersions(
    repository,
    pages.map(({ blob }) => blob),
  );
  try {
    for (const { page } of pages) {
      const before = await reader.readNext();
      const after = readUnchanged(site, page.path, page.length);
      comparer.add({ ...factsOf(page), change: 'updated' }, { before, after });
    }
  } finally {
    reader.close();
  }
  return comparer.finish();
}

function factsOf({ uri, path, type, length }: Resource) {
  return { uri, path, type, length };
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
