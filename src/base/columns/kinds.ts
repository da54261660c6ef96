/** Columns: the values of one field of very many records, each in as few bytes as possible. Pure. */

export interface Column<T> {
  /** Adds the value of one more record. @param key of the record, such as its URL; a column need not keep what the key says */
  readonly push: (value: T, key: string) => void;
  /** Returns the value of a record, created anew on each call. */
  readonly at: (index: number, key: string) => T;
}

const FIRST = 1024;

/** Kinds of arrays, each for whole numbers below a bound; the last kind takes any number. */
const KINDS = [
  { Kind: Uint8Array, bound: 2 ** 8 },
  { Kind: Uint16Array, bound: 2 ** 16 },
  { Kind: Uint32Array, bound: 2 ** 32 },
  { Kind: Float64Array, bound: Number.POSITIVE_INFINITY },
] as const;

type NumberKind = (typeof KINDS)[number];

/** Column of numbers; each takes as many bytes as the one that needs most: 1, 2, 4 or 8. */
export class NumberColumn implements Column<number> {
  #kind = 0;
  #values: InstanceType<NumberKind['Kind']> = new Uint8Array(FIRST);
  #length = 0;

  push(value: number): void {
    this.#widen(value);
    // The array grows by half: one of twice the size would stand beside the old one while it is filled.
    if (this.#length === this.#values.length) this.#move(this.#length + (this.#length >> 1));
    this.#values[this.#length++] = value;
  }

  put(index: number, value: number): void {
    this.#widen(value);
    this.#values[index] = value;
  }

  at(index: number): number {
    return this.#values[index] as number;
  }

  #widen(value: number): void {
    while (!fits(this.#kind, value)) {
      this.#kind++;
      this.#move(this.#values.length);
    }
  }

  #move(size: number): void {
    const { Kind } = KINDS[this.#kind] as NumberKind;
    const larger = new Kind(size);
    larger.set(this.#values);
    this.#values = larger;
  }
}

function fits(kind: number, value: number): boolean {
  if (kind === KINDS.length - 1) return true;
  return value >= 0 && value < (KINDS[kind] as NumberKind).bound && Math.floor(value) === value;
}

/** Number of different values in which a column looks for repetitions; a column with more has few. */
const MOST_SHARED = 10_000;

/** Column of values that are repeated often; each different value is kept once. */
export class SharedColumn<T> implements Column<T> {
  readonly #keep: (value: T) => T;
  readonly #values: T[] = [];
  readonly #places = new Map<T, number>();
  readonly #rows = new NumberColumn();

  /** Creates an empty column. @param keep returns the copy of a value that is kept. @default the value itself */
  constructor(keep: (value: T) => T = (value) => value) {
    this.#keep = keep;
  }

  push(value: T): void {
    const before = this.#places.get(value);
    const place = before ?? this.#values.push(this.#keep(value)) - 1;
    if (before === undefined && this.#places.size < MOST_SHARED)
      this.#places.set(this.#values[place] as T, place);
    this.#rows.push(place);
  }

  at(index: number): T {
    return this.#values[this.#rows.at(index)] as T;
  }
}

export class DateColumn implements Column<Date | undefined> {
  readonly #times = new SharedColumn<number | undefined>();

  push(date: Date | undefined): void {
    this.#times.push(date?.getTime());
  }

  at(index: number): Date | undefined {
    const time = this.#times.at(index);
    return time === undefined ? undefined : new Date(time);
  }
}

type ReadBytes<T> = (from: Buffer, start: number, end: number) => T;

/** Number of rows in a block of bytes, which is filled in a growing buffer, and then copied to one of its exact size. */
const BLOCK_ROWS = 1024;
const FIRST_BYTES = 64 * 1024;

interface Block {
  readonly bytes: Buffer;
  /** Position in `bytes` at which each row ends. */
  readonly ends: Uint32Array;
}

export class BytesColumn {
  readonly #blocks: Block[] = [];
  #open: Buffer = Buffer.alloc(0);
  #ends = new Uint32Array(BLOCK_ROWS);
  #rows = 0;
  #end = 0;

  /** Adds a row of bytes, and returns its length. @param most upper bound of the length @param write returns the number of bytes written */
  push(most: number, write: (into: Buffer, start: number) => number): number {
    if (this.#rows === BLOCK_ROWS) this.#seal();
    if (this.#end + most > this.#open.length) this.#grow(most);
    const written = write(this.#open, this.#end);
    this.#end += written;
    this.#ends[this.#rows++] = this.#end;
    return written;
  }

  read<T>(index: number, read: ReadBytes<T>): T {
    const block = this.#blocks[Math.floor(index / BLOCK_ROWS)];
    const bytes = block === undefined ? this.#open : block.bytes;
    const ends = block === undefined ? this.#ends : block.ends;
    const row = index % BLOCK_ROWS;
    return read(bytes, row === 0 ? 0 : (ends[row - 1] as number), ends[row] as number);
  }

  #grow(most: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, 2 * this.#open.length, this.#end + most));
    this.#open.copy(larger, 0, 0, this.#end);
    this.#open = larger;
  }

  #seal(): void {
    const bytes = Buffer.allocUnsafeSlow(this.#end);
    this.#open.copy(bytes, 0, 0, this.#end);
    this.#blocks.push({ bytes, ends: this.#ends });
    this.#ends = new Uint32Array(BLOCK_ROWS);
    this.#rows = 0;
    this.#end = 0;
  }
}

/** Byte that marks a missing text: it occurs in no UTF-8. */
const NOTHING = 0xff;

/** Column of texts, kept as UTF-8; their Unicode must be well-formed. */
export class TextColumn<T extends string | undefined = string> implements Column<T> {
  readonly #bytes = new BytesColumn();

  /** Adds a text, and returns how many bytes it takes. */
  push(text: T): number {
    return text === undefined
      ? this.#bytes.push(1, (into, start) => into.writeUInt8(NOTHING, start) - start)
      : this.#bytes.push(3 * text.length, (into, start) => into.write(text, start));
  }

  at(index: number): T {
    return this.#bytes.read<string | undefined>(index, (from, start, end) =>
      from[start] === NOTHING && end > start ? undefined : readText(from, start, end),
    ) as T;
  }
}

export function readText(from: Buffer, start: number, end: number): string {
  return from.toString('utf8', start, end);
}

/** Column of values that few records have, kept as JSON. */
export class JsonColumn<T> implements Column<T | undefined> {
  readonly #texts = new TextColumn<string | undefined>();

  push(value: T | undefined): void {
    this.#texts.push(value && JSON.stringify(value));
  }

  at(index: number): T | undefined {
    const text = this.#texts.at(index);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }
}
