/** Sequences whose values are created on demand, so that a million of them take no memory. Pure. */

/** A read-only sequence of values, such as an array. */
export interface Rows<T> extends Iterable<T> {
  readonly length: number;
  readonly at: (index: number) => T | undefined;
  readonly slice: (start: number, end: number) => Rows<T>;
  readonly filter: (test: (row: T, index: number) => boolean) => Rows<T>;
  readonly some: (test: (row: T) => boolean) => boolean;
  readonly map: <U>(make: (row: T, index: number) => U) => readonly U[];
  readonly entries: () => Iterable<[index: number, row: T]>;
}

/** Creates rows on demand. @param make creates an equal value on each call, from a number that starts at 0 */
export function makeRows<T>(length: number, make: (index: number) => T): Rows<T> {
  function* entries(): Generator<[number, T], void> {
    for (let index = 0; index < length; index++) yield [index, make(index)];
  }
  function* values(): Generator<T, void> {
    for (let index = 0; index < length; index++) yield make(index);
  }
  return {
    length,
    at(index) {
      const place = index < 0 ? length + index : index;
      return place >= 0 && place < length ? make(place) : undefined;
    },
    slice(start, end) {
      const first = Math.min(start, length);
      return makeRows(Math.max(0, Math.min(end, length) - first), (index) => make(first + index));
    },
    filter(test) {
      const chosen = new Uint32Array(length);
      let count = 0;
      for (let index = 0; index < length; index++) if (test(make(index), index)) chosen[count++] = index;
      const kept = chosen.slice(0, count);
      return makeRows(count, (index) => make(kept[index] as number));
    },
    some(test) {
      for (let index = 0; index < length; index++) if (test(make(index))) return true;
      return false;
    },
    map: (change) => Array.from({ length }, (_, index) => change(make(index), index)),
    entries,
    [Symbol.iterator]: values,
  };
}

/** Maps rows lazily: a row is mapped each time that it is read. */
export function mapRows<T, U>(rows: Rows<T>, change: (row: T, index: number) => U): Rows<U> {
  return makeRows(rows.length, (index) => change(rows.at(index) as T, index));
}

export function joinRows<T>(parts: readonly Rows<T>[]): Rows<T> {
  const [only, ...others] = parts.filter(({ length }) => length > 0);
  if (only !== undefined && others.length === 0) return only;
  const starts: number[] = [];
  let end = 0;
  for (const { length } of parts) {
    starts.push(end);
    end += length;
  }
  return makeRows(end, (index) => {
    const part = countWhile(starts.length, (place) => (starts[place] as number) <= index) - 1;
    return parts[part]?.at(index - (starts[part] as number)) as T;
  });
}

/** Returns the index of a URL in rows that are in the order of URLs; -1 if it is not there. */
export function findUri(rows: Rows<{ readonly uri: string }>, uri: string): number {
  const uriAt = (index: number) => rows.at(index)?.uri ?? '';
  const place = countWhile(rows.length, (index) => uriAt(index) < uri);
  return place < rows.length && uriAt(place) === uri ? place : -1;
}

/** Returns the first index below `length` that fails a test, which all before it pass, and none after it. */
function countWhile(length: number, test: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
