/** Keeps the changes of a run, a line each, until the moment of its publication is known. */

import { appendFileSync, closeSync, openSync, readSync } from 'node:fs';
import { matchGroups } from '../../base/text/match.js';
import { ByteBuffer } from './bytes.js';
import type { WrittenChange } from './change-list.js';
import { addChange, type Change, MOST_ENTRY } from './entries.js';
import type { Row } from './rows.js';

const BUFFER = 1 << 20;

export class ChangeSpool {
  readonly counts: Record<Change, number> = { created: 0, updated: 0, deleted: 0 };
  readonly #file: string;
  readonly #base: Uint8Array;
  readonly #lines = new ByteBuffer(BUFFER);

  /**
   * @param file does not exist yet
   * @param base URL of the root, escaped for XML
   */
  constructor(file: string, base: Uint8Array) {
    this.#file = file;
    this.#base = base;
  }

  add(change: Change, row: Row): void {
    this.counts[change]++;
    if (this.#lines.length + MOST_ENTRY > BUFFER) appendFileSync(this.#file, this.#lines.take());
    addChange(this.#lines, change, this.#base, row);
  }

  /** Returns the changes in the order of their keys, once all have been added. @param datetime that of the publication */
  *read(datetime: string): Generator<WrittenChange, void> {
    appendFileSync(this.#file, this.#lines.take());
    for (const line of readLines(this.#file)) {
      const change = readChange(datetime, line);
      if (change !== undefined) yield change;
      else if (line !== '') throw new Error(`no change: ${line}`);
    }
  }
}

const DATETIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/.source;
const ESCAPED = /(?:[^\s<>"&]|&[a-z]+;)+/.source;
const FACTS = /(?: (?:hash|length|type)="[^"<>]*")*/.source;
const CHANGE = new RegExp(`^(created|updated|deleted)\\t(${DATETIME})?\\t(${ESCAPED})\\t(${FACTS})$`);

/** Reads the line of a change. @returns undefined if it is none */
export function readChange(datetime: string, line: string): WrittenChange | undefined {
  const [, change, modified = '', uri, facts = ''] = matchGroups(CHANGE, line);
  if (uri === undefined) return undefined;
  return { datetime, change: change as Change, modified, uri, facts };
}

/** Writes the line of a change. */
export function writeChange({ change, modified, uri, facts }: WrittenChange): string {
  return [change, modified, uri, facts].join('\t');
}

/** Writes the entry of a Change List, as `standard/xml/serialize.ts` does. */
export function serializeChange({ datetime, change, modified, uri, facts }: WrittenChange): string {
  const lastmod = change === 'deleted' ? '' : `<lastmod>${modified || datetime}</lastmod>`;
  return `\n  <url><loc>${uri}</loc>${lastmod}<rs:md change="${change}" datetime="${datetime}"${facts}/></url>`;
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
