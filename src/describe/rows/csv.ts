/** Reads records of CSV (RFC 4180) from a file, a pipe or standard input, compressed by gzip or not. */

import type { Hash } from 'node:crypto';
import { createReadStream, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { nodeErrorCode, ResyncError } from '../../base/errors.js';
import { say, type Words } from '../../base/text/say.js';

/** Number of bytes that are turned into text at a time. */
const CHUNK = 1 << 16;
/** Limit of a record in bytes: a longer one is no row of an inventory. */
const MOST_RECORD = 1 << 20;
const BYTE_ORDER_MARK = '\xef\xbb\xbf';

/** Reads the records of one input, as texts in which each character is a byte, so that they compare as bytes do. */
export class CsvReader {
  /** Path of the file; `-` for standard input. */
  readonly name: string;
  readonly #chunks: AsyncGenerator<Buffer, void>;
  readonly #hash: Hash | undefined;
  /** Input that is read and not yet dropped: begins on line `#line`, with the last record from `#begin` to `#next`. */
  #text = '';
  #begin = 0;
  #next = 0;
  #line = 1;
  #hasQuotes = false;
  #isEnded = false;

  /** Opens an input. @param hash gets the bytes after decompression */
  constructor(name: string, hash: Hash | undefined) {
    this.name = name;
    this.#hash = hash;
    this.#chunks = readInput(name);
  }

  /** Returns the next record, without blank lines; undefined if more input must first be read with `read`. */
  next(): string | undefined {
    for (let end = this.#findEnd(); end !== -1; end = this.#findEnd()) {
      this.#begin = this.#next;
      this.#next = end + 1;
      const record = this.#text.slice(this.#begin, this.#text[end - 1] === '\r' ? end - 1 : end);
      if (record !== '') return record;
    }
    return undefined;
  }

  /** Reads more input; returns false at the end. @throws ResyncError `rows-invalid` if it is unreadable, cut off, or no CSV */
  async read(): Promise<boolean> {
    this.#line = this.#lineAt(this.#next);
    this.#text = this.#text.slice(this.#next);
    this.#begin = 0;
    this.#next = 0;
    if (this.#isEnded && this.#text !== '')
      throw this.refuse(say`the input ends within quotes.\nIt was cut off: write it again.`);
    if (this.#isEnded) return false;
    if (this.#text.length > MOST_RECORD)
      throw this.refuse(
        say`a row of more than ${MOST_RECORD} bytes begins here.\nEither a quote is not closed, or this is no CSV with commas and lines.`,
      );
    const chunk = await this.#readChunk();
    this.#isEnded = chunk === undefined;
    // The last line of the input may lack its line break.
    this.#text += chunk ?? (this.#text === '' ? '' : '\n');
    if (this.#line === 1 && this.#text.startsWith(BYTE_ORDER_MARK)) this.#next = BYTE_ORDER_MARK.length;
    this.#hasQuotes = this.#text.includes('"');
    return true;
  }

  /** Returns the fields of the last record. @throws ResyncError `rows-invalid` if its quotes are wrong */
  parse(record: string): string[] {
    if (!this.#hasQuotes || !record.includes('"')) return record.split(',');
    const fields: string[] = [];
    for (FIELD.lastIndex = 0; ; ) {
      const found = FIELD.exec(record);
      if (found === null)
        throw this.refuse(
          say`a quote stands in the middle of field ${fields.length + 1}.\nPut quotes around fields with quotes, commas or line breaks in them, and double the quotes inside.`,
        );
      const [, quoted, plain = '', separator] = found;
      fields.push(quoted?.replaceAll('""', '"') ?? plain);
      if (separator === '') return fields;
    }
  }

  /** The number of the line on which the last record begins, from 1. */
  get line(): number {
    return this.#lineAt(this.#begin);
  }

  /** Makes an error about the last record, with its line. @param what is wrong with it */
  refuse(what: Words): ResyncError {
    return new ResyncError('rows-invalid', say`${this.name}, line ${this.line}: ${what}`);
  }

  /** Ends the input, which may be a pipe that somebody still writes to. */
  async close(): Promise<void> {
    await this.#chunks.return();
  }

  /** Finds the end of the next record: that of the first line after which all quotes are closed. -1 if more input is needed. */
  #findEnd(): number {
    let isQuoted = false;
    for (let from = this.#next; ; ) {
      const end = this.#text.indexOf('\n', from);
      if (end === -1 || !this.#hasQuotes) return end;
      const isOdd = this.#text.slice(from, end).split('"').length % 2 === 0;
      isQuoted = isQuoted !== isOdd;
      if (!isQuoted) return end;
      from = end + 1;
    }
  }

  #lineAt(place: number): number {
    return this.#line + this.#text.slice(0, place).split('\n').length - 1;
  }

  async #readChunk(): Promise<string | undefined> {
    try {
      const { done, value } = await this.#chunks.next();
      if (done === true) return undefined;
      this.#hash?.update(value);
      return value.toString('latin1');
    } catch (error) {
      throw explain(this.name, error);
    }
  }
}

const FIELD = /(?:"([^"]*(?:""[^"]*)*)"|([^",]*))(,|$)/y;

async function* readInput(name: string): AsyncGenerator<Buffer, void> {
  const input = openInput(name);
  try {
    for await (const piece of unpack(input))
      for (let at = 0; at < piece.length; at += CHUNK) yield piece.subarray(at, at + CHUNK);
  } finally {
    input.destroy();
  }
}

/** Opens an input. A pipe is polled: a thread that waits for it would keep the process alive after an error. */
function openInput(name: string): Readable {
  if (name === '-') return process.stdin;
  return statSync(name).isFIFO()
    ? new Socket({ fd: openSync(name, 'r'), readable: true, writable: false })
    : createReadStream(name);
}

/** Decompresses an input if it begins as gzip does: with 1f 8b (RFC 1952 §2.3.1). Opens it once, because it may be a pipe. */
async function* unpack(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const chunks = input[Symbol.asyncIterator]();
  let count = 0;
  let end = 0;
  const read = async (): Promise<Buffer | undefined> => {
    const chunk: Buffer | undefined = (await chunks.next()).value;
    const last = chunk?.findLastIndex((byte) => byte !== 0) ?? -1;
    if (last !== -1) end = count + last + 1;
    count += chunk?.length ?? 0;
    return chunk;
  };
  const first = await read();
  if (first === undefined) return;
  const all = async function* (): AsyncGenerator<Buffer, void> {
    for (let chunk: Buffer | undefined = first; chunk !== undefined; chunk = await read()) yield chunk;
  };
  if (first[0] !== 0x1f || first[1] !== 0x8b) return yield* all();
  // The pieces are longer than `CHUNK`, because each takes a turn of the thread that decompresses.
  const gunzip = createGunzip({ chunkSize: 4 * CHUNK });
  // An error of the input or of gzip ends the loop over the decompressed bytes.
  yield* pipeline(all, gunzip, () => undefined);
  // Zeros may fill up the last block of gzip. Node ignores all that comes after them, even more members of the file.
  while ((await read()) !== undefined);
  if (gunzip.bytesWritten < end) throw Object.assign(new Error(), { code: 'Z_DATA_ERROR' });
}

function explain(name: string, error: unknown): unknown {
  const code = nodeErrorCode(error);
  if (code === undefined) return error;
  const found = code.startsWith('Z_')
    ? 'its compressed bytes are damaged or cut off'
    : (REASONS[code] ?? code);
  const what = say`${name === '-' ? 'Standard input' : name} cannot be read: ${found}.`;
  return new ResyncError(
    'rows-invalid',
    say`${what}\nNothing was published. Write the rows again, and run again.`,
  );
}

const REASONS: Readonly<Record<string, string | undefined>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
};
