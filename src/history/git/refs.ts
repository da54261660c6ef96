/** Asks git for the commit of a ref, for a folder in a commit, and for the remote to push to. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './repository.js';
import { askGit, makeGitError } from './run.js';

/** Resolves a ref to its commit; undefined if there is no such ref. @throws ResyncError `git-failed` if it is damaged */
export async function resolveCommit(repository: Repository, ref: string): Promise<string | undefined> {
  // git answers with two lines. The second is missing if the ref leads to no commit, both if there is no such ref.
  const find = async () =>
    (
      await askGit(repository, ['rev-parse', '--revs-only', '--end-of-options', ref, `${ref}^{commit}`])
    ).split('\n');
  const [id, commit] = await find();
  if (commit !== undefined) return commit;
  // git gives the same answer for a broken ref and for a missing one.
  if (id === '' && !isLooseRef(repository, ref)) return undefined;
  // Asks again, because another run may have created the ref just now.
  const [, late] = await find();
  if (late !== undefined) return late;
  throw makeGitError(repository.root, `${ref} does not lead to a commit`);
}

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

/** Chooses the remote to push to: `origin`, or the first with a plain name. */
export function findRemote({ settings }: Repository): string | undefined {
  const remotes = settings
    .flatMap((name) => /^remote\.(\w[\w.-]*)\.(?:url|pushurl)$/.exec(name)?.[1] ?? [])
    .sort();
  return remotes.includes('origin') ? 'origin' : remotes[0];
}
