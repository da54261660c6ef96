/** Reads files that are to be edited, and refuses those that cannot be. */

import { readFileSync } from 'node:fs';
import { ResyncError, systemErrorCode } from '../../base/errors.js';
import { say } from '../../base/text/say.js';

export function refuseEdit(what: string, remedy: string): never {
  throw new ResyncError(
    'discovery-failed',
    say`${what}, so nothing can be added to it.\n${remedy}, and run again.`,
  );
}

export function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw new ResyncError(
      'file-unreadable',
      say`Cannot read ${file} (${code}).\nMake it readable, and run again.`,
      {
        cause: error,
      },
    );
  }
}
