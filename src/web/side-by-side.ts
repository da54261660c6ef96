/** Does the same with many, some at a time. */

/** Works on all in order, at most `count` at a time. */
export async function workSideBySide<T>(
  all: Iterable<T>,
  count: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  // All workers take from the one iterator.
  const iterator = all[Symbol.iterator]();
  const waiting = { [Symbol.iterator]: () => ({ next: () => iterator.next() }) };
  const takeTurns = async () => {
    for (const one of waiting) await work(one);
  };
  await Promise.all(Array.from({ length: count }, takeTurns));
}
