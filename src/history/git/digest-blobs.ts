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

/** Digests blobs while others are still being looked for, all from one process. To be used once. */
export interface BlobDigester {
  /** Asks for a blob. Nothing is fetched: in a partial clone, what is not here is left out of the result. */
  add(id: string): void;
  /**
   * Waits for all that was asked for.
   *
   * @throws ResyncError `git-failed` when a blob is missing although it should be here, or is corrupt
   */
  finish(): Promise<Map<string, BlobDigest>>;
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
  const asked = new Set<string>();
  const digests = new Map<string, BlobDigest>();
  let reading: { git: GitProcess; done: Promise<void> } | undefined;
  return {
    add(id) {
      if (asked.has(id) || present?.has(id) === false) return;
      asked.add(id);
      if (reading === undefined) {
        const git = startGit(repository, ['cat-file', '--batch', '--buffer']);
        const pieces = readPieces(git.stdout, (id) => makeMissingError(repository.root, id, locate(id)));
        const done = readDigests(git, pieces, algorithms, digests);
        // It is awaited in the end.
        done.catch(() => undefined);
        reading = { git, done };
      }
      reading.git.stdin.write(`${id}\n`);
    },
    async finish() {
      if (reading === undefined) return digests;
      reading.git.stdin.end();
      try {
        await reading.done;
        return digests;
      } catch (error) {
        // They come in the order in which they were asked for.
        const id = [...asked].find((one) => !digests.has(one)) ?? '';
        throw explainCorrupt(error, repository.root, id, locate(id));
      }
    },
  };
}

/** @param digests takes them */
async function readDigests(
  git: GitProcess,
  pieces: AsyncIterable<BlobPiece>,
  algorithms: readonly HashAlgorithm[],
  digests: Map<string, BlobDigest>,
): Promise<void> {
  const names = algorithms.map((name) => [name, opensslName(name)] as const);
  const atOnce = (content: Uint8Array) =>
    names.map(([name, openssl]): Digest => [name, hash(openssl, content, 'hex')]);
  let streams: Digests | undefined;
  for await (const { id, length, content, last } of pieces) {
    if (!last) {
      streams ??= startDigests(algorithms);
      streams.update(content);
      continue;
    }
    streams?.update(content);
    // Most blobs come in one piece, which is digested at once: that is quicker.
    digests.set(id, { length, hash: formatDigests(streams?.finish() ?? atOnce(content)) });
    streams = undefined;
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
