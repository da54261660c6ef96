/** Finds the files that a host serves for their own sake, and the Capability Lists that pertain to each; reads what is to be edited. */

import { readFileSync } from 'node:fs';
import { explainRefused, ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import type { Config } from '../../config/config.js';
import { listEntries } from '../../files/walk.js';
import { isAmongVersions, pathOfDocument } from '../../paths/ours.js';
import { skippedByDefault } from '../../paths/selection.js';

/** A file that the host serves for its own sake, and the Capability Lists that pertain to it. */
export interface ServedFile {
  readonly path: string;
  /** URLs; none for what is left out by configuration, or in no set. */
  readonly capabilityLists: readonly string[];
}

export interface DiscoveryConfig extends Config {
  /** URLs of the Resource Lists of sets that other builds describe. @default none */
  readonly others?: readonly string[] | undefined;
}

/** Lists the files that are there, in the order of their paths. */
export function listServed(site: string, config: DiscoveryConfig): ServedFile[] {
  const files: ServedFile[] = [];
  for (const { path, kind, nameless } of listEntries(site, undefined, isAmongVersions)) {
    if (!nameless && kind === undefined) files.push(...serveFile(path, config));
  }
  return sortByPath(files);
}

/** The same files, and one that is about to be written. */
export function addServed(
  files: readonly ServedFile[],
  path: string,
  config: DiscoveryConfig,
): readonly ServedFile[] {
  return files.some((file) => file.path === path)
    ? files
    : sortByPath([...files, ...serveFile(path, config)]);
}

/** None for what is left out by default, such as error pages: it is not served for its own sake. */
function serveFile(path: string, { url, selection, sets }: DiscoveryConfig): ServedFile[] {
  const reason = selection(path);
  const own = reason === undefined || (reason === 'excluded' && skippedByDefault(path) === undefined);
  if (!own) return [];
  const holding = reason === undefined ? sets.filter(({ holds }) => holds(path)) : [];
  return [{ path, capabilityLists: holding.map(({ name }) => url + pathOfDocument(name, 'capabilitylist')) }];
}

function sortByPath(files: ServedFile[]): ServedFile[] {
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

export function refuseEdit(what: string, remedy: string): never {
  throw new ResyncError(
    'discovery-failed',
    say`${what}, so nothing can be added to it.\n${remedy}, and run again.`,
  );
}

export function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw explainRefused(
      error,
      'file-unreadable',
      (refusal) => say`Cannot read ${file} (${refusal}).\nMake it readable, and run again.`,
    );
  }
}
