/** Finds the repository around a folder. */

import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { listAround } from '../../base/folders.js';
import { listWorkTrees } from '../around.js';
import { askGit, findGit } from './run.js';

/** A repository, as it is seen from one folder. */
export interface Repository {
  /** Where git runs: the top of the work tree, or the folder of a bare repository. */
  readonly root: string;
  /** Where git keeps the repository, or what belongs to one of its work trees. */
  readonly gitFolder: string;
  /** Where it keeps what all work trees share. */
  readonly commonFolder: string;
  /** The folder that was asked about, relative to the top, `/` between segments; '' for the top itself. */
  readonly prefix: string;
  readonly objectFormat: 'sha1' | 'sha256';
  /** Commits whose parents are not here (shallow clone). */
  readonly boundary: ReadonlySet<string>;
}

/**
 * Finds the repository around a folder: the nearest one that is in a folder `.git`, or where a file of that name leads.
 * Folders that look like a bare repository are passed by, because anybody can commit such a folder.
 *
 * @returns undefined where there is none, or no git
 * @throws ResyncError `git-failed` when git refuses, as it does in a folder of another user
 */
export async function openRepository(folder: string): Promise<Repository | undefined> {
  if (findGit() === undefined) return undefined;
  const from = realpathSync.native(folder);
  for (const root of listWorkTrees(from)) {
    const gitFolder = join(root, '.git');
    const repository = await readFacts(root, relative(root, from).split(sep).join('/'));
    // Where the folder holds no repository, git goes on to those around it.
    if (repository === undefined) continue;
    if (statSync(gitFolder).isFile() || realpathSync.native(gitFolder) === repository.gitFolder)
      return repository;
  }
  return undefined;
}

/**
 * Finds the bare repository around a folder, for those who have named it.
 *
 * @returns undefined where there is none, or no git
 * @throws ResyncError `git-failed`
 */
export async function openBareRepository(folder: string): Promise<Repository | undefined> {
  if (findGit() === undefined) return undefined;
  const isBare = (path: string) => ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(path, name)));
  const root = listAround(realpathSync.native(folder)).find(isBare);
  return root === undefined ? undefined : await readFacts(root, '', { 'safe.bareRepository': 'all' });
}

async function readFacts(
  root: string,
  prefix: string,
  settings?: Readonly<Record<string, string>>,
): Promise<Repository | undefined> {
  // What is asked in between keeps the two paths apart.
  const facts = ['--show-object-format', '--absolute-git-dir', '--is-bare-repository', '--git-common-dir'];
  const answer = await askGit({ root }, ['rev-parse', ...facts], { settings }).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : '';
    if (/not a git repository|cannot use bare repository/.test(message)) return '';
    throw error;
  });
  const [, objectFormat, gitFolder, common] = /^(\w+)\n(.+)\n(?:true|false)\n(.+)$/s.exec(answer) ?? [];
  if (gitFolder === undefined || common === undefined) return undefined;
  const commonFolder = resolve(root, common);
  return {
    root,
    gitFolder: realpathSync.native(gitFolder),
    commonFolder,
    prefix,
    objectFormat: objectFormat === 'sha256' ? 'sha256' : 'sha1',
    boundary: readBoundary(join(commonFolder, 'shallow')),
  };
}

function readBoundary(file: string): ReadonlySet<string> {
  const isThere = existsSync(file) && statSync(file).isFile();
  return new Set(isThere ? readFileSync(file, 'latin1').split('\n').filter(Boolean) : []);
}
