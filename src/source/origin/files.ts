/** Finds and reads files of a folder, and follows no link out of it. */

import { createReadStream, lstatSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { explainRefused, systemErrorCode } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { isSafePath } from '../../standard/model.js';
import { type Bounds, FetchError } from '../web/bounds.js';

/** Tests for a regular file in a folder, not reached by a symbolic link out of it. @throws ResyncError `file-unreadable` */
export function isOwnFile(site: string, path: string): boolean {
  // On POSIX systems, a backslash is a character like others.
  if (!isSafePath(`/${sep === '/' ? path.replaceAll('\\', '_') : path}`)) return false;
  const file = join(site, path);
  try {
    const found = lstatSync(file, { throwIfNoEntry: false });
    return found?.isFile() === true && realpathSync.native(file).startsWith(site + sep);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code !== undefined && NOWHERE.has(code)) return false;
    throw explainUnreadable(error, file);
  }
}

/** Words an error of the system about a file that cannot be read; returns any other error unchanged. */
export function explainUnreadable(error: unknown, file: string): unknown {
  return explainRefused(error, 'file-unreadable', (refusal) => say`Cannot read ${file} (${refusal}).`);
}

/** Errors for a file that is gone, or cannot exist: its name or path is too long, or links form a circle. */
const NOWHERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EINVAL', 'ELOOP']);

/** Reads a file in pieces. @throws FetchError while it is read */
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
