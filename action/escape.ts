/** Escapes text for GitHub: in workflow commands, and in Markdown, where text of others must not count as markup. */

import { escapeForTerminal } from '../src/base/text/say.js';

/**
 * Makes a workflow command of GitHub Actions, such as `::error title=a::b`, with a line break at its end. Lines of the
 * message stay lines; other control characters are made visible.
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

/** Encodes a character as workflow commands require, such as `%0A`. */
function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/**
 * Escapes text for Markdown of GitHub, also in tables: no part of it becomes a heading, a link, HTML, code, an image or
 * the end of a cell. A space of no width follows each `@` and `#`, because GitHub links a name or number after them even
 * if they are escaped.
 */
export function escapeMarkdown(text: string): string {
  return escapeForTerminal(text)
    .replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/&#(?:35|64);/g, '$&&#8203;');
}
