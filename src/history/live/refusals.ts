/** Errors about the live site and its history. */

import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';

export const CHOICES =
  'Nothing was written. To start a new history, set RESYNC_HISTORY=none in the environment of one build that you deploy, such as in the settings of your host; the builds after that continue it.';

export function refuseUnreadable(uri: string, reason: string, cause?: unknown): never {
  throw new ResyncError(
    'live-unreadable',
    say`The lists of the live site cannot be read: ${uri}: ${reason}.`,
    {
      cause,
    },
  );
}

export function foreign(uri: string, reason: string): never {
  throw new ResyncError(
    'live-foreign',
    say`The history of the live site cannot be continued: ${uri} ${reason}.\nCheck that address, and that it is the URL of this site. ${CHOICES}`,
  );
}

export function isLiveFailure(error: unknown): error is ResyncError {
  return error instanceof ResyncError && error.code.startsWith('live-');
}

/** Returns undefined for an error about the live site, for callers that can do without it; throws any other error. */
export function ignoreLiveFailure(error: unknown): undefined {
  if (isLiveFailure(error)) return undefined;
  throw error;
}

export function mixed(uri: string): never {
  refuseUnreadable(
    uri,
    'it does not fit the other documents; a deploy may be under way, or a cache be out of date',
  );
}
