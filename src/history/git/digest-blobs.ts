/** Digests bytes that git keeps. */

import { availableParallelism } from 'node:os';
import { text as readText } from 'node:stream/consumers';
import { ResyncError } from '../../base/errors.js';
import { Words } from '../../base/text/say.js';
import type { HashAlgorithm } from '../../standard/model.js';
import type { Publication } from '../plan/replay.js';
import type { BlobDigest, BlobFact, BlobFailure, BlobWish } from './digest/facts.js';
import { type BlobJob, type BlobReading, startReadingBlobs } from './digest/read.js';
import { startThread } from './digest/thread.js';
import { explainCorrupt, type FileInCommit, makeMissingError } from './pieces.js';
import type { Repository } from './repository.js';
import { askGit, startGit } from './run.js';

/** What was found out about blobs, by id. */
export interface BlobFacts {
  readonly digests: ReadonlyMap<string, BlobDigest>;
  /** Whether a page says `noindex`, for those that were to be judged. */
  readonly noindex: ReadonlyMap<string, boolean>;
}

/** Digests blobs while others are still being looked for. To be used once. */
export interface BlobDigester {
  /** Asks for a blob. Nothing is fetched: in a partial clone, what is not here is left out of the result. */
  add(id: string, wish?: Omit<BlobWish, 'id'>): void;
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
  const present = await listPresent(repository);
  const { root, gitFolder } = repository;
  const digests = new Map<string, BlobDigest>();
  const noindex = new Map<string, boolean>();
  const asked = new Map<string, Omit<BlobWish, 'id'>>();
  const reading = shareReading({ place: { root, gitFolder }, algorithms }, (fact: BlobFact) => {
    if (fact.hash !== undefined) digests.set(fact.id, { length: fact.length, hash: fact.hash });
    if (fact.noindex !== undefined) noindex.set(fact.id, fact.noindex);
  });
  return {
    add(id, wish = { digest: true, judge: false }) {
      const before = asked.get(id) ?? { digest: false, judge: false };
      const digest = wish.digest && !before.digest;
      const judge = wish.judge && !before.judge;
      if ((!digest && !judge) || present?.has(id) === false) return;
      asked.set(id, { digest: digest || before.digest, judge: judge || before.judge });
      reading.add({ id, digest, judge });
    },
    async finish() {
      const failure = await reading.finish();
      if (failure !== undefined) throw explain(failure);
      return { digests, noindex };
    },
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
  // Where objects may be missing, git is not asked for them, for it might go and look elsewhere.
  const present = await listPresent(repository);
  const asked = present === undefined ? ids : ids.filter((id) => present.has(id));
  if (asked.length === 0) return new Map();
  const git = startGit(repository, ['cat-file', '--batch-check=%(objectname) %(objectsize)', '--buffer']);
  git.stdin.end(`${asked.join('\n')}\n`);
  const text = await readText(git.stdout);
  await git.ended;
  const rows = text.split('\n').map((row) => row.split(' ', 2));
  return new Map(rows.flatMap(([id = '', size = '']) => (/^\d+$/.test(size) ? [[id, Number(size)]] : [])));
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

/** Blobs are taken for large until some were read. */
const FIRST_BYTES = 1024 * 1024;

/** Reads blobs while others are still being looked for. To be used once. */
interface SharedReading {
  readonly add: (wish: BlobWish) => void;
  /** Waits for all; tells which is the first that cannot be read, in the order in which they were asked for. */
  readonly finish: () => Promise<BlobFailure | undefined>;
}

interface Reader extends BlobReading {
  /** Blobs that were asked for, and have not come. */
  unread: number;
  isLast: boolean;
}

/** @param take is told of each blob, in no particular order */
function shareReading(job: BlobJob, take: (fact: BlobFact) => void): SharedReading {
  const wishes: BlobWish[] = [];
  const readers: Reader[] = [];
  const ends: Promise<void>[] = [];
  const failures: BlobFailure[] = [];
  const read = { blobs: 0, bytes: 0 };
  let given = 0;
  let isComplete = false;
  let isBroken = false;

  return {
    add(wish) {
      wishes.push(wish);
      handOut();
    },
    async finish() {
      isComplete = true;
      handOut();
      // Further readers may start meanwhile.
      for (const end of ends) await end;
      return findFirst();
    },
  };

  function handOut(): void {
    // What comes after something that cannot be read is of no use.
    if (isBroken) given = wishes.length;
    if (isWorthAnother()) addReader();
    const ahead = Math.min(AHEAD_BLOBS, AHEAD_BYTES / ((read.bytes + FIRST_BYTES) / (read.blobs + 1)));
    for (const reader of readers) {
      if (reader.isLast) continue;
      const isShort = reader.unread <= ahead / 2;
      const share = isShort ? wishes.slice(given, given + Math.ceil(ahead)) : [];
      given += share.length;
      reader.unread += share.length;
      reader.isLast = (isComplete || isBroken) && given === wishes.length;
      if (share.length > 0 || reader.isLast) reader.ask(share, reader.isLast);
    }
  }

  function isWorthAnother(): boolean {
    const waiting = wishes.length - given;
    if (readers.length === 0) return waiting > 0;
    return readers.length < READERS && waiting * (read.bytes / read.blobs) >= WORTH_THREAD;
  }

  function addReader(): void {
    const start = readers.length === 0 ? startReadingBlobs : startThread;
    const reading = start(job, (fact) => {
      reader.unread--;
      read.blobs++;
      read.bytes += fact.length;
      take(fact);
      handOut();
    });
    const reader: Reader = { ...reading, unread: 0, isLast: false };
    readers.push(reader);
    const end = watchEnd(reader);
    // It is awaited in the end.
    end.catch(() => undefined);
    ends.push(end);
  }

  async function watchEnd(reader: Reader): Promise<void> {
    try {
      const failure = await reader.done;
      if (failure !== undefined) failures.push(failure);
    } finally {
      // It may end before its time, and only where something is wrong.
      isBroken ||= !reader.isLast || failures.length > 0;
      reader.isLast = true;
      handOut();
    }
  }

  function findFirst(): BlobFailure | undefined {
    if (failures.length < 2) return failures[0];
    const order = new Map(wishes.map(({ id }, index) => [id, index]));
    return failures.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0))[0];
  }
}
