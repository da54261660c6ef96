/** Runs a channel: looks, tells, serves, until it is to end. */

import { formatDatetime } from '../../base/datetime.js';
import { ResyncError } from '../../base/errors.js';
import { fixNow } from '../../base/time.js';
import { type Interruption, WakeableTimer } from '../../base/timer.js';
import { openWeb } from '../../source/origin/web.js';
import { doubtConditions } from '../../source/sets/conditions.js';
import { BoundReached, Bounds } from '../../source/web/bounds.js';
import type { ChannelEvent, ChannelOptions, ResolvedChannel } from './options.js';
import { nextLook, noteDeploy, noteLook, noteNews, START } from './plan/pace.js';
import type { Destinations } from './server/destinations.js';
import { renderChannelPage, startServer } from './server/server.js';
import { startTeller, type Teller } from './teller.js';

/** Of one look: bytes, and milliseconds. */
const LOOK_BYTES = 512_000_000;
const LOOK_TIME = 120_000;

export async function runChannel(config: ResolvedChannel, options: ChannelOptions): Promise<void> {
  // It loads `ws`, which is loaded for nothing else. A bundle may put what is loaded at once beside what many need.
  const { startDestinations } = await import('./server/destinations.js');
  const { observe = () => undefined } = options;
  const signal = followSignal(options.signal);
  const notes = startNotes();
  const note = (event: ChannelEvent) => {
    notes.take(event);
    observe(event);
  };
  const destinations: Destinations = startDestinations(config, (route) => teller.backlogOf(route));
  const teller = startTeller(config.source, destinations, note);
  const bell = startBell(config);
  signal.addEventListener('abort', bell.ring, { once: true });
  try {
    const server = await startServer(
      config,
      {
        page: () => renderChannelPage(config.source, teller.routes()),
        route: (path) => teller.routes().get(path),
        isReady: teller.isReady,
        health: () => notes.tell(config.source, destinations.count(), [...teller.routes().keys()]),
        ring: bell.deploy,
      },
      destinations,
    );
    note({ kind: 'listening', url: server.url });
    try {
      await lookAgainAndAgain(config, teller, bell, { signal, note });
    } finally {
      await Promise.all([server.close(), destinations.close()]);
    }
  } finally {
    await destinations.close();
  }
}

/** A signal of our own, which can do more than is asked of the user's. */
function followSignal(given: Interruption): AbortSignal {
  const end = new AbortController();
  given.addEventListener('abort', () => end.abort(), { once: true });
  if (given.aborted) end.abort();
  return end.signal;
}

/** When to look, and whoever may ask for it. */
function startBell({ every, timing }: ResolvedChannel) {
  const timer = new WakeableTimer();
  let pace = START;
  return {
    ring: timer.wake,
    deploy(): void {
      pace = noteDeploy(pace, performance.now(), timing);
      timer.wake();
    },
    /** Waits until a look is due, or somebody rings; returns whether it is due. */
    async wait(): Promise<boolean> {
      const rest = nextLook(pace, every, timing) - performance.now();
      if (rest > 0) await timer.wait(rest);
      if (nextLook(pace, every, timing) > performance.now()) return false;
      pace = noteLook(pace, performance.now());
      return true;
    },
    noteNews(): void {
      pace = noteNews(pace);
    },
  };
}

async function lookAgainAndAgain(
  { source, http }: ResolvedChannel,
  teller: Teller,
  bell: ReturnType<typeof startBell>,
  { signal, note }: { readonly signal: AbortSignal; readonly note: (event: ChannelEvent) => void },
): Promise<void> {
  /** Named origins that have had a public address. */
  const pinned = new Set<string>();
  const agent = 'resync-static channel';
  /** A client of its own for each look: one that met a failing server would ask it no more. */
  const lookOnce = async (): Promise<boolean> => {
    const bounds = new Bounds({ bytes: LOOK_BYTES, time: LOOK_TIME, signal });
    const origin = openWeb(source, http, { agent, bounds, staysHome: true, pinned });
    try {
      return await bounds.race(teller.look(doubtConditions(origin), fixNow({})));
    } finally {
      bounds.stop();
      origin.close();
    }
  };
  while (!signal.aborted) {
    if (!(await bell.wait()) || signal.aborted) continue;
    const begin = performance.now();
    try {
      const changed = await lookOnce();
      if (changed) bell.noteNews();
      note({ kind: 'looked', changed, milliseconds: Math.round(performance.now() - begin) });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ResyncError) && !(error instanceof BoundReached)) throw error;
      // What follows the first line is for who runs a command once.
      const [message = ''] = error.message.split('\n');
      note({ kind: 'failed', message });
    }
  }
}

/** What `/health` tells. */
function startNotes() {
  const begun = formatDatetime(fixNow({}));
  let listed: Record<string, unknown> = { lastLook: null, lastMessage: null, lastError: null };
  return {
    take(event: ChannelEvent): void {
      const at = formatDatetime(fixNow({}));
      switch (event.kind) {
        case 'looked': {
          const { changed, milliseconds } = event;
          listed = { ...listed, ok: true, lastLook: { at, changed, milliseconds } };
          break;
        }
        case 'notified': {
          const { kind: _, ...message } = event;
          listed = { ...listed, lastMessage: { at, ...message } };
          break;
        }
        case 'failed':
          listed = { ...listed, ok: false, lastError: { at, message: event.message } };
      }
    },
    tell: (source: string, connections: number, paths: readonly string[]) => ({
      ok: false,
      ...listed,
      source,
      since: begun,
      connections,
      paths,
    }),
  };
}
