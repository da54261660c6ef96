/** Reads publications from the log of git. */

import { isAscii, isUtf8 } from 'node:buffer';
import type { PathChange, Publication } from '../plan/replay.js';
import type { Repository } from './repository.js';
import { startGit } from './run.js';

/** The line in the message of a snapshot for each set: its name, if it has one, and the fingerprint of its options. */
export const LISTING_TRAILER = 'Listing';

/**
 * Reads the changes of the first-parent commits of a folder, newest first. Symbolic links and submodules count as absent.
 * @param prefix the folder, '' for the top; paths are relative to it @param areSnapshots reads their trailers, too
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

/** Place of the file's new mode in a line such as `:100644 100755 3b18e51… 6361626… M`. */
const MODE = 8;

/** The mode of a regular file begins with `100`. */
const REGULAR = [0x31, 0x30, 0x30];

/** Length of that line without the two ids, in bytes. */
const AROUND_IDS = 18;

/** The byte that begins each publication, by the format that we ask for. */
const BEGINNING = 1;
const LINE_BREAK = 10;

/** Parses the output of `git log`, chunk by chunk. */
class LogParser {
  readonly #publications: (Publication & { readonly changes: PathChange[] })[] = [];
  /** Most paths change repeatedly; each is stored once. */
  readonly #paths = new Map<string, string>();
  /** Length of the folder that paths begin with, in bytes. */
  readonly #skip: number;
  #change: { readonly blob: string | undefined } | undefined;
  #rest: Buffer = Buffer.alloc(0);

  constructor(skip: number) {
    this.#skip = skip;
  }

  /** @returns publications that are complete; more changes of the last one may follow */
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

  /** Reads a path, or the line before it. Makes no buffers of parts: there are very many. */
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

  /** @returns the offset of the first change */
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
    // A name that is not UTF-8 has no URL. A file in the place of the folder is no resource either.
    if (start >= end || !(isPlain || isUtf8(bytes.subarray(start, end)))) return;
    const read = bytes.toString(isPlain ? 'latin1' : 'utf8', start, end);
    const known = this.#paths.get(read);
    if (known === undefined) this.#paths.set(read, read);
    this.#publications.at(-1)?.changes.push({ path: known ?? read, blob });
  }
}
