/** Reads the publications that git keeps. */

import { availableParallelism } from 'node:os';
import type { Publication } from '../plan/replay.js';
import { startLogParser } from './parse-log.js';
import type { Repository } from './repository.js';
import { askGit, type GitProcess, startGit } from './run.js';

/** More processes than that gain nothing: what they find is put together in one thread. */
const READERS = Math.min(4, availableParallelism());

/** For fewer commits than that, another one takes longer to start than it saves. */
const READER_COMMITS = 250;

/**
 * Reads what the first-parent commits that touch a folder did to its files, newest first. Only regular files count: a
 * symbolic link or a submodule is as good as absent.
 *
 * @param prefix the folder, '' for the top; paths are relative to it
 * @throws ResyncError `git-failed`
 */
export function readPublications(
  repository: Repository,
  commit: string,
  prefix: string,
): AsyncGenerator<Publication, void> {
  const commits = listCommits(repository, commit);
  // It is awaited when the first publication is asked for.
  commits.catch(() => undefined);
  return readShares(repository, commits, prefix);
}

async function* readShares(
  repository: Repository,
  listed: Promise<readonly string[]>,
  prefix: string,
): AsyncGenerator<Publication, void> {
  // git compares the trees of commits in one thread, which takes most of the time; several may do so side by side. How
  // many of the commits touch the folder would take long to find out, and only tells how even the shares are.
  const commits = await listed;
  const readers = Math.max(1, Math.min(READERS, Math.floor(commits.length / READER_COMMITS)));
  const size = Math.ceil(commits.length / readers);
  const starts = commits.filter((_, index) => index % size === 0);
  const logs = starts.map((start, index) => startLog(repository, start, starts[index + 1], prefix));
  const [newest, ...older] = logs.map(readLog) as [
    AsyncGenerator<Publication>,
    ...AsyncGenerator<Publication>[],
  ];
  // A pipe that nobody reads would fill up.
  const collected = older.map(collect);
  for (const part of collected) part.catch(() => undefined);
  try {
    yield* newest;
    for (const part of collected) yield* await part;
  } finally {
    for (const { git } of logs) git.stdout.destroy();
  }
}

/** The ids of a commit and its first parents, newest first. */
async function listCommits(repository: Repository, commit: string): Promise<readonly string[]> {
  return (await askGit(repository, ['rev-list', '--first-parent', commit])).split('\n');
}

interface Log {
  readonly git: GitProcess;
  /** Of the path to the folder, with its slash, in bytes. */
  readonly skip: number;
}

/** @param end the first commit that is not read; undefined to read to the oldest */
function startLog(repository: Repository, start: string, end: string | undefined, prefix: string): Log {
  const git = startGit(repository, [
    'log',
    '--first-parent',
    '-m',
    '--raw',
    '-z',
    '--no-renames',
    '--no-abbrev',
    '--no-show-signature',
    '--no-notes',
    '--no-mailmap',
    '--encoding=UTF-8',
    '-O/dev/null',
    '--format=format:%x01%H %ct',
    start,
    ...(end === undefined ? [] : [`^${end}`]),
    '--',
    ...(prefix === '' ? [] : [prefix]),
  ]);
  git.stdin.end();
  return { git, skip: prefix === '' ? 0 : Buffer.byteLength(prefix) + 1 };
}

async function* readLog({ git, skip }: Log): AsyncGenerator<Publication, void> {
  const parser = startLogParser(skip);
  for await (const chunk of git.stdout) yield* parser.take(chunk);
  await git.ended;
  yield* parser.finish();
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
