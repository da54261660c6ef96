/** Reads blobs from one process of git, and finds out what is wanted of each. */

import { hash } from 'node:crypto';
import { ResyncError } from '../../../base/errors.js';
import { type Digests, formatDigests, startDigests } from '../../../standard/digests.js';
import { type HashAlgorithm, opensslName } from '../../../standard/model.js';
import { type BlobPiece, startPieces } from '../pieces.js';
import { type GitFolder, type GitProcess, makeGitError, startGit } from '../run.js';
import type { BlobFact, BlobFailure, BlobWish } from './facts.js';

/** Where to read, and what to compute. */
export interface BlobJob {
  readonly place: GitFolder;
  readonly algorithms: readonly HashAlgorithm[];
}

/** Reads blobs in the order in which they were asked for, here or in a thread. */
export interface BlobReading {
  /** Asks for blobs, and says whether they are the last. */
  readonly ask: (wishes: readonly BlobWish[], last: boolean) => void;
  /** Settles when all is read that was asked for, or no more can be. */
  readonly done: Promise<BlobFailure | undefined>;
}

/** @param take is told of each blob, in their order */
export function startReadingBlobs(job: BlobJob, take: (fact: BlobFact) => void): BlobReading {
  const wishes: BlobWish[] = [];
  // What is found has to come without further questions, so without `--buffer`; that costs nothing that can be measured.
  const git = startGit(job.place, ['cat-file', '--batch']);
  return {
    ask: (more, last) => {
      for (const wish of more) wishes.push(wish);
      if (more.length > 0) git.stdin.write(`${more.map(({ id }) => id).join('\n')}\n`);
      if (last) git.stdin.end();
    },
    done: readBlobs(job, git, wishes, take),
  };
}

async function readBlobs(
  { place, algorithms }: BlobJob,
  git: GitProcess,
  wishes: BlobWish[],
  take: (fact: BlobFact) => void,
): Promise<BlobFailure | undefined> {
  let missing: string | undefined;
  const takePieces = startPieces((id) => {
    missing = id;
    return makeGitError(place.root, `there is no blob ${id}`);
  });
  const digest = startDigester(algorithms);
  const judge = startJudge();
  try {
    for await (const chunk of git.stdout) {
      for (const piece of takePieces(chunk)) {
        const { id, length, last } = piece;
        const [wish] = wishes;
        if (wish?.id !== id) throw makeGitError(place.root, `blob ${id} came, and nobody had asked for it`);
        const hash = wish.digest ? digest(piece) : undefined;
        const noindex = wish.judge ? await judge(piece) : undefined;
        if (!last) continue;
        wishes.shift();
        take({ id, length, ...(hash !== undefined && { hash }), ...(noindex !== undefined && { noindex }) });
      }
    }
    await git.ended;
    return undefined;
  } catch (error) {
    if (!(error instanceof ResyncError)) throw error;
    if (missing !== undefined) return { id: missing, kind: 'missing' };
    return { id: wishes[0]?.id ?? '', kind: 'failed', message: error.message };
  }
}

/** Makes what is shown all pieces of blobs, and tells the digests after the last one of each. */
function startDigester(algorithms: readonly HashAlgorithm[]): (piece: BlobPiece) => string | undefined {
  const names = algorithms.map((name) => [name, opensslName(name)] as const);
  let streams: Digests | undefined;
  return ({ content, last }) => {
    if (last && streams === undefined) {
      // Most blobs come in one piece, which is digested at once: that is quicker.
      return formatDigests(names.map(([name, openssl]) => [name, hash(openssl, content, 'hex')]));
    }
    streams ??= startDigests(algorithms);
    streams.update(content);
    if (!last) return undefined;
    const digests = streams.finish();
    streams = undefined;
    return formatDigests(digests);
  };
}

/** Likewise, whether a page says `noindex`. */
function startJudge(): (piece: BlobPiece) => Promise<boolean | undefined> {
  let beginning: Buffer | undefined;
  return async ({ content, last }) => {
    const { judgeNoindex, takeBeginning } = await import('../../../site/page/facts/noindex.js');
    beginning = takeBeginning(beginning, content);
    if (!last) return undefined;
    const page = beginning;
    beginning = undefined;
    return await judgeNoindex(page);
  };
}
