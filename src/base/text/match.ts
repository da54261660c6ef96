/** Matches of regular expressions as lists, empty if there is no match. Pure. */

/** Returns the match and its groups, none of them if the pattern does not match. */
export function matchGroups(pattern: RegExp, text: string): readonly (string | undefined)[] {
  return pattern.exec(text) ?? [];
}

export function splitLines(text: string): string[] {
  return matchAll(/[^\n]*\n|[^\n]+$/g, text);
}

/** @param pattern a global one */
export function matchAll(pattern: RegExp, text: string): string[] {
  return text.match(pattern) ?? [];
}
