/** Reads bytes that git keeps. */

import { explainCorrupt, makeMissingError, readPieces } from './pieces.js';
import type { Repository } from './repository.js';
import { makeGitError, startGit } from './run.js';

/** Reads the bytes of blobs, all from one process, in the order in which they were asked for. */
export interface BlobReader {
  /**
   * The next blob, in pieces.
   *
   * @throws ResyncError `git-failed` when it is another one, missing or corrupt
   */
  read(id: string): AsyncGenerator<Uint8Array, void>;
  /** Ends git, whether everything was read or not. */
  close(): void;
}

export function startBlobReader(repository: Repository, ids: readonly string[]): BlobReader {
  const git = startGit(repository, ['cat-file', '--batch', '--buffer']);
  git.stdin.end(`${ids.join('\n')}\n`);
  const pieces = readPieces(git.stdout, (id) => makeMissingError(repository.root, id, undefined));
  // Asked for at once: what a process wrote is dropped when it ends before anybody reads.
  let first: ReturnType<typeof pieces.next> | undefined = pieces.next();
  first.catch(() => undefined);
  const endOf = async (id: string) => {
    try {
      await git.ended;
    } catch (error) {
      throw explainCorrupt(error, repository.root, id, undefined);
    }
  };
  return {
    async *read(id) {
      for (;;) {
        const { value, done } = await (first ?? pieces.next());
        first = undefined;
        if (done === true) await endOf(id);
        if (done === true || value.id !== id) {
          throw makeGitError(repository.root, `blob ${id} did not come when its turn was`);
        }
        yield value.content;
        if (value.last) return;
      }
    },
    close: () => git.stdout.destroy(),
  };
}
