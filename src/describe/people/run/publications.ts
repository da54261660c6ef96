/** Puts changes together that were published at one moment. */

interface Change {
  readonly uri: string;
  readonly datetime: Date;
}

/**
 * Groups changes by their moments, oldest first. A URL may be in several sets; it is told once.
 *
 * @param lists changes, set by set
 */
export function groupByMoment<T extends Change>(
  lists: readonly (readonly T[])[],
): { readonly datetime: Date; readonly changes: T[] }[] {
  const groups = new Map<number, Map<string, T>>();
  for (const change of lists.flat()) {
    const moment = change.datetime.getTime();
    const group = groups.get(moment) ?? new Map<string, T>();
    groups.set(moment, group.set(change.uri, change));
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([moment, byUri]) => ({ datetime: new Date(moment), changes: [...byUri.values()] }));
}
