/** Asks git what a ref stands for, and what a commit holds. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './repository.js';
import { askGit, makeGitError } from './run.js';

/**
 * The commit that a ref stands for; undefined when there is no such ref, or no commit yet.
 *
 * @throws ResyncError `git-failed` when there is one, and it is damaged
 */
export async function resolveCommit(repository: Repository, ref: string): Promise<string | undefined> {
  // The second is left out if it is no commit, and both if there is no such ref.
  const find = async () =>
    (
      await askGit(repository, ['rev-parse', '--revs-only', '--end-of-options', ref, `${ref}^{commit}`])
    ).split('\n');
  const [id, commit] = await find();
  if (commit !== undefined) return commit;
  // git is as quiet about a ref that is broken as about one that does not exist.
  if (id === '' && !isLooseRef(repository, ref)) return undefined;
  // Unless another run has made it just now.
  const [, late] = await find();
  if (late !== undefined) return late;
  throw makeGitError(repository.root, `${ref} does not lead to a commit`);
}

/** Tests whether a ref is kept in a file of its own. */
function isLooseRef({ gitFolder, commonFolder }: Repository, ref: string): boolean {
  const head = ref === 'HEAD' ? readFileSync(join(gitFolder, ref), 'utf8') : '';
  const name = /^ref: (.+)$/m.exec(head)?.[1] ?? ref;
  const prefixes = name.startsWith('refs/') ? [''] : ['refs/heads/', 'refs/tags/', 'refs/remotes/'];
  const files = [gitFolder, commonFolder].flatMap((folder) =>
    prefixes.map((prefix) => join(folder, prefix + name)),
  );
  return files.some((file) => existsSync(file) && statSync(file).isFile());
}

export async function hasFolder(repository: Repository, commit: string, path: string): Promise<boolean> {
  if (path === '') return true;
  return (await askGit(repository, ['ls-tree', '-d', '--full-tree', commit, '--', path])) !== '';
}

/** The remote to push to: `origin`, or the first one with a plain name; undefined if there is none. */
export function findRemote({ settings }: Repository): string | undefined {
  const remotes = settings
    .flatMap((name) => /^remote\.(\w[\w.-]*)\.(?:url|pushurl)$/.exec(name)?.[1] ?? [])
    .sort();
  return remotes.includes('origin') ? 'origin' : remotes[0];
}
