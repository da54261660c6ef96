/** Collects the changes of rows, and stages the Change Lists that they are cut into. */

import { appendFileSync, closeSync, openSync, readSync } from 'node:fs';
import { formatDatetime } from '../../base/datetime.js';
import { nameInterval, pathOfPart } from '../../paths/ours.js';
import type { ChangeList, IntervalIndex } from '../../standard/document.js';
import type { ChangeSegment } from '../../standard/limits.js';
import { type DocumentStager, type Place, surround, writeFacts } from './lists.js';
import type { Row } from './rows.js';

/** A change as its entry in a list, which is a line of XML, and its moment. */
export interface WrittenChange {
  readonly datetime: Date;
  readonly entry: string;
}

/** Placeholder for the moment of the publication, which is known after the last row. */
const MOMENT = '\t';
const BUFFER = 1 << 20;

/** Collects the changes that a run finds, in the order of keys, in a temporary file. */
export class ChangeSpool {
  readonly counts = { created: 0, updated: 0, deleted: 0 };
  readonly #file: string;
  #text = '';

  constructor(file: string) {
    this.#file = file;
  }

  add(change: keyof ChangeSpool['counts'], row: Row): void {
    const isGone = change === 'deleted';
    const lastmod = isGone ? '' : `<lastmod>${row.modified || MOMENT}</lastmod>`;
    const facts = isGone ? '' : writeFacts(row);
    this.counts[change]++;
    this.#text += `  <url><loc>${row.uri}</loc>${lastmod}<rs:md change="${change}" datetime="${MOMENT}"${facts}/></url>\n`;
    if (this.#text.length > BUFFER) this.#flush();
  }

  /** Yields all changes. @param datetime moment of the publication */
  *read(datetime: Date): Generator<WrittenChange, void> {
    this.#flush();
    const moment = formatDatetime(datetime);
    for (const line of readLines(this.#file)) yield { datetime, entry: line.replaceAll(MOMENT, moment) };
  }

  #flush(): void {
    appendFileSync(this.#file, this.#text);
    this.#text = '';
  }
}

/** Yields the lines of an ASCII file, without line breaks. */
export function* readLines(file: string): Generator<string, void> {
  const handle = openSync(file, 'r');
  try {
    const buffer = Buffer.allocUnsafe(BUFFER);
    let rest = '';
    for (let count = readSync(handle, buffer); count > 0; count = readSync(handle, buffer)) {
      const lines = (rest + buffer.toString('latin1', 0, count)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  } finally {
    closeSync(handle);
  }
}

/** Stages one Change List, or its parts and their index (§12.2). */
export class ChangeListStager {
  readonly #to: DocumentStager;
  readonly #place: Place;
  readonly #parts: IntervalIndex['parts'][number][] = [];

  constructor(to: DocumentStager, place: Place) {
    this.#to = to;
    this.#place = place;
  }

  get isDivided(): boolean {
    return this.#parts.length > 0;
  }

  /** Stages a list, or a part of a list. The open segment must come last. */
  add({ from, until, part, changes }: ChangeSegment<WrittenChange>): void {
    const { path, uri, up } = this.#place;
    const isWhole = until === undefined && !this.isDivided;
    const name = nameInterval(from, part);
    const index = isWhole ? undefined : uri;
    const list: ChangeList = { kind: 'change-list', up, index, from, until, changes: [] };
    const entries = changes.map(({ entry }) => `\n${entry}`).join('');
    this.#to.add(isWhole ? path : pathOfPart(path, name), list, {
      count: changes.length,
      content: surround(list, entries),
    });
    if (!isWhole) this.#parts.push({ uri: pathOfPart(uri, name), from, until });
    if (!isWhole && until === undefined)
      this.#to.add(path, { kind: 'change-list-index', up, parts: this.#parts });
  }
}
