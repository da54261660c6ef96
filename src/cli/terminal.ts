/** Output on the terminal: reports on standard output; notices, errors and progress on standard error. */

import pico from 'picocolors';
import type { ResyncError } from '../base/errors.js';
import type { Progress } from '../base/progress.js';
import { matchGroups } from '../base/text/match.js';
import { escapeJson, say, sayLines, Words } from '../base/text/say.js';
import { widthOf, wrap } from '../base/text/wrap.js';
import type { Values } from './arguments/arguments.js';
import { formatWaiting } from './words/progress.js';
import { type Colors, makeColors, type ReportStyle } from './words/style.js';

export function print(text: Words): void {
  process.stdout.write(wrapWords(text, process.stdout.columns).toString());
}

/** Prints text without wrapping its lines. */
export function printLines(text: Words): void {
  process.stdout.write(text.toString());
}

export function printJson(value: object, indent?: number): void {
  process.stdout.write(`${escapeJson(JSON.stringify(value, undefined, indent))}\n`);
}

export function printError(text: Words): void {
  process.stderr.write(wrapWords(text, process.stderr.columns).toString());
}

/** Prints a remark that is not among the notices of a report. */
export function printNote(text: Words): void {
  printError(say`${colorsOf(process.stderr).cyan('Note')} ${text}\n`);
}

/** Prints an error as JSON, in place of a report. */
export function printFailure({ code, message }: { readonly code: string; readonly message: string }): void {
  printJson({ error: { code, message } });
}

export function reportError({ message }: ResyncError): void {
  printError(say`${colorsOf(process.stderr).red('Error')} ${Words.asWritten(message)}\n`);
}

/** Prints the error of a run that does not end the command, with `--json` also as JSON. */
export function reportFailure(error: ResyncError, { json }: Values): void {
  if (json === true) printFailure(error);
  reportError(error);
}

/** Reports an internal error with its stack. */
export function reportFault(error: unknown): void {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  printError(say`${colorsOf(process.stderr).red('Error')} ${sayLines(stack)}\n`);
}

export function styleOf({ verbose }: Values): ReportStyle {
  return { colors: colorsOf(process.stdout), verbose: verbose === true, columns: process.stdout.columns };
}

export function colorsOf(stream: NodeJS.WriteStream): Colors {
  return makeColors(stream.isTTY === true ? pico : pico.createColors(false));
}

/** Line of progress that is rewritten in place; it shows on a terminal only. */
export interface ProgressLine<T> {
  readonly observe: (progress: T) => void;
  readonly clear: () => void;
}

/** Adds a note to a progress line when the run waits for another run; the note is printed even if progress is not shown. */
export function noteWaiting({ observe, clear }: ProgressLine<Progress>): ProgressLine<Progress> {
  return {
    observe: (progress) => {
      if (progress.waiting === undefined) return observe(progress);
      clear();
      printNote(formatWaiting(progress.waiting));
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
  const { CI = '', TERM } = process.env;
  return CI === '' && TERM !== 'dumb' && process.stderr.isTTY === true;
}

function rewrite(text: string): void {
  const line = say`\r\u001b[2K${text.slice(0, process.stderr.columns || 80)}`;
  process.stderr.write(line.toString());
}

/** Returns a signal that aborts at the first SIGINT or SIGTERM, or if output fails. A second Ctrl-C ends the process at once. */
export function catchInterruption(): AbortSignal {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  process.stdout.once('error', interrupt);
  return interruption.signal;
}

/** Least width of a terminal for which lines are wrapped, in columns. */
const FEWEST_COLUMNS = 20;

/** Matches the indentation of a line and its label with colours, as in `Listed   71 resources`. */
const LABEL = /^( *)(\S.*? {2}(?:\u001b\[\d+m| )*)?/;
/** Least width beside a label, in columns; if less is left, the label is wrapped like the text after it. */
const FEWEST_BESIDE = 10;

/** Wraps the lines of a text; its colours take no columns. Words that are longer than a line, such as URLs, are not broken. */
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
  const [column = '', own = '', label = ''] = matchGroups(LABEL, line);
  const labelled = widthOf(column);
  const before = labelled <= columns - FEWEST_BESIDE ? column : own;
  // A wrapped line continues below the text after a narrow label; otherwise its indentation is two spaces more.
  const indent = label !== '' && labelled * 3 <= columns ? labelled : own.length + 2;
  return wrap(line.slice(before.length), columns, ' '.repeat(indent), before);
}
