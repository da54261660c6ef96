/** Numbers in as few bytes as they take. Pure. */

/** Numbers that are added one after another. */
export interface NumberColumn {
  readonly push: (value: number) => void;
  /** Puts another in the place of one that is there. */
  readonly put: (index: number, value: number) => void;
  readonly at: (index: number) => number;
}

/** Numbers in one array before it has to grow. */
const FIRST = 1024;

/** The arrays for whole numbers below a bound, and for any other number. */
const KINDS = [
  { Kind: Uint8Array, bound: 2 ** 8 },
  { Kind: Uint16Array, bound: 2 ** 16 },
  { Kind: Uint32Array, bound: 2 ** 32 },
  { Kind: Float64Array, bound: Number.POSITIVE_INFINITY },
] as const;

/** Starts a column. Of each number, it takes as many bytes as the one that needs most: 1, 2, 4, or 8. */
export function startNumbers(): NumberColumn {
  let kind = 0;
  let values: InstanceType<(typeof KINDS)[number]['Kind']> = new Uint8Array(FIRST);
  let length = 0;

  function move(size: number): void {
    const larger = new (KINDS[kind]?.Kind ?? Float64Array)(size);
    larger.set(values);
    values = larger;
  }

  function widen(value: number): void {
    while (!fits(kind, value)) {
      kind++;
      move(values.length);
    }
  }

  return {
    push(value) {
      widen(value);
      // By half, as one that is twice as large stands beside the old one while it is filled.
      if (length === values.length) move(length + (length >> 1));
      values[length++] = value;
    },
    put(index, value) {
      widen(value);
      values[index] = value;
    },
    at: (index) => values[index] ?? 0,
  };
}

function fits(kind: number, value: number): boolean {
  if (kind === KINDS.length - 1) return true;
  return value >= 0 && value < (KINDS[kind]?.bound ?? 0) && Math.floor(value) === value;
}
