/** Tells a project from what its build writes: its sources and packages are no site. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ResyncError } from '../../base/errors.js';
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
