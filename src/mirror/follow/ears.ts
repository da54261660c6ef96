/** Listens to all channels of a Source: those that it names now. */

import type { ResolvedMirror } from '../options.js';
import { type Channel, findWay, nameChannel } from './channels.js';
import { type Ear, type EarTiming, startEar } from './ear.js';

export interface EarsEvents {
  readonly onOpen: (channel: Channel) => void;
  readonly onLost: (channel: Channel, found: string) => void;
  readonly onMessage: (channel: Channel, bytes: Uint8Array) => Promise<void>;
}

export interface Ears {
  /** Listens to these and no others. */
  readonly listen: (channels: readonly Channel[], pinned: ReadonlySet<string>) => void;
  /** Whether there are channels, and all can be heard. */
  readonly isWhole: () => boolean;
  /** Waits until each has been tried once. */
  readonly tried: () => Promise<unknown>;
  readonly close: () => void;
}

export function startEars(config: ResolvedMirror, timing: EarTiming, events: EarsEvents): Ears {
  const ears = new Map<string, Ear>();
  let refused = new Set<string>();
  return {
    listen(channels, pinned) {
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
    isWhole: () => ears.size > 0 && refused.size === 0 && [...ears.values()].every((ear) => ear.isOpen()),
    tried: () => Promise.all([...ears.values()].map(({ tried }) => tried)),
    close() {
      for (const ear of ears.values()) ear.close();
    },
  };
}
