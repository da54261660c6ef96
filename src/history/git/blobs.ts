/** Reads blobs from git. */

import { text as readText } from 'node:stream/consumers';
import type { Repository } from './repository.js';
import { type GitFolder, type GitProcess, makeGitError, startGit } from './run.js';

/** Reads blobs from one process of git, in the order of the requests. Fetches nothing from a remote. */
export class BlobReader {
  readonly #root: string;
  readonly #git: GitProcess;
  readonly #pieces: AsyncGenerator<BlobPiece, void>;
  /** The first piece, requested at once: the output of git is lost if git ends before anybody reads. */
  #first: Promise<IteratorResult<BlobPiece, void>> | undefined;

  constructor(repository: GitFolder) {
    this.#root = repository.root;
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
      if (content === undefined) throw makeGitError(this.#root, `the blob ${id} is missing`);
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
    // The exit status of git has the cause.
    if (done === true) await this.#git.ended;
    if (done === true || value.id !== id)
      throw makeGitError(this.#root, `blob ${id} did not come when its turn was`);
    return value;
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

/** Reads blobs, each once. Passes by those that a partial clone lacks. Each content must be read before the next one. */
export async function* readBlobs(
  repository: Repository,
  ids: Iterable<string>,
): AsyncGenerator<readonly [id: string, content: AsyncIterable<Buffer>], void> {
  const here = await selectPresent(repository, [...new Set(ids)]);
  if (here.length === 0) return;
  const reader = BlobReader.open(repository, here);
  try {
    for (const id of here) yield [id, reader.read(id)];
  } finally {
    reader.close();
  }
}

/** Reads up to `most` bytes of each blob, as `readBlobs` does. */
export async function* readBeginnings(
  repository: Repository,
  ids: Iterable<string>,
  most: number,
): AsyncGenerator<readonly [id: string, beginning: Buffer], void> {
  for await (const [id, content] of readBlobs(repository, ids)) {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of content) {
      if (length < most) pieces.push(piece);
      length += piece.length;
    }
    yield [id, Buffer.concat(pieces).subarray(0, most)];
  }
}

/** Reads the lengths in bytes of those blobs that are in this clone. @throws ResyncError `git-failed` */
export async function readBlobLengths(
  repository: Repository,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, number>> {
  const here = await selectPresent(repository, [...new Set(ids)]);
  if (here.length === 0) return new Map();
  const git = startGit(repository, ['cat-file', '--batch-check=%(objectname) %(objectsize)', '--buffer']);
  git.stdin.end(`${here.join('\n')}\n`);
  const text = await readText(git.stdout);
  await git.ended;
  const rows = text.split('\n').map((row) => row.split(' ', 2));
  return new Map(rows.flatMap(([id = '', size = '']) => (/^\d+$/.test(size) ? [[id, Number(size)]] : [])));
}

async function selectPresent(repository: Repository, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return ids;
  const present = await listPresent(repository);
  return present === undefined ? ids : ids.filter((id) => present.has(id));
}

/**
 * Lists the ids of all objects of a partial clone; undefined for a complete one. Git must not be asked for missing objects:
 * it might fetch them.
 */
export async function listPresent(repository: Repository): Promise<ReadonlySet<string> | undefined> {
  if (!repository.settings.some((name) => /^extensions\.|^remote\..*\.promisor$/s.test(name)))
    return undefined;
  const list = ['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objectname)', '--buffer'];
  const git = startGit(repository, list);
  git.stdin.end();
  const text = await readText(git.stdout);
  await git.ended;
  return new Set(text.split('\n'));
}
