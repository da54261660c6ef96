/**
 * Loaded into a measured process before its program: tells the peak of its memory, in bytes, and its processor time, in
 * microseconds, when it ends.
 */

import { existsSync, readFileSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const STATUS = '/proc/self/status';

if (isMainThread) process.on('exit', tell);

function tell(): void {
  const { user, system } = process.cpuUsage();
  writeSync(3, `${readKibibytes() * 1024} ${user + system}`);
}

/** On Linux `maxRSS` may be that of the process which started this one, and `VmHWM` cannot. */
function readKibibytes(): number {
  if (!existsSync(STATUS)) return process.resourceUsage().maxRSS;
  return Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(STATUS, 'utf8'))?.[1]);
}
