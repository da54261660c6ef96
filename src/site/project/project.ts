/** Tells a project from what its build writes: its sources and packages are no site; and reads its workflows. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ResyncError, unlessRefused } from '../../base/errors.js';
import { listAround } from '../../base/folders.js';
import { joinWords, say } from '../../base/text/say.js';
import type { Config } from '../../config/config.js';

/** What is in the folder of a project, and hardly ever in what its build writes. */
const SIGNS = [
  'package.json',
  'node_modules',
  'hugo.toml',
  'hugo.yaml',
  'hugo.json',
  'config.toml',
  '_config.yml',
  'Gemfile',
  'mkdocs.yml',
  'conf.py',
];

/** Where builds write, first of all those that hardly mean anything else. */
const OUTPUTS = [
  'dist',
  '_site',
  'build',
  'out',
  'public',
  '.output/public',
  '.vitepress/dist',
  'docs/.vitepress/dist',
  'site',
  '_build/html',
  'build/html',
];

/**
 * Refuses the folder of a project in which there is what its build wrote: that is probably meant. Who means the project
 * itself says what becomes of the other folder, with `include` or `exclude`.
 *
 * @param site absolute path
 * @throws ResyncError `site-is-project`
 */
export function refuseProject(site: string, { globs, selection }: Pick<Config, 'globs' | 'selection'>): void {
  const sign = SIGNS.find((name) => existsSync(join(site, name)));
  if (sign === undefined) return;
  const outputs = OUTPUTS.filter((folder) => {
    const page = `${folder}/index.html`;
    if (!existsSync(join(site, page))) return false;
    const isNamed = globs.some(({ option, matches }) => option === 'include' && matches(page));
    return !isNamed && selection(page) !== 'excluded';
  });
  const [first] = outputs;
  if (first === undefined) return;
  throw new ResyncError(
    'site-is-project',
    say`${site} is the folder of a project: it has ${sign}, and ${joinWords(outputs, ', ')}.\nName the folder that the build writes, probably ${join(site, first)}.\nIf you publish the project folder itself, say what becomes of ${first}: --exclude ${first}, or --include ${first}.`,
  );
}

/** A repository has a handful of workflows, each of some kilobytes. */
const MOST_WORKFLOWS = 50;
const MOST_BYTES = 100_000;

/**
 * Whether a workflow or a script of the project around a site takes dot-folders such as `.well-known` to GitHub Pages, too. What
 * cannot be read says nothing.
 *
 * @param site absolute path
 */
export function uploadsDotFolders(site: string): boolean {
  return (
    listWorkflows(site).some((file) => /^\s*include-hidden-files:\s*['"]?true\b/m.test(readQuietly(file))) ||
    listAround(site).some((folder) => GH_PAGES.test(readQuietly(join(folder, 'package.json'))))
  );
}

/** A script that calls the program with the option for dot-folders. */
const GH_PAGES = /\bgh-pages\b[^"&|;\n]*\s(?:--dotfiles|-t)\b/;

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
