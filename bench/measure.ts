/** Measures programs: two in turn for their times, one for its memory and its stages. */

import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { ownProgram, type Report } from './built.js';
import { type Argv, readText, run, start, succeed } from './processes.js';

/** One of the two things that a comparison times. */
export interface Side {
  /** Short, for the table. */
  readonly label: string;
  /** Does it once. @returns milliseconds */
  readonly time: () => Promise<number>;
}

/** Milliseconds of each run, in the order of the runs. */
export interface Times {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

export interface Observed {
  /** The highest peak of resident memory of all runs, in bytes. */
  readonly peak: number;
  /** The median of each stage, in milliseconds. */
  readonly stages: Readonly<Record<string, number>>;
}

/** The whole of a program, from its start to its end. */
export function wholeRun(label: string, argv: Argv, cwd?: string): Side {
  const time = async () => {
    const begin = performance.now();
    await run(argv, { cwd });
    return performance.now() - begin;
  };
  return { label, time };
}

/**
 * Times two things in turn, after a warm-up of each.
 *
 * @param reset makes every run of that side find the same; it is not timed
 */
export async function timeInTurn(
  sides: Readonly<Record<'a' | 'b', Side>>,
  reset: (side: 'a' | 'b') => void | Promise<void>,
  runs: number,
): Promise<Times> {
  const times: Record<'a' | 'b', number[]> = { a: [], b: [] };
  for (let round = 0; round <= runs; round++) {
    for (const side of ['a', 'b'] as const) {
      await reset(side);
      const time = await sides[side].time();
      if (round > 0) times[side].push(time);
    }
  }
  return times;
}

/** Runs the command line with `--json` several times. */
export async function observeRuns(
  argv: Argv,
  reset: () => void | Promise<void>,
  runs: number,
): Promise<Observed> {
  const peaks: number[] = [];
  const durations: Report['durations'][] = [];
  for (let round = 0; round < runs; round++) {
    await reset();
    const { peak, text } = await measurePeak([...argv, '--json']);
    const report: Report = JSON.parse(text);
    peaks.push(peak);
    durations.push(report.durations);
  }
  const stages = Object.keys(durations[0] ?? {}) as (keyof Report['durations'])[];
  return {
    peak: Math.max(...peaks),
    stages: Object.fromEntries(
      stages.map((stage) => [stage, median(durations.map((times) => times[stage]))]),
    ),
  };
}

/**
 * Runs a Node program, which tells its peak of memory and its processor time itself on file descriptor 3.
 *
 * @returns the peak in bytes, seconds of all processors, and what the program prints
 */
export async function measurePeak([node, ...args]: Argv): Promise<{
  peak: number;
  processor: number;
  text: string;
}> {
  const [, tellPeak = ''] = ownProgram('tell-peak');
  const argv: Argv = [node, `--import=${pathToFileURL(tellPeak)}`, ...args];
  const child = start(argv, { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] });
  const [text, told] = await Promise.all([
    readText(child.stdout),
    readText(child.stdio[3] as Readable | null),
    succeed(child, argv),
  ]);
  const [peak = 0, microseconds = 0] = told.split(' ').map(Number);
  if (!(peak > 0)) throw new Error(`${argv.join(' ')} did not tell its peak memory`);
  return { peak, processor: microseconds / 1e6, text };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const around = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return around.reduce((sum, value) => sum + value, 0) / around.length;
}
