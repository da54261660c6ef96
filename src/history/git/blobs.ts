/** Reads bytes that git keeps. */

import { explainCorrupt, makeMissingError, readPieces } from './pieces.js';
import type { Repository } from './repository.js';
import { makeGitError, startGit } from './run.js';

export type BlobReader = ReturnType<typeof startBlobReader>;

/** Starts to read the bytes of blobs, all from one process, in the order in which they are asked for. */
export function startBlobReader(repository: Repository, ids: readonly string[]) {
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
    /**
     * The next blob, in pieces.
     *
     * @throws ResyncError `git-failed` when it is another one, missing or corrupt
     */
    async *read(id: string): AsyncGenerator<Uint8Array, void> {
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
    /** Ends git, whether everything was read or not. */
    close: () => void git.stdout.destroy(),
  };
}
