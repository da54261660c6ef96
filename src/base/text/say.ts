/** Text for people, in which whatever was not written by us is escaped: names, addresses, what servers and programs say. */

import { escapeCommands, escapeForTerminal } from './escape.js';

/** What can stand in a text; all but `Words` is escaped there. */
export type Phrase = string | number | Words;

/** Text that may be printed as it is. Only this module makes it, so that none can be printed that is not escaped. */
export class Words {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** Takes text that was escaped before, such as a message that comes from another thread, or that has no values. */
  static asWritten(text: string): Words {
    return new Words(escapeCommands(text));
  }

  toString(): string {
    return this.#text;
  }

  toJSON(): string {
    return this.#text;
  }
}

/** Makes text of a template: what stands in the template stays as it is, line breaks too, and its values are escaped. */
export function say(template: TemplateStringsArray, ...values: readonly Phrase[]): Words {
  const parts = template.flatMap((text, index) => [text, index < values.length ? show(values[index]) : '']);
  return Words.asWritten(parts.join(''));
}

/** Joins texts, which are escaped unless they are words already. */
export function joinWords(phrases: readonly Phrase[], separator = '\n'): Words {
  return Words.asWritten(phrases.map(show).join(separator));
}

/** What another program says in several lines: they stay lines, each further in than ours. */
export function sayLines(text: string): Words {
  return joinWords(text.trim().split(/\r?\n/), '\n  ');
}

/** Makes a color that can be put on words. */
export function makeColor(color: (text: string) => string): (phrase: Phrase) => Words {
  return (phrase) => Words.asWritten(color(show(phrase)));
}

function show(phrase: Phrase | undefined): string {
  return phrase instanceof Words ? phrase.toString() : escapeForTerminal(String(phrase ?? ''));
}
