/** Repositories for the tests, made by the real git and by nothing of ours. */

import { execFileSync } from 'node:child_process';
import { makeFolder } from './site.js';

const identity = {
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.org',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.org',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** Runs git and returns what it prints, bytes as they are. */
export function git(folder: string, args: readonly string[], input: string | Buffer = '', env = {}): Buffer {
  return execFileSync('git', ['-c', 'init.defaultBranch=main', '-c', 'protocol.file.allow=always', ...args], {
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
  git(folder, ['init', '--quiet', ...options]);
  return folder;
}

/** Commits all that is in the work tree, at a second of our choice. */
export function commitAll(folder: string, seconds: number, message = 'Publish'): string {
  const date = `${seconds} +0000`;
  git(folder, ['add', '--all', '--force']);
  git(folder, ['commit', '--quiet', '--allow-empty', '--message', message], '', {
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
  });
  return gitText(folder, 'rev-parse', 'HEAD');
}
