/** Finds the repository around a folder. */

import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { listAround } from '../../base/folders.js';
import { matchGroups } from '../../base/text/match.js';
import { askGit, findGit, type GitOptions, makeGitError } from './run.js';

/** A repository as seen from one folder. */
export interface Repository {
  /** The folder in which git runs: the top of the work tree, or the folder of a bare repository. */
  readonly root: string;
  /** The folder in which git keeps the repository, or the data of one of its work trees. */
  readonly gitFolder: string;
  /** The folder with the data that all work trees of the repository share. */
  readonly commonFolder: string;
  /** The folder from which the repository is seen, relative to `root`, `/` between segments; '' for `root` itself. */
  readonly prefix: string;
  readonly objectFormat: 'sha1' | 'sha256';
  /** Commits whose parents a shallow clone lacks; empty for other clones. */
  readonly boundary: ReadonlySet<string>;
  /** The commit of HEAD; undefined if there is no commit yet, or HEAD is damaged. */
  readonly head: string | undefined;
  /** Names of those settings that are about hooks, filters, remotes, and objects that may be missing. */
  readonly settings: readonly string[];
}

const SETTINGS = '^((hook|filter)\\..*\\.|remote\\..*\\.(url|pushurl|promisor)$|extensions\\.partialclone$)';

/**
 * Finds the repository around a folder: the nearest one that is in a folder `.git`, or where a file of that name leads.
 * Passes by folders that look like a bare repository, because anybody can commit such a folder.
 *
 * @returns undefined if there is no repository, or git is not installed
 * @throws ResyncError `git-failed` if git refuses, as in a folder of another user, or if a file `.git` leads nowhere, or
 *   a folder `.git` is damaged
 */
export async function openRepository(folder: string): Promise<Repository | undefined> {
  if (findGit() === undefined) return undefined;
  const from = realpathSync.native(folder);
  for (const root of listAround(from)) {
    const gitFolder = join(root, '.git');
    if (!existsSync(gitFolder)) continue;
    const isFile = statSync(gitFolder).isFile();
    const repository = await readFacts(root, relative(root, from).split(sep).join('/'), { isFile });
    if (repository !== undefined && (isFile || realpathSync.native(gitFolder) === repository.gitFolder))
      return repository;
    // git passes by a damaged `.git` and searches the folders around it, which may hold another repository.
    if (existsSync(join(gitFolder, 'objects')))
      throw makeGitError(root, 'the folder .git is damaged: git finds no repository in it');
  }
  return undefined;
}

/**
 * Finds the bare repository around a folder that the user has named; undefined if there is none, or git is not installed.
 * @throws ResyncError `git-failed`
 */
export async function openBareRepository(folder: string): Promise<Repository | undefined> {
  if (findGit() === undefined) return undefined;
  const isBare = (path: string) => ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(path, name)));
  const root = listAround(realpathSync.native(folder)).find(isBare);
  if (root === undefined) return undefined;
  return await readFacts(root, '', { settings: { 'safe.bareRepository': 'all' } });
}

/** Reads facts of a repository; undefined if there is none. @param isFile if `.git` is a file, which git never passes by */
async function readFacts(
  root: string,
  prefix: string,
  { settings, isFile = false }: { readonly isFile?: boolean } & Pick<GitOptions, 'settings'>,
): Promise<Repository | undefined> {
  // The answers to `--is-bare-repository` separate the paths from each other and from the commit.
  const asked = ['--absolute-git-dir', '--git-common-dir'].flatMap((path) => [path, '--is-bare-repository']);
  const facts = ['--show-object-format', ...asked, '--revs-only', 'HEAD^{commit}'];
  const answer = await askGit({ root }, ['rev-parse', ...facts], { settings }).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : '';
    const [, complaint] = matchGroups(/fatal: (.*)/, message);
    if (isFile && complaint !== undefined && !complaint.includes('dubious ownership'))
      throw makeGitError(root, `the file .git leads to no repository: ${complaint}`);
    if (/not a git repository|cannot use bare repository/.test(message)) return '';
    throw error;
  });
  const [, objectFormat, found, common, head] = matchGroups(FACTS, answer);
  if (found === undefined || common === undefined) return undefined;
  const commonFolder = resolve(root, common);
  const gitFolder = realpathSync.native(found);
  const names = await askGit({ root, gitFolder }, [
    'config',
    '--null',
    '--name-only',
    '--get-regexp',
    SETTINGS,
  ]);
  return {
    root,
    gitFolder,
    commonFolder,
    prefix,
    objectFormat: objectFormat === 'sha256' ? 'sha256' : 'sha1',
    boundary: readBoundary(join(commonFolder, 'shallow')),
    head,
    settings: names.split('\0').filter(Boolean),
  };
}

const FACTS = /^(\w+)\n(.+)\n(?:true|false)\n(.+)\n(?:true|false)(?:\n([\da-f]+))?$/s;

function readBoundary(file: string): ReadonlySet<string> {
  const isThere = existsSync(file) && statSync(file).isFile();
  return new Set(isThere ? readFileSync(file, 'latin1').split('\n').filter(Boolean) : []);
}
