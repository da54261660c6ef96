/** Reads the workflows of the repository around a site, for what they say of its deploy to GitHub Pages. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unlessRefused } from '../../base/errors.js';

/** A repository has a handful of workflows, each of some kilobytes. */
const MOST_WORKFLOWS = 50;
const MOST_BYTES = 100_000;

/**
 * Whether a workflow uploads dot-folders, such as `.well-known`, too. What cannot be read says nothing.
 *
 * @param site absolute path
 */
export function uploadsDotFolders(site: string): boolean {
  return listWorkflows(site).some((file) =>
    /^\s*include-hidden-files:\s*['"]?true\b/m.test(readQuietly(file)),
  );
}

/** The workflows of the nearest folder above the site that has some. */
function listWorkflows(site: string): string[] {
  const folder = join(site, '.github', 'workflows');
  const names = listQuietly(folder).filter((name) => /\.ya?ml$/.test(name));
  if (names.length > 0) return names.slice(0, MOST_WORKFLOWS).map((name) => join(folder, name));
  return dirname(site) === site ? [] : listWorkflows(dirname(site));
}

function listQuietly(folder: string): string[] {
  return unlessRefused(() => readdirSync(folder)) ?? [];
}

function readQuietly(file: string): string {
  const read = () => {
    const info = statSync(file);
    return info.isFile() && info.size <= MOST_BYTES ? readFileSync(file, 'utf8') : '';
  };
  return unlessRefused(read) ?? '';
}
