/** Short runs of bytes, such as texts, one after another. Pure. */

/** Runs of bytes that are added one after another. */
export interface BytesColumn {
  /**
   * Adds one, and returns how many bytes it has.
   *
   * @param most how many bytes it may have
   * @param write writes it, from a place on, and returns how many bytes it has
   */
  readonly push: (most: number, write: (into: Buffer, start: number) => number) => number;
  /** @param read is told where the bytes are; it must not keep them, unless they are settled: then nothing is added to them */
  readonly read: <T>(index: number, read: ReadBytes<T>) => T;
}

export type ReadBytes<T> = (from: Buffer, start: number, end: number, isSettled: boolean) => T;

/** A block is filled in a buffer that grows, and then kept with no room to spare. */
const BLOCK_ROWS = 1024;
const FIRST_BYTES = 64 * 1024;

interface Block {
  readonly bytes: Buffer;
  /** Where each run ends. */
  readonly ends: Uint32Array;
}

export function startBytes(): BytesColumn {
  const blocks: Block[] = [];
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
    push(most, write) {
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
    read(index, read) {
      const block = blocks[Math.floor(index / BLOCK_ROWS)];
      const row = index % BLOCK_ROWS;
      const rowEnds = block?.ends ?? ends;
      return read(block?.bytes ?? open, rowEnds[row - 1] ?? 0, rowEnds[row] ?? 0, block !== undefined);
    },
  };
}
