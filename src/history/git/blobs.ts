/** Reads bytes that git keeps, and digests them. */

import { createHash, type Hash, hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { ResyncError } from '../../errors.js';
import type { Publication } from '../../plan/replay.js';
import { type HashAlgorithm, opensslName } from '../../resourcesync/model.js';
import { say } from '../../text/say.js';
import type { Repository } from './git.js';
import { askGit, type GitProcess, makeGitError, startGit } from './run.js';

/** The length and the digests of bytes that git keeps, in the notation of §7. */
export interface BlobDigest {
  readonly length: number;
  readonly hash: string;
}

/** A blob that is larger comes in pieces. */
const PIECE_BYTES = 256 * 1024;

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

/** A file as a publication has it. */
export interface FileInCommit {
  readonly path: string;
  readonly commit: string;
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
  let reading: { git: GitProcess; digests: Promise<Map<string, BlobDigest>> } | undefined;
  return {
    add(id) {
      if (asked.has(id) || present?.has(id) === false) return;
      asked.add(id);
      if (reading === undefined) {
        const git = startGit(repository, ['cat-file', '--batch', '--buffer']);
        const pieces = readPieces(git.stdout, (id) => makeMissingError(repository.root, id, locate(id)));
        const digests = readDigests(git, pieces, algorithms);
        // It is awaited in the end.
        digests.catch(() => undefined);
        reading = { git, digests };
      }
      reading.git.stdin.write(`${id}\n`);
    },
    async finish() {
      if (reading === undefined) return new Map();
      reading.git.stdin.end();
      return await reading.digests;
    },
  };
}

async function readDigests(
  git: GitProcess,
  pieces: AsyncIterable<BlobPiece>,
  algorithms: readonly HashAlgorithm[],
): Promise<Map<string, BlobDigest>> {
  const names = algorithms.map(opensslName);
  const digests = new Map<string, BlobDigest>();
  let streams: Hash[] = [];
  for await (const { id, length, content, last } of pieces) {
    let values: string[];
    if (last && streams.length === 0) {
      values = names.map((name) => hash(name, content, 'hex'));
    } else {
      if (streams.length === 0) streams = names.map((name) => createHash(name));
      for (const stream of streams) stream.update(content);
      if (!last) continue;
      values = streams.map((stream) => stream.digest('hex'));
      streams = [];
    }
    digests.set(id, { length, hash: values.map((value, at) => `${algorithms[at]}:${value}`).join(' ') });
  }
  await git.ended;
  return digests;
}

/** Reads the bytes of blobs, all from one process, in the order in which they were asked for. */
export interface BlobReader {
  /**
   * The next blob, in pieces.
   *
   * @throws ResyncError `git-failed` when it is another one, missing or corrupt
   */
  read(id: string): AsyncGenerator<Uint8Array, void>;
  /** Ends git, whether everything was read or not. */
  close(): void;
}

export function startBlobReader(repository: Repository, ids: readonly string[]): BlobReader {
  const git = startGit(repository, ['cat-file', '--batch', '--buffer']);
  git.stdin.end(`${ids.join('\n')}\n`);
  const pieces = readPieces(git.stdout, (id) => makeMissingError(repository.root, id, undefined));
  return {
    async *read(id) {
      for (;;) {
        const { value, done } = await pieces.next();
        if (done === true) await git.ended;
        if (done === true || value.id !== id) {
          throw makeGitError(repository.root, `blob ${id} did not come when its turn was`);
        }
        yield value.content;
        if (value.last) return;
      }
    },
    close: () => git.stdout.destroy(),
  };
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

interface BlobPiece {
  readonly id: string;
  /** Of the whole blob, in bytes. */
  readonly length: number;
  readonly content: Buffer;
  readonly last: boolean;
}

function makeMissingError(root: string, id: string, file: FileInCommit | undefined): ResyncError {
  const what = file === undefined ? 'a file' : `${file.path} as it is in commit ${file.commit}`;
  return new ResyncError(
    'git-failed',
    say`git in ${root} has lost the bytes of ${what}: there is no blob ${id}.\nRun git fsck to see what else is missing, and fetch it from another clone. Or leave older changes out with a smaller changes.window, or all of them with --history none.`,
  );
}

/** Takes apart what `git cat-file --batch` writes. What fits into the pipe is one piece. */
async function* readPieces(
  stdout: Readable,
  makeError: (id: string) => ResyncError,
): AsyncGenerator<BlobPiece, void> {
  let rest: Buffer = Buffer.alloc(0);
  let current: { id: string; length: number; missing: number } | undefined;
  for await (const chunk of stdout) {
    let bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      if (current === undefined) {
        const end = bytes.indexOf(10);
        if (end === -1) break;
        const header = bytes.toString('latin1', 0, end);
        const [id = '', type, size] = header.split(' ');
        if (type !== 'blob') throw makeError(id);
        current = { id, length: Number(size), missing: Number(size) };
        bytes = bytes.subarray(end + 1);
      }
      const { id, length, missing } = current;
      // One more byte than the content has: the line break after it.
      if (bytes.length <= missing) {
        if (bytes.length < PIECE_BYTES) break;
        // Something is left for the last piece.
        const content = bytes.subarray(0, -1);
        yield { id, length, content, last: false };
        current.missing -= content.length;
        bytes = bytes.subarray(-1);
        break;
      }
      yield { id, length, content: bytes.subarray(0, missing), last: true };
      bytes = bytes.subarray(missing + 1);
      current = undefined;
    }
    rest = bytes;
  }
}
