/** The state: the changes of former runs that are still listed, in a file that users keep between runs. */

import { appendFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { formatDatetime } from '../../base/datetime.js';
import { ResyncError, unlessRefused } from '../../base/errors.js';
import { matchGroups } from '../../base/text/match.js';
import { say } from '../../base/text/say.js';
import type { ChangeSegment } from '../../standard/limits.js';
import { readLines, type WrittenChange } from './changes.js';

/** The publication that a state ends with, and the beginning of its first list. */
export interface StateHeader extends Pick<ChangeSegment<WrittenChange>, 'from' | 'part'> {
  readonly url: string;
  readonly at: string;
  /** SHA-256 of its rows. */
  readonly rows: string;
}

/** The number grows when the format changes. */
const FORMAT = 'resync-static rows 1';
const DATETIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/.source;
const HEADER = new RegExp(`^${FORMAT} (\\S+) (${DATETIME}) (${DATETIME}) (\\d+) ([\\da-f]{64})$`);
const LOC = /<loc>(?:[^\s<>"&]|&[a-z]+;)+<\/loc>/.source;
const METADATA = '<rs:md change="[a-z]+" datetime="\\1"(?: [a-z]+="[^"<>]*")*/>';
const CHANGE = new RegExp(
  `^(${DATETIME})(  <url>${LOC}(?:<lastmod>${DATETIME}</lastmod>)?${METADATA}</url>)$`,
);
const END = 'end';

/** Reads the head of a state. @returns undefined if there is no such file */
export function readState(file: string, url: string): StateHeader | undefined {
  const found = unlessRefused(() => statSync(file), 'ENOENT', 'ENOTDIR');
  if (found === undefined) return undefined;
  if (!found.isFile())
    throw new ResyncError('rows-invalid', say`The state ${file} is no file.\nName a file with --state.`);
  const lines = readLines(file);
  const [, ofUrl, at, from, part, rows] = matchGroups(HEADER, lines.next().value ?? '');
  lines.return();
  if (ofUrl === undefined || at === undefined || from === undefined || rows === undefined)
    throw refuseState(file);
  if (ofUrl === url) return { url, at, from: new Date(from), part: Number(part), rows };
  throw new ResyncError(
    'rows-invalid',
    say`The state ${file} is of ${ofUrl}, and not of ${url}.\nName another file with --state, or the URL of before with --url.`,
  );
}

/** Reads the changes of a state, oldest first. @throws ResyncError `rows-invalid` where the file is damaged or cut off */
export function* readChanges(file: string): Generator<WrittenChange, void> {
  const lines = readLines(file);
  lines.next();
  let last = '';
  for (const line of lines) {
    if (line === END) return;
    const [, moment = '', entry] = matchGroups(CHANGE, line);
    if (entry === undefined || moment < last) break;
    yield { datetime: new Date(moment), entry };
    last = moment;
  }
  throw refuseState(file);
}

function refuseState(file: string): ResyncError {
  return new ResyncError(
    'rows-invalid',
    say`${file} is no state of resync-static, or is damaged.\nName another file with --state. If there is no copy of it, remove it and run without --before: the Change List begins anew.`,
  );
}

/** A new state beside the old one, until it takes its place. */
export class StateWriter {
  readonly #file: string;
  readonly #header: Omit<StateHeader, 'from' | 'part'>;
  #isBegun = false;

  constructor(file: string, header: Omit<StateHeader, 'from' | 'part'>) {
    this.#file = file;
    this.#header = header;
    rmSync(this.#new, { force: true });
  }

  get #new(): string {
    return `${this.#file}.new`;
  }

  /** @param segment the open one last */
  add({ from, until, part, changes }: ChangeSegment<WrittenChange>): void {
    const { url, at, rows } = this.#header;
    const lines = this.#isBegun ? [] : [[FORMAT, url, at, formatDatetime(from), part, rows].join(' ')];
    this.#isBegun = true;
    for (const { datetime, entry } of changes) lines.push(formatDatetime(datetime) + entry);
    if (until === undefined) lines.push(END);
    appendFileSync(this.#new, lines.map((line) => `${line}\n`).join(''));
  }

  /** Replaces the old state. */
  replace(): void {
    renameSync(this.#new, this.#file);
  }
}
