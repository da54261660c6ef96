/** Words errors of the system that occur while files are written. */

import { explainRefused } from '../../base/errors.js';
import { say, type Words } from '../../base/text/say.js';
import { namePath } from '../held/folder.js';

/** Words an error of the system in writing to a site; returns any other error unchanged. @param state of the published files */
export function explainFailure(site: string, error: unknown, state: Words): unknown {
  const remedy = say`${state} Make room or give write permission, and run again.`;
  return explainWriteFailure(findTarget(error) ?? site, error, remedy);
}

export function explainWriteFailure(path: string, error: unknown, remedy: Words): unknown {
  const word = (refusal: string) => say`Cannot write ${path}: ${REASONS[refusal] ?? refusal}.\n${remedy}`;
  return explainRefused(error, 'write-failed', word);
}

/** Returns the path that could not be written; for a move, the target. */
function findTarget(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('dest' in error) return namePath(String(error.dest));
  return 'path' in error ? namePath(String(error.path)) : undefined;
}

const REASONS: Readonly<Record<string, string | undefined>> = {
  ENOENT: 'there is no such folder',
  EEXIST: 'a file is in its place',
  ENOTDIR: 'a file is in the place of its folder',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  EFBIG: 'the file would be too large',
  EXDEV: 'it is on another file system than the site',
  EBUSY: 'another program uses it',
};
