/** Computes digests of blobs, and reads whether pages say `noindex`. */

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

/** The length and the digests of bytes that git keeps, in the notation of §7. */
export interface BlobDigest {
  readonly length: number | undefined;
  readonly hash: string;
  readonly pointer?: Pointer | undefined;
}

export interface BlobFacts {
  readonly digests: ReadonlyMap<string, BlobDigest>;
  /** Whether the page says `noindex`, for the blobs for which that was requested. */
  readonly noindex: ReadonlyMap<string, boolean>;
}

export interface BlobRequest {
  readonly digest: boolean;
  /** Whether to read if the page says `noindex`. */
  readonly judge: boolean;
}

/** Finds a publication that brought a blob, and its path. */
export function locateBlob(publications: readonly Publication[], blob: string): FileInCommit | undefined {
  for (const { id, changes } of publications) {
    const change = changes.find((one) => one.blob === blob);
    if (change !== undefined) return { path: change.path, commit: id };
  }
  return undefined;
}

/** Digests blobs while others are still being found. For one use. */
export class BlobDigester {
  readonly #algorithms: readonly HashAlgorithm[];
  readonly #present: ReadonlySet<string> | undefined;
  readonly #open: () => BlobReader;
  readonly #asked = new Map<string, BlobRequest>();
  readonly #digests = new Map<string, BlobDigest>();
  readonly #noindex = new Map<string, boolean>();
  #reader: BlobReader | undefined;
  #reading: Promise<void> = Promise.resolve();

  /** @param present ids of the blobs in this clone; undefined if it has all */
  private constructor(
    algorithms: readonly HashAlgorithm[],
    present: ReadonlySet<string> | undefined,
    open: () => BlobReader,
  ) {
    this.#algorithms = algorithms;
    this.#present = present;
    this.#open = open;
  }

  /** @param locate finds the file of a blob, for errors */
  static async open(
    repository: Repository,
    algorithms: readonly HashAlgorithm[],
    locate: (id: string) => FileInCommit | undefined,
  ): Promise<BlobDigester> {
    const present = await listPresent(repository);
    return new BlobDigester(algorithms, present, () => new BlobReader(repository, locate));
  }

  /** Requests a blob. Nothing is fetched: the result lacks blobs that a partial clone lacks. */
  add(id: string, request: BlobRequest = { digest: true, judge: false }): void {
    const before = this.#asked.get(id) ?? { digest: false, judge: false };
    const [digest, judge] = [request.digest && !before.digest, request.judge && !before.judge];
    if ((!digest && !judge) || this.#present?.has(id) === false) return;
    this.#asked.set(id, { digest: digest || before.digest, judge: judge || before.judge });
    const reader = this.#reader ?? this.#open();
    this.#reader = reader;
    reader.ask([id]);
    this.#reading = this.#reading.then(() => this.#take(reader, id, { digest, judge }));
    // It is awaited in `finish`.
    this.#reading.catch(() => undefined);
  }

  /** @throws ResyncError `git-failed` if a blob is missing although it should be here, or is corrupt */
  async finish(): Promise<BlobFacts> {
    this.#reader?.end();
    try {
      await this.#reading;
    } finally {
      this.close();
    }
    return { digests: this.#digests, noindex: this.#noindex };
  }

  /** Ends git, even if it is not done. */
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

/** Reads the lengths of the blobs that are in this clone. @throws ResyncError `git-failed` */
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

/** Reads the beginning of each blob in this clone once, in Latin-1. */
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
