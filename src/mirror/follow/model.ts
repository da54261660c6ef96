/** What is heard of a Source, and what is told of following it. */

import type { ResyncError } from '../../base/errors.js';
import type { Home } from '../../source/web/addresses.js';
import type { ChannelCapability } from '../../standard/document.js';
import type { MirrorReport } from '../report.js';

/** What happens while a Source is followed. */
export type FollowEvent =
  | { readonly kind: 'synchronized'; readonly report: MirrorReport; readonly reason: FollowReason }
  /** The folder is as it was, and following goes on. */
  | { readonly kind: 'failed'; readonly error: ResyncError; readonly reason: FollowReason }
  | { readonly kind: 'connected'; readonly channel: Channel }
  /** It cannot be listened to now, or not at all. */
  | { readonly kind: 'lost'; readonly channel: Channel; readonly found: string }
  | { readonly kind: 'told'; readonly channel: Channel; readonly changes: number }
  /** A message was none. */
  | { readonly kind: 'ignored'; readonly channel: Channel; readonly found: string };

/** What is to be found in the documents; what they say counts. */
export interface Heard {
  /** How much changed, as the message says. */
  readonly changes: number;
  /** Of the newest change that has been: milliseconds since 1970; undefined where a message does not say. */
  readonly moment: number | undefined;
}

/** What tells of one set. */
export interface Channel {
  readonly uri: string;
  readonly capability: ChannelCapability;
  /** Of the Capability List that names it. */
  readonly set: string;
}

/** Why a run began. */
export type FollowReason = 'start' | 'told' | 'connected' | 'time';

/** How to get to a channel. */
export interface ChannelWay {
  readonly url: URL;
  /** Where that is, as other requests name it. */
  readonly target: URL;
  readonly home: Home;
  /** What we say we are. */
  readonly agent: string;
}
