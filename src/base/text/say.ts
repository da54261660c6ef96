/** Text for people, in which whatever was not written by us is escaped: names, addresses, what servers and programs say. */

/** A value to be put into a text for people; all but `Words` is escaped there. */
export type Phrase = string | number | Words;

/** Text that may be printed as it is. Only this module makes such text, so that no unescaped text can be printed. */
export class Words {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** Makes words of text that needs no escaping: it was escaped before, or has no values. */
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

export function joinWords(phrases: Iterable<Phrase>, separator = '\n'): Words {
  return Words.asWritten(Array.from(phrases, show).join(separator));
}

/** Escapes the output of another program, line by line, and indents it below the first line. */
export function sayLines(text: string): Words {
  return joinWords(text.trim().replaceAll('\t', '  ').split(/\r?\n/), '\n  ');
}

export function makeColor(color: (text: string) => string): (phrase: Phrase) => Words {
  return (phrase) => Words.asWritten(color(show(phrase)));
}

function show(phrase: Phrase | undefined): string {
  return phrase instanceof Words ? phrase.toString() : escapeForTerminal(String(phrase ?? ''));
}

/** Control and format characters, unpaired surrogates and line separators: they move the cursor, end a line, or reorder text. */
const CONTROLS = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}`;
/** Filler characters, which have no width. */
const FILLERS = String.raw`\u115f\u1160\u17b4\u17b5\u3164\uffa0`;
const TAGS = String.raw`\u{e0000}-\u{e0fff}`;
const UNSEEN = new RegExp(String.raw`\u034f|[${CONTROLS}${FILLERS}${TAGS}]`, 'gu');

/** Beginnings of commands to programs that run jobs: at the start of a line, after white space; for GitHub, `##[` anywhere. */
const COMMAND_AT_START = /^(\s*):(?=:)/gm;
const COMMAND_ANYWHERE = /##(?=\w*\[)/g;

/** Escapes text for a terminal or log: one line, invisible characters as `\u001b`, no command to log readers. Idempotent. */
export function escapeForTerminal(text: string): string {
  return escapeCommands(text.replace(UNSEEN, showCharacter));
}

/** Escapes text that a program reading the log, such as a CI runner, would obey as a command. Line breaks stay. */
function escapeCommands(text: string): string {
  return text.replace(COMMAND_ANYWHERE, '#\\u0023').replace(COMMAND_AT_START, '$1\\u003a');
}

/** Escapes JSON for a terminal or log by JSON's own escapes in strings. Line breaks stay, since they are between values. */
export function escapeJson(json: string): string {
  return json
    .replace(UNSEEN, (character) => (character === '\n' ? character : escapeUnits(character)))
    .replace(COMMAND_ANYWHERE, '#\\u0023');
}

/** Escapes a character for JSON, with one escape for each of its UTF-16 units. */
function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

function showCharacter(character: string): string {
  const code = (character.codePointAt(0) as number).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
