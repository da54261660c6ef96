/** Makes text that others wrote harmless where it is printed: on terminals, in workflow commands, in Markdown. */

/**
 * What moves the cursor, ends a line, reorders or hides text: control and format characters, unpaired surrogates, line
 * separators, fillers that have no width, tags.
 */
const UNSEEN =
  /\u034f|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u17b4\u17b5\u3164\uffa0\u{e0000}-\u{e0fff}]/gu;

/** Programs that run jobs look for commands at the beginning of a line, after white space; GitHub for `##[` anywhere. */
const COMMAND_AT_START = /^(\s*):(?=:)/gm;
const COMMAND_ANYWHERE = /##(?=\w*\[)/g;

/**
 * Escapes text for a terminal or a log: one line, in which all that could not be seen is shown as `\u001b`, and nothing
 * is a command to a program that reads the log. Escaping twice changes nothing more.
 */
export function escapeForTerminal(text: string): string {
  return escapeCommands(text.replace(UNSEEN, showCharacter));
}

/** Escapes what a program that reads the log would take for a command of ours. Line breaks stay. */
export function escapeCommands(text: string): string {
  return text.replace(COMMAND_ANYWHERE, '#\\u0023').replace(COMMAND_AT_START, '$1\\u003a');
}

/**
 * Escapes JSON that may be printed to a terminal or into a log. It means the same, but holds nothing that could not be
 * seen, and no command: within strings, JSON has escapes of its own for every character. Line breaks stay, because in JSON
 * they are only between values.
 */
export function escapeJson(json: string): string {
  return json
    .replace(UNSEEN, (character) => (character === '\n' ? character : escapeUnits(character)))
    .replace(COMMAND_ANYWHERE, '#\\u0023');
}

/** In JSON, a character beyond the first 65,536 is two units. */
function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

function showCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

/**
 * Makes a workflow command of GitHub Actions, such as `::error title=a::b`, with a line break at its end. Lines of the
 * message stay lines; what else could not be seen is shown.
 */
export function makeWorkflowCommand(
  name: string,
  properties: Readonly<Record<string, string>>,
  message: string,
): string {
  const written = Object.entries(properties).map(
    ([key, value]) => `${key}=${escapeForTerminal(value).replace(/[%:,]/g, encodeCharacter)}`,
  );
  const lines = message.split('\n').map((line) => escapeForTerminal(line));
  const data = lines.join('\n').replace(/[%\n]/g, encodeCharacter);
  return `::${[name, written.join(',')].filter(Boolean).join(' ')}::${data}\n`;
}

/** `encodeURIComponent` does not write all of them. */
function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/**
 * Escapes text for Markdown of GitHub, tables included: it is read as written, and no part of it is a heading, a link,
 * HTML, code, an image or the end of a cell. After `@` and `#` stands a space of no width: a name or a number that
 * follows would become a link even so.
 */
export function escapeMarkdown(text: string): string {
  return escapeForTerminal(text)
    .replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/&#(?:35|64);/g, '$&&#8203;');
}
