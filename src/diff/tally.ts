/** Puts changes that are alike into groups, and counts pages. */

import type { Comparison, Difference, DifferenceGroup, GroupReason, RenamedResource } from './model.js';
import type { Alike } from './text/alike.js';

/** A change, and what says which others are like it. */
export interface Tally {
  readonly difference: Difference;
  readonly alike?: Alike | undefined;
  /** Whether it is a page whose versions were compared. */
  readonly page?: boolean;
  readonly renamed?: RenamedResource;
}

interface Gathered {
  readonly key: string;
  readonly first: Difference;
  readonly line: string;
  readonly reason: GroupReason;
  readonly page: boolean;
  readonly count: number;
}

/** Makes the groups, the largest first, and gives each change the number of its group. */
export function tellGroups(tallies: readonly Tally[]): Comparison {
  const gathered = gather(tallies);
  const large = [...gathered.values()].filter(({ count }) => count > 1).sort((a, b) => b.count - a.count);
  const ids = new Map(large.map(({ key }, index) => [key, index + 1]));
  const groups = large.map(
    ({ key, count, line, first, reason }): DifferenceGroup => ({
      id: ids.get(key) ?? 0,
      count,
      line,
      kind: first.kind,
      reason,
    }),
  );
  const changes = tallies.map((tally): Difference => {
    const group = ids.get(keyOf(tally) ?? '');
    return group === undefined ? tally.difference : { ...tally.difference, group };
  });
  const maskedPages = [...gathered.values()].filter(({ page, reason }) => page && reason === 'masked');
  const most = maskedPages.reduce<Gathered | undefined>(
    (largest, other) => (largest === undefined || other.count > largest.count ? other : largest),
    undefined,
  );
  const pages = {
    compared: tallies.filter(({ page }) => page === true).length,
    masked: maskedPages.reduce((sum, { count }) => sum + count, 0),
    line: most?.line,
    kind: most?.first.kind,
  };
  return { changes, groups, pages };
}

function gather(tallies: readonly Tally[]): Map<string, Gathered> {
  const gathered = new Map<string, Gathered>();
  for (const tally of tallies) {
    const key = keyOf(tally);
    if (key === undefined) continue;
    const former = gathered.get(key);
    gathered.set(key, former === undefined ? begin(key, tally) : { ...former, count: former.count + 1 });
  }
  return gathered;
}

function begin(key: string, { difference, alike, renamed, page = false }: Tally): Gathered {
  const line = alike?.line ?? `/${renamed?.fromPath} → /${renamed?.path}`;
  const reason = alike === undefined ? 'renamed' : alike.masked ? 'masked' : 'alike';
  return { key, first: difference, line, reason, page, count: 1 };
}

/** Renamed assets of one folder are one group. */
function keyOf({ alike, renamed }: Tally): string | undefined {
  if (renamed === undefined) return alike?.key;
  return `renamed ${renamed.path.slice(0, renamed.path.lastIndexOf('/') + 1)}`;
}
