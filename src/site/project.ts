/** Looks at the project around a site: refuses the folder of the project as a site, and reads its workflows. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ResyncError, unlessRefused } from '../base/errors.js';
import { listAround, listQuietly } from '../base/folders.js';
import { say } from '../base/text/say.js';

/** Refuses the folder of a project: its sources would be published. @throws ResyncError `site-is-project` */
export function refuseProject(site: string): void {
  const has = (name: string) => existsSync(join(site, name));
  if (!has('package.json') || !(has('node_modules') || has('.git'))) return;
  if (listQuietly(site).some((name) => /\.html?$/i.test(name))) return;
  throw new ResyncError(
    'site-is-project',
    say`${site} is the folder of a project, and not what its build writes: it has package.json, and no page.\nName the folder that the build writes, such as ${join(site, 'dist')}. If you publish the folder itself, give it an index.html.`,
  );
}

/** Limits of workflows to read, and of bytes in each; a repository has a handful of some kilobytes. */
const MOST_WORKFLOWS = 50;
const MOST_BYTES = 100_000;

/**
 * Tests if a workflow or a script of the project deploys dot-folders such as `.well-known` to GitHub Pages.
 * Unreadable files are ignored.
 *
 * @param site absolute path
 */
export function uploadsDotFolders(site: string): boolean {
  return (
    listWorkflows(site).some((file) => /^\s*include-hidden-files:\s*['"]?true\b/m.test(readQuietly(file))) ||
    listAround(site).some((folder) => takesDotFolders(readQuietly(join(folder, 'package.json'))))
  );
}

/** Tests if a script calls `gh-pages` in such a way that it deploys names that begin with a dot. */
export function takesDotFolders(script: string): boolean {
  return /\bgh-pages\b[^"&|;\n]*\s(?:--dotfiles|-t)\b/.test(script);
}

function listWorkflows(site: string): string[] {
  const folder = join(site, '.github', 'workflows');
  const names = listQuietly(folder).filter((name) => /\.ya?ml$/.test(name));
  if (names.length > 0) return names.slice(0, MOST_WORKFLOWS).map((name) => join(folder, name));
  return dirname(site) === site ? [] : listWorkflows(dirname(site));
}

function readQuietly(file: string): string {
  const read = () => {
    const info = statSync(file);
    return info.isFile() && info.size <= MOST_BYTES ? readFileSync(file, 'utf8') : '';
  };
  return unlessRefused(read) ?? '';
}
