/** Repositories for the tests: plain commits are written without a program, all else by the real git. */

import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { initRepository, writeCommit } from './git-writer.js';
import { makeFolder, makeSite } from './site.js';

// Code that runs in the process of the tests reads the settings of the user, too: of one who has none.
process.env['HOME'] = join(tmpdir(), 'nobody');
delete process.env['XDG_CONFIG_HOME'];

/** The second at which the histories of the tests begin: 2023-11-14T22:13:20Z. */
export const BEGIN = 1_700_000_000;

const [NAME, EMAIL] = ['Test', 'test@example.org'];
const WHO = `${NAME} <${EMAIL}>`;

const identity = {
  GIT_AUTHOR_NAME: NAME,
  GIT_AUTHOR_EMAIL: EMAIL,
  GIT_COMMITTER_NAME: NAME,
  GIT_COMMITTER_EMAIL: EMAIL,
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
  return execFileSync('git', [...FLAGS, ...args], {
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

export function makeRepository(...options: string[]): string {
  const folder = makeFolder();
  if (options.length > 0) git(folder, ['init', '--quiet', ...options]);
  else initRepository(folder);
  return folder;
}

/** Commits all that is in the work tree, at a second of our choice. */
export function commitAll(folder: string, seconds: number, message = 'Publish'): string {
  const written = writeCommit(folder, folder, { ref: 'HEAD', who: `${WHO} ${seconds} +0000`, message });
  if (written !== undefined) return written;
  const date = `@${seconds} +0000`;
  const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  git(folder, ['add', '--all', '--force']);
  git(folder, ['commit', '--quiet', '--allow-empty', '--message', message], '', dates);
  return gitText(folder, 'rev-parse', 'HEAD');
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
  const ref = `refs/heads/${branch}`;
  const who = `${WHO} ${BEGIN + seconds} +0000`;
  if (writeCommit(repository, folder, { ref, who, message: 'Deploy' }) === undefined)
    throw new Error(`${folder} cannot be committed without git`);
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
