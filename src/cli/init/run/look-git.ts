/** Looks at the repository around a project, and asks it about the site. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeRefName } from '../../../history/find.js';
import { hasFolder, resolveCommit } from '../../../history/git/refs.js';
import { openRepository } from '../../../history/git/repository.js';
import { askGit, findGit } from '../../../history/git/run.js';
import type { GitFacts } from '../facts.js';

const OTHER_SYSTEMS = ['.hg', '.svn', '.jj', '.fslckout', '.pijul'];

const DEPLOYED = ['origin/gh-pages', 'gh-pages'];

/**
 * @param site relative to the folder, with `/`
 * @throws ResyncError `git-failed`
 */
export async function readGit(folder: string, site: string): Promise<GitFacts> {
  const other = OTHER_SYSTEMS.find((name) => existsSync(join(folder, name)))?.slice(1);
  const program = findGit() !== undefined;
  const repository = await openRepository(folder);
  if (repository === undefined) return { program, ...(other !== undefined && { other }) };
  const path = [repository.prefix, site === '.' ? '' : site].filter(Boolean).join('/');
  const head = await resolveCommit(repository, 'HEAD');
  const branch = await askGit(repository, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const remote = await askGit(repository, ['config', '--get', 'remote.origin.url']);
  // `check-ignore` does not know literal paths; none that begins with a dot means anything else.
  const asked = ['--no-literal-pathspecs', 'check-ignore', '--', `./${path}/`];
  const ignored = site === '.' ? '' : await askGit(repository, asked);
  return {
    program,
    repository: {
      branch: branch || undefined,
      remote: remote || undefined,
      deployed: await findDeployed(repository, branch),
      isTop: repository.prefix === '',
      tracked: head !== undefined && (await hasFolder(repository, head, path)),
      ignored: ignored !== '',
      ref: makeSnapshotRef(path),
    },
  };
}

async function findDeployed(
  repository: Parameters<typeof resolveCommit>[0],
  branch: string,
): Promise<string | undefined> {
  for (const ref of DEPLOYED) {
    if (ref !== branch && (await resolveCommit(repository, ref)) !== undefined) return ref;
  }
  return undefined;
}

/** The ref on which snapshots of a site are kept, whose path in the repository this is. */
export function makeSnapshotRef(path: string): string {
  return `refs/resync-static/${makeRefName(path === '.' ? '' : path)}`;
}
