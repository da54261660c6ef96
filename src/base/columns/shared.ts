/** Values that come again and again, each kept once. Pure. */

import { startNumbers } from './numbers.js';

/** Values that are added one after another. */
export interface SharedColumn<T> {
  readonly push: (value: T) => void;
  readonly at: (index: number) => T;
}

/** Values that come after so many different ones are kept each for itself: few of them will come again. */
const MOST_SHARED = 10_000;

/** @param keep makes of a value what is kept */
export function startShared<T>(keep: (value: T) => T = (value) => value): SharedColumn<T> {
  const values: T[] = [];
  const known = new Map<T, number>();
  const places = startNumbers();
  return {
    push(value) {
      const before = known.get(value);
      const place = before ?? values.push(keep(value)) - 1;
      if (before === undefined && known.size < MOST_SHARED) known.set(values[place] as T, place);
      places.push(place);
    },
    at: (index) => values[places.at(index)] as T,
  };
}
