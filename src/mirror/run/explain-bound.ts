/** Words the end of a run that has met one of its bounds. */

import { ResyncError } from '../../base/errors.js';
import { say, type Words } from '../../base/text/say.js';
import { type Bound, BoundReached } from '../../source/web/bounds.js';

const ADVICE: Readonly<Record<Bound, Words>> = {
  bytes: say`Run again to go on, or with a higher --max-bytes.`,
  time: say`Run again to go on, or with a higher --max-time.`,
  memory: say`A machine with less than 6 GB of memory holds less than others. Copy one set of resources, with --set.`,
  disk: say`Make room, and run again to go on.`,
};

/** What is no such end stays as it is. */
export function explainBound(error: unknown): unknown {
  if (!(error instanceof BoundReached)) return error;
  return new ResyncError(
    'bound-reached',
    say`The run has ended before the copy was right: ${error.message}.\nEvery file in the folder is whole, an old or a new one. What was fetched and has a checksum is kept for the next run. ${ADVICE[error.bound]}`,
    { cause: error },
  );
}
