/** Computes digests of blobs. */

import { Digests } from '../../standard/digests.js';
import type { HashAlgorithm } from '../../standard/model.js';
import { readBlobs } from './blobs.js';
import { POINTER_LIMIT, type Pointer, readPointer } from './pointers.js';
import type { Repository } from './repository.js';

/** Length of a version of a file in bytes, and its digests in the notation of §7. */
export interface BlobDigest {
  readonly length: number | undefined;
  readonly hash: string;
  /** The pointer that the blob is; undefined if it has the bytes of the file. */
  readonly pointer?: Pointer | undefined;
}

/** Yields the digests of those blobs that are in this clone. @throws ResyncError `git-failed` if one is damaged */
export async function* digestBlobs(
  repository: Repository,
  algorithms: readonly HashAlgorithm[],
  blobs: Iterable<string>,
): AsyncGenerator<readonly [blob: string, digest: BlobDigest], void> {
  for await (const [blob, content] of readBlobs(repository, blobs)) {
    const digests = new Digests(algorithms);
    let first: Buffer | undefined;
    let length = 0;
    for await (const piece of content) {
      first ??= piece;
      length += piece.length;
      digests.update(piece);
    }
    const pointer = first !== undefined && length < POINTER_LIMIT ? readPointer(first) : undefined;
    yield [blob, { length, hash: digests.finish(), pointer }];
  }
}
