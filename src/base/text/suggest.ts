/** Suggestions for misspelled names. */

import { closestMatch } from 'leven';

/** Writes a sentence about an unknown name: the known name most like it, or all known names. @param kinds their plural noun */
export function suggest(name: string, known: readonly string[], prefix = '', kinds = 'options'): string {
  const nearest = findNearest(name, known);
  return nearest === undefined
    ? `The ${kinds} are ${known.map((one) => `${prefix}${one}`).join(', ')}`
    : `Did you mean ${prefix}${nearest}?`;
}

/** Finds the known name most like a misspelled one; undefined if none is, or for one or two letters, where all are alike. */
export function findNearest(name: string, known: readonly string[]): string | undefined {
  if (name.length < 3) return undefined;
  return closestMatch(name, [...known], { maxDistance: Math.max(2, Math.floor(name.length / 3)) });
}
