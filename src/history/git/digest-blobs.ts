/** Digests bytes that git keeps. */

import { text as readText } from 'node:stream/consumers';
import { ResyncError } from '../../base/errors.js';
import { Words } from '../../base/text/say.js';
import type { HashAlgorithm } from '../../standard/model.js';
import type { Publication } from '../plan/replay.js';
import type { BlobFact, BlobFailure, BlobWish } from './digest/facts.js';
import { shareReading } from './digest/share.js';
import { explainCorrupt, type FileInCommit, makeMissingError } from './pieces.js';
import { listPresent } from './present.js';
import type { Repository } from './repository.js';
import { startGit } from './run.js';

/** The length and the digests of bytes that git keeps, in the notation of §7. */
export interface BlobDigest {
  readonly length: number;
  readonly hash: string;
}

/** What was found out about blobs, by id. */
export interface BlobFacts {
  readonly digests: ReadonlyMap<string, BlobDigest>;
  /** Whether a page says `noindex`, for those that were to be judged. */
  readonly noindex: ReadonlyMap<string, boolean>;
}

/** Digests blobs while others are still being looked for. To be used once. */
export interface BlobDigester {
  /** Asks for a blob. Nothing is fetched: in a partial clone, what is not here is left out of the result. */
  add(id: string, wish?: Omit<BlobWish, 'id'>): void;
  /**
   * Waits for all that was asked for.
   *
   * @throws ResyncError `git-failed` when a blob is missing although it should be here, or is corrupt
   */
  finish(): Promise<BlobFacts>;
}

/** A publication that brought a blob, and the path of it. */
export function locateBlob(publications: readonly Publication[], blob: string): FileInCommit | undefined {
  for (const { id, changes } of publications) {
    const change = changes.find((one) => one.blob === blob);
    if (change !== undefined) return { path: change.path, commit: id };
  }
  return undefined;
}

/** @param locate tells what a blob is, for the error when it is missing */
export async function startBlobDigester(
  repository: Repository,
  algorithms: readonly HashAlgorithm[],
  locate: (id: string) => FileInCommit | undefined,
): Promise<BlobDigester> {
  const present = await listPresent(repository);
  const { root, gitFolder } = repository;
  const digests = new Map<string, BlobDigest>();
  const noindex = new Map<string, boolean>();
  const asked = new Map<string, Omit<BlobWish, 'id'>>();
  const reading = shareReading({ place: { root, gitFolder }, algorithms }, (fact: BlobFact) => {
    if (fact.hash !== undefined) digests.set(fact.id, { length: fact.length, hash: fact.hash });
    if (fact.noindex !== undefined) noindex.set(fact.id, fact.noindex);
  });
  return {
    add(id, wish = { digest: true, judge: false }) {
      const before = asked.get(id) ?? { digest: false, judge: false };
      const digest = wish.digest && !before.digest;
      const judge = wish.judge && !before.judge;
      if ((!digest && !judge) || present?.has(id) === false) return;
      asked.set(id, { digest: digest || before.digest, judge: judge || before.judge });
      reading.add({ id, digest, judge });
    },
    async finish() {
      const failure = await reading.finish();
      if (failure !== undefined) throw explain(failure);
      return { digests, noindex };
    },
  };

  function explain(failure: BlobFailure): unknown {
    const { id } = failure;
    const file = locate(id);
    if (failure.kind === 'missing') return makeMissingError(root, id, file);
    const error = new ResyncError('git-failed', Words.asWritten(failure.message));
    return explainCorrupt(error, root, id, file);
  }
}

/**
 * The lengths of blobs, in bytes, by id. What is not here is left out: nobody has fetched it yet, or it is lost.
 *
 * @throws ResyncError `git-failed`
 */
export async function readBlobLengths(
  repository: Repository,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  // Where objects may be missing, git is not asked for them, for it might go and look elsewhere.
  const present = await listPresent(repository);
  const asked = present === undefined ? ids : ids.filter((id) => present.has(id));
  if (asked.length === 0) return new Map();
  const git = startGit(repository, ['cat-file', '--batch-check=%(objectname) %(objectsize)', '--buffer']);
  git.stdin.end(`${asked.join('\n')}\n`);
  const text = await readText(git.stdout);
  await git.ended;
  const rows = text.split('\n').map((row) => row.split(' ', 2));
  return new Map(rows.flatMap(([id = '', size = '']) => (/^\d+$/.test(size) ? [[id, Number(size)]] : [])));
}
