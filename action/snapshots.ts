/** Fetches and pushes snapshots of the repository, and keeps a journal of the runs of one job. */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Run } from './command-line.js';
import { ActionError } from './inputs.js';

const SNAPSHOTS = 'refs/resync-static/*';
const REJECTIONS = [
  '\\[rejected\\]',
  'cannot lock ref',
  'failed to update ref',
  'incorrect old value',
  'already exists',
];
const OVERTAKEN = new RegExp(`^!.*(?:${REJECTIONS.join('|')})`, 'm');

/** Replaces the snapshots in the clone by those of the origin; snapshots that were not pushed are dropped. */
export function fetchSnapshots(): void {
  requireGit('fetch', '--quiet', '--no-tags', '--prune', 'origin', `+${SNAPSHOTS}:${SNAPSHOTS}`);
}

/** Fetches newer snapshots, and keeps those that were not pushed. A failure is ignored. */
export function fetchMoreSnapshots(): void {
  spawnSync('git', ['fetch', '--quiet', '--no-tags', 'origin', `${SNAPSHOTS}:${SNAPSHOTS}`], {
    stdio: 'ignore',
  });
}

/**
 * Pushes the snapshots, unless another job was faster.
 *
 * @returns the output of git if another job was faster; undefined after success
 * @throws ActionError if it fails for another reason
 */
export function tryPush(): string | undefined {
  const { done, stdout, stderr } = push();
  if (done) return undefined;
  const said = `${stdout}${stderr.trim()}`;
  if (!OVERTAKEN.test(stdout)) throw makePushError(said);
  return said;
}

/** Tests by a dry run if the job may push. Returns the output of git if it may not, otherwise undefined. */
export function findPushRefusal(): string | undefined {
  const { done, stdout, stderr } = push('--dry-run');
  return done || OVERTAKEN.test(stdout) ? undefined : stderr.trim();
}

function push(...options: readonly string[]): Output {
  return git('push', '--porcelain', ...options, 'origin', `${SNAPSHOTS}:${SNAPSHOTS}`);
}

export function makePushError(said: string): ActionError {
  return new ActionError(
    `The publications cannot be pushed:\n${said}\nThe job needs \`permissions: contents: write\`. Run it again.`,
  );
}

/** Returns the path of the journal: a file for the recording runs of all steps of a job in this repository. */
export function findJournal(): string {
  const repository = requireGit('rev-parse', '--absolute-git-dir').trim();
  const name = createHash('sha256').update(repository).digest('hex').slice(0, 16);
  return join(process.env['RUNNER_TEMP'] ?? '.', 'resync-static', `${name}.json`);
}

export function readRuns(journal: string): Run[] {
  return existsSync(journal) ? JSON.parse(readFileSync(journal, 'utf8')) : [];
}

export function writeRuns(journal: string, runs: readonly Run[]): void {
  mkdirSync(dirname(journal), { recursive: true });
  writeFileSync(journal, JSON.stringify(runs));
}

interface Output {
  readonly done: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

function git(...args: readonly string[]): Output {
  // Git must not ask for a password: nobody could type it.
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    encoding: 'utf8',
    env,
    maxBuffer: 1 << 28,
  });
  if (error !== undefined) throw error;
  return { done: status === 0, stdout, stderr };
}

function requireGit(...args: string[]): string {
  const { done, stdout, stderr } = git(...args);
  if (!done) throw new ActionError(`git ${args.join(' ')} failed:\n${stderr.trim()}`);
  return stdout;
}
