/** Finds the files that a host serves for their own sake, and the Capability Lists that pertain to each. */

import type { Config } from '../config/config.js';
import { isAmongVersions, pathOfDocument } from '../paths/ours.js';
import { skippedByDefault } from '../paths/selection.js';
import { listEntries } from '../site/walk.js';

/** A file that the host serves for its own sake, and the Capability Lists that pertain to it. */
export interface ServedFile {
  readonly path: string;
  /** URLs; none for what is left out by configuration, or in no set. */
  readonly capabilityLists: readonly string[];
}

/** A file, and the bytes that belong there. */
export interface Edit {
  readonly path: string;
  readonly content: Uint8Array;
}

export type DiscoveryConfig = Pick<
  Config,
  'url' | 'urls' | 'selection' | 'sets' | 'robots' | 'headers' | 'feed' | 'hub'
> & {
  /** URLs of the Resource Lists of sets that other builds describe. @default none */
  readonly others?: readonly string[] | undefined;
} & Partial<Pick<Config, 'joined' | 'isOthers'>>;

export function listServed(site: string, { url, selection, sets }: DiscoveryConfig): ServedFile[] {
  const files: ServedFile[] = [];
  for (const { path, kind, nameless } of listEntries(site, undefined, isAmongVersions)) {
    const reason = selection(path);
    // What is left out by default, such as error pages, is not served for its own sake.
    const own = reason === undefined || (reason === 'excluded' && skippedByDefault(path) === undefined);
    if (nameless || kind !== undefined || !own) continue;
    const holding = reason === undefined ? sets.filter(({ holds }) => holds(path)) : [];
    const capabilityLists = holding.map(({ name }) => url + pathOfDocument(name, 'capabilitylist'));
    files.push({ path, capabilityLists });
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}
