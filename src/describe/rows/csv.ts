/** Reads records of CSV (RFC 4180) from a file, a pipe or standard input, compressed by gzip or not. */

import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { nodeErrorCode, ResyncError } from '../../base/errors.js';
import { say, type Words } from '../../base/text/say.js';

/** Bytes that are read or decompressed at a time. */
const CHUNK = 1 << 19;
/** A longer record, in bytes, is no row of an inventory. */
const MOST_RECORD = 1 << 20;
const BYTE_ORDER_MARK = '\xef\xbb\xbf';

/** Each character of a field is a byte, so that fields compare as bytes do. */
export interface CsvRecord {
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

export function refuseLine(name: string, line: number, what: Words): ResyncError {
  return new ResyncError('rows-invalid', say`${name}, line ${line}: ${what}`);
}

/**
 * Reads all records but blank lines, many at a time.
 *
 * @param name path of the file; `-` for standard input
 * @param hash takes the bytes after decompression
 * @throws ResyncError `rows-invalid` where the input cannot be read, is cut off, or is no CSV
 */
export async function* readRecords(name: string, hash: Hash | undefined): AsyncGenerator<CsvRecord[], void> {
  const splitter = new Splitter(name);
  const input = name === '-' ? process.stdin : createReadStream(name, { highWaterMark: CHUNK });
  try {
    for await (const chunk of unpack(input)) {
      hash?.update(chunk);
      yield splitter.take(chunk.toString('latin1'));
    }
  } catch (error) {
    throw explain(name, error);
  }
  yield splitter.end();
}

/** A pipe cannot be opened twice, so its first bytes say what it is: gzip begins with 1f 8b (RFC 1952 §2.3.1). */
async function* unpack(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const chunks = input[Symbol.asyncIterator]();
  const { done, value: first } = await chunks.next();
  if (done === true) return;
  const all = async function* (): AsyncGenerator<Buffer, void> {
    yield first;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  // An error of either stream ends the loop over the last one.
  if (first[0] !== 0x1f || first[1] !== 0x8b) yield* all();
  else yield* pipeline(all, createGunzip({ chunkSize: CHUNK }), () => undefined);
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

/** Divides text into records: one ends with a line in which all quotes are closed. */
class Splitter {
  readonly #name: string;
  #rest = '';
  #line = 1;

  constructor(name: string) {
    this.#name = name;
  }

  take(more: string): CsvRecord[] {
    const isFirst = this.#line === 1 && this.#rest === '' && more.startsWith(BYTE_ORDER_MARK);
    const text = this.#rest + (isFirst ? more.slice(BYTE_ORDER_MARK.length) : more);
    const records: CsvRecord[] = [];
    let start = 0;
    let lines = 1;
    let isQuoted = false;
    for (let from = 0, end = text.indexOf('\n'); end !== -1; from = end + 1, end = text.indexOf('\n', from)) {
      const part = text.slice(from, end);
      if (part.includes('"')) isQuoted = isQuoted !== (part.split('"').length % 2 === 0);
      if (!isQuoted) {
        const record = text.slice(start, end).replace(/\r$/, '');
        if (record !== '') records.push({ line: this.#line, fields: this.#parse(record) });
        start = end + 1;
        this.#line += lines;
        lines = 0;
      }
      lines++;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > MOST_RECORD)
      throw this.#refuse(
        say`a row of more than ${MOST_RECORD} bytes begins here.\nEither a quote is not closed, or this is no CSV with commas and lines.`,
      );
    return records;
  }

  end(): CsvRecord[] {
    const records = this.#rest === '' ? [] : this.take('\n');
    if (this.#rest === '') return records;
    throw this.#refuse(say`the input ends within quotes.\nIt was cut off: write it again.`);
  }

  #parse(record: string): string[] {
    if (!record.includes('"')) return record.split(',');
    const fields: string[] = [];
    for (FIELD.lastIndex = 0; ; ) {
      const found = FIELD.exec(record);
      if (found === null)
        throw this.#refuse(
          say`a quote stands in the middle of field ${fields.length + 1}.\nPut quotes around fields with quotes, commas or line breaks in them, and double the quotes inside.`,
        );
      const [, quoted, plain = '', separator] = found;
      fields.push(quoted?.replaceAll('""', '"') ?? plain);
      if (separator === '') return fields;
    }
  }

  #refuse(what: Words): ResyncError {
    return refuseLine(this.#name, this.#line, what);
  }
}

const FIELD = /(?:"([^"]*(?:""[^"]*)*)"|([^",]*))(,|$)/y;
