/** Very many texts, as bytes. Pure. */

import { startBytes } from './bytes.js';

/** Texts of well-formed Unicode that are added one after another, as UTF-8. */
export interface TextColumn {
  readonly push: (text: string) => void;
  readonly at: (index: number) => string;
}

export function startTexts(): TextColumn {
  const column = startBytes();
  return {
    push: (text) => column.push(3 * text.length, (into, start) => into.write(text, start)),
    at: (index) => column.read(index, readText),
  };
}

export function readText(from: Buffer, start: number, end: number): string {
  return from.toString('utf8', start, end);
}
