/** The facts and the media type of a resource. */

import type { ResourceFacts } from '../config/options.js';

/** A function of the configuration, which may know the media type of a resource. */
export type TypeLookup = ((resource: ResourceFacts) => string | undefined) | undefined;

/** @param type the media type of the file extension */
export function makeFacts(
  { uri, path, length, hash }: Omit<ResourceFacts, 'type'>,
  type: string | undefined,
): ResourceFacts {
  // Not spread: such an object takes 50 % more memory.
  return type === undefined ? { uri, path, length, hash } : { uri, path, length, hash, type };
}

export function chooseType(facts: ResourceFacts, lookup: TypeLookup): string | undefined {
  return lookup?.(facts) ?? facts.type;
}
