/** Columns: values of one kind, one after another, each in as few bytes as it takes. Pure. */

/** One field of very many records. */
export interface Column<T> {
  /** @param key of the record, such as its URL; some columns keep only what that does not say */
  readonly push: (value: T, key: string) => void;
  /** Makes the value anew. */
  readonly at: (index: number, key: string) => T;
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

/** Starts a column of numbers: each takes as many bytes as the one that needs most, 1, 2, 4, or 8. */
export function startNumbers() {
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
    push(value: number): void {
      widen(value);
      // By half, as one that is twice as large stands beside the old one while it is filled.
      if (length === values.length) move(length + (length >> 1));
      values[length++] = value;
    },
    /** Puts another in the place of one that is there. */
    put(index: number, value: number): void {
      widen(value);
      values[index] = value;
    },
    at: (index: number): number => values[index] ?? 0,
  };
}

function fits(kind: number, value: number): boolean {
  if (kind === KINDS.length - 1) return true;
  return value >= 0 && value < (KINDS[kind]?.bound ?? 0) && Math.floor(value) === value;
}

/** Values that come after so many different ones are kept each for itself: few of them will come again. */
const MOST_SHARED = 10_000;

/**
 * Starts a column of values that come again and again, each kept once.
 *
 * @param keep makes of a value what is kept
 */
export function startShared<T>(keep: (value: T) => T = (value) => value) {
  const values: T[] = [];
  const known = new Map<T, number>();
  const places = startNumbers();
  return {
    push(value: T): void {
      const before = known.get(value);
      const place = before ?? values.push(keep(value)) - 1;
      if (before === undefined && known.size < MOST_SHARED) known.set(values[place] as T, place);
      places.push(place);
    },
    at: (index: number) => values[places.at(index)] as T,
  };
}

/** Starts a column of moments, of which there are few. */
export function startMoments() {
  const { push, at } = startShared<number | undefined>();
  return {
    push: (moment: Date | undefined) => push(moment?.getTime()),
    at(index: number): Date | undefined {
      const moment = at(index);
      return moment === undefined ? undefined : new Date(moment);
    },
  };
}

type ReadBytes<T> = (from: Buffer, start: number, end: number) => T;

/** A block is filled in a buffer that grows, and then kept with no room to spare. */
const BLOCK_ROWS = 1024;
const FIRST_BYTES = 64 * 1024;

/** Starts a column of short runs of bytes, such as texts. */
export function startBytes() {
  /** The bytes of each, and where each run ends. */
  const blocks: { readonly bytes: Buffer; readonly ends: Uint32Array }[] = [];
  let open = Buffer.alloc(0);
  let ends = new Uint32Array(BLOCK_ROWS);
  let [rows, end] = [0, 0];

  function seal(): void {
    const bytes = Buffer.allocUnsafeSlow(end);
    open.copy(bytes, 0, 0, end);
    blocks.push({ bytes, ends });
    ends = new Uint32Array(BLOCK_ROWS);
    [rows, end] = [0, 0];
  }

  return {
    /**
     * Adds one, and returns how many bytes it has.
     *
     * @param most how many bytes it may have
     * @param write writes it, from a place on, and returns how many bytes it has
     */
    push(most: number, write: (into: Buffer, start: number) => number): number {
      if (rows === BLOCK_ROWS) seal();
      if (end + most > open.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, 2 * open.length, end + most));
        open.copy(larger, 0, 0, end);
        open = larger;
      }
      const written = write(open, end);
      end += written;
      ends[rows++] = end;
      return written;
    },
    read<T>(index: number, read: ReadBytes<T>): T {
      const block = blocks[Math.floor(index / BLOCK_ROWS)];
      const row = index % BLOCK_ROWS;
      const rowEnds = block?.ends ?? ends;
      return read(block?.bytes ?? open, rowEnds[row - 1] ?? 0, rowEnds[row] ?? 0);
    },
  };
}

/** Starts a column of texts of well-formed Unicode, as UTF-8. */
export function startTexts() {
  const column = startBytes();
  return {
    push: (text: string) => column.push(3 * text.length, (into, start) => into.write(text, start)),
    at: (index: number) => column.read(index, readText),
  };
}

export function readText(from: Buffer, start: number, end: number): string {
  return from.toString('utf8', start, end);
}

/** In place of a text that there is not: no UTF-8 has it. */
const NOTHING = 0xff;

/** Starts a column of texts some of which are missing; adding one tells how many bytes it takes. */
export function startOptionalTexts() {
  const column = startBytes();
  return {
    push: (text: string | undefined) =>
      text === undefined
        ? column.push(1, (into, start) => into.writeUInt8(NOTHING, start) - start)
        : column.push(3 * text.length, (into, start) => into.write(text, start)),
    at: (index: number) =>
      column.read(index, (from, start, end) =>
        from[start] === NOTHING && end > start ? undefined : readText(from, start, end),
      ),
  };
}

/** Starts a column of values that few records have, as JSON. */
export function startJson<T>() {
  const texts = startOptionalTexts();
  return {
    push: (value: T | undefined) => texts.push(value && JSON.stringify(value)),
    at(index: number): T | undefined {
      const text = texts.at(index);
      return text === undefined ? undefined : (JSON.parse(text) as T);
    },
  };
}
