/** Projects that exist only in the test, as `init` sees them. */

import { settle } from '../../src/cli/init/hosts.js';
import type { FolderFacts, GitFacts, InitOptions, ProjectFile } from '../../src/cli/init/model.js';
import { makePlan } from '../../src/cli/init/plan/plan.js';
import { findProject } from '../../src/cli/init/project.js';

export const ADDRESS = 'https://birds.example/';

export type Files = Readonly<Record<string, string | ProjectFile>>;

export function makeFacts(files: Files, more: Partial<FolderFacts> = {}): FolderFacts {
  const found = Object.entries(files).map(([path, file]): [string, ProjectFile] => [
    path,
    typeof file === 'string' ? { text: file } : file,
  ]);
  return {
    files: Object.fromEntries(found),
    names: [...new Set(Object.keys(files).map((path) => path.split('/')[0] ?? ''))],
    sites: [],
    packageManager: 'npm',
    installed: true,
    ...more,
  };
}

/** A repository in which nothing is decided yet. */
export function makeGitFacts(more: Partial<GitFacts> = {}): GitFacts {
  const ref = 'refs/resync-static/site';
  return { deployed: undefined, tracked: false, ignored: ['dist', 'node_modules'], ref, ...more };
}

/** The project and the plan, for a site at a known address. */
export function plan(facts: FolderFacts, known: GitFacts | undefined = undefined, wishes: InitOptions = {}) {
  const project = findProject(facts);
  const site = wishes.site ?? project.site ?? 'dist';
  const git = known ?? makeGitFacts({ ignored: [project.site ?? 'dist', 'node_modules'] });
  const settings = {
    ...settle(facts, project, wishes, { url: wishes.url ?? ADDRESS, site }),
    ...{ hasExtras: false, package: 'resync-static' },
  };
  const planned = makePlan({ facts, git, project, settings, asked: wishes });
  return { project, settings, ...planned, told: [...planned.notes, ...planned.steps].map(String) };
}

/** A `package.json` with packages and scripts. */
export const makeManifest = (packages: readonly string[], scripts: object = {}, more: object = {}) =>
  JSON.stringify({
    ...more,
    scripts,
    devDependencies: Object.fromEntries(packages.map((name) => [name, '1'])),
  });
