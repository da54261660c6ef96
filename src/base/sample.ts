/** Takes a sample of a list. Pure. */

/** Returns `size` items from all over a list, always the same of the same list; all items if there are no more. */
export function takeSample<T>(items: readonly T[], size = 50): T[] {
  if (items.length <= size) return [...items];
  return items.filter(
    (_, index) =>
      Math.floor((index * size) / items.length) !== Math.floor(((index - 1) * size) / items.length),
  );
}
