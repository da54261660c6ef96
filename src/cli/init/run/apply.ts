/** Carries out a plan: writes its files, and makes a repository if it says so. */

import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ResyncError, systemErrorCode } from '../../../base/errors.js';
import { say } from '../../../base/text/say.js';
import { askGit } from '../../../history/git/run.js';
import type { InitPlan, ProjectEdit } from '../model.js';

/**
 * Writes the files of a plan. Each is the old or the new one at any moment, and keeps its mode.
 *
 * @throws ResyncError `write-failed`, which names what was written before; `git-failed`
 */
export async function applyPlan(
  folder: string,
  { edits, keeping }: Pick<InitPlan, 'edits' | 'keeping'>,
): Promise<void> {
  const written: string[] = [];
  for (const edit of edits) {
    try {
      writeEdit(folder, edit);
      written.push(edit.file);
    } catch (error) {
      throw explain(join(folder, edit.file), error, written);
    }
  }
  if (keeping.kind === 'record' && keeping.isNewRepository) {
    await askGit({ root: folder, gitFolder: join(folder, '.git') }, ['init', '--quiet']);
  }
}

function writeEdit(folder: string, { file, before, after }: ProjectEdit): void {
  const target = join(folder, file);
  const facts = statSync(target, { throwIfNoEntry: false });
  const found = facts === undefined ? undefined : readFileSync(target, 'utf8');
  if (found !== before) throw new Changed();
  mkdirSync(dirname(target), { recursive: true });
  const staged = join(dirname(target), `.${basename(target)}.resync-static`);
  try {
    writeFileSync(staged, after, { flag: 'wx' });
    if (facts !== undefined) chmodSync(staged, facts.mode & 0o7777);
    if (readFileSync(staged, 'utf8') !== after) throw new Changed();
    renameSync(staged, target);
  } finally {
    rmSync(staged, { force: true });
  }
}

/** The file is not what it was when the plan was made. */
class Changed extends Error {}

function explain(file: string, error: unknown, written: readonly string[]): unknown {
  const code = systemErrorCode(error);
  if (!(error instanceof Changed) && code === undefined) return error;
  const reason = error instanceof Changed ? 'it changed in the meantime' : (code ?? '');
  const before =
    written.length === 0
      ? say`Nothing was changed.`
      : say`Before that, these were written: ${written.join(', ')}.`;
  return new ResyncError(
    'write-failed',
    say`${file} cannot be written: ${reason}.\n${before} Mend that, and run resync-static init again.`,
    { cause: error },
  );
}

/**
 * Runs a build, which prints by itself.
 *
 * @param output where it prints: 1 for standard output, 2 for standard error
 * @throws ResyncError `build-failed`
 */
export function runBuild(folder: string, command: readonly string[], output: 1 | 2): Promise<void> {
  const [program = '', ...args] = command;
  const text = command.join(' ');
  return new Promise((resolve, reject) => {
    // On Windows, npm and its like are scripts, which only a shell can run. Nothing in a command is quoted.
    const shell = process.platform === 'win32';
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', output, 2], shell });
    child.on('error', (error) => {
      const reason = systemErrorCode(error) === 'ENOENT' ? `${program} is not installed` : error.message;
      reject(
        new ResyncError('build-failed', say`The build could not start: ${text}: ${reason}.`, {
          cause: error,
        }),
      );
    });
    child.on('close', (status, signal) => {
      if (status === 0) return resolve();
      const words = say`The build ended with ${status ?? String(signal)}: ${text}\nWhat it printed says why. Mend that, and run the build again.`;
      reject(new ResyncError('build-failed', words));
    });
  });
}
