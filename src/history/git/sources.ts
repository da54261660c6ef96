/** Finds the commit that a build is made from, and compares it with that of the previous publication. */

import { ignoring, ResyncError } from '../../base/errors.js';
import { isSnapshotRef } from '../../paths/ours.js';
import type { GitHistory, GitPlace } from '../history.js';
import { askGit, switchOff } from './run.js';

/**
 * Finds the commit of the sources beside a site; undefined if they are not known, if files outside of the site differ from
 * the commit, or if git fails. A file that was written again counts as different, since its bytes are not read.
 */
export async function findCleanCommit({ ref, folder, repository }: GitPlace): Promise<string | undefined> {
  const site = folder === '' ? repository.prefix : folder;
  // The sources are known if snapshots record the site, or if it is committed beside them; at the top, it has none beside it.
  if (site === '' || !(ref === 'HEAD' || isSnapshotRef(ref))) return undefined;
  const { head, settings } = repository;
  if (head === undefined) return undefined;
  const look = async () => {
    // Switches filters off: git would run them to read a file that is as old as the index.
    const oddSettings = switchOff(settings, 'filter', { clean: '', process: '', required: 'false' });
    const list = (...args: string[]) => askGit(repository, [...args, '-z'], { oddSettings });
    const lists = await Promise.all([
      list('diff-index', '--name-only', '--ignore-submodules=all', head),
      list('ls-files', '--others', '--exclude-standard', '--directory', '--no-empty-directory'),
    ]);
    return lists.every((paths) => areOfSite(paths, site)) ? head : undefined;
  };
  return look().catch(ignoring(ResyncError));
}

/** Tests if the newest publication was built from the same sources as are in the commit `source`; false if git fails. */
export async function isOfSource({ place, publications, tip }: GitHistory, source: string): Promise<boolean> {
  const { ref, folder, repository } = place;
  const look = async () => {
    const [, previous = publications.at(-1)?.id] =
      isSnapshotRef(ref) && tip !== undefined
        ? (SOURCE.exec(await askGit(repository, ['log', '-1', '--format=%B', tip])) ?? ['', ''])
        : [];
    if (previous === undefined || previous === '') return false;
    const changed = ['diff-tree', '-r', '--name-only', '-z', '--ignore-submodules=none', previous, source];
    return previous === source || areOfSite(await askGit(repository, changed), folder || repository.prefix);
  };
  return (await look().catch(ignoring(ResyncError))) === true;
}

/** Matches the line `Source: <commit>` in the message of a snapshot: the commit that the site was built from. */
const SOURCE = /^Source: ([\da-f]{40,64})$/m;

function areOfSite(paths: string, site: string): boolean {
  return paths.split('\0').every((path) => path === '' || path.startsWith(`${site}/`));
}
