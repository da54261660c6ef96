/** Finds the repository of a site, and reads the publications that it keeps. */

import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import type { PathChange, Publication } from '../../plan/replay.js';
import { askGit, findGit, type GitProcess, makeGitError, startGit } from './run.js';

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
  for (const root of ancestorsOf(from)) {
    const gitFolder = join(root, '.git');
    if (!existsSync(gitFolder)) continue;
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
  const root = ancestorsOf(realpathSync.native(folder)).find(isBare);
  return root === undefined ? undefined : await readFacts(root, '', { 'safe.bareRepository': 'all' });
}

function ancestorsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestorsOf(parent)];
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
  const entry = await askGit(repository, ['ls-tree', '-d', '--full-tree', commit, '--', path]);
  return entry !== '';
}

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
export async function* readPublications(
  repository: Repository,
  commit: string,
  prefix: string,
): AsyncGenerator<Publication, void> {
  // git compares the trees of commits in one thread, which takes most of the time; several may do so side by side. How
  // many of the commits touch the folder would take long to find out, and only tells how even the shares are.
  const commits = await countCommits(repository, commit);
  const readers = Math.max(1, Math.min(READERS, Math.floor(commits / READER_COMMITS)));
  const size = Math.ceil(commits / readers);
  const logs = Array.from({ length: readers }, (_, index) => {
    const end = index < readers - 1 ? [`--max-count=${size}`] : [];
    return startLog(repository, commit, prefix, [`--skip=${index * size}`, ...end]);
  });
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

async function countCommits(repository: Repository, commit: string): Promise<number> {
  const git = startGit(repository, ['rev-list', '--first-parent', '--count', commit]);
  git.stdin.end();
  const count = Number(await readText(git.stdout));
  await git.ended;
  return count;
}

interface Log {
  readonly git: GitProcess;
  /** Of the path to the folder, with its slash, in bytes. */
  readonly skip: number;
}

/** @param range which of the publications, as options of git */
function startLog(repository: Repository, commit: string, prefix: string, range: readonly string[]): Log {
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
    ...range,
    commit,
    '--',
    ...(prefix === '' ? [] : [prefix]),
  ]);
  git.stdin.end();
  return { git, skip: prefix === '' ? 0 : Buffer.byteLength(prefix) + 1 };
}

async function* readLog({ git, skip }: Log): AsyncGenerator<Publication, void> {
  const publications: { id: string; seconds: number; changes: PathChange[] }[] = [];
  let entry: { mode: string; blob: string } | undefined;
  const readToken = (token: Buffer) => {
    if (entry !== undefined) {
      const path = token.subarray(skip);
      // A name that is not UTF-8 has no URL; it was never a resource. Nor was a file in the place of the folder.
      if (path.length > 0 && isUtf8(path))
        publications.at(-1)?.changes.push(makePathChange(path.toString(), entry));
      entry = undefined;
      return;
    }
    const text = token.toString('latin1');
    const header = /^\x01(\S+) (\d+)\n?/.exec(text);
    if (header !== null) publications.push({ id: header[1] ?? '', seconds: Number(header[2]), changes: [] });
    const raw = text.slice(header?.[0].length ?? 0);
    if (raw === '') return;
    const [, mode = '', , blob = ''] = raw.split(' ');
    entry = { mode, blob };
  };
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of git.stdout) {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
      readToken(bytes.subarray(start, end));
      start = end + 1;
    }
    rest = bytes.subarray(start);
    // More changes of the last one may follow.
    yield* publications.splice(0, publications.length - 1);
  }
  if (rest.length > 0) readToken(rest);
  await git.ended;
  yield* publications;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function makePathChange(path: string, { mode, blob }: { mode: string; blob: string }): PathChange {
  return { path, blob: mode.startsWith('100') ? blob : undefined };
}
