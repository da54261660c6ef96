/** The options of a channel, as users write them and resolved, and its events. */

import type { HttpLimits } from '../../base/http.js';
import type { Interruption } from '../../base/timer.js';

/** The Source, and the address to listen on. Only `source` has no default. */
export interface ChannelConfig {
  /** URL of a site, or of one of its ResourceSync documents. */
  readonly source: string;
  /** Port on which to listen; 0 for any that is free. @default 8080 */
  readonly port?: number;
  /** Address on which to listen. @default '127.0.0.1', which only this machine reaches */
  readonly host?: string;
  /** Time between two looks at the Source: seconds, or with a unit such as `5m`. @default '60s' */
  readonly every?: string | number;
  /** Destinations that may be connected at one time. @default 10,000 */
  readonly connections?: number;
  /** Bytes that may wait for a slow Destination before it is dropped: a number, or with a unit. @default '8MB' */
  readonly buffer?: string | number;
}

export interface ChannelOptions {
  /** Ends the channel, after a message to its Destinations. */
  readonly signal: Interruption;
  readonly observe?: ChannelObserver;
}

export type ChannelObserver = (event: ChannelEvent) => void;

export type ChannelEvent =
  /** The server listens. Destinations may connect as soon as the Source was read once. */
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'looked'; readonly changed: boolean; readonly milliseconds: number }
  | NotifiedEvent
  /** The Source could not be read; polling goes on. */
  | { readonly kind: 'failed'; readonly message: string };

/** A message was sent to Destinations, or several if one would have been too large. */
export interface NotifiedEvent {
  readonly kind: 'notified';
  readonly channel: 'change-notification' | 'framework-notification';
  /** URI of the Capability List of the set. */
  readonly set: string;
  /** Datetime of the publication; absent for changes of documents. */
  readonly datetime?: string;
  readonly changes: number;
  /** Number of Destinations to which the message went. */
  readonly destinations: number;
}

/** The options of a channel, checked and complete. */
export interface ResolvedChannel {
  readonly source: string;
  readonly port: number;
  readonly host: string;
  /** Time between two polls of the Source, in milliseconds. */
  readonly every: number;
  readonly connections: number;
  /** Bytes that may wait for a slow Destination before it is dropped. */
  readonly buffer: number;
  readonly http: HttpLimits;
  readonly timing: ChannelTiming;
}

/** Durations of a channel, in milliseconds. */
export interface ChannelTiming {
  /** Shortest time between the beginnings of two polls, also after a deploy. */
  readonly gap: number;
  /** Delays after `POST /deployed` at which to poll again, while nothing has changed. */
  readonly again: readonly number[];
  readonly handshake: number;
  /** Time between two pings; a peer that has not answered a ping by the next one is dropped. */
  readonly heartbeat: number;
  readonly closing: number;
}

export const CHANNEL_DEFAULTS = {
  port: 8080,
  host: '127.0.0.1',
  every: '60s',
  connections: 10_000,
  buffer: '8MB',
} as const;
