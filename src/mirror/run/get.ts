/** Gets what a plan wants, and tells how far it is. */

import { setTimeout as sleep } from 'node:timers/promises';
import { startLooking } from '../files/place.js';
import { type Outcomes, obtainAll } from '../files/queue.js';
import { foldersAbove } from '../names/path.js';
import type { Files, Plan } from '../plan/plan.js';
import { isAllowed } from './round.js';
import type { Session } from './session.js';

/** What was received in a run. */
export interface Received {
  readonly bytes: () => number;
  readonly take: (bytes: number) => void | Promise<void>;
}

/**
 * Starts to count.
 *
 * @param rate bytes per second; undefined for no limit
 */
export function startReceiving(rate: number | undefined): Received {
  let bytes = 0;
  let begin: number | undefined;
  return {
    bytes: () => bytes,
    take(count) {
      bytes += count;
      begin ??= performance.now();
      if (rate === undefined) return undefined;
      const ahead = (1000 * bytes) / rate - (performance.now() - begin);
      return ahead < SHORTEST_PAUSE ? undefined : sleep(ahead);
    },
  };
}

/** Milliseconds; timers are no more exact. */
const SHORTEST_PAUSE = 5;

export async function getAll(
  session: Session,
  files: Files,
  plan: Plan,
  received: Received,
): Promise<Outcomes> {
  const { config, origin, scratch, ready, observe } = session;
  const total = plan.wants.length;
  const begin = performance.now();
  const ours = new Set<string>();
  const leaving = new Set<string>();
  for (const { path } of files.values()) ours.add(path);
  for (const { path } of plan.deletions.values())
    for (const one of [path, ...foldersAbove(path)]) leaving.add(one);
  const shop = {
    origin,
    folder: config.folder,
    ready,
    scratch,
    places: startLooking(config.folder),
    isOurs: (path: string) => ours.has(path),
    isLeaving: (path: string) => leaving.has(path),
    isAllowed: (uri: string) => isAllowed(session, uri),
    received: received.take,
  };
  let done = 0;
  return obtainAll(shop, plan.wants, config.http.connections, () =>
    observe({
      stage: 'resources',
      done: ++done,
      total,
      bytes: received.bytes(),
      elapsed: performance.now() - begin,
    }),
  );
}
