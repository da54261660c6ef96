/** Collects bytes that are written in one piece: URLs and elements are made without a text in between. */

import { encodePath } from '../../paths/urls.js';
import { escapeXml } from '../../standard/xml/elements.js';

/** For each byte of a key in UTF-8, what stands for it in a URL in XML; ASCII is encoded as in the URL of a file. */
const PIECES = Array.from({ length: 256 }, (_, byte) => Buffer.from(escapeXml(encodeByte(byte))));

/** Characters of the URL for each byte of a key. */
export const WIDTHS = Uint8Array.from({ length: 256 }, (_, byte) => encodeByte(byte).length);

/** Bytes that stand for themselves. */
const PLAIN = Uint8Array.from(PIECES, (piece, byte) => (piece.length === 1 && piece[0] === byte ? 1 : 0));

function encodeByte(byte: number): string {
  return byte < 0x80 ? encodePath(String.fromCharCode(byte)) : `%${byte.toString(16).toUpperCase()}`;
}

/** The bytes of a key: from `start` on, before `end`. */
export interface Key {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Compares keys byte by byte. @returns a negative number if `a` comes before `b`, 0 if both are the same */
export function compareKeys(a: Key, b: Key): number {
  const [one, other] = [a.bytes, b.bytes];
  const offset = b.start - a.start;
  const end = Math.min(a.end, b.end - offset);
  for (let place = a.start; place < end; place++) {
    const difference = (one[place] as number) - (other[place + offset] as number);
    if (difference !== 0) return difference;
  }
  return a.end - a.start - (b.end - b.start);
}

export class ByteBuffer {
  length = 0;
  readonly #bytes: Buffer;

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(size);
  }

  add(piece: Uint8Array): void {
    const to = this.#bytes;
    const { length } = this;
    for (let place = 0; place < piece.length; place++) to[length + place] = piece[place] as number;
    this.length = length + piece.length;
  }

  /** Adds a key as the path of a URL, percent-encoded and escaped for XML. */
  addPath({ bytes: from, start, end }: Key): void {
    const to = this.#bytes;
    let { length } = this;
    for (let place = start; place < end; place++) {
      const byte = from[place] as number;
      if (PLAIN[byte] === 1) to[length++] = byte;
      else for (const one of PIECES[byte] as Buffer) to[length++] = one;
    }
    this.length = length;
  }

  addNumber(value: number): void {
    this.length += this.#bytes.write(String(value), this.length, 'latin1');
  }

  /** Empties it. @returns the bytes, which last until more is added */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.length);
    this.length = 0;
    return taken;
  }
}
