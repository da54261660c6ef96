/** Chooses media types: by the extension of a file, unless another is configured. */

import type { Config } from '../config/config.js';
import type { ResourceFacts } from '../config/options.js';

/** The media type that a file's extension stands for, without parameters; undefined when unknown. */
export type TypeOf = (path: string) => string | undefined;

/** Takes time to load, which goes by while files are digested. */
export async function loadTypes(): Promise<TypeOf> {
  const { default: mime } = await import('mime');
  // With a folder before it, a name without a dot is never taken for an extension.
  return (path) => mime.getType(`/${path}`) ?? undefined;
}

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
