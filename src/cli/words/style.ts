/** Style of reports: colours, and amount of detail. */

import { escapeForTerminal, makeColor, type Phrase, type Words } from '../../base/text/say.js';

const COLORS = ['bold', 'cyan', 'dim', 'green', 'red', 'yellow'] as const;

export type Color = (phrase: Phrase) => Words;

export type Colors = Readonly<Record<(typeof COLORS)[number], Color>>;

/** Makes colors from those of `picocolors` or a similar library. @default no colors */
export function makeColors(plain?: Readonly<Record<keyof Colors, (text: string) => string>>): Colors {
  const colors = COLORS.map((name) => [name, makeColor(plain?.[name] ?? String)]);
  return Object.fromEntries(colors) as Colors;
}

export interface ReportStyle {
  readonly colors: Colors;
  /** Shows the time of each stage, and all documents. */
  readonly verbose: boolean;
  /** Width of the terminal; undefined if there is none. */
  readonly columns?: number | undefined;
}

/** Escapes and shortens text from others, which may have any length. */
export function shortenText(text: string): string {
  const plain = escapeForTerminal(text);
  return plain.length <= 400 ? plain : `${plain.slice(0, 399)}…`;
}
