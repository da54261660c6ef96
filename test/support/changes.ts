/** Change Lists, as a Destination reads them. */

import { child, type ListedResource, type readSource } from './documents.js';

type Source = ReturnType<typeof readSource>;

/** The hash of every URI in a set's Resource List. */
export function hashesOf(source: Source, set = 0): Map<string, string> {
  return new Map(source.sets[set]?.resources.map(({ uri, md }) => [uri, md['hash'] ?? '']));
}

/** What a change says, in one line: the kind, the URI, the datetime and the hash. */
export function lineOf({ uri, md }: ListedResource): string {
  return [md['change'], uri, md['datetime'], md['hash'] ?? '-'].join(' ');
}

/** Applies changes as a Destination would, and refuses those that cannot be: a creation of what is there already. */
export function applyChanges(state: ReadonlyMap<string, string>, changes: readonly ListedResource[]) {
  const result = new Map(state);
  for (const entry of changes) {
    const { uri, md } = entry;
    if ((md['change'] === 'created') === result.has(uri)) throw new Error(`cannot be: ${lineOf(entry)}`);
    if (md['change'] === 'deleted') result.delete(uri);
    else result.set(uri, md['hash'] ?? '');
  }
  return result;
}

/** The datetime of a list's own `<rs:md>`. */
export function moment(source: Source, attribute: 'at' | 'from' | 'until', set = 0): string | undefined {
  const found = source.sets[set];
  const root = attribute === 'at' ? found?.resourceList : found?.changeList;
  return root && child(root, 'rs:md').attributes[attribute];
}
