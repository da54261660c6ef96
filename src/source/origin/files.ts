/** The files of a folder that is audited, found without a way out of it. */

import { createReadStream, lstatSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { explainRefused, systemErrorCode } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { isSafePath } from '../../standard/model.js';
import { type Bounds, FetchError } from '../web/bounds.js';

/**
 * Whether a path is a regular file of a folder, and no link leads out of it on the way.
 *
 * @throws ResyncError `file-unreadable`
 */
export function isOwnFile(site: string, path: string): boolean {
  if (!isSafePath(`/${path}`)) return false;
  const file = join(site, path);
  try {
    const found = lstatSync(file, { throwIfNoEntry: false });
    return found?.isFile() === true && realpathSync(file).startsWith(site + sep);
  } catch (error) {
    if (NOWHERE.has(systemErrorCode(error) ?? '')) return false;
    throw explainUnreadable(error, file);
  }
}

/** What the system says of a file that cannot be read; any other error as it is. */
export function explainUnreadable(error: unknown, file: string): unknown {
  return explainRefused(error, 'file-unreadable', (refusal) => say`Cannot read ${file} (${refusal}).`);
}

/** It is gone, or no file system could hold it: its name or its path is too long, or links go round. */
const NOWHERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EINVAL', 'ELOOP']);

/** @throws FetchError, while it is read */
export async function* readFile(path: string, bounds: Bounds): AsyncGenerator<Buffer> {
  const { signal } = bounds;
  try {
    for await (const chunk of createReadStream(path, { signal }) as AsyncIterable<Buffer>) {
      bounds.take(chunk.length);
      yield chunk;
    }
  } catch (error) {
    signal.throwIfAborted();
    const code = systemErrorCode(error);
    throw code === undefined ? error : new FetchError('failed', `cannot be read (${code})`, { cause: error });
  }
}
