/** The refs that keep snapshots: their names, and the refusal to record a publication elsewhere. */

import { ResyncError } from '../base/errors.js';
import { say } from '../base/text/say.js';

export function refuseRecord(reason: string): never {
  throw new ResyncError(
    'config-invalid',
    say`Nothing can be recorded: a publication is recorded as a snapshot, but ${reason}.\nRecord nothing, or use --history snapshots.`,
  );
}

/** Writes a path as a ref name: what git does not allow is percent-encoded. */
export function makeRefName(path: string): string {
  if (path === '') return '_root';
  return path
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment)
        .replace(/[~*!'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
        .replace(/^\.|\.(?=\.|$|lock$)/g, '%2E'),
    )
    .join('/');
}
