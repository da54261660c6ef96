/** Reads and writes a state: the changes of previous runs that are still listed, in a file that users keep between runs. */

import { createHash } from 'node:crypto';
import { appendFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { formatDatetime } from '../../base/datetime.js';
import { ResyncError, unlessRefused } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import type { ChangeSegment } from '../../standard/limits.js';
import { readLines, type WrittenChange } from './changes.js';

/** The publication that a state ends with, and the beginning and number of the first Change List in it. */
export interface StateHeader extends Pick<ChangeSegment<WrittenChange>, 'from' | 'part'> {
  readonly url: string;
  readonly at: string;
  /** SHA-256 of the rows of this publication. */
  readonly rows: string;
}

/** First word of a state, with the number of its format: a header, the changes, and a digest of both. */
const FORMAT = 'resync-static-rows-2';

/** Reads the header of a state; undefined if there is no such file. @throws ResyncError `rows-invalid` if it is damaged */
export function readState(file: string, url: string): StateHeader | undefined {
  const found = unlessRefused(() => statSync(file), 'ENOENT', 'ENOTDIR');
  if (found === undefined) return undefined;
  if (!found.isFile())
    throw new ResyncError('rows-invalid', say`The state ${file} is no file.\nName a file with --state.`);
  const hash = createHash('sha256');
  let last = '';
  for (const line of readLines(file)) {
    hash.update(last);
    last = `${line}\n`;
  }
  const [header = ''] = readLines(file);
  const [format, ofUrl = '', at = '', from = '', part, rows = ''] = header.split(' ');
  if (format !== FORMAT || last !== `${hash.digest('hex')}\n`)
    throw new ResyncError(
      'rows-invalid',
      say`${file} is no state of resync-static, or is damaged.\nName another file with --state. If there is no copy of it, remove it and run without --before: the Change List begins anew.`,
    );
  if (ofUrl === url) return { url, at, from: new Date(from), part: Number(part), rows };
  throw new ResyncError(
    'rows-invalid',
    say`The state ${file} is of ${ofUrl}, and not of ${url}.\nName another file with --state, or the URL of before with --url.`,
  );
}

/** Yields the changes of a state, oldest first. To be called after `readState`, which checks the file. */
export function* readChanges(file: string): Generator<WrittenChange, void> {
  for (const line of readLines(file))
    if (line.includes('<url>')) yield { datetime: new Date(line.slice(0, 20)), entry: line.slice(20) };
}

/** Writes a new state beside the old one, which `replace` then replaces. */
export class StateWriter {
  readonly #file: string;
  readonly #header: Omit<StateHeader, 'from' | 'part'>;
  readonly #hash = createHash('sha256');
  #isBegun = false;

  constructor(file: string, header: Omit<StateHeader, 'from' | 'part'>) {
    this.#file = file;
    this.#header = header;
    rmSync(this.#new, { force: true });
  }

  get #new(): string {
    return `${this.#file}.new`;
  }

  add({ from, part, changes }: ChangeSegment<WrittenChange>): void {
    const { url, at, rows } = this.#header;
    if (!this.#isBegun) this.#append([[FORMAT, url, at, formatDatetime(from), part, rows].join(' ')]);
    this.#isBegun = true;
    this.#append(changes.map(({ datetime, entry }) => formatDatetime(datetime) + entry));
  }

  /** Completes the new state, and puts it in the place of the old one. */
  replace(): void {
    this.#append([this.#hash.copy().digest('hex')]);
    renameSync(this.#new, this.#file);
  }

  #append(lines: readonly string[]): void {
    const text = lines.map((line) => `${line}\n`).join('');
    this.#hash.update(text);
    appendFileSync(this.#new, text);
  }
}
