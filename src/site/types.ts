/** Chooses media types: by the extension of a file, unless another is configured. */

import type { Config } from '../config/config.js';
import type { ResourceFacts } from '../config/options.js';

/** The media type that a file's extension stands for, without parameters; undefined when unknown. */
export type TypeOf = (path: string) => string | undefined;

/** Of a name such as `.htaccess`, all is the name. */
const EXTENSION = /[^/\\]\.([^./\\]*)$/;

/** Takes time to load. Of `mime`, it takes the tables alone: what `mime` makes of them takes as long again. */
export async function loadTypes(): Promise<TypeOf> {
  const { TYPE_TABLES } = await import('./type-tables.js');
  const types = new Map<string, string>();
  for (const [type, extensions] of TYPE_TABLES.flatMap(Object.entries<readonly string[]>)) {
    for (const extension of extensions) if (!extension.startsWith('*')) types.set(extension, type);
  }
  return (path) => {
    const [, extension] = EXTENSION.exec(path) ?? [];
    return extension === undefined ? undefined : types.get(extension.toLowerCase());
  };
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
