/** Identifies processes of this machine, and tells a process from a later one with the same id. */

import { readFileSync } from 'node:fs';
import { systemErrorCode, unlessRefused } from '../../base/errors.js';

export interface NamedProcess {
  readonly pid: number;
  /** The moment of its start, as `readStart` returns it; undefined if the system does not give it. */
  readonly started: string | undefined;
}

/** Returns when a process began: the boot of Linux, and the clock ticks since. '' for a zombie; undefined if unknown. */
export function readStart(pid: number): string | undefined {
  return unlessRefused(() => {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // In `stat`, the name of the program, in parentheses, may hold anything. The third field comes after it; the time is the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie: it has ended, and its parent has not read its status.
    if (fields[0] === 'Z') return '';
    return fields[19] === undefined ? undefined : `${boot} ${fields[19]}`;
  });
}

export function isAlive({ pid, started }: NamedProcess): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemErrorCode(error) !== 'EPERM') return false;
  }
  // Without a start time, this may be another process that got the same id.
  const start = started === undefined ? undefined : readStart(pid);
  return start === undefined || start === started;
}
