/** Runs the build of a project. */

import { spawn } from 'node:child_process';
import { ResyncError, systemErrorCode } from '../../../base/errors.js';
import { say } from '../../../base/text/say.js';

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
