/** Channels of a Source, their messages, and the events of `mirror --follow`. */

import type { ResyncError } from '../../base/errors.js';
import type { Home } from '../../source/web/addresses.js';
import type { ChannelCapability } from '../../standard/capabilities.js';
import type { MirrorReport } from '../report.js';

export type FollowEvent =
  | { readonly kind: 'synchronized'; readonly report: MirrorReport; readonly reason: FollowReason }
  /** A run failed; following goes on. */
  | { readonly kind: 'failed'; readonly error: ResyncError; readonly reason: FollowReason }
  | { readonly kind: 'connected'; readonly channel: Channel }
  /** A channel cannot be connected now, or may not be connected at all. */
  | { readonly kind: 'lost'; readonly channel: Channel; readonly found: string }
  | { readonly kind: 'message'; readonly channel: Channel; readonly changes: number }
  /** A message is not valid, and leads to nothing. */
  | { readonly kind: 'ignored'; readonly channel: Channel; readonly found: string };

export type FollowReason = 'start' | 'message' | 'connected' | 'time';

/** A valid message of a channel: a hint that the documents of the Source have changed. */
export interface Heard {
  readonly changes: number;
  /** Moment of the newest change that is not in the future: milliseconds since 1970; undefined if there is none. */
  readonly moment: number | undefined;
}

export interface Channel {
  readonly uri: string;
  readonly capability: ChannelCapability;
  /** URL of the Capability List that names the channel. */
  readonly set: string;
}

/** Address and rules of a connection that may be made to a channel. */
export interface ChannelWay {
  readonly url: URL;
  /** The address of the channel as an http(s) URL. */
  readonly target: URL;
  readonly home: Home;
  readonly agent: string;
}
