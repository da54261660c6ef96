/** Writes a difference as a unified diff, as `diff -u` does. */

import type { Hunk } from './lines.js';

export interface UnifiedOptions {
  /** Lines around a change that are the same in both. @default 3 */
  readonly context?: number;
  /** What is longer, in characters, ends with a line that says so. @default 65536 */
  readonly limit?: number;
}

const NO_END = '\\ No newline at end of file\n';

/**
 * Writes hunks, without the two lines that name the files. What it returns holds the text of the site as it is.
 *
 * @param before as `splitLines` gives them
 */
export function writeUnified(
  before: readonly string[],
  after: readonly string[],
  hunks: readonly Hunk[],
  { context = 3, limit = 65_536 }: UnifiedOptions = {},
): string {
  let text = '';
  for (const near of joinNear(hunks, context)) {
    const first = near[0];
    const last = near.at(-1);
    if (first === undefined || last === undefined) continue;
    const lead = Math.min(context, first.before);
    const trail = Math.min(context, before.length - last.before - last.removed);
    const removed = last.before + last.removed + trail - (first.before - lead);
    const added = last.after + last.added + trail - (first.after - lead);
    text += `@@ -${writeRange(first.before - lead, removed)} +${writeRange(first.after - lead, added)} @@\n`;
    let place = first.before - lead;
    for (const hunk of near) {
      text += writeLines(' ', before, place, hunk.before);
      text += writeLines('-', before, hunk.before, hunk.before + hunk.removed);
      text += writeLines('+', after, hunk.after, hunk.after + hunk.added);
      place = hunk.before + hunk.removed;
      if (text.length > limit) return `${cut(text, limit)}\n… the diff is longer than is shown\n`;
    }
    text += writeLines(' ', before, place, place + trail);
  }
  return text;
}

/** Hunks whose contexts meet are written as one. */
function joinNear(hunks: readonly Hunk[], context: number): Hunk[][] {
  const joined: Hunk[][] = [];
  for (const hunk of hunks) {
    const near = joined.at(-1);
    const last = near?.at(-1);
    if (near !== undefined && last !== undefined && hunk.before - last.before - last.removed <= 2 * context) {
      near.push(hunk);
    } else {
      joined.push([hunk]);
    }
  }
  return joined;
}

/** Lines are counted from 1; where there is none, the line before is told. */
function writeRange(start: number, count: number): string {
  if (count === 0) return `${start},0`;
  return count === 1 ? `${start + 1}` : `${start + 1},${count}`;
}

function writeLines(sign: string, lines: readonly string[], start: number, end: number): string {
  return lines
    .slice(start, end)
    .map((line) => (line.endsWith('\n') ? `${sign}${line}` : `${sign}${line}\n${NO_END}`))
    .join('');
}

/** Cuts a text, but not in the middle of a character. */
export function cut(text: string, length: number): string {
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? length - 1 : length);
}
