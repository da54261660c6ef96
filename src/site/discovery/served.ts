/** Lists the files that a host serves under URLs of their own, with the Capability Lists of each. */

import { readFileSync } from 'node:fs';
import { explainRefused, ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import type { Config } from '../../config/config.js';
import { listEntries } from '../../files/walk.js';
import { isAmongVersions, pathOfDocument } from '../../paths/ours.js';
import { skippedByDefault } from '../../paths/selection.js';

export interface ServedFile {
  readonly path: string;
  /** URLs; none for a file that is excluded by configuration or in no set. */
  readonly capabilityLists: readonly string[];
}

export interface DiscoveryConfig extends Config {
  /** URLs of the Resource Lists of sets that other builds describe. @default none */
  readonly others?: readonly string[] | undefined;
}

export function listServed(site: string, config: DiscoveryConfig): ServedFile[] {
  const files: ServedFile[] = [];
  for (const { path, kind, nameless } of listEntries(site, undefined, isAmongVersions)) {
    if (!nameless && kind === undefined) files.push(...serveFile(path, config));
  }
  return sortByPath(files);
}

export function addServed(
  files: readonly ServedFile[],
  path: string,
  config: DiscoveryConfig,
): readonly ServedFile[] {
  return files.some((file) => file.path === path)
    ? files
    : sortByPath([...files, ...serveFile(path, config)]);
}

/** Returns none for files that are excluded by default, such as error pages: they have no URL of their own. */
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
