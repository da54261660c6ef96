/** Reads records of CSV (RFC 4180) from bytes, without making a text of them. */

import { ResyncError } from '../../base/errors.js';
import { say, type Words } from '../../base/text/say.js';

const [QUOTE, COMMA, LF, CR] = [0x22, 0x2c, 0x0a, 0x0d];

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Bytes that end a field without quotes, or may not stand in one. */
const STOPS = new Uint8Array(256);
for (const byte of [QUOTE, COMMA, LF, CR]) STOPS[byte] = 1;

/** A longer record, in bytes, is no row of an inventory: a quote was opened and never closed, or the file is no CSV. */
const MOST_RECORD = 1 << 20;

const MOST_FIELDS = 1024;

/** The current record: field n is `bytes` from `starts[n]` on, before `ends[n]`, unquoted. It lasts until the next one is read. */
export class CsvReader {
  /** Path of the file, for messages. */
  readonly name: string;
  bytes: Buffer = Buffer.alloc(0);
  readonly starts = new Int32Array(MOST_FIELDS);
  readonly ends = new Int32Array(MOST_FIELDS);
  /** Number of fields. */
  fields = 0;
  /** The line on which the record begins, from 1. */
  line = 0;
  readonly #chunks: AsyncIterator<Buffer>;
  #hasEnded = false;
  #position = 0;
  #nextLine = 1;
  /** The place of the scan. */
  #at = 0;
  /** Line breaks within quotes. */
  #breaks = 0;
  /** Fields in which two quotes stand for one. */
  readonly #doubled: number[] = [];

  constructor(name: string, chunks: AsyncIterable<Buffer>) {
    this.name = name;
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Moves to the next record that is no blank line; false at the end. A promise only where more has to be read. */
  next(): boolean | Promise<boolean> {
    while (this.#scanRecord()) if (this.fields > 1 || !this.#isBlank()) return true;
    return this.#hasEnded ? false : this.#readOn();
  }

  /** @returns the error to throw about the current record */
  refuse(what: Words): ResyncError {
    return new ResyncError('rows-invalid', say`${this.name}, line ${this.line}: ${what}`);
  }

  /** A field as text, for messages, and for what is read seldom. */
  text(field: number): string {
    return this.bytes.toString('utf8', this.starts[field], this.ends[field]);
  }

  async #readOn(): Promise<boolean> {
    const isFirst = this.line === 0;
    const rest = this.bytes.subarray(this.#position);
    if (rest.length > MOST_RECORD) {
      this.line = this.#nextLine;
      throw this.refuse(
        say`a row of more than ${MOST_RECORD} bytes begins here.\nEither a quote is not closed, or this is no CSV. Write CSV with commas, and quotes around fields with quotes in them.`,
      );
    }
    const { done, value } = await this.#chunks.next();
    if (done === true) this.#hasEnded = true;
    else this.bytes = rest.length === 0 ? value : Buffer.concat([rest, value]);
    if (done !== true)
      this.#position = isFirst && value.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0;
    return this.next();
  }

  #isBlank(): boolean {
    const start = this.starts[0] as number;
    return start === this.ends[0] && this.bytes[start - 1] !== QUOTE;
  }

  /** @returns false if the bytes end before the record does */
  #scanRecord(): boolean {
    const { bytes, starts, ends } = this;
    if (this.#position === bytes.length) return false;
    this.line = this.#nextLine;
    this.#at = this.#position;
    this.#breaks = 0;
    this.#doubled.length = 0;
    for (let field = 0; field < MOST_FIELDS; field++) {
      const isQuoted = bytes[this.#at] === QUOTE;
      starts[field] = isQuoted ? this.#at + 1 : this.#at;
      const end = isQuoted ? this.#scanQuoted(field) : this.#scanPlain();
      if (end === undefined) return false;
      ends[field] = end;
      const byte = bytes[this.#at++];
      if (byte === COMMA) continue;
      if (byte === CR && bytes[this.#at] === LF) this.#at++;
      else if (byte !== LF && byte !== undefined) throw this.#refuseField(field);
      this.fields = field + 1;
      this.#position = Math.min(this.#at, bytes.length);
      this.#nextLine += this.#breaks + 1;
      for (const one of this.#doubled) this.#undouble(one);
      return true;
    }
    throw this.refuse(say`the row has more than ${MOST_FIELDS} fields.`);
  }

  /** @returns the end of the field; undefined if the bytes end before it is certain */
  #scanPlain(): number | undefined {
    const { bytes } = this;
    let at = this.#at;
    while (at < bytes.length && STOPS[bytes[at] as number] === 0) at++;
    this.#at = at;
    return this.#isCertain(at) ? at : undefined;
  }

  #scanQuoted(field: number): number | undefined {
    const { bytes } = this;
    let at = this.#at + 1;
    let hasDoubled = false;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === LF) this.#breaks++;
      if (byte !== QUOTE) continue;
      if (bytes[at + 1] !== QUOTE) break;
      hasDoubled = true;
      at++;
    }
    if (at >= bytes.length && this.#hasEnded)
      throw this.refuse(say`the input ends within quotes.\nIt was cut off: write it again.`);
    this.#at = at + 1;
    if (hasDoubled) this.#doubled.push(field);
    return this.#isCertain(at + 1) ? at : undefined;
  }

  /** Returns whether the separator at a place is there as a whole. */
  #isCertain(at: number): boolean {
    const { bytes } = this;
    return this.#hasEnded || at + 1 < bytes.length || (at < bytes.length && bytes[at] !== CR);
  }

  #refuseField(field: number): ResyncError {
    return this.refuse(
      say`a quote or a line break stands in the middle of field ${field + 1}.\nPut quotes around fields with quotes, commas or line breaks in them, and double the quotes inside.`,
    );
  }

  /** Removes the first of each two quotes, in place. */
  #undouble(field: number): void {
    const { bytes } = this;
    const end = this.ends[field] as number;
    let to = this.starts[field] as number;
    for (let from = to; from < end; from++) {
      if (bytes[from] === QUOTE) from++;
      bytes[to++] = bytes[from] as number;
    }
    this.ends[field] = to;
  }
}
