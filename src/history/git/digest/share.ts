/** Shares the reading of blobs among threads, where there is enough to read. */

import { availableParallelism } from 'node:os';
import type { BlobFact, BlobFailure, BlobWish } from './facts.js';
import { type BlobJob, type BlobReading, startReadingBlobs } from './read.js';
import { startThread } from './thread.js';

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
export interface SharedReading {
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
export function shareReading(job: BlobJob, take: (fact: BlobFact) => void): SharedReading {
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
