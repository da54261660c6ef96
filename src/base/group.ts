/** Groups values, and fills maps. Pure. */

export function getOrInsert<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Groups values by key, in the order in which the keys occur first; values without a key are left out. */
export function groupBy<T, K>(values: Iterable<T>, keyOf: (value: T) => K | undefined): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    if (key !== undefined) getOrInsert(groups, key, () => []).push(value);
  }
  return groups;
}
