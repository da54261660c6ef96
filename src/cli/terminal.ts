/** Prints: reports on standard output; notices, errors and progress on standard error. */

import pico from 'picocolors';
import type { ResyncError } from '../base/errors.js';
import type { Progress } from '../base/progress.js';
import { escapeJson, say, sayLines, Words } from '../base/text/say.js';
import type { Values } from './arguments/arguments.js';
import { formatWaiting } from './words/progress.js';
import { type Colors, makeColors, type ReportStyle } from './words/style.js';

export function print(text: Words): void {
  process.stdout.write(wrapWords(text, process.stdout.columns).toString());
}

/** Prints text whose lines are as they have to be. */
export function printLines(text: Words): void {
  process.stdout.write(text.toString());
}

export function printJson(value: object, indent?: number): void {
  process.stdout.write(`${escapeJson(JSON.stringify(value, undefined, indent))}\n`);
}

/** Diagnostics go to standard error. */
export function tell(text: Words): void {
  process.stderr.write(wrapWords(text, process.stderr.columns).toString());
}

/** A remark that is no notice of a report. */
export function tellNote(text: Words): void {
  tell(say`${colorsOf(process.stderr).cyan('Note')} ${text}\n`);
}

/** What a program gets in place of a report. */
export function printFailure({ code, message }: { readonly code: string; readonly message: string }): void {
  printJson({ error: { code, message } });
}

export function tellError({ message }: ResyncError): void {
  tell(say`${colorsOf(process.stderr).red('Error')} ${Words.asWritten(message)}\n`);
}

/** One run of many failed; a program gets that in place of a report. */
export function tellFailure(error: ResyncError, { json }: Values): void {
  if (json === true) printFailure(error);
  tellError(error);
}

/** A fault of ours: where it happened is what there is to say. */
export function tellFault(error: unknown): void {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  tell(say`${colorsOf(process.stderr).red('Error')} ${sayLines(stack)}\n`);
}

export function styleOf({ verbose }: Values): ReportStyle {
  return { colors: colorsOf(process.stdout), verbose: verbose === true, columns: process.stdout.columns };
}

export function colorsOf(stream: NodeJS.WriteStream): Colors {
  return makeColors(stream.isTTY === true ? pico : pico.createColors(false));
}

/** A line that is rewritten in place, on a terminal only. */
export interface ProgressLine<T> {
  readonly observe: (progress: T) => void;
  readonly clear: () => void;
}

/** Who waits for another run is told so, wherever that is printed. */
export function tellWaiting({ observe, clear }: ProgressLine<Progress>): ProgressLine<Progress> {
  return {
    observe: (progress) => {
      if (progress.waiting === undefined) return observe(progress);
      clear();
      tellNote(formatWaiting(progress.waiting));
    },
    clear,
  };
}

export function createProgressLine<T>(
  { json, quiet }: Values,
  format: (progress: T) => string,
): ProgressLine<T> {
  const shown = json !== true && quiet !== true && isRewritable();
  if (!shown) return { observe: () => undefined, clear: () => undefined };
  return {
    observe: (progress) => rewrite(format(progress)),
    clear: () => rewrite(''),
  };
}

function isRewritable(): boolean {
  const { CI, TERM } = process.env;
  return (CI ?? '') === '' && TERM !== 'dumb' && process.stderr.isTTY === true;
}

function rewrite(text: string): void {
  const line = say`\r\u001b[2K${text.slice(0, process.stderr.columns || 80)}`;
  process.stderr.write(line.toString());
}

/** Interrupting is the way to end it, and so no failure. Who interrupts twice does not wait for the run under way. */
export function catchInterruption(): AbortSignal {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  process.stdout.once('error', interrupt);
  return interruption.signal;
}

const COLOR = /\u001b\[\d+m/g;
/** A narrower terminal breaks lines as it likes. */
const FEWEST_COLUMNS = 20;

/** What stands in a column before a text, as in `Listed   71 resources`, colours and all. */
const LABEL = /^( *)(\S.*? {2}(?:\u001b\[\d+m| )*)?/;
/** Beside a column that leaves less room, text goes on at the beginning of the line. */
const FEWEST_BESIDE = 10;

/** Wraps text, colours and all. A word that is longer than a line, such as a URL, is not broken. */
export function wrapWords(text: Words, columns: number | undefined): Words {
  if (columns === undefined || columns < FEWEST_COLUMNS) return text;
  const lines = text
    .toString()
    .split('\n')
    .flatMap((line) => wrapLine(line, columns));
  return Words.asWritten(lines.join('\n'));
}

function wrapLine(line: string, columns: number): string[] {
  if (widthOf(line) <= columns) return [line];
  const [column = '', own = '', label = ''] = LABEL.exec(line) ?? [];
  const labelled = widthOf(column);
  const before = labelled <= columns - FEWEST_BESIDE ? column : own;
  // What has a label goes on below its text; anything else further in than it began.
  const indent = label !== '' && labelled * 3 <= columns ? labelled : own.length + 2;
  const lines: string[] = [];
  let current = before;
  for (const [index, word] of line.slice(before.length).split(/ +/).entries()) {
    const longer = index === 0 ? before + word : `${current} ${word}`;
    if (index > 0 && widthOf(longer) > columns) {
      lines.push(current);
      current = ' '.repeat(indent) + word;
    } else current = longer;
  }
  return [...lines, current];
}

function widthOf(text: string): number {
  return [...text.replace(COLOR, '')].length;
}
