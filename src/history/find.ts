/** Finds the place where the history of a site is kept. */

import type { Config } from '../config/config.js';
import type { Repository } from './git/repository.js';
import type { HistoryPlace } from './history.js';
import { refuseRecord } from './snapshot-ref.js';
import { listWorkTrees } from './work-trees.js';

/**
 * @returns undefined if there is no history
 * @throws ResyncError `history-missing`, `config-invalid`, `git-failed`
 */
export async function findHistory(config: Config, site: string): Promise<HistoryPlace | undefined> {
  const { history, record } = config;
  if (history.kind === 'none') {
    if (record) refuseRecord('there is no history to keep it in');
    return undefined;
  }
  if (history.kind === 'published') {
    if (record) refuseRecord('the live site keeps the publications itself');
    return { kind: 'published' };
  }
  if (history.kind === 'auto' && !record && listWorkTrees(site).length === 0) return undefined;
  // Running other programs takes time to load, which a site without a history is spared.
  const { findInGit } = await import('./find-in-git.js');
  return findInGit(config, history, site);
}

/** The repository that keeps the history, or undefined if git does not. */
export function repositoryOf(place: HistoryPlace | undefined): Repository | undefined {
  return place?.kind === 'git' ? place.repository : undefined;
}

/** The algorithm of blob ids in the repository, or undefined if there is none. */
export function blobNameOf(place: HistoryPlace | undefined): 'git-sha1' | 'git-sha256' | undefined {
  const repository = repositoryOf(place);
  return repository && (`git-${repository.objectFormat}` as const);
}
