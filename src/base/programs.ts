/** Finds the programs that we run. */

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { unlessRefused } from './errors.js';

/** Finds a program in absolute folders of `PATH`: relative ones, and the working directory on Windows, may be strangers'. */
export function findProgram(program: string): string | undefined {
  const name = process.platform === 'win32' ? `${program}.exe` : program;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(file: string): boolean {
  const look = () => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  };
  return unlessRefused(look) === true;
}
