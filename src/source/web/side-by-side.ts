/** Works on all items in order, at most `count` at a time. After a failure no more work is started, and running work is awaited. */
export async function workSideBySide<T>(
  all: Iterable<T>,
  count: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const iterator = all[Symbol.iterator]();
  const waiting = { [Symbol.iterator]: () => ({ next: () => iterator.next() }) };
  let isOver = false;
  const takeTurns = async () => {
    try {
      for (const one of waiting) {
        if (isOver) return;
        await work(one);
      }
    } catch (error) {
      isOver = true;
      throw error;
    }
  };
  const turns = await Promise.allSettled(Array.from({ length: count }, takeTurns));
  const failed = turns.find((turn) => turn.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
