/** Finds the channels of a Source, decides which of them may be connected, and reads their messages. */

import { isUrl } from '../../base/url.js';
import { checkDocument } from '../../source/rules/document.js';
import { newest } from '../../source/sets/entry.js';
import type { Offer } from '../../source/sets/sets.js';
import { CHANNELS } from '../../standard/capabilities.js';
import { CLOCK_SKEW, MESSAGE_BYTES } from '../../standard/limits.js';
import { CHECKS } from '../../standard/rules/checks.js';
import { momentOf } from '../../standard/rules/values.js';
import { ParseError } from '../../standard/xml/as-read.js';
import { parseDocument } from '../../standard/xml/read.js';
import type { ResolvedMirror } from '../resolved.js';
import type { Channel, ChannelWay, Heard } from './model.js';

/** Limit of the channels of a Source; further channels are ignored. */
export const MOST_CHANNELS = 100;

export function listChannels(offers: readonly Offer[]): Channel[] {
  const all = offers.flatMap(({ uri: set, channels }) =>
    CHANNELS.flatMap((capability) => channels[capability].map((uri) => ({ uri, capability, set }))),
  );
  return [...new Map(all.map((one) => [nameChannel(one), one])).values()].slice(0, MOST_CHANNELS);
}

export function nameChannel({ uri, capability, set }: Channel): string {
  return `${uri} ${capability} ${set}`;
}

/**
 * Returns how a channel may be connected, or why it may not be. It must be encrypted, unless it is on the host of the Source
 * or on an allowed origin, which have had no public address: then no stranger is in between.
 */
export function findWay(
  uri: string,
  { source, allow, agent }: ResolvedMirror,
  pinned: ReadonlySet<string>,
): ChannelWay | string {
  if (!isUrl(uri)) return 'it is no URL';
  const url = new URL(uri);
  url.hash = '';
  if (url.protocol !== 'wss:' && url.protocol !== 'ws:') return 'it does not begin with wss:';
  if (url.username + url.password !== '') return 'it has a password in it';
  const target = new URL(url.href.replace(/^ws/, 'http'));
  const named = new URL(source);
  const isInside = !pinned.has(named.origin) && named.hostname === target.hostname;
  const isOpen = isInside || (allow.includes(target.origin) && !pinned.has(target.origin));
  if (url.protocol === 'ws:' && !isOpen) return 'it is not encrypted: it begins with ws:, not with wss:';
  const origin = isInside ? target.origin : named.origin;
  const home = { origin, others: allow, pinned: new Set(pinned) };
  return { url, target, home, agent };
}

interface InvalidMessage {
  readonly found: string;
}

/** Reads a message of a channel, and checks it by the rules of an audit and against the set of the channel. */
export async function readMessage(
  bytes: Uint8Array,
  { set, capability }: Channel,
  now: Date,
): Promise<Heard | InvalidMessage> {
  const problems: string[] = [];
  try {
    const read = await parseDocument([bytes], { bytes: MESSAGE_BYTES });
    checkDocument(read, { uri: set, up: set, expected: capability, now }, (code, { found }) => {
      if (CHECKS[code].severity === 'error' && problems.length === 0)
        problems.push(found === undefined ? code : `${code}: ${found}`);
    });
    if (read.entries.length === 0) problems.push('it has no entries');
    const [found] = problems;
    if (found !== undefined) return { found };
    const all = read.entries.flatMap((entry) => momentOf(entry, 'datetime') ?? []);
    const times = all.filter((time) => time <= now.getTime() + CLOCK_SKEW);
    return { changes: read.entries.length, moment: newest(times) };
  } catch (error) {
    if (error instanceof ParseError) return { found: error.message };
    throw error;
  }
}
