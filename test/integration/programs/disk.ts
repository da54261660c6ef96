/** Disks of a chosen size, and what fills them. */

import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemErrorCode } from '../../../src/base/errors.js';
import { makeFolder, runProgram } from '../../support/site.js';

const PAGE = 4096;

/** Mounts a file system in memory until the test is over. Only root of Linux can. */
export async function mountMemory(options: string): Promise<string> {
  const folder = makeFolder();
  const mounted = await runProgram('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
  if (mounted.status !== 0) throw new Error(`This test needs to mount a tmpfs: ${mounted.stderr}`);
  onTestFinished(async () => {
    await runProgram('umount', [folder]);
  });
  return folder;
}

/** Does something until there is no room, and returns how often it went well. */
function countUntilFull(act: (time: number) => void): number {
  for (let time = 0; ; time++) {
    try {
      act(time);
    } catch (error) {
      if (systemErrorCode(error) !== 'ENOSPC') throw error;
      return time;
    }
  }
}

/** Takes all the room but for so many pages; a dot-file, so nothing to describe. */
function leavePages(folder: string, pages: number): void {
  const file = openSync(join(folder, '.fill'), 'w');
  const full = countUntilFull(() => writeSync(file, Buffer.alloc(PAGE)));
  ftruncateSync(file, Math.max(0, full - pages) * PAGE);
  closeSync(file);
}

/** Takes all the inodes but so many. */
function leaveInodes(folder: string, inodes: number): void {
  mkdirSync(join(folder, '.fill'));
  const full = countUntilFull((time) => writeFileSync(join(folder, '.fill', `${time}`), ''));
  for (let freed = 1; freed <= inodes; freed++) rmSync(join(folder, '.fill', `${full - freed}`));
}

/** Resources that a disk may lack, and how to take all but so much of them. */
export const KINDS = {
  room: { options: 'size=1m', leave: leavePages },
  inodes: { options: 'size=8m,nr_inodes=300', leave: leaveInodes },
};
