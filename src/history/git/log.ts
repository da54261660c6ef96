/** Reads publications from the log of git. */

import { isUtf8 } from 'node:buffer';
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
export async function readPublications(
  repository: Repository,
  commit: string,
  prefix: string,
  areSnapshots = false,
): Promise<Publication[]> {
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
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of git.stdout) {
    const bytes = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
      parser.take(bytes.subarray(start, end));
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  await git.ended;
  parser.take(rest);
  return parser.publications;
}

/** Byte with which each commit begins in the output of `git log`, by our `--format`. */
const BEGINNING = 1;
const LINE_BREAK = 10;
const SPACE = 32;

/** Parses the output of `git log`, token by token: each path follows a line such as `:100644 100755 3b18e51… 6361626… M`. */
class LogParser {
  readonly publications: (Publication & { readonly changes: PathChange[] })[] = [];
  /** All paths so far, each mapped to itself: most change repeatedly, and so share one string. */
  readonly #paths = new Map<string, string>();
  /** Length of the folder and the `/` that are cut off at the beginning of paths, in bytes. */
  readonly #skip: number;
  /** The change whose path is the next token. */
  #change: Omit<PathChange, 'path'> | undefined;

  constructor(skip: number) {
    this.#skip = skip;
  }

  take(token: Buffer): void {
    if (this.#change !== undefined) {
      this.#takePath(this.#change, token.subarray(this.#skip));
      this.#change = undefined;
      return;
    }
    const line = token[0] === BEGINNING ? this.#takeCommit(token) : token;
    if (line.length === 0) return;
    const end = line.lastIndexOf(SPACE);
    const isRegular = line.toString('latin1', 8, 11) === '100';
    const blob = isRegular ? line.toString('latin1', line.lastIndexOf(SPACE, end - 1) + 1, end) : undefined;
    this.#change = { blob };
  }

  /** Adds the publication of a commit. @returns the token after its first line */
  #takeCommit(token: Buffer): Buffer {
    const found = token.indexOf(LINE_BREAK);
    const end = found === -1 ? token.length : found;
    const [id = '', seconds, ...listing] = token.toString('latin1', 1, end).split(' ');
    const said = listing.length === 0 ? {} : { listing: listing.join(' ') };
    this.publications.push({ id, seconds: Number(seconds), ...said, changes: [] });
    return token.subarray(end + 1);
  }

  #takePath({ blob }: Omit<PathChange, 'path'>, bytes: Buffer): void {
    // A path that is not UTF-8 has no URL. A file in the place of the site's folder is no resource either.
    if (bytes.length === 0 || !isUtf8(bytes)) return;
    const read = bytes.toString();
    const path = this.#paths.get(read) ?? read;
    this.#paths.set(path, path);
    this.publications.at(-1)?.changes.push({ path, blob });
  }
}
