/** Where the channels of a set of resources are, below the URL of the process that holds them. Pure. */

import type { ChannelCapability } from '../standard/document.js';

/** Of both channels, the last segment of its path. */
const SEGMENTS: Readonly<Record<ChannelCapability, string>> = {
  'change-notification': 'changes',
  'framework-notification': 'framework',
};

/** The path of a channel, without a leading slash: `changes`, of a named set `texts/changes`. */
export function pathOfChannel(set: string | undefined, channel: ChannelCapability): string {
  return set === undefined ? SEGMENTS[channel] : `${set}/${SEGMENTS[channel]}`;
}
