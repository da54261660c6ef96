/** Reads records of CSV (RFC 4180) from a file, a pipe or standard input, compressed by gzip or not. */

import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { nodeErrorCode, ResyncError } from '../../base/errors.js';
import { say, type Words } from '../../base/text/say.js';

/** Bytes that are read or decompressed at a time. */
const CHUNK = 1 << 16;
/** A longer record, in bytes, is no row of an inventory. */
const MOST_RECORD = 1 << 20;
const BYTE_ORDER_MARK = '\xef\xbb\xbf';

export interface CsvRecord {
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** Each character is a byte, so that texts compare as bytes do. */
  readonly text: string;
}

export function refuseLine(name: string, line: number, what: Words): ResyncError {
  return new ResyncError('rows-invalid', say`${name}, line ${line}: ${what}`);
}

/** The records of one input, blank lines left out. A record ends with a line in which all quotes are closed. */
export class CsvReader {
  readonly name: string;
  readonly #chunks: AsyncIterator<Buffer, void>;
  readonly #hash: Hash | undefined;
  /** Input that was read and not yet returned: from `#start` on, which is on line `#line`. */
  #text = '';
  #start = 0;
  #line = 1;
  #hasQuotes = false;
  #isEnded = false;

  /**
   * @param name path of the file; `-` for standard input
   * @param hash takes the bytes after decompression
   */
  constructor(name: string, hash: Hash | undefined) {
    this.name = name;
    this.#hash = hash;
    this.#chunks = unpack(name === '-' ? process.stdin : createReadStream(name, { highWaterMark: CHUNK }));
  }

  /** Returns the next record, or undefined if `read` has to come first. */
  next(): CsvRecord | undefined {
    let lines = 0;
    let isQuoted = false;
    for (let from = this.#start, end = this.#text.indexOf('\n', from); end !== -1; ) {
      if (this.#hasQuotes) isQuoted = isQuoted !== hasOpenQuote(this.#text.slice(from, end));
      lines++;
      from = end + 1;
      if (!isQuoted) {
        const text = this.#text.slice(this.#start, this.#text[end - 1] === '\r' ? end - 1 : end);
        const line = this.#line;
        this.#line += lines;
        this.#start = from;
        if (text !== '') return { line, text };
        lines = 0;
      }
      end = this.#text.indexOf('\n', from);
    }
    return undefined;
  }

  /** Reads on; returns false at the end. @throws ResyncError `rows-invalid` if the input is unreadable, cut off, or no CSV */
  async read(): Promise<boolean> {
    const rest = this.#text.slice(this.#start);
    if (this.#isEnded && rest !== '')
      throw this.#refuse(say`the input ends within quotes.\nIt was cut off: write it again.`);
    if (this.#isEnded) return false;
    if (rest.length > MOST_RECORD)
      throw this.#refuse(
        say`a row of more than ${MOST_RECORD} bytes begins here.\nEither a quote is not closed, or this is no CSV with commas and lines.`,
      );
    const chunk = await this.#readChunk();
    this.#isEnded = chunk === undefined;
    // The last line may lack its end.
    const text = rest + (chunk ?? (rest === '' ? '' : '\n'));
    this.#start = this.#line === 1 && text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
    this.#text = text;
    this.#hasQuotes = text.includes('"');
    return true;
  }

  /** @returns the fields of a record */
  parse({ line, text }: CsvRecord): string[] {
    if (!this.#hasQuotes || !text.includes('"')) return text.split(',');
    const fields: string[] = [];
    for (FIELD.lastIndex = 0; ; ) {
      const found = FIELD.exec(text);
      if (found === null)
        throw refuseLine(
          this.name,
          line,
          say`a quote stands in the middle of field ${fields.length + 1}.\nPut quotes around fields with quotes, commas or line breaks in them, and double the quotes inside.`,
        );
      const [, quoted, plain = '', separator] = found;
      fields.push(quoted?.replaceAll('""', '"') ?? plain);
      if (separator === '') return fields;
    }
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

  #refuse(what: Words): ResyncError {
    return refuseLine(this.name, this.#line, what);
  }
}

const FIELD = /(?:"([^"]*(?:""[^"]*)*)"|([^",]*))(,|$)/y;

function hasOpenQuote(text: string): boolean {
  return text.split('"').length % 2 === 0;
}

/** A pipe cannot be opened twice, so its first bytes say what it is: gzip begins with 1f 8b (RFC 1952 §2.3.1). */
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
  const gunzip = createGunzip({ chunkSize: CHUNK });
  // An error of either stream ends the loop over the last one.
  yield* pipeline(all, gunzip, () => undefined);
  // Zeros may fill up the last block. Node passes over all that comes after them, more members among it.
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
