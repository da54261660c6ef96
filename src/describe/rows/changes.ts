/** Collects the changes of rows, and cuts them into Change Lists as `standard/cuts/changes.ts` does, holding one list at a time. */

import { appendFileSync, closeSync, openSync, readSync } from 'node:fs';
import { nameInterval, pathOfPart } from '../../paths/ours.js';
import { LIST_HEAD_BYTES } from '../../standard/cuts/limits.js';
import type { IntervalIndex } from '../../standard/document.js';
import { DOCUMENT_LIMITS } from '../../standard/limits.js';
import { type DocumentStager, type Place, writeFacts } from './lists.js';
import type { Row } from './rows.js';

/** A change, and its entry as a line of XML. */
export interface WrittenChange {
  readonly datetime: string;
  readonly entry: string;
}

/** The changes of one Change List; all datetimes are as §7 recommends. */
export interface ChangeSegment {
  readonly from: string;
  /** Undefined for the list that is still open; it is the last one. */
  readonly until: string | undefined;
  /** From 1; counts the lists that begin at one moment, because a publication had to be divided. */
  readonly part: number;
  readonly changes: readonly WrittenChange[];
}

/** Stands for the moment of the publication until that is known. */
const MOMENT = '\t';
const BUFFER = 1 << 20;

/** The changes of one run, in the order of their keys, in a file. */
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

  /** Returns all changes. @param datetime that of the publication */
  *read(datetime: string): Generator<WrittenChange, void> {
    this.#flush();
    for (const line of readLines(this.#file))
      if (line !== '') yield { datetime, entry: line.replaceAll(MOMENT, datetime) };
  }

  #flush(): void {
    appendFileSync(this.#file, this.#text);
    this.#text = '';
  }
}

/** Returns the lines of a file without their ends. Behind the last end of a line comes an empty one. */
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
    yield rest;
  } finally {
    closeSync(handle);
  }
}

/** Consecutive changes, and their bytes. */
class Batch {
  changes: WrittenChange[] = [];
  bytes = 0;

  add(change: WrittenChange): void {
    this.changes.push(change);
    this.bytes += change.entry.length + 1;
  }
}

/** Lists end between publications; one is divided only if no list could hold it (§12). */
export class ChangeListCutter {
  /** Publications that are whole, and the last one, which may go on. */
  #list = new Batch();
  #publication = new Batch();
  #next: Pick<ChangeSegment, 'from' | 'part'>;
  #isContinued = false;
  readonly #horizon: string;
  readonly #emit: (segment: ChangeSegment) => void;

  /**
   * @param begin the beginning of the first list
   * @param horizon the moment after which changes are listed
   * @param emit takes the lists, the open one last
   */
  constructor(
    begin: Pick<ChangeSegment, 'from' | 'part'>,
    horizon: string,
    emit: (segment: ChangeSegment) => void,
  ) {
    this.#next = begin;
    this.#horizon = horizon;
    this.#emit = emit;
  }

  /** @param change not before those that were added already */
  add(change: WrittenChange): void {
    if ((this.#publication.changes[0] ?? change).datetime !== change.datetime) this.#endPublication();
    const ended = this.#list.changes.at(-1);
    if (ended !== undefined && this.#isFull(change)) this.#list = this.#close(this.#list, ended.datetime);
    if (this.#isFull(change)) this.#publication = this.#close(this.#publication, change.datetime);
    this.#publication.add(change);
  }

  /** The window cuts an open list that no list goes before. */
  end(): void {
    this.#endPublication();
    const { changes } = this.#list;
    const isCut = !this.#isContinued && this.#next.from < this.#horizon;
    const recent = changes.filter(({ datetime }) => datetime > this.#horizon);
    const open = isCut ? { from: this.#horizon, part: 1, changes: recent } : { ...this.#next, changes };
    this.#emit({ ...open, until: undefined });
  }

  #endPublication(): void {
    for (const change of this.#publication.changes) this.#list.add(change);
    this.#publication = new Batch();
  }

  #isFull({ entry }: WrittenChange): boolean {
    const [list, publication] = [this.#list, this.#publication];
    return (
      list.changes.length + publication.changes.length === DOCUMENT_LIMITS.entries ||
      LIST_HEAD_BYTES + list.bytes + publication.bytes + entry.length >= DOCUMENT_LIMITS.bytes
    );
  }

  /** A list that the window has passed as a whole is listed no longer. @returns the next batch */
  #close({ changes }: Batch, until: string): Batch {
    const { from, part } = this.#next;
    this.#next = { from: until, part: until === from ? part + 1 : 1 };
    if (until > this.#horizon) {
      this.#emit({ from, until, part, changes });
      this.#isContinued = true;
    }
    return new Batch();
  }
}

/** Stages one Change List, or parts and their index (§12.2). */
export class ChangeListStager {
  readonly #to: DocumentStager;
  readonly #place: Place;
  readonly #parts: IntervalIndex['parts'][number][] = [];

  constructor(to: DocumentStager, place: Place) {
    this.#to = to;
    this.#place = place;
  }

  /** Bound, as it is handed on. */
  readonly add = (segment: ChangeSegment): void => {
    const { path, uri, up } = this.#place;
    const from = new Date(segment.from);
    const until = segment.until === undefined ? undefined : new Date(segment.until);
    const isWhole = until === undefined && this.#parts.length === 0;
    const name = nameInterval(from, segment.part);
    const xml = segment.changes.map(({ entry }) => `\n${entry}`).join('');
    this.#to.add(
      isWhole ? path : pathOfPart(path, name),
      { kind: 'change-list', up, index: isWhole ? undefined : uri, from, until, changes: [] },
      { count: segment.changes.length, xml: [xml] },
    );
    if (!isWhole) this.#parts.push({ uri: pathOfPart(uri, name), from, until });
    if (!isWhole && until === undefined)
      this.#to.add(path, { kind: 'change-list-index', up, parts: this.#parts });
  };
}
