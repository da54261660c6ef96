/** Says why the live site cannot be read, or its history not continued. */

import { ResyncError } from '../../errors.js';
import { say } from '../../text/say.js';

export const CHOICES =
  'To begin a new history instead, publish once with --history none: the next run with --history published goes on from there. Nothing has been written.';

export function unreadable(uri: string, reason: string, cause?: unknown): never {
  throw new ResyncError(
    'live-unreadable',
    say`Cannot read the history of the live site: ${uri}: ${reason}.`,
    {
      cause,
    },
  );
}

export function foreign(uri: string, reason: string): never {
  throw new ResyncError(
    'live-foreign',
    say`Cannot continue the history of the live site: ${uri} ${reason}.\nLook at that address, and whether --url is that of the site. ${CHOICES}`,
  );
}

export function mixed(uri: string): never {
  unreadable(
    uri,
    'it does not fit the other documents; a deploy may be under way, or a cache be out of date',
  );
}
