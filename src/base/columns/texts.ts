/** Very many texts, as bytes. Pure. */

import { type ReadBytes, startBytes } from './bytes.js';

/** Texts of well-formed Unicode that are added one after another, as UTF-8. */
export interface TextColumn {
  readonly push: (text: string) => void;
  readonly at: (index: number) => string;
}

export function startTexts(): TextColumn {
  const column = startBytes();
  const readNear = startReadingNear();
  return {
    push: (text) => {
      column.push(3 * text.length, (into, start) => into.write(text, start));
    },
    at: (index) => column.read(index, readNear),
  };
}

/**
 * Reads texts of which most stand beside the one before: once a second one is read of the same bytes, all of these are
 * decoded together, in a tenth of the time. What is not ASCII is decoded by itself.
 */
function startReadingNear(): ReadBytes<string> {
  let [before, all] = [undefined as Buffer | undefined, undefined as string | undefined];
  return (from, start, end, isSettled) => {
    if (!isSettled) return readText(from, start, end);
    if (from !== before) {
      [before, all] = [from, undefined];
      return readText(from, start, end);
    }
    all ??= readText(from, 0, from.length);
    return all.length === from.length ? all.slice(start, end) : readText(from, start, end);
  };
}

/** In place of a text that there is not: no UTF-8 has it. */
const NOTHING = 0xff;

/** The same for texts some of which are missing. */
export function startOptionalTexts(): {
  readonly push: (text: string | undefined) => void;
  readonly at: (index: number) => string | undefined;
} {
  const column = startBytes();
  return {
    push(text) {
      if (text === undefined) column.push(1, (into, start) => into.writeUInt8(NOTHING, start) - start);
      else column.push(3 * text.length, (into, start) => into.write(text, start));
    },
    at: (index) =>
      column.read(index, (from, start, end) =>
        from[start] === NOTHING && end > start ? undefined : readText(from, start, end),
      ),
  };
}

export function readText(from: Buffer, start: number, end: number): string {
  return from.toString('utf8', start, end);
}
