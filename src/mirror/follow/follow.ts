/** Follows a Source: synchronizes when a channel sends a message, when time is up, or after a channel was lost. */

import { ResyncError } from '../../base/errors.js';
import { fixNow } from '../../base/time.js';
import { WakeableTimer } from '../../base/timer.js';
import { CLOCK_SKEW } from '../../standard/limits.js';
import { mirrorSource } from '../mirror.js';
import type { MirrorObserver } from '../report.js';
import type { ResolvedMirror } from '../resolved.js';
import { createStatus } from '../run/session.js';
import { listChannels, readMessage } from './channels.js';
import { type Hints, type HintTiming, type Moments, nextDue, noteHint, settleHints } from './hints.js';
import { ChannelListeners, type ListenerEvents } from './listeners.js';
import type { Channel, FollowEvent, FollowReason } from './model.js';
import type { SocketTiming } from './socket.js';

export interface FollowOptions {
  readonly signal: AbortSignal;
  readonly onEvent: (event: FollowEvent) => void;
  readonly observe?: MirrorObserver;
  /** Milliseconds between runs; if undefined, only a missing channel or an incomplete copy leads to runs without a message. */
  readonly every?: number | undefined;
  readonly timing?: (HintTiming & SocketTiming) | undefined;
}

/** Milliseconds between runs while a channel is missing, or the copy is incomplete. */
const EVERY = 60_000;

const TIMING: HintTiming & SocketTiming = {
  gap: 500,
  again: [2000, 5000, 10_000, 20_000, EVERY],
  firstPause: 1000,
  longestPause: 60_000,
  steady: 10_000,
  heartbeat: 30_000,
  handshake: 10_000,
};

/**
 * Follows a Source until the signal is aborted; a started run is finished. Once a channel is connected, the documents are read
 * again, so that no message is lost. Messages are hints: only documents change the copy.
 */
export async function followSource(config: ResolvedMirror, options: FollowOptions): Promise<void> {
  await new Follower(config, options).run();
}

class Follower implements ListenerEvents {
  readonly #config: ResolvedMirror;
  readonly #options: FollowOptions;
  readonly #timing: HintTiming & SocketTiming;
  readonly #timer = new WakeableTimer();
  readonly #status = createStatus(true);
  readonly #listeners: ChannelListeners;
  #hints: Hints = new Map();
  /** Beginning and end of the last run, by `performance.now()`. */
  #lastLook = Number.NEGATIVE_INFINITY;
  #lastEnd = Number.NEGATIVE_INFINITY;
  /** True if a channel was connected since the last run began: earlier messages of that channel may have been missed. */
  #hasConnected = false;
  #isRight = false;

  constructor(config: ResolvedMirror, options: FollowOptions) {
    this.#config = config;
    this.#options = options;
    this.#timing = options.timing ?? TIMING;
    this.#listeners = new ChannelListeners(config, this.#timing, this);
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    const { wake } = this.#timer;
    signal.addEventListener('abort', wake);
    try {
      let reason: FollowReason = 'start';
      while (!signal.aborted) {
        await this.#synchronize(reason);
        reason = await this.#waitForReason();
      }
    } finally {
      signal.removeEventListener('abort', wake);
      this.#listeners.close();
    }
  }

  readonly onOpen = (channel: Channel): void => {
    this.#hasConnected = true;
    this.#options.onEvent({ kind: 'connected', channel });
    this.#timer.wake();
  };

  readonly onLost = (channel: Channel, found: string): void => {
    this.#options.onEvent({ kind: 'lost', channel, found });
    this.#timer.wake();
  };

  readonly onMessage = async (channel: Channel, bytes: Uint8Array): Promise<void> => {
    const { signal, onEvent } = this.#options;
    if (signal.aborted) return;
    const message = await readMessage(bytes, channel, fixNow({}));
    if ('found' in message) return onEvent({ kind: 'ignored', channel, found: message.found });
    onEvent({ kind: 'message', channel, changes: message.changes });
    const [now, lastLook, { gap }] = [performance.now(), this.#lastLook, this.#timing];
    this.#hints = noteHint(this.#hints, channel, message, { now, lastLook, moments: this.#moments(), gap });
    this.#timer.wake();
  };

  async #synchronize(reason: FollowReason): Promise<void> {
    const { onEvent, observe } = this.#options;
    const status = this.#status;
    this.#lastLook = performance.now();
    this.#hasConnected = false;
    this.#isRight = false;
    try {
      const report = await mirrorSource(this.#config, { observe, status });
      onEvent({ kind: 'synchronized', report, reason });
      this.#isRight = report.inSync;
    } catch (error) {
      if (!(error instanceof ResyncError)) throw error;
      onEvent({ kind: 'failed', error, reason });
    }
    this.#lastEnd = performance.now();
    this.#hints = settleHints(this.#hints, this.#lastLook, this.#moments(), this.#timing);
    if (status.offers !== undefined) this.#listeners.listen(listChannels(status.offers), status.pinned);
  }

  async #waitForReason(): Promise<FollowReason> {
    for (;;) {
      const { due, reason } = this.#findNext();
      const rest = due - performance.now();
      if (rest <= 0 || this.#options.signal.aborted) return reason;
      await this.#timer.wait(rest);
    }
  }

  #findNext(): { readonly due: number; readonly reason: FollowReason } {
    const { every } = this.#options;
    const never = Number.POSITIVE_INFINITY;
    const isHeard = this.#listeners.isComplete() && this.#isRight;
    const message = nextDue(this.#hints);
    const connected = this.#hasConnected ? this.#lastLook + this.#timing.gap : never;
    // Counted from the end of the last run, so that even after a long run, the next begins a minute later.
    const idle = isHeard ? never : this.#lastEnd + EVERY;
    const time = every === undefined ? idle : this.#lastLook + every;
    const due = Math.min(message, connected, time);
    return { due, reason: due === message ? 'message' : due === connected ? 'connected' : 'time' };
  }

  /** Returns the moments of the sets in the copy. A moment in the future counts as unknown: it says nothing of changes now. */
  #moments(): Moments {
    const most = fixNow({}).getTime() + CLOCK_SKEW;
    const isPast = (moment: number | undefined) => moment !== undefined && moment <= most;
    return new Map(this.#status.sets.map(({ uri, moment }) => [uri, isPast(moment) ? moment : undefined]));
  }
}
