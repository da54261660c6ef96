/** Does the same with many, some at a time. */

/** Works on all in order, at most `count` at a time. */
export async function workSideBySide<T>(
  all: ReadonlySet<T> | readonly T[],
  count: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  // All workers take from the one iterator.
  const waiting = all.values();
  const takeTurns = async () => {
    for (const one of waiting) await work(one);
  };
  await Promise.all(
    Array.from({ length: Math.min(count, 'size' in all ? all.size : all.length) }, takeTurns),
  );
}
