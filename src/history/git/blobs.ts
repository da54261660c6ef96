/** Reads blobs from git. */

import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { type GitFolder, type GitProcess, makeGitError, startGit } from './run.js';

/** Reads blobs from one process of git, in the order of the requests. Fetches nothing from a remote. */
export class BlobReader {
  readonly #root: string;
  readonly #locate: (id: string) => FileInCommit | undefined;
  readonly #git: GitProcess;
  readonly #pieces: AsyncGenerator<BlobPiece, void>;
  /** The first piece, requested at once: the output of git is lost if git ends before anybody reads. */
  #first: Promise<IteratorResult<BlobPiece, void>> | undefined;

  /** Starts a process of git to read blobs. @param locate finds a file that has a blob, to name it in errors */
  constructor(repository: GitFolder, locate: (id: string) => FileInCommit | undefined = () => undefined) {
    this.#root = repository.root;
    this.#locate = locate;
    // Without `--buffer`, git answers before its input ends. That costs nothing that can be measured.
    this.#git = startGit(repository, ['cat-file', '--batch']);
    this.#pieces = readPieces(this.#git.stdout);
    this.#first = this.#pieces.next();
    this.#first.catch(() => undefined);
  }

  static open(repository: GitFolder, ids: readonly string[]): BlobReader {
    const reader = new BlobReader(repository);
    reader.ask(ids);
    reader.end();
    return reader;
  }

  ask(ids: readonly string[]): void {
    if (ids.length > 0) this.#git.stdin.write(`${ids.join('\n')}\n`);
  }

  end(): void {
    this.#git.stdin.end();
  }

  /** Reads the next requested blob in pieces. @throws ResyncError `git-failed` if it is missing or corrupt, or not `id` */
  async *read(id: string): AsyncGenerator<Buffer, void> {
    for (;;) {
      const { content, last } = await this.#next(id);
      if (content === undefined) throw makeMissingError(this.#root, id, this.#locate(id));
      yield content;
      if (last) return;
    }
  }

  /**
   * Reads the next requested blob; undefined if it is missing, or longer than `most` bytes.
   * @throws ResyncError `git-failed` if the blob is corrupt, or not `id`
   */
  async readWhole(id: string, most: number): Promise<Buffer | undefined> {
    const pieces: Buffer[] = [];
    for (;;) {
      const { content, last, length } = await this.#next(id);
      if (content === undefined) return undefined;
      if (length <= most) pieces.push(content);
      if (last) return length > most ? undefined : pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    }
  }

  async #next(id: string): Promise<BlobPiece> {
    const { value, done } = await (this.#first ?? this.#pieces.next());
    this.#first = undefined;
    if (done === true) await this.#explainEnd(id);
    if (done === true || value.id !== id)
      throw makeGitError(this.#root, `blob ${id} did not come when its turn was`);
    return value;
  }

  async #explainEnd(id: string): Promise<void> {
    try {
      await this.#git.ended;
    } catch (error) {
      throw explainCorrupt(error, this.#root, id, this.#locate(id));
    }
  }

  /** Ends git, even if not all requested blobs were read. */
  close(): void {
    this.#git.stdin.end();
    this.#git.stdout.destroy();
  }
}

async function* readPieces(output: AsyncIterable<Buffer>): AsyncGenerator<BlobPiece, void> {
  const parser = new BatchParser();
  for await (const chunk of output) yield* parser.take(chunk);
}

/** Length up to which a blob is one piece, in bytes. Longer blobs come in pieces, as the pipe delivers them. */
const PIECE_BYTES = 256 * 1024;

interface BlobPiece {
  readonly id: string;
  /** Length of the whole blob, in bytes. */
  readonly length: number;
  /** Some bytes of the blob, in order; undefined if the blob is missing. */
  readonly content: Buffer | undefined;
  readonly last: boolean;
}

function makeMissingError(root: string, id: string, file: FileInCommit | undefined): ResyncError {
  const what = file === undefined ? 'a file' : `${file.path} as it is in commit ${file.commit}`;
  return new ResyncError(
    'git-failed',
    say`git in ${root} has lost the bytes of ${what}: there is no blob ${id}.\nRun git fsck to see what else is missing, and fetch it from another clone. Or leave older changes out with a smaller changes.window, or all of them with --history none.`,
  );
}

/** Matches messages of git about damaged bytes, which name files of git and not of the site. */
const CORRUPT = /\bcorrupt|inflate|unable to unpack|hash mismatch|(?:bad|invalid) object|garbage at end/i;

/** Rewords an error of git about damaged bytes; returns other errors unchanged. */
function explainCorrupt(error: unknown, root: string, id: string, file: FileInCommit | undefined): unknown {
  if (!(error instanceof ResyncError) || !CORRUPT.test(error.message)) return error;
  const what = file === undefined ? 'a file' : `${file.path} as it is in commit ${file.commit}`;
  return new ResyncError(
    'git-failed',
    say`git in ${root} has damaged bytes of ${what}: the blob ${id} cannot be read.\nRun git fsck to see what else is damaged, and fetch it from another clone. Or leave older changes out with a smaller changes.window, or all of them with --history none.`,
    { cause: error },
  );
}

const NOTHING: Buffer = Buffer.alloc(0);

/** Parses the output of `git cat-file --batch`, chunk by chunk, into pieces of blobs. */
class BatchParser {
  #current: { id: string; length: number; missing: number } | undefined;
  /** Bytes that wait for the next chunk: the beginning of a header, or of a blob that is to be one piece. */
  #rest = NOTHING;

  *take(chunk: Buffer): Generator<BlobPiece, void> {
    this.#rest = yield* this.#divide(Buffer.concat([this.#rest, chunk]));
  }

  /** Yields the pieces that are complete in a chunk. @returns the bytes after them */
  *#divide(chunk: Buffer): Generator<BlobPiece, Buffer> {
    let bytes = chunk;
    for (;;) {
      if (this.#current === undefined) {
        const end = bytes.indexOf(10);
        if (end === -1) return bytes;
        const header = bytes.toString('latin1', 0, end);
        const [id = '', type, size] = header.split(' ');
        bytes = bytes.subarray(end + 1);
        if (type !== 'blob') {
          yield { id, length: 0, content: undefined, last: true };
          continue;
        }
        this.#current = { id, length: Number(size), missing: Number(size) };
      }
      const { id, length, missing } = this.#current;
      // The blob is complete only with the line break after its content.
      if (bytes.length <= missing) {
        if (length <= PIECE_BYTES || bytes.length === 0) return bytes;
        this.#current.missing -= bytes.length;
        yield { id, length, content: bytes, last: false };
        return NOTHING;
      }
      yield { id, length, content: bytes.subarray(0, missing), last: true };
      bytes = bytes.subarray(missing + 1);
      this.#current = undefined;
    }
  }
}

export interface FileInCommit {
  readonly path: string;
  readonly commit: string;
}
