/** Connects to the Source of a mirror, within the bounds of a run. */

import { ResyncError } from '../../base/errors.js';
import { say, type Words } from '../../base/text/say.js';
import { rootOfSource } from '../../paths/urls.js';
import type { Origin } from '../../source/origin/origin.js';
import { openWeb } from '../../source/origin/web.js';
import { doubtConditions, tellServersApart } from '../../source/sets/conditions.js';
import { type Bound, BoundReached, type Bounds } from '../../source/web/bounds.js';
import { Pacer } from '../../source/web/pace.js';
import type { MirrorHead } from '../memory/format.js';
import type { ResolvedMirror } from '../resolved.js';
import type { Connection, SourceStatus } from './session.js';

/** Runs `work` with a connection to the Source and to the allowed origins, and to no others. */
export async function withConnection<T>(
  config: ResolvedMirror,
  bounds: Bounds,
  head: MirrorHead | undefined,
  { nextRequests }: Pick<SourceStatus, 'nextRequests'>,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { source, servedAt, allow, headers, http, agent, gap } = config;
  const pinned = new Set(head?.pinned);
  const pace = new Pacer(gap, bounds.signal, nextRequests);
  const root = servedAt === undefined ? source : rootOfSource(source);
  const manners = { agent, bounds, pace, staysHome: true, others: allow, pinned, tokens: headers };
  const web = openWeb(root, http, manners, servedAt);
  try {
    const careful = doubtConditions(tellServersApart(web, servedAt));
    // With `verify`, "not modified" is a claim that has to be verified, too.
    const open: Origin['open'] = (uri, options) => careful.open(uri, { ...options, validators: undefined });
    return await work({ origin: config.verify ? { ...careful, open } : careful, bounds, pinned, pace });
  } finally {
    web.close();
  }
}

const ADVICE: Readonly<Record<Bound, Words>> = {
  bytes: say`Run again to go on, or with a higher --max-bytes.`,
  time: say`Run again to go on, or with a higher --max-time.`,
  memory: say`The bound is half of the memory of this machine, at most 3 GB. Copy one set of resources, with --set.`,
  disk: say`Make room, and run again to go on.`,
};

/** Explains an error that a limit of the run has caused; returns any other error unchanged. */
export function explainBound(given: unknown, { signal }: Bounds): unknown {
  // Once a limit is reached, whatever was under way fails because of it.
  const error: unknown = signal.aborted ? signal.reason : given;
  if (!(error instanceof BoundReached)) return error;
  return new ResyncError(
    'bound-reached',
    say`The run ended before the copy was complete: ${error.message}.\nEvery file in the folder is whole, old or new. Fetched files with a checksum are kept for the next run. ${ADVICE[error.bound]}`,
    { cause: error },
  );
}
