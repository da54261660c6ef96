/** Lists the files that a host serves under URLs of their own, with the Capability Lists of each. */

import { readFileSync } from 'node:fs';
import { explainRefused, ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import type { ResolvedSet } from '../../config/config.js';
import { listEntries } from '../../files/walk.js';
import { isAmongVersions, pathOfDocument } from '../../paths/ours.js';
import { type Selection, skippedByDefault } from '../../paths/selection.js';

export interface ServedFile {
  readonly path: string;
  /** URLs of the Capability Lists that lead to the file; none if it is excluded by configuration, or in no set. */
  readonly capabilityLists: readonly string[];
}

/** Options that decide which files are served, and in which sets they are. */
export interface ServedRules {
  readonly url: string;
  readonly selection: Selection;
  readonly sets: readonly ResolvedSet[];
}

export function listServed(site: string, rules: ServedRules): ServedFile[] {
  const files: ServedFile[] = [];
  for (const { path, kind, nameless } of listEntries(site, undefined, isAmongVersions)) {
    if (!nameless && kind === undefined) files.push(...serveFile(path, rules));
  }
  return sortByPath(files);
}

export function addServed(
  files: readonly ServedFile[],
  path: string,
  rules: ServedRules,
): readonly ServedFile[] {
  return files.some((file) => file.path === path) ? files : sortByPath([...files, ...serveFile(path, rules)]);
}

/** Returns a file with its Capability Lists; none if it is excluded by default: error pages have no URL of their own. */
function serveFile(path: string, { url, selection, sets }: ServedRules): ServedFile[] {
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
