/** Reads the publications in git. */

import { ResyncError } from '../base/errors.js';
import { say } from '../base/text/say.js';
import { fixLatest } from '../base/time.js';
import { isSnapshotRef } from '../paths/ours.js';
import type { PathTest, Selection } from '../paths/selection.js';
import { horizonOf } from '../standard/cuts/changes.js';
import type { CommittedRules } from './from-git.js';
import { BlobDigester, type BlobFacts, locateBlob } from './git/digest-blobs.js';
import { readPublications } from './git/log.js';
import { resolveCommit } from './git/refs.js';
import type { GitHistory, GitPlace } from './history.js';
import { isJudged } from './past/hiding.js';
import { settleDates } from './plan/dates.js';
import { type Publication, secondsOf } from './plan/replay.js';

/** Options that decide what is read from commits. */
export interface CommitRules extends Pick<CommittedRules, 'noindex' | 'hash' | 'changes' | 'archives'> {
  readonly selection: Selection;
  readonly sets: readonly { readonly holds: PathTest }[];
}

const NO_FACTS: BlobFacts = { digests: new Map(), noindex: new Map() };

/** Reads the publications in git, and meanwhile digests superseded versions, which the site probably lacks. */
export async function readPublishedCommits(
  place: GitPlace,
  rules: CommitRules,
  previous: GitHistory | undefined,
): Promise<GitHistory> {
  const { repository, ref, commit, folder, mayBeMissing } = place;
  const tip = commit ?? (await resolveCommit(repository, ref));
  if (previous !== undefined && previous.tip === tip && isSamePlace(previous.place, place)) return previous;
  const { boundary } = repository;
  if (tip === undefined) {
    if (mayBeMissing)
      return { kind: 'git', place, tip, boundary, publications: [], misdated: [], ...NO_FACTS };
    throw new ResyncError(
      'history-missing',
      say`There is no ${ref} in ${repository.root}.\nFetch it (git fetch origin, with the full name of the branch), or use --history none for the first publication.`,
    );
  }
  const publications: Publication[] = [];
  const reading = readPublications(repository, tip, folder, isSnapshotRef(ref));
  const locate = (blob: string) => locateBlob(publications, blob);
  const digester = await BlobDigester.open(repository, rules.hash, locate);
  const met = new Set<string>();
  const archived = rules.archives !== undefined;
  let horizon = Number.NEGATIVE_INFINITY;
  try {
    for await (const publication of reading) {
      // Requests versions one publication later: the oldest one is the baseline, whose versions are not listed.
      const before = publications.at(-1);
      if (before !== undefined) readSuperseded(before.changes, secondsOf(before) > horizon);
      else if (!archived) horizon = horizonOf(secondsOf(publication) * 1000, rules.changes) / 1000;
      publications.push(publication);
    }
    // The baseline has no listed changes, but its files are archived, and its pages may be hidden.
    for (const { changes } of publications.slice(-1)) readSuperseded(changes, archived);
  } catch (error) {
    digester.close();
    throw error;
  }
  const facts = await digester.finish();
  const dated = settleDates(publications.reverse(), fixLatest(process.env).getTime() / 1000);
  return { kind: 'git', place, tip, boundary, ...dated, ...facts };

  /** Requests the versions that a later one replaced. Those older than the listed changes matter only for `noindex`. */
  function readSuperseded(changes: Publication['changes'], digest: boolean): void {
    const judges = rules.noindex === 'skip';
    if (!digest && !judges) return;
    for (const { path, blob } of changes) {
      const isSuperseded = met.has(path);
      met.add(path);
      if (blob === undefined || !isSuperseded || rules.selection(path) !== undefined) continue;
      const judge = judges && isJudged(rules, path);
      if (digest || judge) digester.add(blob, { digest, judge });
    }
  }
}

function isSamePlace(a: GitPlace, b: GitPlace): boolean {
  // Compares the boundary, too: a clone has the same tip after it was made complete.
  const facts = ({ repository: { root, boundary }, ref, folder }: GitPlace) =>
    JSON.stringify([root, ref, folder, ...boundary]);
  return facts(a) === facts(b);
}
