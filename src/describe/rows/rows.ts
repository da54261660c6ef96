/** Reads sorted rows: the objects of a bucket, one after another, each with its facts. */

import { isUtf8 } from 'node:buffer';
import type { Hash } from 'node:crypto';
import type { Notice, RowOddity } from '../../base/notices.js';
import { say } from '../../base/text/say.js';
import { formatCount } from '../../base/text/units.js';
import { isOwnDocument } from '../../paths/ours.js';
import { encodePath, URL_LENGTH_LIMIT } from '../../paths/urls.js';
import { escapeXml } from '../../standard/xml/elements.js';
import { CsvReader } from './csv.js';
import { FACTS, type Fact } from './facts.js';

/** An object of a bucket. Facts are escaped for XML, '' if unknown; digests as in §7, datetimes in sorting order. */
export interface Row extends Readonly<Record<Fact, string>> {
  /** Key of the object, with a character for each byte. */
  readonly key: string;
  readonly uri: string;
  readonly type: string;
}

const COLUMNS = ['key', 'length', 'md5', 'sha256', 'type', 'modified'] as const;
type Column = (typeof COLUMNS)[number];

/** Matches most keys: no character needs encoding or escaping, and no segment leads to another folder. */
const PLAIN_KEY = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;
const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:\/|$)/;
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/;
/** Limit of characters that a message quotes of a value. */
const LONGEST_EXAMPLE = 200;

export class Rows {
  /** The current row; undefined after the last one. */
  row: Row | undefined;
  /** Number of listed rows that were read so far; `bytes` is the length of their objects together. */
  count = 0;
  bytes = 0;
  /** Number of rows about documents of ours, which are not listed. */
  own = 0;
  /** The latest `modified` of the listed rows so far; '' if none is known. */
  newest = '';
  readonly #reader: CsvReader;
  readonly #url: string;
  readonly #base: string;
  #twin: Rows | undefined;
  #header: readonly string[] = [];
  /** Index of each column in a row; of a missing column, the index after the last field. */
  #places = placeColumns([]);
  /** The record of the current row. */
  #record = '';
  #previous: string | undefined;
  /** The media type that was read last, as the row has it and as lists have it. */
  #type = { written: '', listed: '' };
  readonly #oddities = new Map<RowOddity, { count: number; line: number; example: string }>();

  constructor(name: string, url: string, hash: Hash | undefined) {
    this.#url = url;
    this.#base = escapeXml(url);
    this.#reader = new CsvReader(name, hash);
  }

  get name(): string {
    return this.#reader.name;
  }

  has(column: Column): boolean {
    return this.#places[column] < this.#header.length;
  }

  /**
   * Reads the header and the first row.
   *
   * @param twin rows that are read beside these: what is the same in both is parsed once
   * @throws ResyncError `rows-invalid`
   */
  async open(twin?: Rows): Promise<void> {
    let record = this.#reader.next();
    while (record === undefined && (await this.#reader.read())) record = this.#reader.next();
    const header = record === undefined ? [] : this.#reader.parse(record).map(toText);
    const repeated = header.find((column, place) => header.indexOf(column) !== place);
    if (repeated !== undefined)
      throw this.#reader.refuse(
        say`the header has two columns ${shorten(repeated)}.\nGive each a name of its own.`,
      );
    if (!header.includes('key'))
      throw this.#reader.refuse(
        say`the header has no column key, but ${shorten(header.join(', ')) || 'nothing'}.\nBegin the file with the names of its columns, such as key,length,md5,modified.`,
      );
    this.#header = header;
    this.#places = placeColumns(header);
    if (twin !== undefined && twin.#header.join() === header.join()) this.#twin = twin;
    await this.advance();
  }

  /** Moves to the next row that is to be listed. Returns a promise only if more input has to be read. */
  advance(): void | Promise<void> {
    for (let record = this.#reader.next(); record !== undefined; record = this.#reader.next()) {
      this.row = this.#makeRow(record);
      if (this.row !== undefined) return undefined;
    }
    return this.#readOn();
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  listNotices(): Notice[] {
    const file = this.name;
    const columns = this.#header.filter((name) => !COLUMNS.some((column) => column === name));
    const odd = Array.from(
      this.#oddities,
      ([what, oddity]) => ({ code: 'rows-odd', file, what, ...oddity }) as const,
    );
    return columns.length === 0 ? odd : [{ code: 'columns-unread', file, columns }, ...odd];
  }

  async #readOn(): Promise<void> {
    if (await this.#reader.read()) await this.advance();
    else this.row = undefined;
  }

  /** Makes a row of a record. @returns undefined if the row is not to be listed */
  #makeRow(record: string): Row | undefined {
    this.#record = record;
    const twin = this.#twin !== undefined && this.#twin.#record === record ? this.#twin.row : undefined;
    const fields = twin === undefined ? this.#readFields(record) : [];
    const key = twin?.key ?? fields[this.#places.key] ?? '';
    if (!this.#isNew(key)) return undefined;
    const row = twin ?? this.#readRow(key, fields);
    if (row === undefined) return undefined;
    this.count++;
    this.bytes += Number(row.length);
    if (row.modified > this.newest) this.newest = row.modified;
    return row;
  }

  #readFields(record: string): string[] {
    const fields = this.#reader.parse(record);
    if (fields.length === this.#header.length) return fields;
    throw this.#reader.refuse(
      say`the row has ${formatCount(fields.length, 'field')}, and the header has ${this.#header.length}.\nThe file may be cut off, or lack quotes around a field with a comma: write it again.`,
    );
  }

  /** Compares a key with that of the row before. @returns false if they are equal @throws ResyncError if rows are not sorted */
  #isNew(key: string): boolean {
    const previous = this.#previous;
    this.#previous = key;
    if (previous === undefined || key > previous) return true;
    if (key !== previous)
      throw this.#reader.refuse(
        say`the key ${shorten(toText(key))} comes after ${shorten(toText(previous))}, so the rows are not sorted.\nSort them in the order of bytes, with ORDER BY key in the statement that writes them (in PostgreSQL, ORDER BY key COLLATE "C").`,
      );
    this.#count('repeated', key);
    return false;
  }

  #readRow(key: string, fields: readonly string[]): Row | undefined {
    const uri = this.#makeUri(key);
    if (uri === undefined) return undefined;
    const { md5, sha256, length, modified, type } = this.#places;
    return {
      key,
      uri,
      md5: this.#readFact('md5', fields[md5]),
      sha256: this.#readFact('sha256', fields[sha256]),
      length: this.#readFact('length', fields[length]),
      modified: this.#readFact('modified', fields[modified]),
      type: this.#readType(fields[type]),
    };
  }

  /** Makes the URL of a key, escaped for XML. @returns undefined if it can have none, or is that of a document of ours */
  #makeUri(key: string): string | undefined {
    const isPlain = PLAIN_KEY.test(key);
    if (key === '') return this.#count('no-key', key);
    if (!isPlain && DOT_SEGMENT.test(key)) return this.#count('dot-segment', key);
    if (isOwnDocument(key)) {
      this.own++;
      return undefined;
    }
    const bytes = isPlain ? undefined : Buffer.from(key, 'latin1');
    if (bytes !== undefined && !isUtf8(bytes)) return this.#count('not-utf8', key);
    const path = bytes === undefined ? key : encodePath(bytes.toString());
    if (this.#url.length + path.length >= URL_LENGTH_LIMIT) return this.#count('too-long', key);
    return this.#base + (isPlain ? path : escapeXml(path));
  }

  #readFact(fact: Fact, written = ''): string {
    if (written === '') return '';
    const value = FACTS[fact].read(written);
    if (value !== undefined) return value;
    throw this.#reader.refuse(
      say`${fact} is ${shorten(toText(written))}, but must be ${FACTS[fact].wanted}.`,
    );
  }

  /** Reads a media type. A wrong one is left out, because stores accept any `Content-Type` that is sent to them. */
  #readType(written = ''): string {
    // Most objects have the same type as the object before.
    if (written === this.#type.written) return this.#type.listed;
    const type = (written.split(';', 1)[0] ?? '').trimEnd();
    if (type !== '' && !MEDIA_TYPE.test(type)) {
      this.#count('no-media-type', written);
      return '';
    }
    this.#type = { written, listed: escapeXml(type) };
    return this.#type.listed;
  }

  #count(what: RowOddity, found: string): undefined {
    const oddity = this.#oddities.get(what);
    if (oddity !== undefined) oddity.count++;
    else this.#oddities.set(what, { count: 1, line: this.#reader.line, example: shorten(toText(found)) });
  }
}

function placeColumns(header: readonly string[]): Readonly<Record<Column, number>> {
  const place = (column: Column) => (header.includes(column) ? header.indexOf(column) : header.length);
  return Object.fromEntries(COLUMNS.map((column) => [column, place(column)])) as Record<Column, number>;
}

/** Decodes a text in which each character is a byte of UTF-8. */
function toText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}

function shorten(text: string): string {
  return text.length > LONGEST_EXAMPLE ? `${text.slice(0, LONGEST_EXAMPLE)}…` : text;
}
