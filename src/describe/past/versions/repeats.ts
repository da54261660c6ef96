/** Changes that bring bytes which were there before: at their URL, or in a file or folder of its name. Pure. */

import { groupBy } from '../../../base/group.js';
import type { VersionsConfig } from '../../../config/config.js';
import type { UriChange } from '../../../history/plan/derive.js';
import { turnInVersion } from '../../../paths/ours.js';
import { startClaims } from './claims.js';
import { keyOfChange } from './patches.js';
import { findSha256, type TurnOf, type VersionEvent } from './plan.js';

type Kept = Exclude<UriChange, { readonly change: 'deleted' }>;

/** Which changes may have versions. */
export interface RivalRules {
  readonly holds: VersionsConfig['holds'];
  readonly withdrawn: (uri: string) => boolean;
}

/**
 * Finds the changes that have no version, because a file or folder of that name had one before.
 *
 * All that is known counts, and not only what is listed: so it stays as it is when the window moves on, and with it
 * each list that is closed.
 *
 * @returns their keys
 */
export function findLosers(changes: readonly Kept[], { holds, withdrawn }: RivalRules): Set<string> {
  const mayHave = changes.filter(({ file, uri }) => holds(file.path) && !withdrawn(uri));
  const losers = new Set<string>();
  for (const same of groupByBytes(mayHave, ({ file }) => file.blob)) {
    const claim = startClaims();
    const taken = new Set<string>();
    for (const change of same) {
      const { path } = change.file;
      if (taken.has(path) || claim(path)) taken.add(path);
      else losers.add(keyOfChange(change));
    }
  }
  return losers;
}

/** Counts in what git knows, which is more than what is listed: so an address stays when the window moves on. */
export function countCommittedTurns(changes: readonly Kept[]): TurnOf {
  const turns = new Map<string, number>();
  for (const same of groupByBytes(changes, ({ file }) => file.blob)) {
    const counts = new Map<string, number>();
    for (const change of same) {
      const key = keyOfChange(change);
      // The same change may be in several sets.
      if (turns.has(key)) continue;
      const turn = (counts.get(change.uri) ?? 0) + 1;
      counts.set(change.uri, turn);
      turns.set(key, turn);
    }
  }
  return (event) => turns.get(keyOfChange(event)) ?? 1;
}

/** Goes on with what the live site lists: what has an address keeps it, and what comes back gets the next one. */
export function continueTurns(events: readonly VersionEvent[]): TurnOf {
  const turns = new Map<string, number>();
  const counts = new Map<string, number>();
  const nameOf = ({ uri, representation }: VersionEvent) => `${findSha256(representation.hash ?? '')} ${uri}`;
  for (const event of events) {
    const turn = readTurn(event);
    if (turn === undefined) continue;
    turns.set(keyOfChange(event), turn);
    counts.set(nameOf(event), Math.max(turn, counts.get(nameOf(event)) ?? 0));
  }
  for (const event of sortOldest(events)) {
    const key = keyOfChange(event);
    if (turns.has(key)) continue;
    const turn = (counts.get(nameOf(event)) ?? 0) + 1;
    counts.set(nameOf(event), turn);
    turns.set(key, turn);
  }
  return (event) => turns.get(keyOfChange(event)) ?? 1;
}

/** What the link to its version says; undefined where it has none. */
function readTurn({ links = [], representation }: VersionEvent): number | undefined {
  const memento = links.find(({ rel }) => rel === 'memento');
  return memento && turnInVersion(memento.href, findSha256(representation.hash ?? '') ?? '');
}

/** Changes that bring the same bytes, oldest first, where there are several. */
function groupByBytes<T extends Moment>(all: readonly T[], bytesOf: (one: T) => string): T[][] {
  return [...groupBy(all, bytesOf).values()].filter(({ length }) => length > 1).map(sortOldest);
}

interface Moment {
  readonly uri: string;
  readonly datetime: Date;
}

function sortOldest<T extends Moment>(all: readonly T[]): T[] {
  return all.toSorted((a, b) => a.datetime.getTime() - b.datetime.getTime() || (a.uri < b.uri ? -1 : 1));
}
