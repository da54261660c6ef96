/** Reads the publications in git. */

import { ResyncError } from '../base/errors.js';
import { say } from '../base/text/say.js';
import { fixLatest } from '../base/time.js';
import { isSnapshotRef } from '../paths/ours.js';
import { readPublications } from './git/log.js';
import { resolveCommit } from './git/refs.js';
import type { GitHistory, GitPlace, History } from './history.js';
import { settleDates } from './plan/dates.js';

/** Reads the publications in git. @param previous an earlier result, returned if place and tip are the same */
export async function readPublishedCommits(
  place: GitPlace,
  previous: History | undefined,
): Promise<GitHistory> {
  const { repository, ref, commit, folder, mayBeMissing } = place;
  const tip = commit ?? (await resolveCommit(repository, ref));
  if (previous?.kind === 'git' && previous.tip === tip && isSamePlace(previous.place, place)) return previous;
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

function isSamePlace(a: GitPlace, b: GitPlace): boolean {
  // Compares the boundary, too: a clone has the same tip after it was made complete.
  const facts = ({ repository: { root, boundary }, ref, folder }: GitPlace) =>
    JSON.stringify([root, ref, folder, ...boundary]);
  return facts(a) === facts(b);
}
