/** Reads publications from the log of git. */

import { isAscii, isUtf8 } from 'node:buffer';
import type { PathChange, Publication } from '../plan/replay.js';
import type { Repository } from './repository.js';
import { startGit } from './run.js';

/** Trailer of a snapshot, one for each set: the name of the set, if it has one, and the fingerprint of its options. */
export const LISTING_TRAILER = 'Listing';

/**
 * Reads the first-parent commits that changed a folder, newest first. Symbolic links and submodules count as absent.
 * @param prefix the folder, '' for the top; paths are relative to it @param areSnapshots if they have trailers `Listing`
 * @throws ResyncError `git-failed`
 */
export async function* readPublications(
  repository: Repository,
  commit: string,
  prefix: string,
  areSnapshots = false,
): AsyncGenerator<Publication, void> {
  const format = `%x01%H %ct${areSnapshots ? ` %(trailers:key=${LISTING_TRAILER},valueonly,separator=%x2C)` : ''}`;
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
    commit,
    '--',
    ...(prefix === '' ? [] : [prefix]),
  ]);
  git.stdin.end();
  const parser = new LogParser(prefix === '' ? 0 : Buffer.byteLength(prefix) + 1);
  try {
    for await (const chunk of git.stdout) yield* parser.take(chunk);
    await git.ended;
    yield* parser.finish();
  } finally {
    git.stdout.destroy();
  }
}

/** Place of the file's new mode in a line of `git log --raw`, such as `:100644 100755 3b18e51… 6361626… M`. */
const MODE = 8;

/** Bytes with which the mode of a regular file begins: `100`. */
const REGULAR = [0x31, 0x30, 0x30];

/** Length of a line of `git log --raw` without its two ids, in bytes. */
const AROUND_IDS = 18;

/** Byte with which each commit begins in the output of `git log`, by our `--format`. */
const BEGINNING = 1;
const LINE_BREAK = 10;

/** Parses the output of `git log`, chunk by chunk. */
class LogParser {
  readonly #publications: (Publication & { readonly changes: PathChange[] })[] = [];
  /** All paths so far, each mapped to itself: most change repeatedly, and so share one string. */
  readonly #paths = new Map<string, string>();
  /** Length of the folder and the `/` that are cut off at the beginning of paths, in bytes. */
  readonly #skip: number;
  #change: { readonly blob: string | undefined } | undefined;
  #rest: Buffer = Buffer.alloc(0);

  constructor(skip: number) {
    this.#skip = skip;
  }

  /** Parses a chunk. @returns complete publications; the newest one waits, because more of its changes may follow */
  take(chunk: Buffer): Publication[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const isPlain = isAscii(bytes);
    let start = 0;
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
      this.#readToken(bytes, start, end, isPlain);
      start = end + 1;
    }
    this.#rest = bytes.subarray(start);
    return this.#publications.splice(0, this.#publications.length - 1);
  }

  finish(): Publication[] {
    if (this.#rest.length > 0) this.#readToken(this.#rest, 0, this.#rest.length, false);
    return this.#publications;
  }

  /** Reads a path, or the line that precedes it. Creates no buffers for such tokens, because there are very many. */
  #readToken(bytes: Buffer, start: number, end: number, isPlain: boolean): void {
    if (this.#change !== undefined) {
      this.#readPath(bytes, start + this.#skip, end, isPlain);
      return;
    }
    const line = bytes[start] === BEGINNING ? this.#readBeginning(bytes, start, end) : start;
    if (line >= end) return;
    const isRegular = REGULAR.every((digit, index) => bytes[line + MODE + index] === digit);
    const length = (end - line - AROUND_IDS) / 2;
    this.#change = { blob: isRegular ? bytes.toString('latin1', end - 2 - length, end - 2) : undefined };
  }

  /** Reads the first line of a commit, and adds its publication. @returns the offset behind this line */
  #readBeginning(bytes: Buffer, start: number, end: number): number {
    const found = bytes.indexOf(LINE_BREAK, start);
    const lineEnd = found === -1 || found > end ? end : found;
    const [id = '', seconds, ...listing] = bytes.toString('latin1', start + 1, lineEnd).split(' ');
    const said = listing.length === 0 ? {} : { listing: listing.join(' ') };
    this.#publications.push({ id, seconds: Number(seconds), ...said, changes: [] });
    return lineEnd + 1;
  }

  #readPath(bytes: Buffer, start: number, end: number, isPlain: boolean): void {
    const blob = this.#change?.blob;
    this.#change = undefined;
    // A path that is not UTF-8 has no URL. A file in the place of the site's folder is no resource either.
    if (start >= end || !(isPlain || isUtf8(bytes.subarray(start, end)))) return;
    const read = bytes.toString(isPlain ? 'latin1' : 'utf8', start, end);
    const known = this.#paths.get(read);
    if (known === undefined) this.#paths.set(read, read);
    this.#publications.at(-1)?.changes.push({ path: known ?? read, blob });
  }
}
