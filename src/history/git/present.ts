/** Finds out which objects a repository has: in a partial clone, some have not been fetched yet. */

import { text as readText } from 'node:stream/consumers';
import type { Repository } from './repository.js';
import { askGit, startGit } from './run.js';

/** The ids of all objects; undefined where every one should be here. */
export async function listPresent(repository: Repository): Promise<ReadonlySet<string> | undefined> {
  return (await isPartial(repository)) ? await listObjects(repository) : undefined;
}

async function isPartial(repository: Repository): Promise<boolean> {
  const pattern = '^(extensions\\.partialclone|remote\\..*\\.promisor)$';
  return (await askGit(repository, ['config', '--get-regexp', pattern])) !== '';
}

async function listObjects(repository: Repository): Promise<ReadonlySet<string>> {
  const git = startGit(repository, [
    'cat-file',
    '--batch-all-objects',
    '--unordered',
    '--batch-check=%(objectname)',
    '--buffer',
  ]);
  git.stdin.end();
  const text = await readText(git.stdout);
  await git.ended;
  return new Set(text.split('\n'));
}
