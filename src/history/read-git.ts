/** Reads the publications in git. */

import { ResyncError } from '../base/errors.js';
import { say } from '../base/text/say.js';
import { fixLatest } from '../base/time.js';
import { isSnapshotRef } from '../paths/ours.js';
import { readPublications } from './git/log.js';
import { resolveCommit } from './git/refs.js';
import type { GitHistory, GitPlace } from './history.js';
import { settleDates } from './plan/dates.js';

/** Reads the publications in git. */
export async function readPublishedCommits(place: GitPlace): Promise<GitHistory> {
  const { repository, ref, commit, folder, mayBeMissing } = place;
  const tip = commit ?? (await resolveCommit(repository, ref));
  if (tip === undefined && !mayBeMissing) {
    throw new ResyncError(
      'history-missing',
      say`There is no ${ref} in ${repository.root}.\nFetch it (git fetch origin, with the full name of the branch), or use --history none for the first publication.`,
    );
  }
  const newestFirst =
    tip === undefined ? [] : await readPublications(repository, tip, folder, isSnapshotRef(ref));
  const dated = settleDates(newestFirst.toReversed(), fixLatest(process.env).getTime() / 1000);
  const { boundary } = repository;
  return { kind: 'git', place, tip, boundary, ...dated, digests: new Map(), noindex: new Map() };
}
