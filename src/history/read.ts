/** Reads a history from where it is kept, and finds out what it makes of the site. */

import { ResyncError } from '../base/errors.js';
import { say } from '../base/text/say.js';
import { fixLatest } from '../base/time.js';
import type { Config } from '../config/config.js';
import { isSnapshotRef } from '../paths/ours.js';
import type { ScannedSite } from '../site/scanned.js';
import { horizonOf } from '../standard/cuts/changes.js';
import type { BlobFacts } from './git/digest-blobs.js';
import type { GitHistory, GitPlace, History, HistoryPlace, KnownHistory } from './known.js';
import type { LiveConfig } from './live/live.js';
import { isJudged } from './past/judged.js';
import { settleDates } from './plan/dates.js';
import type { Publication } from './plan/replay.js';

/** What reading from git goes by. */
type CommitsConfig = Pick<Config, 'selection' | 'noindex' | 'sets' | 'hash' | 'changes' | 'archives'>;

/**
 * Reads what is known of the publications.
 *
 * @param former what was read before, with the same configuration; it holds as long as neither place nor tip has changed.
 *   What is live is not read again
 * @throws ResyncError `history-missing` when the ref should exist and does not, `git-failed`, `live-unreadable`,
 *   `live-foreign`
 */
export async function readHistory(
  place: HistoryPlace,
  config: LiveConfig & CommitsConfig,
  former?: History,
): Promise<History> {
  if (place.kind === 'git') {
    return await readCommits(place, config, former?.kind === 'git' ? former : undefined);
  }
  if (former?.kind === 'published') return former;
  const { readLive } = await import('./live/live.js');
  return await readLive(config);
}

const NO_FACTS: BlobFacts = { digests: new Map(), noindex: new Map() };

/** Reads the publications that git has, and meanwhile what the site is unlikely to hold any more. */
async function readCommits(
  place: GitPlace,
  config: CommitsConfig,
  former: GitHistory | undefined,
): Promise<GitHistory> {
  const { repository, ref, commit, folder, mayBeMissing } = place;
  // Starting other programs takes time to load, which a site without a history is spared.
  const { readPublications } = await import('./git/log.js');
  const { resolveCommit } = await import('./git/refs.js');
  const { locateBlob, startBlobDigester } = await import('./git/digest-blobs.js');
  const tip = commit ?? (await resolveCommit(repository, ref));
  if (former !== undefined && former.tip === tip && isSamePlace(former.place, place)) return former;
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
  const digester = await startBlobDigester(repository, config.hash, locate);
  /** Paths that were met. */
  const met = new Set<string>();
  const archived = config.archives !== undefined;
  let horizon = Number.NEGATIVE_INFINITY;
  try {
    for await (const publication of reading) {
      // One behind: the oldest publication is the baseline, and its versions are not listed.
      const before = publications.at(-1);
      // Archives tell of everything.
      if (before !== undefined) readSuperseded(before.changes, (before.seconds ?? 0) > horizon);
      else if (!archived) horizon = horizonOf((publication.seconds ?? 0) * 1000, config.changes) / 1000;
      publications.push(publication);
    }
    // Of the baseline nothing is listed, but what there was then is archived, and its pages count.
    readSuperseded(publications.at(-1)?.changes ?? [], archived);
  } catch (error) {
    digester.close();
    throw error;
  }
  const facts = await digester.finish();
  const dated = settleDates(publications.reverse(), fixLatest(process.env).getTime() / 1000);
  return { kind: 'git', place, tip, boundary, ...dated, ...facts };

  /** What came before the first of listed changes is not listed; but it counts whether it was to be seen. */
  function readSuperseded(changes: Publication['changes'], digest: boolean): void {
    if (!digest && config.noindex === 'keep') return;
    for (const { path, blob } of changes) {
      const isSuperseded = met.has(path);
      met.add(path);
      if (blob === undefined || !isSuperseded || config.selection(path) !== undefined) continue;
      const judge = isJudged(config, path);
      if (digest || judge) digester.add(blob, { digest, judge });
    }
  }
}

function isSamePlace(a: GitPlace, b: GitPlace): boolean {
  // A clone that is no longer shallow has the same tip.
  const facts = ({ repository: { root, boundary }, ref, folder }: GitPlace) =>
    JSON.stringify([root, ref, folder, ...boundary]);
  return facts(a) === facts(b);
}

/**
 * Finds out what a history makes of the site as it was scanned.
 *
 * @param now the moment of this run
 * @throws ResyncError `git-failed`, `extras-invalid`, `live-foreign`
 */
export async function readKnownHistory(
  config: Config,
  scanned: ScannedSite,
  history: History,
  now: Date,
): Promise<KnownHistory> {
  if (history.kind === 'git') {
    const { readCommitted } = await import('./from-git.js');
    return await readCommitted(config, scanned, history, now);
  }
  const { derivePublished } = await import('./from-live.js');
  return derivePublished(config, scanned.sets, history, now);
}
