/** The facts of a resource, and the media type that it gets. */

import type { Config } from '../config/config.js';
import type { ResourceFacts } from '../config/options.js';

/** What is known of a resource before the configuration is asked: its type is that of the extension. */
export function makeFacts(
  { uri, path, length, hash }: Omit<ResourceFacts, 'type'>,
  type: string | undefined,
): ResourceFacts {
  // Written out, because an object that was spread takes half as much memory again.
  return type === undefined ? { uri, path, length, hash } : { uri, path, length, hash, type };
}

/** The media type that a resource gets. */
export function chooseType(facts: ResourceFacts, { type }: Pick<Config, 'type'>): string | undefined {
  return type?.(facts) ?? facts.type;
}
