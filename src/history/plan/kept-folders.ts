/** Finds folders that deploys keep on their branch, though no build writes them. Pure. */

import { foldersOf } from '../../paths/folders.js';
import type { Publication } from './replay.js';

interface KeptFolder {
  readonly folder: string;
  readonly count: number;
}

const PAGE = /\.html?$/;

/**
 * Finds folders that deploys seem to keep: a publication changed no pages elsewhere, and a later one no file in the folder.
 * A folder that the build has just dropped was published together with other pages.
 * @param publications oldest first @param gone paths in the newest publication that the site lacks @param present of the site
 */
export function findKeptFolders(
  publications: readonly Publication[],
  gone: readonly string[],
  present: Iterable<string>,
): KeptFolder[] {
  const built = new Set<string>();
  for (const path of present) for (const folder of foldersOf(path)) built.add(folder);
  const counts = new Map<string, number>();
  for (const path of gone) {
    const folder = foldersOf(path).find((one) => !built.has(one));
    if (folder !== undefined) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].flatMap(([folder, count]) => (isKept(publications, folder) ? [{ folder, count }] : []));
}

function isKept([, ...publications]: readonly Publication[], folder: string): boolean {
  const isIn = ({ path }: { readonly path: string }) => path.startsWith(`${folder}/`);
  const own = publications.findIndex(
    ({ changes }) => changes.some(isIn) && changes.every((change) => isIn(change) || !PAGE.test(change.path)),
  );
  return own !== -1 && publications.slice(own + 1).some(({ changes }) => !changes.some(isIn));
}
