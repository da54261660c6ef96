/** Stays, and synchronizes when a channel of the Source tells, when time is up, or when a channel was lost. */

import { setTimeout as sleep } from 'node:timers/promises';
import { ResyncError } from '../../base/errors.js';
import { fixNow } from '../../base/time.js';
import { WakeableTimer } from '../../base/timer.js';
import { CLOCK_SKEW } from '../../standard/limits.js';
import { mirrorSource } from '../mirror.js';
import type { MirrorObserver } from '../report.js';
import type { ResolvedMirror } from '../resolved.js';
import { createStatus, type SourceStatus } from '../run/session.js';
import { findWay, listChannels, nameChannel, readMessage, readOffers } from './channels.js';
import type { Channel, FollowEvent, FollowReason, Heard } from './model.js';
import { type Ear, type EarTiming, startEar } from './socket.js';

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** Is told of what happens. */
  readonly tell: (event: FollowEvent) => void;
  readonly observe?: MirrorObserver;
  /** Milliseconds; undefined to ask again only while a channel is missing, or the copy is not right. */
  readonly every?: number | undefined;
  readonly timing?: (HintTiming & EarTiming) | undefined;
}

/** While nobody tells. */
const EVERY = 60_000;
/** Channels that cannot be reached at once are not waited for. */
const MOST_WAIT = 5000;

const TIMING: HintTiming & EarTiming = {
  gap: 500,
  again: [2000, 5000, 10_000, 20_000, EVERY],
  firstPause: 1000,
  longestPause: 60_000,
  steady: 10_000,
  heartbeat: 30_000,
  handshake: 10_000,
};

/** What is known while a Source is followed. */
interface State {
  readonly status: SourceStatus;
  hints: Hints;
  /** When the last look began, and when it ended. */
  lastLook: number;
  lastEnd: number;
  /** Whether a channel was connected since: something may have been told before. */
  hasConnected: boolean;
  isRight: boolean;
}

/**
 * Follows a Source until the signal is aborted; a run that is under way is finished. A channel is listened to before the
 * documents are read, so nothing is lost in between. What it says is a hint: the documents count.
 */
export async function followSource(config: ResolvedMirror, options: FollowOptions): Promise<void> {
  const { signal, timing = TIMING } = options;
  const bell = new WakeableTimer();
  const state: State = {
    status: createStatus(),
    hints: new Map(),
    lastLook: Number.NEGATIVE_INFINITY,
    lastEnd: Number.NEGATIVE_INFINITY,
    hasConnected: false,
    isRight: false,
  };
  const { status } = state;
  const ears = startEars(config, timing, attend(state, bell.wake, { ...options, timing }));
  signal.addEventListener('abort', bell.wake);
  try {
    await openEars(ears, config, status);
    let reason: FollowReason = 'start';
    while (!signal.aborted) {
      state.lastLook = performance.now();
      state.hasConnected = false;
      state.isRight = await synchronize(config, status, options, reason);
      state.lastEnd = performance.now();
      state.hints = settleHints(state.hints, state.lastLook, momentsOf(status), timing);
      if (status.offers !== undefined) ears.listen(listChannels(status.offers), status.pinned ?? new Set());
      while (!signal.aborted) {
        const next = findNext(state, ears, options);
        reason = next.reason;
        const rest = next.due - performance.now();
        if (rest <= 0) break;
        await bell.wait(rest);
      }
    }
  } finally {
    signal.removeEventListener('abort', bell.wake);
    ears.close();
  }
}

/** What becomes of what is heard. */
function attend(state: State, ring: () => void, options: FollowOptions & { timing: HintTiming }): EarsEvents {
  const { signal, tell, timing } = options;
  return {
    onOpen(channel) {
      state.hasConnected = true;
      tell({ kind: 'connected', channel });
      ring();
    },
    onLost(channel, found) {
      tell({ kind: 'lost', channel, found });
      ring();
    },
    async onMessage(channel, bytes) {
      if (signal.aborted) return;
      const message = await readMessage(bytes, channel, fixNow({}));
      if ('found' in message) return tell({ kind: 'ignored', channel, found: message.found });
      tell({ kind: 'told', channel, changes: message.changes });
      const { hints, status, lastLook } = state;
      const moment = { now: performance.now(), lastLook, moments: momentsOf(status), gap: timing.gap };
      state.hints = noteHint(hints, channel, message, moment);
      ring();
    },
  };
}

/** When to look next, and why. */
function findNext(
  { hints, lastLook, lastEnd, hasConnected, isRight }: State,
  ears: Ears,
  { every, timing = TIMING }: FollowOptions,
): { readonly due: number; readonly reason: FollowReason } {
  const never = Number.POSITIVE_INFINITY;
  const isTold = ears.isWhole() && isRight;
  const told = nextDue(hints);
  const connected = hasConnected ? lastLook + timing.gap : never;
  // A command that refused is tried again after a minute, so that long after the end.
  const time = every === undefined ? (isTold ? never : lastEnd + EVERY) : lastLook + every;
  const due = Math.min(told, connected, time);
  return { due, reason: due === told ? 'told' : due === connected ? 'connected' : 'time' };
}

/** Listens, before the first run reads anything. */
async function openEars(ears: Ears, config: ResolvedMirror, status: SourceStatus): Promise<void> {
  try {
    const { offers, pinned } = await readOffers(config, status);
    status.offers = offers;
    status.pinned = pinned;
    ears.listen(listChannels(offers), pinned);
    await Promise.race([ears.tried(), sleep(MOST_WAIT, undefined, { ref: false })]);
  } catch (error) {
    // The first run finds the same, and tells it.
    if (!(error instanceof ResyncError)) throw error;
  }
}

/** One run; whether the copy is right now. */
async function synchronize(
  config: ResolvedMirror,
  status: SourceStatus,
  { tell, observe }: FollowOptions,
  reason: FollowReason,
): Promise<boolean> {
  try {
    const report = await mirrorSource(config, { observe, status });
    tell({ kind: 'synchronized', report, reason });
    return report.inSync;
  } catch (error) {
    if (!(error instanceof ResyncError)) throw error;
    tell({ kind: 'failed', error, reason });
    return false;
  }
}

/** One that has not been yet says nothing of what is told now. */
function momentsOf({ sets = [] }: SourceStatus): Moments {
  const most = fixNow({}).getTime() + CLOCK_SKEW;
  const hasBeen = (moment: number | undefined) => moment !== undefined && moment <= most;
  return new Map(sets.map(({ uri, moment }) => [uri, hasBeen(moment) ? moment : undefined]));
}

interface EarsEvents {
  readonly onOpen: (channel: Channel) => void;
  readonly onLost: (channel: Channel, found: string) => void;
  readonly onMessage: (channel: Channel, bytes: Uint8Array) => Promise<void>;
}

type Ears = ReturnType<typeof startEars>;

function startEars(config: ResolvedMirror, timing: EarTiming, events: EarsEvents) {
  const ears = new Map<string, Ear>();
  let refused = new Set<string>();
  return {
    /** Listens to these and no others. */
    listen(listed: readonly Channel[], pinned: ReadonlySet<string>): void {
      // They tell what is published, and not what is served elsewhere.
      const channels = config.servedAt === undefined ? listed : [];
      const wanted = new Set(channels.map(nameChannel));
      for (const [name, ear] of ears) {
        if (wanted.has(name)) continue;
        ear.close();
        ears.delete(name);
      }
      refused = new Set([...refused].filter((name) => wanted.has(name)));
      for (const channel of channels) {
        const name = nameChannel(channel);
        if (ears.has(name) || refused.has(name)) continue;
        const way = findWay(channel.uri, config, pinned);
        if (typeof way === 'string') {
          refused.add(name);
          events.onLost(channel, way);
          continue;
        }
        const ear = startEar(way, timing, {
          onOpen: () => events.onOpen(channel),
          onLost: (found) => events.onLost(channel, found),
          onMessage: (bytes) => events.onMessage(channel, bytes),
        });
        ears.set(name, ear);
      }
    },
    /** Whether there are channels, and all can be heard. */
    isWhole: () => ears.size > 0 && refused.size === 0 && [...ears.values()].every((ear) => ear.isOpen()),
    /** Waits until each has been tried once. */
    tried: () => Promise.all([...ears.values()].map(({ tried }) => tried)),
    close(): void {
      for (const ear of ears.values()) ear.close();
    },
  };
}

/** When to look at documents, in milliseconds. */
interface HintTiming {
  /** Between the beginnings of two looks, whatever is heard. */
  readonly gap: number;
  /** After it was heard, where documents do not show it: caches lag. */
  readonly again: readonly number[];
}

interface Hint {
  readonly set: string;
  readonly moment: number | undefined;
  /** When it was heard, and how often it was looked for since. */
  readonly heard: number;
  readonly looks: number;
  readonly due: number;
}

/** One for each set and kind: the newest moment counts, so whoever says what keeps nobody busy for long. */
export type Hints = ReadonlyMap<string, Hint>;

/** The moments of sets, by their Capability Lists, as the folder stands for them. */
export type Moments = ReadonlyMap<string, number | undefined>;

interface ToldMoment {
  readonly now: number;
  /** When the last look began. */
  readonly lastLook: number;
}

/** Takes note of a message, unless it tells what the folder has or what is looked for already. */
export function noteHint(
  hints: Hints,
  { set, capability }: Channel,
  { moment }: Heard,
  { now, lastLook, moments, gap }: ToldMoment & Pick<HintTiming, 'gap'> & { readonly moments: Moments },
): Hints {
  const key = `${capability} ${set}`;
  const before = hints.get(key);
  if (moment === undefined) {
    // A change that brought this about is told as well, and is looked for at once.
    if (before !== undefined && before.looks === 0) return hints;
    return new Map(hints).set(key, { set, moment, heard: now, looks: 0, due: now + gap });
  }
  const known = Math.max(moments.get(set) ?? -Infinity, before?.moment ?? -Infinity);
  if (moment <= known) return hints;
  const due = Math.max(now, lastLook + gap);
  return new Map(hints).set(key, { set, moment, heard: now, looks: 0, due });
}

/** What is left to look for after a look. */
export function settleHints(hints: Hints, look: number, moments: Moments, { gap, again }: HintTiming): Hints {
  const left = [...hints].flatMap(([key, hint]): [string, Hint][] => {
    const { set, moment, heard, looks } = hint;
    const known = moments.get(set);
    if (moment !== undefined && known !== undefined && known >= moment) return [];
    if (heard > look) return [[key, hint]];
    // Where no list says a moment, nothing tells more than that it was read.
    if (moment === undefined || known === undefined) return [];
    const pause = again[looks];
    if (pause === undefined) return [];
    return [[key, { ...hint, looks: looks + 1, due: Math.max(heard + pause, look + gap) }]];
  });
  return new Map(left);
}

/** When to look next; Infinity for never. */
export function nextDue(hints: Hints): number {
  return Math.min(Number.POSITIVE_INFINITY, ...[...hints.values()].map(({ due }) => due));
}
