/** Files and folders of one name with the same bytes: not both can have a version. Pure. */

import type { VersionsConfig } from '../config/config.js';
import type { UriChange } from '../plan/derive.js';
import { startClaims } from './claims.js';
import { keyOfChange } from './patches.js';

/** Which changes may have versions. */
export interface RivalRules {
  readonly holds: VersionsConfig['holds'];
  readonly withdrawn: (uri: string) => boolean;
}

type Kept = Exclude<UriChange, { readonly change: 'deleted' }>;

/**
 * Finds the changes that have no version, because a file or folder of that name had one before.
 *
 * All that is known counts, and not only what is listed: so it stays as it is when the window moves on, and with it
 * each list that is closed.
 *
 * @returns their keys
 */
export function findLosers(changes: readonly UriChange[], { holds, withdrawn }: RivalRules): Set<string> {
  const byBlob = new Map<string, Kept[]>();
  for (const change of changes) {
    if (change.change === 'deleted' || !holds(change.file.path) || withdrawn(change.uri)) continue;
    const same = byBlob.get(change.file.blob);
    if (same === undefined) byBlob.set(change.file.blob, [change]);
    else same.push(change);
  }
  const losers = new Set<string>();
  for (const same of byBlob.values()) {
    if (same.length < 2) continue;
    const claims = startClaims();
    const taken = new Set<string>();
    for (const change of same.sort(
      (a, b) => a.datetime.getTime() - b.datetime.getTime() || (a.uri < b.uri ? -1 : 1),
    )) {
      const { path } = change.file;
      if (taken.has(path) || claims.take(path)) taken.add(path);
      else losers.add(keyOfChange(change));
    }
  }
  return losers;
}
