/** Digests bytes that git keeps. */

import { hash } from 'node:crypto';
import { text as readText } from 'node:stream/consumers';
import { type Digest, type Digests, formatDigests, startDigests } from '../../digests.js';
import type { Publication } from '../../plan/replay.js';
import { type HashAlgorithm, opensslName } from '../../resourcesync/model.js';
import { type BlobPiece, explainCorrupt, makeMissingError, readPieces } from './pieces.js';
import type { FileInCommit, Repository } from './repository.js';
import { askGit, type GitProcess, startGit } from './run.js';

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

/** What there is to find out about a blob. */
export interface BlobWish {
  readonly digest: boolean;
  /** Whether it is a page that may say `noindex`. */
  readonly judge: boolean;
}

/** Digests blobs while others are still being looked for, all from one process. To be used once. */
export interface BlobDigester {
  /** Asks for a blob. Nothing is fetched: in a partial clone, what is not here is left out of the result. */
  add(id: string, wish?: BlobWish): void;
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
  const present = (await isPartial(repository)) ? await listObjects(repository) : undefined;
  const asked = new Map<string, BlobWish>();
  const digests = new Map<string, BlobDigest>();
  const noindex = new Map<string, boolean>();
  const unread = new Set<string>();
  let reading: { git: GitProcess; done: Promise<void> } | undefined;
  return {
    add(id, wish = { digest: true, judge: false }) {
      const { digest, judge } = asked.get(id) ?? { digest: false, judge: false };
      if ((digest || !wish.digest) && (judge || !wish.judge)) return;
      if (present?.has(id) === false) return;
      asked.set(id, { digest: digest || wish.digest, judge: judge || wish.judge });
      unread.add(id);
      if (reading === undefined) {
        const git = startGit(repository, ['cat-file', '--batch', '--buffer']);
        const pieces = readPieces(git.stdout, (id) => makeMissingError(repository.root, id, locate(id)));
        const done = readBlobs(git, pieces, algorithms, { asked, unread, digests, noindex });
        // It is awaited in the end.
        done.catch(() => undefined);
        reading = { git, done };
      }
      reading.git.stdin.write(`${id}\n`);
    },
    async finish() {
      if (reading === undefined) return { digests, noindex };
      reading.git.stdin.end();
      try {
        await reading.done;
        return { digests, noindex };
      } catch (error) {
        // They come in the order in which they were asked for.
        const [id = ''] = unread;
        throw explainCorrupt(error, repository.root, id, locate(id));
      }
    },
  };
}

/** What is asked for, and what takes the answers. */
interface Reading {
  readonly asked: ReadonlyMap<string, BlobWish>;
  readonly unread: Set<string>;
  readonly digests: Map<string, BlobDigest>;
  readonly noindex: Map<string, boolean>;
}

async function readBlobs(
  git: GitProcess,
  pieces: AsyncIterable<BlobPiece>,
  algorithms: readonly HashAlgorithm[],
  { asked, unread, digests, noindex }: Reading,
): Promise<void> {
  const names = algorithms.map((name) => [name, opensslName(name)] as const);
  const atOnce = (content: Uint8Array) =>
    names.map(([name, openssl]): Digest => [name, hash(openssl, content, 'hex')]);
  let streams: Digests | undefined;
  let judging: typeof import('../../page/judge.js') | undefined;
  let beginning: Buffer | undefined;
  for await (const { id, length, content, last } of pieces) {
    const { digest, judge } = asked.get(id) ?? { digest: true, judge: false };
    if (judge) {
      judging ??= await import('../../page/judge.js');
      beginning = judging.takeBeginning(beginning, content);
    }
    if (!last) {
      if (digest) streams ??= startDigests(algorithms);
      streams?.update(content);
      continue;
    }
    streams?.update(content);
    // Most blobs come in one piece, which is digested at once: that is quicker.
    if (digest) digests.set(id, { length, hash: formatDigests(streams?.finish() ?? atOnce(content)) });
    if (judging !== undefined && beginning !== undefined) {
      noindex.set(id, await judging.judgeNoindex(beginning));
    }
    unread.delete(id);
    streams = undefined;
    beginning = undefined;
  }
  await git.ended;
}

/** Whether objects may be missing because nobody has fetched them yet. */
async function isPartial(repository: Repository): Promise<boolean> {
  const pattern = '^(extensions\\.partialclone|remote\\..*\\.promisor)$';
  return (await askGit(repository, ['config', '--get-regexp', pattern])) !== '';
}

async function listObjects(repository: Repository): Promise<ReadonlySet<string>> {
  const git = startGit(repository, [
    'cat-file',
    '--batch-all-objects',
    '--unordered',
    '--batch-check=%(objectname)',
    '--buffer',
  ]);
  git.stdin.end();
  const text = await readText(git.stdout);
  await git.ended;
  return new Set(text.split('\n'));
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
  const present = (await isPartial(repository)) ? await listObjects(repository) : undefined;
  const asked = present === undefined ? ids : ids.filter((id) => present.has(id));
  if (asked.length === 0) return new Map();
  const git = startGit(repository, ['cat-file', '--batch-check=%(objectname) %(objectsize)', '--buffer']);
  git.stdin.end(`${asked.join('\n')}\n`);
  const text = await readText(git.stdout);
  await git.ended;
  const rows = text.split('\n').map((row) => row.split(' ', 2));
  return new Map(rows.flatMap(([id = '', size = '']) => (/^\d+$/.test(size) ? [[id, Number(size)]] : [])));
}
