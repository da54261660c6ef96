/** Finds media types by the extensions of files. */

import { matchGroups } from '../base/text/match.js';

/** Function that returns the media type of a file's extension, without parameters; undefined if unknown. */
export type TypeOf = (path: string) => string | undefined;

/** Matches the extension of a file. A name such as `.htaccess` has none. */
const EXTENSION = /[^/\\]\.([^./\\]*)$/;

/** Loads the media types, late because it takes time. Takes only tables of `mime`: its lookup would take as long again. */
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
