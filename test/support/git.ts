/** Repositories for the tests, made by the real git and by nothing of ours. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeFolder, makeSite } from './site.js';

// What we run in the tests' own process reads the settings of a user, too: of one who has none.
process.env['HOME'] = join(tmpdir(), 'nobody');
delete process.env['XDG_CONFIG_HOME'];

/** The second at which the histories of the tests begin: 2023-11-14T22:13:20Z. */
export const BEGIN = 1_700_000_000;

const identity = {
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.org',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.org',
  GIT_CONFIG_NOSYSTEM: '1',
};

// Nothing that is committed here lives so long that it has to be put in order, and samples of hooks are of no use.
const SETTINGS = [
  'init.defaultBranch=main',
  'init.templateDir=',
  // Nothing that is made here has to outlive the machine.
  'core.fsync=none',
  'maintenance.auto=false',
  'protocol.file.allow=always',
];
const FLAGS = SETTINGS.flatMap((setting) => ['-c', setting]);

/** Runs git and returns what it prints, bytes as they are. */
export function git(folder: string, args: readonly string[], input: string | Buffer = '', env = {}): Buffer {
  return run(folder, 'git', [...FLAGS, ...args], input, env);
}

function run(folder: string, program: string, args: readonly string[], input: string | Buffer, env: object) {
  return execFileSync(program, args, {
    cwd: folder,
    input,
    env: { PATH: process.env['PATH'], HOME: folder, ...identity, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  });
}

/** The same, as one text without the line break at its end. */
export function gitText(folder: string, ...args: string[]): string {
  return git(folder, args).toString().replace(/\n$/, '');
}

/** What git makes of an empty folder: its folders, and its files with their text. Asked for once in a process. */
let initial: { folders: string[]; files: [path: string, text: string][] } | undefined;

function readInitial(): NonNullable<typeof initial> {
  const folder = makeFolder();
  git(folder, ['init', '--quiet']);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = (some: typeof entries) =>
    some.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return {
    folders: paths(entries.filter((entry) => entry.isDirectory())),
    files: paths(entries.filter((entry) => entry.isFile())).map((path) => [
      path,
      readFileSync(join(folder, path), 'utf8'),
    ]),
  };
}

export function makeRepository(...options: string[]): string {
  const folder = makeFolder();
  if (options.length > 0) {
    git(folder, ['init', '--quiet', ...options]);
    return folder;
  }
  initial ??= readInitial();
  for (const path of initial.folders) mkdirSync(join(folder, path), { recursive: true });
  for (const [path, text] of initial.files) writeFileSync(join(folder, path), text);
  return folder;
}

// To start two programs from here takes more than what they do; to start them from a shell, next to nothing.
const COMMIT = 'git "$@" add --all --force && git "$@" commit --quiet --allow-empty --message "$0"';

/** Commits all that is in the work tree, at a second of our choice. */
export function commitAll(folder: string, seconds: number, message = 'Publish'): string {
  const date = `@${seconds} +0000`;
  const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  run(folder, 'sh', ['-c', COMMIT, message, ...FLAGS], '', dates);
  return readHead(folder);
}

/** The commit that is checked out; read from its file where there is one, because a program takes longer. */
function readHead(folder: string): string {
  const read = (path: string) => {
    const file = join(folder, '.git', path);
    return existsSync(file) ? readFileSync(file, 'utf8').trimEnd() : '';
  };
  const head = read('HEAD');
  const commit = head.startsWith('ref: ') ? read(head.slice('ref: '.length)) : head;
  return /^[0-9a-f]{40,64}$/.test(commit) ? commit : gitText(folder, 'rev-parse', 'HEAD');
}

/** Writes files, or removes those that are undefined, and commits all, so many seconds after the beginning. */
export function commitFiles(
  folder: string,
  seconds: number,
  files: Readonly<Record<string, string | Uint8Array | undefined>>,
): string {
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) rmSync(join(folder, path));
    else makeSite({ [path]: content }, folder);
  }
  return commitAll(folder, BEGIN + seconds);
}

/** Commits a folder, with all that is in it, to a branch, as a deploy step does: the work tree and the index stay. */
export function commitFolder(repository: string, seconds: number, folder: string, branch: string): void {
  const index = { GIT_INDEX_FILE: join(makeFolder(), 'index'), GIT_WORK_TREE: folder };
  const ref = `refs/heads/${branch}`;
  const date = `${BEGIN + seconds} +0000`;
  git(repository, ['add', '--all', '--force', '.'], '', { ...index, GIT_DIR: join(repository, '.git') });
  const tree = git(repository, ['write-tree'], '', index).toString().trim();
  const parent = gitText(repository, 'for-each-ref', '--format=%(objectname)', ref);
  const parents = parent === '' ? [] : ['-p', parent];
  const commit = git(repository, ['commit-tree', tree, ...parents, '-m', 'Deploy'], '', {
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
  });
  git(repository, ['update-ref', ref, commit.toString().trim()]);
}

/** Clones as from a server: depth and filters count. */
export function cloneOf(origin: string, ...options: string[]): string {
  const folder = makeFolder();
  git(folder, ['clone', '--quiet', ...options, pathToFileURL(origin).href, '.']);
  return folder;
}

/** Every file of a commit, its bytes as a binary string, by path. */
export function readCommit(folder: string, commit: string): Record<string, string> {
  const rows = git(folder, ['ls-tree', '-r', '-z', commit]).toString().split('\0').filter(Boolean);
  const files = rows.map((row) => /^\d+ blob (\w+)\t(.*)$/s.exec(row) ?? []);
  const output = git(folder, ['cat-file', '--batch'], files.map(([, id]) => `${id}\n`).join(''));
  let offset = 0;
  const contents = files.map(([, , path = '']): [string, string] => {
    const start = output.indexOf('\n', offset) + 1;
    const size = Number(output.toString('latin1', offset, start).split(' ')[2]);
    offset = start + size + 1;
    return [path, output.toString('latin1', start, start + size)];
  });
  return Object.fromEntries(contents);
}
