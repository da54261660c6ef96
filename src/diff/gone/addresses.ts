/** Derives the addresses that a site has lost from the changes of its history. Pure. */

import type { ChangedResource } from '../model.js';

/** A change of a publication. */
export interface PastEvent {
  readonly change: 'created' | 'updated' | 'deleted';
  readonly uri: string;
  readonly datetime: Date;
  /** Path of the previous version. */
  readonly path?: string | undefined;
  /** `ChangedResource.digest` of the previous version. */
  readonly digest?: string | undefined;
}

/** A URL that was published, and that the site does not have. */
export interface LostAddress {
  readonly uri: string;
  /** Path of the last version. */
  readonly path: string;
  readonly digest: string | undefined;
  /** First publication; undefined if that was the baseline, or before. */
  readonly born: Date | undefined;
  /** Moment of the deletion; undefined if this build deletes it. */
  readonly since: Date | undefined;
}

export interface PastAddresses {
  /** In the order of their URLs. */
  readonly lost: readonly LostAddress[];
  /** URLs that the next publication creates, and that never were. */
  readonly fresh: ReadonlySet<string>;
  /** Publication of the present bytes by URL, in milliseconds since 1970; missing for those of the baseline. */
  readonly changedAt: ReadonlyMap<string, number>;
}

/**
 * @param events oldest first
 * @param pending the changes of the next publication
 * @param has whether the site has a URL
 * @param pathOf the path of a URL whose event has none
 */
export function deriveAddresses(
  events: Iterable<PastEvent>,
  pending: readonly ChangedResource[],
  has: (uri: string) => boolean,
  pathOf: (uri: string) => string,
): PastAddresses {
  const born = new Map<string, Date>();
  const last = new Map<string, PastEvent>();
  for (const event of events) {
    const before = last.get(event.uri);
    if (before === undefined && event.change === 'created') born.set(event.uri, event.datetime);
    if (before === undefined || event.datetime >= before.datetime) last.set(event.uri, event);
  }
  const changedAt = new Map([...last].map(([uri, { datetime }]) => [uri, datetime.getTime()]));
  const fresh = new Set<string>();
  const lost = new Map<string, LostAddress>();
  for (const { uri, change, path, digest, datetime } of last.values()) {
    if (change === 'deleted' && !has(uri))
      lost.set(uri, { uri, path: path ?? pathOf(uri), digest, born: born.get(uri), since: datetime });
  }
  for (const { uri, change, path, digest } of pending) {
    changedAt.set(uri, Number.POSITIVE_INFINITY);
    if (change === 'created' && !last.has(uri)) fresh.add(uri);
    if (change === 'deleted' && !has(uri))
      lost.set(uri, { uri, path, digest, born: born.get(uri), since: undefined });
  }
  return { lost: [...lost.values()].sort((a, b) => (a.uri < b.uri ? -1 : 1)), fresh, changedAt };
}
