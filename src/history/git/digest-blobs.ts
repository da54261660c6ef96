/** Computes digests of blobs, and finds out which blobs are pages that say `noindex`. */

import { text as readText } from 'node:stream/consumers';
import { judgeNoindex } from '../../files/page/facts/noindex.js';
import { BEGINNING_BYTES } from '../../files/page/page-head.js';
import { Digests, formatDigests } from '../../standard/digests.js';
import type { HashAlgorithm } from '../../standard/model.js';
import type { Publication } from '../plan/replay.js';
import { BlobReader, type FileInCommit } from './blobs.js';
import { POINTER_LIMIT, type Pointer, readPointer } from './pointers.js';
import type { Repository } from './repository.js';
import { startGit } from './run.js';

/** Length of a version of a file in bytes, and its digests in the notation of §7. */
export interface BlobDigest {
  readonly length: number | undefined;
  readonly hash: string;
  readonly pointer?: Pointer | undefined;
}

export interface BlobFacts {
  readonly digests: ReadonlyMap<string, BlobDigest>;
  /** By blob, true if the page says `noindex`; only for blobs that were requested with `judge`. */
  readonly noindex: ReadonlyMap<string, boolean>;
}

export interface BlobRequest {
  readonly digest: boolean;
  /** True to find out if the page says `noindex`. */
  readonly judge: boolean;
}

/** Finds a path and a commit at which a blob was published; undefined if no publication brought it. */
export function locateBlob(publications: readonly Publication[], blob: string): FileInCommit | undefined {
  for (const { id, changes } of publications) {
    const change = changes.find((one) => one.blob === blob);
    if (change !== undefined) return { path: change.path, commit: id };
  }
  return undefined;
}

/** Digests blobs while the caller still finds others to add. Cannot be used again after `finish`. */
export class BlobDigester {
  readonly #algorithms: readonly HashAlgorithm[];
  readonly #present: ReadonlySet<string> | undefined;
  readonly #open: () => BlobReader;
  readonly #asked = new Map<string, BlobRequest>();
  readonly #digests = new Map<string, BlobDigest>();
  readonly #noindex = new Map<string, boolean>();
  #reader: BlobReader | undefined;
  #reading: Promise<void> = Promise.resolve();

  /** Creates a digester. @param present ids of all objects of a partial clone; undefined for a complete clone */
  private constructor(
    algorithms: readonly HashAlgorithm[],
    present: ReadonlySet<string> | undefined,
    open: () => BlobReader,
  ) {
    this.#algorithms = algorithms;
    this.#present = present;
    this.#open = open;
  }

  /** Creates a digester for the blobs of a repository. @param locate finds a file that has a blob, to name it in errors */
  static async open(
    repository: Repository,
    algorithms: readonly HashAlgorithm[],
    locate: (id: string) => FileInCommit | undefined,
  ): Promise<BlobDigester> {
    const present = await listPresent(repository);
    return new BlobDigester(algorithms, present, () => new BlobReader(repository, locate));
  }

  /** Requests a blob. Fetches nothing from a remote: the result lacks blobs that a partial clone lacks. */
  add(id: string, request: BlobRequest = { digest: true, judge: false }): void {
    const before = this.#asked.get(id) ?? { digest: false, judge: false };
    const [digest, judge] = [request.digest && !before.digest, request.judge && !before.judge];
    if ((!digest && !judge) || this.#present?.has(id) === false) return;
    this.#asked.set(id, { digest: digest || before.digest, judge: judge || before.judge });
    const reader = this.#reader ?? this.#open();
    this.#reader = reader;
    reader.ask([id]);
    this.#reading = this.#reading.then(() => this.#take(reader, id, { digest, judge }));
    // `finish` awaits the reading of blobs, and throws its errors.
    this.#reading.catch(() => undefined);
  }

  /** Waits for the facts of all blobs. @throws ResyncError `git-failed` if one is corrupt, or missing against expectation */
  async finish(): Promise<BlobFacts> {
    this.#reader?.end();
    try {
      await this.#reading;
    } finally {
      this.close();
    }
    return { digests: this.#digests, noindex: this.#noindex };
  }

  /** Ends git, even if requested blobs were not read. */
  close(): void {
    this.#reader?.close();
  }

  async #take(reader: BlobReader, id: string, { digest, judge }: BlobRequest): Promise<void> {
    const digests = digest ? new Digests(this.#algorithms) : undefined;
    let beginning: Buffer = Buffer.alloc(0);
    let length = 0;
    for await (const piece of reader.read(id)) {
      length += piece.length;
      digests?.update(piece);
      if (beginning.length < BEGINNING_BYTES) beginning = Buffer.concat([beginning, piece]);
    }
    if (judge) this.#noindex.set(id, judgeNoindex(beginning));
    if (digests === undefined) return;
    const pointer = length < POINTER_LIMIT ? readPointer(beginning) : undefined;
    this.#digests.set(id, { length, hash: formatDigests(digests.finish()), ...(pointer && { pointer }) });
  }
}

/** Reads the lengths in bytes of those blobs that are in this clone. @throws ResyncError `git-failed` */
export async function readBlobLengths(
  repository: Repository,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  // Git must not be asked for missing objects: it might fetch them.
  const present = await listPresent(repository);
  const asked = present === undefined ? ids : ids.filter((id) => present.has(id));
  const git = startGit(repository, ['cat-file', '--batch-check=%(objectname) %(objectsize)', '--buffer']);
  git.stdin.end(`${asked.join('\n')}\n`);
  const text = await readText(git.stdout);
  await git.ended;
  const rows = text.split('\n').map((row) => row.split(' ', 2));
  return new Map(rows.flatMap(([id = '', size = '']) => (/^\d+$/.test(size) ? [[id, Number(size)]] : [])));
}

/** Reads up to `most` bytes of each blob in Latin-1. Yields a blob once, and none that this clone lacks. */
export async function* readBlobTexts(
  repository: Repository,
  ids: readonly string[],
  most: number,
): AsyncGenerator<readonly [blob: string, text: string], void> {
  const blobs = [...(await readBlobLengths(repository, [...new Set(ids)])).keys()];
  if (blobs.length === 0) return;
  const reader = BlobReader.open(repository, blobs);
  try {
    for (const blob of blobs) {
      const pieces: Uint8Array[] = [];
      let length = 0;
      for await (const piece of reader.read(blob)) {
        if (length < most) pieces.push(piece);
        length += piece.length;
      }
      yield [blob, Buffer.concat(pieces).toString('latin1', 0, most)];
    }
  } finally {
    reader.close();
  }
}

/** Lists the ids of all objects of a partial clone; undefined for a complete one. */
export async function listPresent(repository: Repository): Promise<ReadonlySet<string> | undefined> {
  const isPartial = repository.settings.some((name) => /^extensions\.|^remote\..*\.promisor$/s.test(name));
  return isPartial ? await listObjects(repository) : undefined;
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
