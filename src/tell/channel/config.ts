/** The channel as a function of the library, and the schema of its options. */

import * as v from 'valibot';
import { type ConfigOrigin, parseOptions } from '../../base/options/mistakes.js';
import {
  BYTE_UNITS,
  Connections,
  closedObject,
  quantity,
  TIME_UNITS,
  textThat,
  wholeNumber,
} from '../../base/options/values.js';
import { isWebUrl } from '../../base/url.js';
import type { ChannelConfig, ChannelOptions, ChannelTiming, ResolvedChannel } from './options.js';
import { CHANNEL_DEFAULTS } from './options.js';
import { runChannel } from './run.js';

const HOST = 'an address of this machine, such as 127.0.0.1 or 0.0.0.0';
const TIME = 'a time from 1s to 1d, such as 90s or 10m';
const BYTES = 'a number of bytes from 1MB to 1GB, such as 8MB';
const PORT = 'a port from 0 to 65535';
const DAY = 86_400_000;

/** Durations in milliseconds. Caches of hosts lag for some seconds, so one poll of the Source after a deploy is not enough. */
const TIMING: ChannelTiming = {
  gap: 2000,
  again: [2000, 5000, 10_000, 20_000, 40_000],
  handshake: 10_000,
  heartbeat: 30_000,
  closing: 2000,
};

const ChannelSchema = closedObject({
  source: textThat('an http(s) URL without password', isWebUrl),
  port: v.optional(wholeNumber(0, 65_535, PORT), CHANNEL_DEFAULTS.port),
  host: v.optional(
    textThat(HOST, (text) => /^[\w.:-]+$/.test(text)),
    CHANNEL_DEFAULTS.host,
  ),
  every: v.optional(quantity(TIME_UNITS, TIME, [1000, DAY]), CHANNEL_DEFAULTS.every),
  connections: v.optional(Connections, CHANNEL_DEFAULTS.connections),
  buffer: v.optional(quantity(BYTE_UNITS, BYTES, [1_000_000, 1_000_000_000]), CHANNEL_DEFAULTS.buffer),
});

/** Checks options of a channel, adds defaults. @param origin words mistakes @throws ResyncError `config-invalid` with all */
export function resolveChannel(user: Partial<ChannelConfig>, origin: ConfigOrigin = {}): ResolvedChannel {
  const output = parseOptions(ChannelSchema, user, origin);
  return {
    ...output,
    source: new URL(output.source).href,
    // Short limits: a server that does not answer now may answer at the next poll.
    http: { timeout: 10_000, attempts: 2, connections: 4 },
    timing: TIMING,
  };
}

/**
 * Reads the documents of a Source again and again, and sends what has changed to the Destinations that are connected by
 * WebSocket, until the signal is aborted. Experimental: Notification 0.8 is a draft.
 *
 * @throws ResyncError `config-invalid`, also if it cannot listen. A Source that cannot be read does not end the channel: that
 *   is reported to `observe`, and on `/health`.
 */
export async function channel(config: ChannelConfig, options: ChannelOptions): Promise<void> {
  return runChannel(resolveChannel(config), options);
}
