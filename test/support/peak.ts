/** Measures the peak memory of a program that runs with the environment given here. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// On Linux `maxRSS` may be that of the process which started this one, and `VmHWM` cannot.
const MEASURE = `
  import { existsSync, readFileSync, writeFileSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  const STATUS = '/proc/self/status';
  const read = () => existsSync(STATUS)
    ? /VmHWM:\\s*(\\d+) kB/.exec(readFileSync(STATUS, 'utf8'))[1]
    : process.resourceUsage().maxRSS;`;

/** @param folder takes two files */
export function measurePeak(folder: string): {
  readonly env: { readonly NODE_OPTIONS: string };
  /** In kilobytes, once the program has ended by itself. */
  readonly read: () => number;
} {
  const [program, peak] = [join(folder, 'measure.mjs'), join(folder, 'peak')];
  const tell = `if (isMainThread) process.on('exit', () => writeFileSync(${JSON.stringify(peak)}, String(read())));`;
  writeFileSync(program, `${MEASURE}\n${tell}\n`);
  return {
    env: { NODE_OPTIONS: `--import=${pathToFileURL(program).href}` },
    read: () => Number(readFileSync(peak, 'utf8')),
  };
}
