/** Finds the Capability Lists of a folder whose Source Description another build writes. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unlessRefused } from '../../base/errors.js';
import { folderOfSet, pathOfDocument, SET_NAME } from '../../paths/ours.js';
import { isOwnFile } from './files.js';

/** More sets are not looked at. */
const MOST_SETS = 1000;

/** @returns paths, in one order on every machine */
export function listCapabilityLists(site: string): string[] {
  const top = join(site, folderOfSet(undefined));
  const only = pathOfDocument(undefined, 'capabilitylist');
  if (isOwnFile(site, only)) return [only, ...listSets(site, top)];
  return listSets(site, top);
}

function listSets(site: string, top: string): string[] {
  const names = unlessRefused(() => readdirSync(top)) ?? [];
  return names
    .filter((name) => SET_NAME.test(name))
    .sort()
    .slice(0, MOST_SETS)
    .map((name) => pathOfDocument(name, 'capabilitylist'))
    .filter((path) => isOwnFile(site, path));
}
