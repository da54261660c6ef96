/** Matches of regular expressions as lists, empty if there is no match. Pure. */

/** Returns the text that a pattern matches, and its groups; an empty list if the pattern does not match. */
export function matchGroups(pattern: RegExp, text: string): readonly (string | undefined)[] {
  return pattern.exec(text) ?? [];
}

export function splitLines(text: string): string[] {
  return matchAll(/[^\n]*\n|[^\n]+$/g, text);
}

/** Returns all texts that a pattern matches. @param pattern with the flag `g` */
export function matchAll(pattern: RegExp, text: string): string[] {
  return text.match(pattern) ?? [];
}
