/** Paths of the programs that we run. */

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * Finds a program by `PATH`, for it runs in folders that strangers filled: a relative folder in `PATH` would be one of
 * theirs, and Windows looks into the working directory first.
 */
export function findProgram(program: string): string | undefined {
  const name = process.platform === 'win32' ? `${program}.exe` : program;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // There is none, or its folder is closed to us: the next one in PATH counts.
    return false;
  }
}
