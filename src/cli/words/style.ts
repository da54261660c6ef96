/** Style of reports: colours, and amount of detail. */

import { escapeForTerminal, makeColor, type Phrase, type Words } from '../../base/text/say.js';

const COLORS = ['bold', 'cyan', 'dim', 'green', 'red', 'yellow'] as const;

export type Color = (phrase: Phrase) => Words;

export type Colors = Readonly<Record<(typeof COLORS)[number], Color>>;

/** Makes the colours of reports from functions such as those of `picocolors`. @default no colours */
export function makeColors(plain?: Readonly<Record<keyof Colors, (text: string) => string>>): Colors {
  const colors = COLORS.map((name) => [name, makeColor(plain?.[name] ?? String)]);
  return Object.fromEntries(colors) as Colors;
}

export interface ReportStyle {
  readonly colors: Colors;
  /** True if a report shows all details, such as the time of each stage and all documents. */
  readonly verbose: boolean;
  /** Width of the terminal, in columns; undefined if there is none. */
  readonly columns?: number | undefined;
}

/** Escapes text from others for the terminal, and shortens it to 400 characters. */
export function shortenText(text: string): string {
  const plain = escapeForTerminal(text);
  return plain.length <= 400 ? plain : `${plain.slice(0, 399)}…`;
}
