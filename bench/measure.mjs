/** Runs commands and measures them: two in turn for their times, one for its memory and its stages. */

import { spawnSync } from 'node:child_process';

/**
 * @typedef {object} Command
 * @property {string} label short, for the table
 * @property {readonly [string, ...string[]]} argv
 * @property {string} [cwd]
 * @property {() => number} [time] what is done and measured in place of running `argv`; returns milliseconds
 */

/**
 * @typedef {object} Comparison Two commands that are timed side by side. Each section of the bench is a list of these.
 * @property {string} name for `--only`
 * @property {string} title what the commands work on
 * @property {readonly string[]} tools programs that have to be there
 * @property {() => void} setup makes what the commands need, once
 * @property {(side: 'a' | 'b') => void} reset makes every run of that side find the same; not timed
 * @property {Command} a
 * @property {Command} b
 * @property {Target | undefined} target
 * @property {number | undefined} resources that `a` lists; it is then also run with `--json` for peak memory and stages
 * @property {number} [baseBytes] what it may take beside what each resource does @default 100 MB
 */

/**
 * @typedef {{ ratio: number, strict?: boolean } | { adds: number }} Target `a` takes at most `ratio` times as long as `b`,
 *   less if strict; or less than `adds` milliseconds longer
 */

/** @typedef {import('../src/index.js').Report} Report */

/**
 * Times two commands in turn, after a warm-up of each.
 *
 * @param {Comparison} comparison
 * @param {number} runs
 * @returns {{ a: number[], b: number[] }} milliseconds
 */
export function timeInTurn({ a, b, reset }, runs) {
  /** @type {{ a: number[], b: number[] }} */
  const times = { a: [], b: [] };
  for (let run = 0; run <= runs; run++) {
    reset('a');
    const first = timeCommand(a);
    reset('b');
    const second = timeCommand(b);
    if (run === 0) continue;
    times.a.push(first);
    times.b.push(second);
  }
  return times;
}

/** @param {Command} command */
function timeCommand(command) {
  if (command.time !== undefined) return command.time();
  const [file, ...args] = command.argv;
  const start = performance.now();
  const result = spawnSync(file, args, { cwd: command.cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  const time = performance.now() - start;
  refuseFailure(command.argv, result);
  return time;
}

/**
 * Loaded into the measured process before its program; tells the peak on file descriptor 3 when it ends. On Linux
 * `maxRSS` may be that of the process which started this one, and `VmHWM` cannot.
 */
export const TELL_PEAK = `
  import { existsSync, readFileSync, writeSync } from 'node:fs';
  const kibibytes = () => existsSync('/proc/self/status')
    ? Number(/VmHWM:\\s*(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
    : process.resourceUsage().maxRSS;
  process.on('exit', () => writeSync(3, String(kibibytes() * 1024)));`;

/**
 * Runs a command of ours with `--json` several times.
 *
 * @param {Comparison} comparison its `a` is `node`, a program of ours, and arguments
 * @param {number} runs
 * @returns {{ peak: number, durations: Record<string, number> }} the highest peak of resident memory of all runs, in
 *   bytes, and the median of each stage in milliseconds
 */
export function observeRuns({ a, reset }, runs) {
  const [node, ...args] = a.argv;
  const argv = [`--import=data:text/javascript,${encodeURIComponent(TELL_PEAK)}`, ...args, '--json'];
  const seen = Array.from({ length: runs }, () => {
    reset('a');
    const result = spawnSync(node, argv, {
      cwd: a.cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    });
    refuseFailure([node, ...argv], result);
    const peak = Number(result.output[3]);
    if (!(peak > 0)) throw new Error(`${a.label} did not tell its peak memory`);
    /** @type {Report} */
    const report = JSON.parse(result.stdout);
    return { peak, ...report };
  });
  /** @type {Record<string, number>} */
  const durations = {};
  for (const stage of Object.keys(seen[0]?.durations ?? {})) {
    durations[stage] = median(
      seen.map((run) => run.durations[/** @type {keyof Report['durations']} */ (stage)]),
    );
  }
  return { peak: Math.max(...seen.map(({ peak }) => peak)), durations };
}

/**
 * @param {readonly string[]} argv
 * @param {import('node:child_process').SpawnSyncReturns<string | Buffer>} result
 */
function refuseFailure(argv, { error, status, signal }) {
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${signal ?? `status ${status}`}`);
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const around = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return around.reduce((sum, value) => sum + value, 0) / around.length;
}
