/** Runs a channel: polls the Source, sends notifications, and serves HTTP. */

import { formatDatetime } from '../../base/datetime.js';
import { ResyncError } from '../../base/errors.js';
import { fixNow } from '../../base/time.js';
import { type Interruption, WakeableTimer } from '../../base/timer.js';
import { openWeb } from '../../source/origin/web.js';
import { doubtConditions } from '../../source/sets/conditions.js';
import { BoundReached, Bounds } from '../../source/web/bounds.js';
import { Notifier } from './notifier.js';
import type { ChannelEvent, ChannelOptions, ResolvedChannel } from './options.js';
import { PollPace } from './pace.js';
import { ChannelServer, renderChannelPage } from './server/server.js';

/** Limits of one poll, in bytes and in milliseconds. */
const POLL_BYTES = 512_000_000;
const POLL_TIME = 120_000;

export async function runChannel(config: ResolvedChannel, options: ChannelOptions): Promise<void> {
  // Loads `ws` late, since nothing else here needs it. A bundler may join modules that are imported statically with others.
  const { Destinations } = await import('./server/destinations.js');
  const { observe = () => undefined } = options;
  const signal = followSignal(options.signal);
  const health = new Health();
  const report = (event: ChannelEvent) => {
    health.record(event);
    observe(event);
  };
  const destinations = new Destinations(config, (route) => notifier.backlogOf(route));
  const notifier = new Notifier(config.source, destinations, report);
  const pace = new PollPace(config);
  const timer = new WakeableTimer();
  signal.addEventListener('abort', timer.wake, { once: true });
  try {
    const server = await ChannelServer.listen(
      config,
      {
        page: () => renderChannelPage(config.source, notifier.routes),
        route: (path) => notifier.routes.get(path),
        isReady: () => notifier.isReady,
        health: () => health.describe(config.source, destinations.count, [...notifier.routes.keys()]),
        onDeploy: () => {
          pace.noteDeploy(performance.now());
          timer.wake();
        },
      },
      destinations,
    );
    report({ kind: 'listening', url: server.url });
    try {
      await pollUntilAborted(config, notifier, { signal, report, pace, timer });
    } finally {
      await Promise.all([server.close(), destinations.close()]);
    }
  } finally {
    await destinations.close();
  }
}

/** Creates an `AbortSignal` that follows the signal of the user, which may be an object with fewer methods. */
function followSignal(given: Interruption): AbortSignal {
  const end = new AbortController();
  given.addEventListener('abort', () => end.abort(), { once: true });
  if (given.aborted) end.abort();
  return end.signal;
}

interface Polling {
  readonly signal: AbortSignal;
  readonly report: (event: ChannelEvent) => void;
  readonly pace: PollPace;
  readonly timer: WakeableTimer;
}

async function pollUntilAborted(
  { source, http }: ResolvedChannel,
  notifier: Notifier,
  { signal, report, pace, timer }: Polling,
): Promise<void> {
  const pinned = new Set<string>();
  const agent = 'resync-static channel';
  /** Polls once, with a new HTTP client, because a client stops asking a server that keeps failing. */
  const pollOnce = async (): Promise<boolean> => {
    const bounds = new Bounds({ bytes: POLL_BYTES, time: POLL_TIME, signal });
    const origin = openWeb(source, http, { agent, bounds, staysHome: true, pinned });
    try {
      return await bounds.race(notifier.poll(doubtConditions(origin), fixNow({})));
    } finally {
      bounds.stop();
      origin.close();
    }
  };
  while (!signal.aborted) {
    const begin = performance.now();
    if (pace.next() > begin) {
      await timer.wait(pace.next() - begin);
      continue;
    }
    pace.notePoll(begin);
    try {
      const changed = await pollOnce();
      if (changed) pace.noteNews();
      report({ kind: 'looked', changed, milliseconds: Math.round(performance.now() - begin) });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ResyncError) && !(error instanceof BoundReached)) throw error;
      // Only the first line of the message: further ones are for users who run a command once.
      const [message = ''] = error.message.split('\n');
      report({ kind: 'failed', message });
    }
  }
}

/** The last events of a channel, as `/health` shows them. */
class Health {
  readonly #since = formatDatetime(fixNow({}));
  #last: Readonly<Record<string, unknown>> = { lastLook: null, lastMessage: null, lastError: null };

  record(event: ChannelEvent): void {
    const at = formatDatetime(fixNow({}));
    switch (event.kind) {
      case 'looked': {
        const { changed, milliseconds } = event;
        this.#last = { ...this.#last, ok: true, lastLook: { at, changed, milliseconds } };
        break;
      }
      case 'notified': {
        const { kind: _, ...message } = event;
        this.#last = { ...this.#last, lastMessage: { at, ...message } };
        break;
      }
      case 'failed':
        this.#last = { ...this.#last, ok: false, lastError: { at, message: event.message } };
    }
  }

  describe(source: string, connections: number, paths: readonly string[]): object {
    return { ok: false, ...this.#last, source, since: this.#since, connections, paths };
  }
}
