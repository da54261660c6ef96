/** Reads rows that an engine sorted: the objects of a bucket, one after another, each with its facts. */

import { isUtf8 } from 'node:buffer';
import type { Notice, RowOddity } from '../../base/notices.js';
import { say } from '../../base/text/say.js';
import { formatCount } from '../../base/text/units.js';
import { isOwnDocument } from '../../paths/ours.js';
import { URL_LENGTH_LIMIT } from '../../paths/urls.js';
import { escapeXml } from '../../standard/xml/elements.js';
import { compareKeys, type Key, WIDTHS } from './bytes.js';
import { CsvReader } from './csv.js';
import { Datetime, Digest } from './facts.js';

const COLUMNS = ['key', 'length', 'md5', 'sha256', 'type', 'modified'] as const;
type Column = (typeof COLUMNS)[number];

/** An object of a bucket. All of it lasts until the next row is read. */
export interface Row extends Key {
  readonly md5: Digest;
  readonly sha256: Digest;
  readonly modified: Datetime;
  /** Number of bytes. */
  readonly length: number | undefined;
  /** Media type, escaped for XML. */
  readonly type: Buffer | undefined;
}

/** What was found odd in rows: so many, and the first of them. */
interface Oddity {
  count: number;
  readonly line: number;
  readonly example: string;
}

const [SLASH, DOT, NOT_ASCII] = [0x2f, 0x2e, 0x80];
/** Our documents begin with a dot, or with `r`. */
const FIRST_OF_OURS = 0x72;
const LONGEST_EXAMPLE = 200;
const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:\/|$)/;
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/;
/** Bucket stores take whatever `Content-Type` is sent to them, so there may be any number of these. */
const MOST_TYPES = 10_000;

export class Rows implements Row {
  bytes: Buffer = Buffer.alloc(0);
  start = 0;
  end = 0;
  readonly md5 = new Digest(32);
  readonly sha256 = new Digest(64);
  readonly modified = new Datetime();
  length: number | undefined;
  type: Buffer | undefined;
  /** Number of rows that are listed, so far, and of their bytes. */
  count = 0;
  size = 0;
  /** Number of documents of ours, which are not listed. */
  own = 0;
  /** The latest of `modified`. */
  readonly newest = new Datetime();
  readonly #csv: CsvReader;
  readonly #base: number;
  /** Places of the columns, from 0. */
  readonly #places: Readonly<Partial<Record<Column, number>>>;
  readonly #unread: readonly string[];
  readonly #width: number;
  readonly #oddities = new Map<RowOddity, Oddity>();
  readonly #types = new Map<string, Buffer>();
  #previous = Buffer.alloc(1024);
  /** Bytes of the previous key; undefined before the first row. */
  #previousLength: number | undefined;

  private constructor(csv: CsvReader, header: readonly string[], base: string) {
    this.#csv = csv;
    this.#base = base.length;
    this.#width = header.length;
    this.#places = Object.fromEntries(
      COLUMNS.filter((name) => header.includes(name)).map((name) => [name, header.indexOf(name)]),
    );
    this.#unread = header.filter((name) => !COLUMNS.some((column) => column === name));
  }

  /**
   * Reads the header of rows.
   *
   * @param base URL below which the keys are
   * @throws ResyncError `rows-invalid`
   */
  static async open(name: string, chunks: AsyncIterable<Buffer>, base: string): Promise<Rows> {
    const csv = new CsvReader(name, chunks);
    const isThere = await csv.next();
    const header = isThere ? Array.from({ length: csv.fields }, (_, field) => csv.text(field)) : [];
    const repeated = header.find((column, place) => header.indexOf(column) !== place);
    if (repeated !== undefined)
      throw csv.refuse(say`the header has two columns ${repeated}.\nGive each a name of its own.`);
    if (!header.includes('key'))
      throw csv.refuse(
        say`the header has no column key, but ${header.join(', ') || 'nothing'}.\nBegin the file with the names of its columns, such as key,length,md5,modified.`,
      );
    return new Rows(csv, header, base);
  }

  has(column: Column): boolean {
    return this.#places[column] !== undefined;
  }

  get name(): string {
    return this.#csv.name;
  }

  /** Moves to the next row that is to be listed; false at the end. A promise only where more has to be read. */
  next(): boolean | Promise<boolean> {
    for (;;) {
      const isThere = this.#csv.next();
      if (typeof isThere !== 'boolean')
        return isThere.then((found) => found && (this.#take() || this.next()));
      if (!isThere) return false;
      if (this.#take()) return true;
    }
  }

  listNotices(): Notice[] {
    const file = this.name;
    const odd = Array.from(
      this.#oddities,
      ([what, oddity]): Notice => ({ code: 'rows-odd', file, what, ...oddity }),
    );
    return this.#unread.length === 0
      ? odd
      : [{ code: 'columns-unread', file, columns: this.#unread }, ...odd];
  }

  /** @returns false if the row is not to be listed */
  #take(): boolean {
    const csv = this.#csv;
    if (csv.fields !== this.#width)
      throw csv.refuse(
        say`the row has ${formatCount(csv.fields, 'field')}, and the header has ${this.#width}.\nThe file may be cut off, or lack quotes around a field with a comma: write it again.`,
      );
    const field = this.#places.key as number;
    this.bytes = csv.bytes;
    this.start = csv.starts[field] as number;
    this.end = csv.ends[field] as number;
    if (!this.#isNew() || !this.#isListed()) return false;
    this.#takeFacts();
    this.count++;
    this.size += this.length ?? 0;
    if (this.modified.isKnown) this.newest.raise(this.modified);
    return true;
  }

  /** Compares the key with the one before. @returns false if it is the same */
  #isNew(): boolean {
    const { bytes, start, end } = this;
    const before = this.#previousLength;
    const previous = { bytes: this.#previous, start: 0, end: before ?? 0 };
    const order = before === undefined ? 1 : compareKeys(this, previous);
    if (order < 0) throw this.#refuseOrder();
    if (order === 0) {
      this.#count('repeated');
      return false;
    }
    if (end - start > this.#previous.length) this.#previous = Buffer.alloc(2 * (end - start));
    for (let place = start; place < end; place++) this.#previous[place - start] = bytes[place] as number;
    this.#previousLength = end - start;
    return true;
  }

  #refuseOrder(): Error {
    const previous = this.#previous.toString('utf8', 0, this.#previousLength);
    return this.#csv.refuse(
      say`the key ${this.#key()} comes after ${previous}, so the rows are not sorted.\nSort them in the order of bytes, with ORDER BY key in the statement that writes them (in PostgreSQL, ORDER BY key COLLATE "C").`,
    );
  }

  #isListed(): boolean {
    const { bytes, start, end } = this;
    let width = this.#base;
    let all = 0;
    let hasDot = false;
    for (let place = start; place < end; place++) {
      const byte = bytes[place] as number;
      width += WIDTHS[byte] as number;
      all |= byte;
      if (byte === DOT && (place === start || bytes[place - 1] === SLASH)) hasDot = true;
    }
    if (start === end) return this.#count('no-key');
    if (all >= NOT_ASCII && !isUtf8(bytes.subarray(start, end))) return this.#count('not-utf8');
    if (hasDot && DOT_SEGMENT.test(this.#key())) return this.#count('dot-segment');
    if (width >= URL_LENGTH_LIMIT) return this.#count('too-long');
    if ((hasDot || bytes[start] === FIRST_OF_OURS) && isOwnDocument(this.#key())) {
      this.own++;
      return false;
    }
    return true;
  }

  #key(): string {
    return this.bytes.toString('utf8', this.start, this.end);
  }

  #count(what: RowOddity, example = this.#key()): false {
    const found = this.#oddities.get(what);
    const { line } = this.#csv;
    if (found === undefined)
      this.#oddities.set(what, { count: 1, line, example: example.slice(0, LONGEST_EXAMPLE) });
    else found.count++;
    return false;
  }

  #takeFacts(): void {
    const { bytes, starts, ends } = this.#csv;
    const { md5, sha256, modified, length, type } = this.#places;
    const isRight = (fact: Digest | Datetime, place: number | undefined) =>
      place === undefined || fact.take(bytes, starts[place] as number, ends[place] as number);
    if (!isRight(this.md5, md5))
      throw this.#refuseFact(
        'md5',
        'an MD5 digest in hexadecimal or Base64. The ETag of an object that was uploaded in parts or encrypted with KMS is none: leave it empty',
      );
    if (!isRight(this.sha256, sha256))
      throw this.#refuseFact('sha256', 'a SHA-256 digest in hexadecimal or Base64');
    if (!isRight(this.modified, modified))
      throw this.#refuseFact('modified', 'a datetime such as 2026-11-20T10:15:00Z');
    this.length =
      length === undefined ? undefined : this.#takeLength(starts[length] as number, ends[length] as number);
    this.type =
      type === undefined ? undefined : this.#takeType(bytes.toString('latin1', starts[type], ends[type]));
  }

  #takeLength(start: number, end: number): number | undefined {
    if (start === end) return undefined;
    let length = 0;
    for (let place = start; place < end; place++) {
      const digit = (this.bytes[place] as number) - 0x30;
      length = digit < 0 || digit > 9 ? Number.NaN : 10 * length + digit;
    }
    if (!Number.isSafeInteger(length)) throw this.#refuseFact('length', 'a number of bytes');
    return length;
  }

  /** Takes a media type without its parameters. */
  #takeType(written: string): Buffer | undefined {
    if (written === '') return undefined;
    const known = this.#types.get(written);
    if (known !== undefined) return known;
    const [type = ''] = written.split(';');
    if (!MEDIA_TYPE.test(type.trim())) {
      this.#count('no-media-type', written);
      return undefined;
    }
    if (this.#types.size === MOST_TYPES) this.#types.clear();
    const escaped = Buffer.from(escapeXml(type.trim()));
    this.#types.set(written, escaped);
    return escaped;
  }

  #refuseFact(column: Column, wanted: string): Error {
    const found = this.#csv.text(this.#places[column] as number);
    return this.#csv.refuse(say`${column} is ${found}, but must be ${wanted}.`);
  }
}
