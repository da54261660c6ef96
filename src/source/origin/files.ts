/** Finds and reads files of a folder, and follows no link out of it. */

import { closeSync, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { explainRefused, systemErrorCode } from '../../base/errors.js';
import { OPEN_FLAGS } from '../../base/open-flags.js';
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
    return found?.isFile() === true && realpathSync(file).startsWith(site + sep);
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

const PIECE_BYTES = 64 * 1024;

/** Reads a file in pieces. @throws FetchError while it is read */
export async function* readFile(path: string, bounds: Bounds): AsyncGenerator<Buffer> {
  let file: number | undefined;
  try {
    file = openSync(path, OPEN_FLAGS);
    const room = Math.min(PIECE_BYTES, fstatSync(file).size + 1);
    for (;;) {
      // Timers and signals have their turn between two pieces.
      await breathe();
      const piece = Buffer.allocUnsafe(room);
      const length = readSync(file, piece, 0, piece.length, null);
      if (length === 0) return;
      bounds.take(length);
      yield piece.subarray(0, length);
    }
  } catch (error) {
    const code = systemErrorCode(error);
    throw code === undefined ? error : new FetchError('failed', `cannot be read (${code})`, { cause: error });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
