/** The state: the changes of former runs that are still listed, in a file that users keep between runs. */

import { appendFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import type { ChangeSegment, WrittenChange } from './change-list.js';
import { readChange, readLines, writeChange } from './changes.js';

/** The first line of a state; the number grows when the format changes. */
const BEGINNING = 'resync-static rows 1';

/** What a state says of the publication that it ends with. */
export interface StateHeader {
  readonly url: string;
  /** The moment of the publication, and the beginning of the first list. */
  readonly at: string;
  readonly from: string;
  /** The number of that list among those that begin at the same moment. */
  readonly part: number;
  /** SHA-256 of its rows. */
  readonly rows: string;
}

const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const DATED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\t(.*)$/;

/** Reads the head of a state. @returns undefined if there is no such file */
export function readState(file: string, url: string): StateHeader | undefined {
  if (!existsSync(file)) return undefined;
  const lines = readLines(file);
  const [beginning, header] = [lines.next().value, lines.next().value];
  lines.return();
  if (beginning !== BEGINNING || header === undefined) throw refuseState(file);
  const found = parseHeader(file, header);
  if (found.url === url) return found;
  throw new ResyncError(
    'rows-invalid',
    say`The state ${file} is of ${found.url}, and not of ${url}.\nName another file with --state, or the URL of before with --url.`,
  );
}

function parseHeader(file: string, text: string): StateHeader {
  try {
    const { url, at, from, part, rows }: Record<string, unknown> = JSON.parse(text);
    const isDatetime = (value: unknown): value is string => typeof value === 'string' && DATETIME.test(value);
    if (
      typeof url === 'string' &&
      typeof rows === 'string' &&
      typeof part === 'number' &&
      isDatetime(at) &&
      isDatetime(from)
    )
      return { url, at, from, part, rows };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw refuseState(file);
}

/** Reads the changes of a state, oldest first. @throws ResyncError `rows-invalid` where the file is damaged or cut off */
export function* readChanges(file: string): Generator<WrittenChange, void> {
  const lines = readLines(file);
  lines.next();
  lines.next();
  let count = 0;
  let last = '';
  for (const line of lines) {
    if (line === endOf(count)) return;
    const [, datetime = '', rest = ''] = DATED.exec(line) ?? [];
    const change = readChange(datetime, rest);
    if (change === undefined || datetime < last) break;
    yield change;
    last = datetime;
    count++;
  }
  throw refuseState(file);
}

const endOf = (count: number) => `end ${count}`;

function refuseState(file: string): ResyncError {
  return new ResyncError(
    'rows-invalid',
    say`${file} is no state of resync-static, or is damaged.\nName another file with --state. If there is no copy of it, remove it and run without --before: the Change List begins anew.`,
  );
}

/** A new state beside the old one, until it takes its place. */
export class StateWriter {
  readonly #file: string;
  readonly #new: string;
  #count = 0;

  constructor(file: string) {
    this.#file = file;
    this.#new = `${file}.new`;
    rmSync(this.#new, { force: true });
  }

  begin(header: StateHeader): void {
    appendFileSync(this.#new, `${BEGINNING}\n${JSON.stringify(header)}\n`, { flag: 'ax' });
  }

  add({ changes }: ChangeSegment): void {
    this.#count += changes.length;
    appendFileSync(
      this.#new,
      changes.map((change) => `${change.datetime}\t${writeChange(change)}\n`).join(''),
    );
  }

  end(): void {
    appendFileSync(this.#new, `${endOf(this.#count)}\n`);
  }

  /** Replaces the old state. */
  replace(): void {
    renameSync(this.#new, this.#file);
  }
}
