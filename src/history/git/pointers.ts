/** Reads pointers of Git LFS and git-annex: small blobs that stand for bytes stored elsewhere. Pure. */

import { matchGroups } from '../../base/text/match.js';

/** Length from which a blob is no pointer, in bytes, as in git-lfs. */
export const POINTER_LIMIT = 1024;

export interface Pointer {
  readonly sha256: string;
  /** Length of the bytes behind the pointer; undefined if it does not say. */
  readonly length: number | undefined;
}

const HASH = '([0-9a-f]{64})';
const SIZE = '(0|[1-9][0-9]{0,14})';

// https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md; an older version of this specification has the host `hawser`.
const LFS = new RegExp(
  `^version https://(?:git-lfs|hawser)\\.github\\.com/spec/v1\\n(?:ext-[0-9]-[\\w.-]+ sha256:${HASH}\\n)?(?:ext-[0-9]-[\\w.-]+ sha256:[0-9a-f]{64}\\n)*oid sha256:${HASH}\\nsize ${SIZE}\\n?$`,
);

/** Matches the pointer of git-annex in an unlocked file. A locked file is a symbolic link, which is no resource. */
const ANNEX = new RegExp(`^/annex/objects/SHA256E?-s${SIZE}--${HASH}(?:\\.[\\w.-]*)?\\n?$`);

/** Reads a pointer of Git LFS or git-annex; returns undefined for any other content. */
export function readPointer(content: Uint8Array): Pointer | undefined {
  if (content.length >= POINTER_LIMIT) return undefined;
  const text = Buffer.from(content).toString('latin1');
  const [isLfs, input, oid, size] = matchGroups(LFS, text);
  // With extensions, git-lfs stores other bytes, which `oid` and `size` describe; the first extension digests the file.
  if (isLfs !== undefined && input !== undefined) return { sha256: input, length: undefined };
  if (oid !== undefined) return { sha256: oid, length: Number(size) };
  const [, length, sha256] = matchGroups(ANNEX, text);
  return sha256 === undefined ? undefined : { sha256, length: Number(length) };
}
