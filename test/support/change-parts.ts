/** Changes and Change Lists as a Destination plans with them. */

import type { ChangePart, Event } from '../../src/source/sets/entry.js';

export function makeEvent(
  path: string,
  time: number | undefined,
  hash = 'md5:00',
  change: Event['change'] = 'updated',
): Event {
  return {
    change,
    time,
    entry: {
      uri: `https://a/${path}`,
      hash,
      length: undefined,
      type: undefined,
      encoding: undefined,
    },
  };
}

/** A Change List; without events, one that was not read. */
export function makePart(
  from: number | undefined,
  until: number | undefined,
  events: readonly Event[] | undefined,
): ChangePart {
  return { uri: 'd', from, until, events };
}
