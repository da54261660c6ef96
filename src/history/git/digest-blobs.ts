/** Digests bytes that git keeps. */

import { availableParallelism } from 'node:os';
import { text as readText } from 'node:stream/consumers';
import { ResyncError } from '../../base/errors.js';
import { Words } from '../../base/text/say.js';
import { startPool } from '../../base/threads.js';
import type { HashAlgorithm } from '../../standard/model.js';
import type { Publication } from '../plan/replay.js';
import { explainCorrupt, type FileInCommit, makeMissingError, startBlobReader } from './blobs.js';
import {
  BLOB_WORKER,
  type BlobAnswer,
  type BlobDigest,
  type BlobFact,
  type BlobFailure,
  type BlobJob,
  type BlobQuestion,
  type BlobWish,
  startReadingBlobs,
  unpackFacts,
} from './digest/read.js';
import type { Repository } from './repository.js';
import { askGit, startGit } from './run.js';

/** What was found out about blobs, by id. */
export interface BlobFacts {
  readonly digests: ReadonlyMap<string, BlobDigest>;
  /** Whether a page says `noindex`, for those that were to be judged. */
  readonly noindex: ReadonlyMap<string, boolean>;
  /**
   * Whether readers see another text in the version after it, for those that were compared, by `joinVersions`. What is only
   * compared comes later than all else.
   */
  readonly texts: Promise<ReadonlyMap<string, boolean>>;
}

/** Names two versions of a page by their blobs. */
export function joinVersions(former: string, present: string): string {
  return `${former} ${present}`;
}

/** A publication that brought a blob, and the path of it. */
export function locateBlob(publications: readonly Publication[], blob: string): FileInCommit | undefined {
  for (const { id, changes } of publications) {
    const change = changes.find((one) => one.blob === blob);
    if (change !== undefined) return { path: change.path, commit: id };
  }
  return undefined;
}

/**
 * Starts to digest blobs while others are still being looked for. To be used once.
 *
 * @param locate tells what a blob is, for the error when it is missing
 * @param site absolute path, where versions are to be compared with its pages
 */
export async function startBlobDigester(
  repository: Repository,
  algorithms: readonly HashAlgorithm[],
  locate: (id: string) => FileInCommit | undefined,
  site?: string,
) {
  const present = await listPresent(repository);
  const { root, gitFolder } = repository;
  const digests = new Map<string, BlobDigest>();
  const noindex = new Map<string, boolean>();
  const texts = new Map<string, boolean>();
  const asked = new Map<string, Omit<BlobWish, 'id'>>();
  const reading = shareReading(
    { place: { root, gitFolder }, algorithms, site },
    ({ id, length, hash, noindex: says, pointer, next }) => {
      if (hash !== undefined) digests.set(id, { length, hash, ...(pointer && { pointer }) });
      if (says !== undefined) noindex.set(id, says);
      if (next !== undefined) texts.set(joinVersions(id, next.blob), next.isNew);
    },
  );
  return {
    /** Asks for a blob. Nothing is fetched: in a partial clone, what is not here is left out of the result. */
    add(id: string, wish: Omit<BlobWish, 'id'> = { digest: true, judge: false }) {
      const before = asked.get(id) ?? { digest: false, judge: false };
      const digest = wish.digest && !before.digest;
      const judge = wish.judge && !before.judge;
      if ((!digest && !judge && wish.page === undefined) || present?.has(id) === false) return;
      asked.set(id, { digest: digest || before.digest, judge: judge || before.judge });
      reading.add({ id, digest, judge, page: wish.page });
    },
    /**
     * Waits for all that was asked for, but for what is only compared.
     *
     * Where one is damaged that nobody wants but to compare it, this is not all.
     *
     * @throws ResyncError `git-failed` when another blob is missing although it should be here, or is corrupt
     */
    async finish(): Promise<BlobFacts> {
      const failure = await reading.finish();
      const { digest, judge } = asked.get(failure?.id ?? '') ?? { digest: true, judge: true };
      if (failure !== undefined && (digest || judge)) throw explain(failure);
      const compared = reading.finishRest().then(() => texts);
      // Nobody may want to know any more.
      compared.catch(() => undefined);
      return { digests, noindex, texts: compared };
    },
    /** Ends git and the threads, whether they are done or not. */
    close: () => void reading.close(),
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
  if (ids.length === 0) return new Map();
  // Where objects may be missing, git is not asked for them, for it might go and look elsewhere.
  const present = await listPresent(repository);
  const asked = present === undefined ? ids : ids.filter((id) => present.has(id));
  const git = startGit(repository, ['cat-file', '--batch-check=%(objectname) %(objectsize)', '--buffer']);
  git.stdin.end(`${asked.join('\n')}\n`);
  const text = await readText(git.stdout);
  await git.ended;
  const rows = text.split('\n').map((row) => row.split(' ', 2));
  return new Map(rows.flatMap(([id = '', size = '']) => (/^\d+$/.test(size) ? [[id, Number(size)]] : [])));
}

/** Reads the beginnings of those that are here, each once: bytes, a character each. */
export async function* readBlobTexts(
  repository: Repository,
  ids: readonly string[],
  most: number,
): AsyncGenerator<readonly [blob: string, text: string], void> {
  const blobs = [...(await readBlobLengths(repository, [...new Set(ids)])).keys()];
  if (blobs.length === 0) return;
  const reader = startBlobReader(repository, blobs);
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

/** The ids of all objects; undefined where every one should be here. */
async function listPresent(repository: Repository): Promise<ReadonlySet<string> | undefined> {
  return (await isPartial(repository)) ? await listObjects(repository) : undefined;
}

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

/** Each has a process of git and a thread of its own, but for the first, which is in this thread. */
const READERS = Math.min(4, availableParallelism());

/** What is less is read before a thread has started. */
const WORTH_THREAD = 16 * 1024 * 1024;

/** A reader is asked for so much at a time: enough that it never waits, so little that all end together. */
const AHEAD_BYTES = 4 * 1024 * 1024;
const AHEAD_BLOBS = 128;

/** In so many shares. */
const AHEAD = 4;

/** Blobs are taken for large until some were read; after so many, it is known. */
const FIRST_BYTES = 1024 * 1024;
const FIRST_BLOBS = 16;

/** Blobs that are asked for one after another. */
interface BlobQueue {
  readonly wishes: BlobWish[];
  /** How many of them somebody reads, or has read. */
  given: number;
}

/** @param take is told of each blob, in no particular order */
function shareReading(job: BlobJob, take: (fact: BlobFact) => void) {
  const startQueue = (): BlobQueue => ({ wishes: [], given: 0 });
  const [digested, both] = [startQueue(), startQueue()];
  /** What is only compared: others do not wait for it. */
  const compared = startQueue();
  const queueOf = ({ digest, judge, page }: BlobWish) =>
    page === undefined ? digested : digest || judge ? both : compared;
  const failures: BlobFailure[] = [];
  const read = { blobs: 0, bytes: 0 };
  /** How many others wait for; how many a thread takes of the rest, once all is asked for. */
  let [awaited, restShare] = [0, undefined as number | undefined];
  let lanes = 0;
  let reading: ReturnType<typeof startReadingBlobs> | undefined;
  const pool = startPool<BlobQuestion, BlobAnswer>({
    script: BLOB_WORKER,
    ahead: AHEAD,
    line: () => (lanes++ === 0 ? takeHere : takeShare),
    take(answer) {
      for (const fact of unpackFacts(answer.facts)) {
        read.blobs++;
        read.bytes += fact.length;
        if (fact.hash !== undefined || fact.noindex !== undefined) awaited--;
        take(fact);
      }
      if (answer.failure !== undefined) failures.push(answer.failure);
      startAnother();
    },
  });

  return {
    add(wish: BlobWish): void {
      const queue = queueOf(wish);
      queue.wishes.push(wish);
      if (queue !== compared) awaited++;
      startAnother();
      pool.ask();
    },
    /**
     * Waits for all but what is only compared; tells which is the first that cannot be read, in the order in which they were
     * asked for.
     */
    async finish(): Promise<BlobFailure | undefined> {
      restShare = Math.ceil((compared.wishes.length - compared.given) / (AHEAD * pool.count()));
      pool.ask();
      try {
        while (pool.isBusy() && (awaited > 0 || failures.length > 0)) await pool.wait();
      } catch (error) {
        void close();
        throw error;
      }
      const order = new Map([...digested.wishes, ...both.wishes].map(({ id }, index) => [id, index]));
      const placeOf = ({ id }: BlobFailure) => order.get(id) ?? order.size;
      return failures.sort((a, b) => placeOf(a) - placeOf(b))[0];
    },
    /** Waits for that, too. */
    async finishRest(): Promise<void> {
      try {
        while (pool.isBusy()) await pool.wait();
      } finally {
        await close();
      }
    },
    close,
  };

  async function close(): Promise<void> {
    reading?.close();
    await pool.close();
  }

  /**
   * What compares is compiled anew in each thread. So this one leaves it to others once it is known how large versions are, and
   * does all in the end where there are no others.
   */
  function takeHere(): BlobQuestion | undefined {
    const isAlone = pool.count() === 0 && (restShare !== undefined || read.blobs < FIRST_BLOBS);
    return isAlone ? takeShare() : takeFrom(digested);
  }

  function takeShare(): BlobQuestion | undefined {
    return takeFrom(both) ?? takeFrom(digested) ?? takeFrom(compared);
  }

  function takeFrom(queue: BlobQueue): BlobQuestion | undefined {
    // What comes after something that cannot be read is of no use.
    if (failures.length > 0) queue.given = queue.wishes.length;
    const ahead = Math.min(AHEAD_BLOBS, AHEAD_BYTES / ((read.bytes + FIRST_BYTES) / (read.blobs + 1)));
    // Whoever publishes meanwhile is slow to ask again.
    const rest = queue === compared && pool.count() > 0 ? restShare : undefined;
    const share = queue.wishes.slice(queue.given, queue.given + (rest ?? Math.ceil(ahead / AHEAD)));
    queue.given += share.length;
    return share.length === 0 ? undefined : { job, wishes: share };
  }

  /** The first reads in this thread. */
  function startAnother(): void {
    if (reading === undefined) {
      const first = startReadingBlobs(job);
      reading = first;
      pool.startHere((question) => first.read(question.wishes));
    }
    const waiting = [digested, both, compared].reduce(
      (sum, { wishes, given }) => sum + wishes.length - given,
      0,
    );
    const isWorthIt = waiting * (read.bytes / read.blobs) >= WORTH_THREAD;
    if (isWorthIt && pool.lanes() < READERS) pool.start(pool.count() + 1);
  }
}
