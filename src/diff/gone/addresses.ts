/** Derives the addresses that a site has lost from the changes of its history. Pure. */

import type { ChangedResource } from '../model.js';

/** A change of a URL in a previous publication. */
export interface PastEvent {
  readonly change: 'created' | 'updated' | 'deleted';
  readonly uri: string;
  readonly datetime: Date;
  /** Path of the version before the change. */
  readonly path?: string | undefined;
  /** Digest of the version before the change, see `ChangedResource`. */
  readonly digest?: string | undefined;
}

/** A URL that was published, and that the site does not have. */
export interface LostAddress {
  readonly uri: string;
  /** Path of the last version that was published. */
  readonly path: string;
  readonly digest: string | undefined;
  /** Moment of the deletion; undefined if this build deletes it. */
  readonly since: Date | undefined;
}

export interface PastAddresses {
  readonly lost: readonly LostAddress[];
  /** URLs that the next publication creates, and that no publication had before. */
  readonly fresh: ReadonlySet<string>;
  /** URLs that have changed since the baseline, or that the next publication changes. */
  readonly changed: ReadonlySet<string>;
}

/**
 * Finds the lost, new and changed URLs. @param events oldest first in each set
 * @param pending the changes of the next publication
 * @param pathOf guesses the path of a URL whose event has none
 */
export function deriveAddresses(
  events: Iterable<PastEvent>,
  pending: readonly ChangedResource[],
  pathOf: (uri: string) => string,
): PastAddresses {
  const last = new Map<string, PastEvent>();
  for (const event of events) {
    const before = last.get(event.uri);
    if (before === undefined || event.datetime >= before.datetime) last.set(event.uri, event);
  }
  const fresh = new Set<string>();
  const changed = new Set(last.keys());
  const lost = new Map<string, LostAddress>();
  for (const { uri, change, path, digest, datetime } of last.values())
    if (change === 'deleted') lost.set(uri, { uri, path: path ?? pathOf(uri), digest, since: datetime });
  for (const { uri, change, path, digest } of pending) {
    if (change === 'created' && !last.has(uri)) fresh.add(uri);
    if (change === 'deleted') lost.set(uri, { uri, path, digest, since: undefined });
    changed.add(uri);
  }
  return { lost: [...lost.values()], fresh, changed };
}
