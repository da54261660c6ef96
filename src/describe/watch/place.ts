/** Finds the folder that is watched, which may be missing or replaced at any time. */

import { existsSync, statSync } from 'node:fs';
import { ResyncError, systemErrorCode } from '../../base/errors.js';
import { resolveSite } from '../../site/folder.js';

/** The site's folder; undefined when there is nothing in its place. */
export function findSite(place: string): string | undefined {
  try {
    return resolveSite(place);
  } catch (error) {
    // By now there may be something again.
    if (isOfMissing(error) || !existsSync(place)) return undefined;
    throw error;
  }
}

/** Whether an error says that there was no folder. */
export function isOfMissing(error: unknown): boolean {
  return (
    error instanceof ResyncError &&
    error.code === 'site-unreadable' &&
    systemErrorCode(error.cause) === 'ENOENT'
  );
}

/** What stays the same until another folder is in its place; a link may have come to lead elsewhere. */
export function identify(place: string): string | undefined {
  const { dev, ino } = statSync(place, { throwIfNoEntry: false }) ?? {};
  return dev === undefined ? undefined : `${dev} ${ino}`;
}
