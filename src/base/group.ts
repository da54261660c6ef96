/** Groups values. Pure. */

/** Groups values by key, in the order in which the keys occur first; values without a key are left out. */
export function groupBy<T, K>(values: Iterable<T>, keyOf: (value: T) => K | undefined): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
