/** How a report looks: its colours, and how much of it is shown. */

import { escapeForTerminal, makeColor, type Phrase, type Words } from '../../base/text/say.js';

const COLORS = ['bold', 'cyan', 'dim', 'green', 'red', 'yellow'] as const;

export type Color = (phrase: Phrase) => Words;

export type Colors = Readonly<Record<(typeof COLORS)[number], Color>>;

/** Takes the colors of `picocolors`, or others like them; by default, none. */
export function makeColors(plain?: Readonly<Record<keyof Colors, (text: string) => string>>): Colors {
  const colors = COLORS.map((name) => [name, makeColor(plain?.[name] ?? String)]);
  return Object.fromEntries(colors) as Colors;
}

export interface ReportStyle {
  readonly colors: Colors;
  /** Adds the time of each stage, and every document however many there are. */
  readonly verbose: boolean;
  /** Of the terminal; undefined where there is none. */
  readonly columns?: number | undefined;
}

/** What others wrote may be as long as they like. */
export function shortenText(text: string): string {
  const plain = escapeForTerminal(text);
  return plain.length <= 400 ? plain : `${plain.slice(0, 399)}…`;
}
