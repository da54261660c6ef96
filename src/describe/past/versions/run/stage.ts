/** Writes versions where a run stages what it is about to publish: from the site, or from git. */

import { closeSync, openSync, writeSync } from 'node:fs';
import { startBlobReader } from '../../../../history/git/blobs.js';
import type { Repository } from '../../../../history/git/repository.js';
import type { Bitstream } from '../../../../history/plan/packages.js';
import { readBitstream } from '../../../dumps/bitstreams.js';
import type { Version } from '../plan.js';

/** A version that is to be written, and where its bytes are. */
export interface StagedVersion {
  readonly version: Version;
  readonly source: Bitstream['source'];
  /** The file to write. */
  readonly file: string;
}

/**
 * Writes versions, one after another.
 *
 * @param site where files are; `repository` where blobs are
 * @throws ResyncError `file-changing`, `git-failed`
 */
export async function stageVersions(
  staged: readonly StagedVersion[],
  site: string,
  repository: Repository | undefined,
): Promise<void> {
  const blobs = staged.flatMap(({ source }) => ('blob' in source ? source.blob : []));
  const reader =
    blobs.length === 0 || repository === undefined ? undefined : startBlobReader(repository, blobs);
  try {
    for (const { version, source, file } of staged) {
      const { path: name, length, hash, type } = version;
      const handle = openSync(file, 'wx');
      try {
        for await (const piece of readBitstream({ name, length, hash, type, source }, site, reader)) {
          for (let offset = 0; offset < piece.length; ) offset += writeSync(handle, piece, offset);
        }
      } finally {
        closeSync(handle);
      }
    }
  } finally {
    reader?.close();
  }
}
