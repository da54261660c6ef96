/** Numbers in as few bytes as they take. Pure. */

/** Of one number, so many bytes: whole ones below 2^32, or any. */
const KINDS = { whole: Uint32Array, any: Float64Array } as const;

/** Numbers that are added one after another. */
export interface NumberColumn {
  readonly length: () => number;
  readonly push: (value: number) => void;
  readonly at: (index: number) => number;
}

/** Numbers in one array before it has to grow. */
const FIRST = 1024;

/** @param kind `whole` for whole numbers from 0 to 4,294,967,295, in 4 bytes each; `any` in 8 bytes each */
export function startNumbers(kind: keyof typeof KINDS): NumberColumn {
  const Kind = KINDS[kind];
  let values = new Kind(FIRST);
  let length = 0;
  return {
    length: () => length,
    push(value) {
      if (length === values.length) {
        // By half, as one that is twice as large stands beside the old one while it is filled.
        const larger = new Kind(length + (length >> 1));
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    at: (index) => values[index] ?? 0,
  };
}
