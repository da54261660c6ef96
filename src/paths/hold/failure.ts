/** Words what the system refused while a site was written to. */

import { ResyncError, systemErrorCode } from '../../base/errors.js';
import { say, type Words } from '../../base/text/say.js';
import { namePath } from '../held/folder.js';

/** Words what the system refused; what is no such refusal stays as it is. */
export function explainFailure(site: string, error: unknown, state: Words): unknown {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  return new ResyncError(
    'write-failed',
    say`Cannot write ${findTarget(error) ?? site}: ${REASONS[code] ?? code}.\n${state} Make room or give write permission, and run again.`,
    { cause: error },
  );
}

/** What could not be written; of a move, the place where it was to go. */
function findTarget(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('dest' in error) return namePath(String(error.dest));
  return 'path' in error ? namePath(String(error.path)) : undefined;
}

const REASONS: Readonly<Record<string, string | undefined>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  EFBIG: 'the file would be too large',
  EXDEV: 'it is on another file system than the site',
  EBUSY: 'another program uses it',
};

export function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
