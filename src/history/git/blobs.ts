/** Reads bytes that git keeps. */

import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import type { Repository } from './repository.js';
import { makeGitError, startGit } from './run.js';

export type BlobReader = ReturnType<typeof startBlobReader>;

/** Starts to read the bytes of blobs, all from one process, in the order in which they are asked for. */
export function startBlobReader(repository: Repository, ids: readonly string[]) {
  const git = startGit(repository, ['cat-file', '--batch', '--buffer']);
  git.stdin.end(`${ids.join('\n')}\n`);
  const pieces = readPieces();
  // Asked for at once: what a process wrote is dropped when it ends before anybody reads.
  let first: ReturnType<typeof pieces.next> | undefined = pieces.next();
  first.catch(() => undefined);
  const endOf = async (id: string) => {
    try {
      await git.ended;
    } catch (error) {
      throw explainCorrupt(error, repository.root, id, undefined);
    }
  };
  return {
    /**
     * The next blob, in pieces.
     *
     * @throws ResyncError `git-failed` when it is another one, missing or corrupt
     */
    async *read(id: string): AsyncGenerator<Uint8Array, void> {
      for (;;) {
        const { value, done } = await (first ?? pieces.next());
        first = undefined;
        if (done === true) await endOf(id);
        if (done === true || value.id !== id) {
          throw makeGitError(repository.root, `blob ${id} did not come when its turn was`);
        }
        yield value.content;
        if (value.last) return;
      }
    },
    /** Ends git, whether everything was read or not. */
    close: () => void git.stdout.destroy(),
  };

  async function* readPieces(): AsyncGenerator<BlobPiece, void> {
    const take = startPieces((id) => makeMissingError(repository.root, id, undefined));
    for await (const chunk of git.stdout) yield* take(chunk);
  }
}

/** A blob that is larger comes in pieces, as the pipe has them. */
export const PIECE_BYTES = 256 * 1024;

export interface BlobPiece {
  readonly id: string;
  /** Of the whole blob, in bytes. */
  readonly length: number;
  readonly content: Buffer;
  readonly last: boolean;
}

export function makeMissingError(root: string, id: string, file: FileInCommit | undefined): ResyncError {
  const what = file === undefined ? 'a file' : `${file.path} as it is in commit ${file.commit}`;
  return new ResyncError(
    'git-failed',
    say`git in ${root} has lost the bytes of ${what}: there is no blob ${id}.\nRun git fsck to see what else is missing, and fetch it from another clone. Or leave older changes out with a smaller changes.window, or all of them with --history none.`,
  );
}

/** How git says that bytes are not what they were. It says more about its own files than about ours. */
const CORRUPT = /\bcorrupt|inflate|unable to unpack|hash mismatch|bad object|invalid object|garbage at end/i;

/** Puts an error of git about damaged bytes into words; any other one stays as it is. */
export function explainCorrupt(
  error: unknown,
  root: string,
  id: string,
  file: FileInCommit | undefined,
): unknown {
  if (!(error instanceof ResyncError) || !CORRUPT.test(error.message)) return error;
  const what = file === undefined ? 'a file' : `${file.path} as it is in commit ${file.commit}`;
  return new ResyncError(
    'git-failed',
    say`git in ${root} has damaged bytes of ${what}: the blob ${id} cannot be read.\nRun git fsck to see what else is damaged, and fetch it from another clone. Or leave older changes out with a smaller changes.window, or all of them with --history none.`,
    { cause: error },
  );
}

/** Takes what comes next, and tells which pieces of blobs are in it. */
export type TakePieces = (chunk: Buffer) => Generator<BlobPiece, void>;

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Takes apart what `git cat-file --batch` writes.
 *
 * @param makeError makes the error for what is no blob
 */
export function startPieces(makeError: (id: string) => ResyncError): TakePieces {
  let current: { id: string; length: number; missing: number } | undefined;
  /** The beginning of a header, or of a blob that is one piece. */
  let rest = NOTHING;
  return function* take(chunk) {
    const before = rest;
    // A blob that began in the chunk before is put together; all others stay where they are.
    const lacking = current === undefined ? chunk.length : current.missing + 1 - before.length;
    const joined = before.length === 0 ? 0 : Math.min(lacking, chunk.length);
    if (joined > 0) rest = yield* divide(Buffer.concat([before, chunk.subarray(0, joined)]));
    if (joined < chunk.length) rest = yield* divide(chunk.subarray(joined));
  };

  function* divide(chunk: Buffer): Generator<BlobPiece, Buffer> {
    let bytes = chunk;
    for (;;) {
      if (current === undefined) {
        const end = bytes.indexOf(10);
        if (end === -1) return bytes;
        const header = bytes.toString('latin1', 0, end);
        const [id = '', type, size] = header.split(' ');
        if (type !== 'blob') throw makeError(id);
        current = { id, length: Number(size), missing: Number(size) };
        bytes = bytes.subarray(end + 1);
      }
      const { id, length, missing } = current;
      // One more byte than the content has: the line break after it.
      if (bytes.length <= missing) {
        if (length <= PIECE_BYTES || bytes.length === 0) return bytes;
        current.missing -= bytes.length;
        yield { id, length, content: bytes, last: false };
        return NOTHING;
      }
      yield { id, length, content: bytes.subarray(0, missing), last: true };
      bytes = bytes.subarray(missing + 1);
      current = undefined;
    }
  }
}

/** A file as a publication has it. */
export interface FileInCommit {
  readonly path: string;
  readonly commit: string;
}
