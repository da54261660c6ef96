/** Suggestions for misspelled names. */

import { closestMatch } from 'leven';

/** A sentence about a name that does not exist; `kinds` is what the known ones are called. */
export function suggest(name: string, known: readonly string[], prefix = '', kinds = 'options'): string {
  const nearest = findNearest(name, known);
  return nearest === undefined
    ? `The ${kinds} are ${known.map((one) => `${prefix}${one}`).join(', ')}`
    : `Did you mean ${prefix}${nearest}?`;
}

/** The known name that is most like it; undefined when none is. Any two names of two letters are alike. */
export function findNearest(name: string, known: readonly string[]): string | undefined {
  if (name.length < 3) return undefined;
  return closestMatch(name, [...known], { maxDistance: Math.max(2, Math.floor(name.length / 3)) });
}
