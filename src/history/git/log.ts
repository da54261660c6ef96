/** Reads the publications that git keeps. */

import { isAscii, isUtf8 } from 'node:buffer';
import { availableParallelism } from 'node:os';
import type { PathChange, Publication } from '../plan/replay.js';
import type { Repository } from './repository.js';
import { askGit, type GitProcess, startGit } from './run.js';

/** More processes than that gain nothing: what they find is put together in one thread. */
const READERS = Math.min(4, availableParallelism());

/** What the message of a snapshot has for each set: its name, where it has one, and the fingerprint of its options. */
export const LISTING_TRAILER = 'Listing';

/** For fewer commits than that, another one takes longer to start than it saves. */
const READER_COMMITS = 250;

/**
 * Reads what the first-parent commits that touch a folder did to its files, newest first. Only regular files count: a
 * symbolic link or a submodule is as good as absent.
 *
 * @param prefix the folder, '' for the top; paths are relative to it
 * @param areSnapshots whether their messages may say by which options they were listed
 * @throws ResyncError `git-failed`
 */
export function readPublications(
  repository: Repository,
  commit: string,
  prefix: string,
  areSnapshots = false,
): AsyncGenerator<Publication, void> {
  const listed = askGit(repository, ['rev-list', '--first-parent', commit]);
  // It is awaited when the first publication is asked for.
  listed.catch(() => undefined);
  const format = `%x01%H %ct${areSnapshots ? ` %(trailers:key=${LISTING_TRAILER},valueonly,separator=%x2C)` : ''}`;
  return readShares(repository, listed, { prefix, format });
}

/** @param listed the ids of a commit and its first parents, newest first, a line each */
async function* readShares(
  repository: Repository,
  listed: Promise<string>,
  asked: { readonly prefix: string; readonly format: string },
): AsyncGenerator<Publication, void> {
  // git compares the trees of commits in one thread, which takes most of the time; several may do so side by side. How
  // many of the commits touch the folder would take long to find out, and only tells how even the shares are.
  const commits = (await listed).split('\n');
  const readers = Math.max(1, Math.min(READERS, Math.floor(commits.length / READER_COMMITS)));
  const size = Math.ceil(commits.length / readers);
  const starts = commits.filter((_, index) => index % size === 0);
  const logs = starts.map((start, index) => startLog(repository, start, starts[index + 1], asked));
  const skip = asked.prefix === '' ? 0 : Buffer.byteLength(asked.prefix) + 1;
  // The newest are handed on as they come. A pipe that nobody reads would fill up.
  const shares = logs.map((git, index) => (index === 0 ? readLog(git, skip) : collect(readLog(git, skip))));
  for (const share of shares) if (share instanceof Promise) share.catch(() => undefined);
  try {
    for (const share of shares) yield* await share;
  } finally {
    for (const git of logs) git.stdout.destroy();
  }
}

/** @param end the first commit that is not read; undefined to read to the oldest */
function startLog(
  repository: Repository,
  start: string,
  end: string | undefined,
  { prefix, format }: { readonly prefix: string; readonly format: string },
): GitProcess {
  const git = startGit(repository, [
    'log',
    '--first-parent',
    '-m',
    '--raw',
    '-z',
    '--no-renames',
    '--no-abbrev',
    '--no-show-signature',
    '--no-notes',
    '--no-mailmap',
    '--encoding=UTF-8',
    '-O/dev/null',
    `--format=format:${format}`,
    start,
    ...(end === undefined ? [] : [`^${end}`]),
    '--',
    ...(prefix === '' ? [] : [prefix]),
  ]);
  git.stdin.end();
  return git;
}

/** @param skip bytes of the path to the folder, with its slash */
async function* readLog(git: GitProcess, skip: number): AsyncGenerator<Publication, void> {
  const parser = startLogParser(skip);
  for await (const chunk of git.stdout) yield* parser.take(chunk);
  await git.ended;
  yield* parser.finish();
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** In a line such as `:100644 100755 3b18e51… 6361626… M`: where the mode is that the file has now. */
const MODE = 8;

/** How that of a regular file begins: `100`. */
const REGULAR = [0x31, 0x30, 0x30];

/** All of that line but the two ids, in bytes. */
const AROUND_IDS = 18;

/** What each publication begins with, as we ask for it. */
const BEGINNING = 1;
const LINE_BREAK = 10;

/** @param skip as of `readLog` */
function startLogParser(skip: number) {
  const publications: (Publication & { readonly changes: PathChange[] })[] = [];
  // Most paths change again and again; each is kept once.
  const paths = new Map<string, string>();
  let change: { readonly blob: string | undefined } | undefined;
  let rest: Buffer = Buffer.alloc(0);

  return {
    /** Takes what comes next, and tells which publications are whole: of the last one, more changes may follow. */
    take(chunk: Buffer): Publication[] {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const isPlain = isAscii(bytes);
      let start = 0;
      for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
        readToken(bytes, start, end, isPlain);
        start = end + 1;
      }
      rest = bytes.subarray(start);
      return publications.splice(0, publications.length - 1);
    },
    /** Tells the last ones. */
    finish(): Publication[] {
      if (rest.length > 0) readToken(rest, 0, rest.length, false);
      return publications;
    },
  };

  /** Reads a path, or what stands before it. No part of the bytes is made a buffer of its own: there are very many. */
  function readToken(bytes: Buffer, start: number, end: number, isPlain: boolean): void {
    if (change !== undefined) {
      readPath(bytes, start + skip, end, isPlain);
      return;
    }
    const line = bytes[start] === BEGINNING ? readBeginning(bytes, start, end) : start;
    if (line >= end) return;
    const isRegular = REGULAR.every((digit, index) => bytes[line + MODE + index] === digit);
    const length = (end - line - AROUND_IDS) / 2;
    change = { blob: isRegular ? bytes.toString('latin1', end - 2 - length, end - 2) : undefined };
  }

  /** @returns where the first change begins */
  function readBeginning(bytes: Buffer, start: number, end: number): number {
    const found = bytes.indexOf(LINE_BREAK, start);
    const lineEnd = found === -1 || found > end ? end : found;
    const [id = '', seconds, ...listing] = bytes.toString('latin1', start + 1, lineEnd).split(' ');
    const said = listing.length === 0 ? {} : { listing: listing.join(' ') };
    publications.push({ id, seconds: Number(seconds), ...said, changes: [] });
    return lineEnd + 1;
  }

  function readPath(bytes: Buffer, start: number, end: number, isPlain: boolean): void {
    const blob = change?.blob;
    change = undefined;
    // A name that is not UTF-8 has no URL; it was never a resource. Nor was a file in the place of the folder.
    if (start >= end || !(isPlain || isUtf8(bytes.subarray(start, end)))) return;
    const read = bytes.toString(isPlain ? 'latin1' : 'utf8', start, end);
    const known = paths.get(read);
    if (known === undefined) paths.set(read, read);
    publications.at(-1)?.changes.push({ path: known ?? read, blob });
  }
}
