/** Media types by the extensions of files. */

import { matchGroups } from '../base/text/match.js';

/** The media type that a file's extension stands for, without parameters; undefined when unknown. */
export type TypeOf = (path: string) => string | undefined;

/** The extension of a file. A name such as `.htaccess` has none. */
const EXTENSION = /[^/\\]\.([^./\\]*)$/;

/** Loads the media types, late because it takes time. Uses only the tables of `mime`; its lookup would take as long again. */
export async function loadTypes(): Promise<TypeOf> {
  const { TYPE_TABLES } = await import('./type-tables.js');
  const types = new Map<string, string>();
  for (const [type, extensions] of TYPE_TABLES.flatMap(Object.entries<readonly string[]>)) {
    for (const extension of extensions) if (!extension.startsWith('*')) types.set(extension, type);
  }
  return (path) => {
    const [, extension] = matchGroups(EXTENSION, path);
    return extension === undefined ? undefined : types.get(extension.toLowerCase());
  };
}
