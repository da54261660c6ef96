/** Asks git what a ref stands for, and what a commit holds. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Repository } from './repository.js';
import { askGit, makeGitError } from './run.js';

/**
 * The commit that a ref stands for; undefined when there is no such ref, or no commit yet.
 *
 * @throws ResyncError `git-failed` when there is one, and it is damaged
 */
export async function resolveCommit(repository: Repository, ref: string): Promise<string | undefined> {
  const find = (object: string) =>
    askGit(repository, ['rev-parse', '--verify', '--quiet', '--end-of-options', object]);
  const commit = await find(`${ref}^{commit}`);
  if (commit !== '') return commit;
  // git is as quiet about a ref that is broken as about one that does not exist.
  const exists = (await find(ref)) !== '' || (await findLooseRef(repository, ref)) !== undefined;
  if (!exists) return undefined;
  // Unless another run has made it just now.
  const late = await find(`${ref}^{commit}`);
  if (late !== '') return late;
  throw makeGitError(repository.root, `${ref} does not lead to a commit`);
}

/** The file that a ref is kept in, where it has one of its own. */
async function findLooseRef(repository: Repository, ref: string): Promise<string | undefined> {
  const fileOf = async (name: string) =>
    resolve(repository.root, await askGit(repository, ['rev-parse', '--git-path', name]));
  const head = ref === 'HEAD' ? readFileSync(await fileOf('HEAD'), 'utf8') : '';
  const name = /^ref: (.+)$/m.exec(head)?.[1] ?? ref;
  const folders = name.startsWith('refs/') ? [''] : ['refs/heads/', 'refs/tags/', 'refs/remotes/'];
  const files = await Promise.all(folders.map((folder) => fileOf(folder + name)));
  return files.find((file) => existsSync(file) && statSync(file).isFile());
}

/** Whether a commit holds a folder. */
export async function hasFolder(repository: Repository, commit: string, path: string): Promise<boolean> {
  if (path === '') return true;
  return (await askGit(repository, ['ls-tree', '-d', '--full-tree', commit, '--', path])) !== '';
}

/** The remote to push to: `origin`, or the first one with a plain name; undefined where there is none. */
export async function findRemote(repository: Repository): Promise<string | undefined> {
  const remotes = (await askGit(repository, ['remote']))
    .split('\n')
    .filter((name) => /^\w[\w.-]*$/.test(name));
  return remotes.includes('origin') ? 'origin' : remotes[0];
}
