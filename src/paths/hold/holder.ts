/** Who holds a lock, and whether that process is still there. */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemErrorCode } from '../../base/errors.js';

/** A run that holds a lock. */
interface Holder {
  readonly host: string;
  readonly pid: number;
  readonly run: string;
  /** Tells the process from others that have its id before or after it; only where the system says. */
  readonly started?: string;
}

export function makeHolder(): Holder {
  const started = readStart(process.pid);
  const holder = { host: hostname(), pid: process.pid, run: randomUUID() };
  return started === undefined ? holder : { ...holder, started };
}

export function readHolder(text: string): Omit<Holder, 'run'> | undefined {
  const [, host, pid] = /^\{"host":"([^"]*)","pid":(\d+),/.exec(text) ?? [];
  const [, started] = /"started":"([^"]*)"\}$/.exec(text) ?? [];
  if (host === undefined) return undefined;
  return { host, pid: Number(pid), ...(started !== undefined && { started }) };
}

/** Since when a process runs, on Linux: the boot of the system, and the clock ticks after it. */
function readStart(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, in parentheses, may hold anything. After it comes the third field; the time is the 22nd.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return ticks === undefined ? undefined : `${boot} ${ticks}`;
  } catch (error) {
    if (systemErrorCode(error) !== undefined) return undefined;
    throw error;
  }
}

export function isAlive({ pid, started }: Omit<Holder, 'run'>): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemErrorCode(error) !== 'EPERM') return false;
  }
  // Without the time of its start, it may be another that has the id again.
  const start = started === undefined ? undefined : readStart(pid);
  return start === undefined || start === started;
}
