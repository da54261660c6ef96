/** Keeps the connections of `mirror --follow` to all channels of a Source. */

import type { ResolvedMirror } from '../resolved.js';
import { findWay, nameChannel } from './channels.js';
import type { Channel } from './model.js';
import { ChannelSocket, type SocketTiming } from './socket.js';

export interface ListenerEvents {
  readonly onOpen: (channel: Channel) => void;
  readonly onLost: (channel: Channel, found: string) => void;
  readonly onMessage: (channel: Channel, bytes: Uint8Array) => Promise<void>;
}

export class ChannelListeners {
  readonly #config: ResolvedMirror;
  readonly #timing: SocketTiming;
  readonly #events: ListenerEvents;
  readonly #sockets = new Map<string, ChannelSocket>();
  #refused = new Set<string>();

  constructor(config: ResolvedMirror, timing: SocketTiming, events: ListenerEvents) {
    this.#config = config;
    this.#timing = timing;
    this.#events = events;
  }

  /** Listens to the listed channels and no others. @param pinned origins that the user named, and that have had a public address */
  listen(listed: readonly Channel[], pinned: ReadonlySet<string>): void {
    // With `servedAt`, no channel counts: channels report what is published, and not what another server serves.
    const channels = this.#config.servedAt === undefined ? listed : [];
    const wanted = new Set(channels.map(nameChannel));
    for (const [name, socket] of this.#sockets) {
      if (wanted.has(name)) continue;
      socket.close();
      this.#sockets.delete(name);
    }
    this.#refused = new Set([...this.#refused].filter((name) => wanted.has(name)));
    for (const channel of channels) {
      const name = nameChannel(channel);
      if (!this.#sockets.has(name) && !this.#refused.has(name)) this.#open(name, channel, pinned);
    }
  }

  #open(name: string, channel: Channel, pinned: ReadonlySet<string>): void {
    const { onOpen, onLost, onMessage } = this.#events;
    const way = findWay(channel.uri, this.#config, pinned);
    if (typeof way === 'string') {
      this.#refused.add(name);
      onLost(channel, way);
      return;
    }
    const socket = new ChannelSocket(way, this.#timing, {
      onOpen: () => onOpen(channel),
      onLost: (found) => onLost(channel, found),
      onMessage: (bytes) => onMessage(channel, bytes),
    });
    this.#sockets.set(name, socket);
  }

  /** Returns whether there are channels, and all are connected. */
  isComplete(): boolean {
    const sockets = [...this.#sockets.values()];
    return sockets.length > 0 && this.#refused.size === 0 && sockets.every((socket) => socket.isOpen());
  }

  close(): void {
    for (const socket of this.#sockets.values()) socket.close();
  }
}
