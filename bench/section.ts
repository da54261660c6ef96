/** A section of the bench, the row that it becomes, and how most of them come about: two things are compared. */

import { type Observed, observeRuns, type Side, type Times, timeInTurn } from './measure.js';
import type { Argv } from './processes.js';

export interface Section {
  /** For `--only`. */
  readonly name: string;
  /** What is compared, or measured, in a line. */
  readonly title: string;
  /** Programs that have to be there. */
  readonly tools: readonly string[];
  /** What it takes; it is measured only when it is named. */
  readonly onlyWhenNamed?: string;
  readonly measure: (runs: number, tell: (progress: string) => void) => Promise<Measured>;
}

export interface Measured {
  readonly times?: Times;
  readonly target?: Target | undefined;
  /** In bytes. */
  readonly memory?: { readonly peak: number; readonly limit: number };
  /** Milliseconds of each stage. */
  readonly stages?: Observed['stages'];
  /** What fits into no column. */
  readonly remark?: string;
}

/** `a` takes at most `ratio` times as long as `b`, less if strict; or less than `adds` milliseconds longer. */
export type Target = { readonly ratio: number; readonly strict?: boolean } | { readonly adds: number };

export interface Comparison {
  readonly name: string;
  /** What both sides work on. */
  readonly subject: string;
  readonly tools?: readonly string[];
  /** Makes what both sides need, once. */
  readonly prepare: () => void | Promise<void>;
  /** Makes every run of that side find the same; it is not timed. */
  readonly reset: (side: 'a' | 'b') => void | Promise<void>;
  /** Ends and removes what no other section should find. */
  readonly finish?: () => void | Promise<void>;
  readonly a: Side;
  readonly b: Side;
  /** @default nothing is promised */
  readonly target?: Target | undefined;
  /** The command of `a`, which is also run for its peak of memory (at most `limit` bytes) and its stages. */
  readonly memory?: { readonly argv: Argv; readonly limit: number } | undefined;
}

/** What every run may take, and what it may take for each resource, in bytes. */
export function allowMemory(resources: number, base = 100e6): number {
  return base + 1000 * resources;
}

export function compare(comparison: Comparison): Section {
  const { name, subject, tools = [], a, b } = comparison;
  return {
    name,
    title: `${subject}: ${a.label} / ${b.label}`,
    tools,
    measure: (runs, tell) => measureComparison(comparison, runs, tell),
  };
}

async function measureComparison(
  { prepare, reset, finish, a, b, target, memory }: Comparison,
  runs: number,
  tell: (progress: string) => void,
): Promise<Measured> {
  try {
    tell('preparing…');
    await prepare();
    tell(`${a.label} / ${b.label}, in turn…`);
    const times = await timeInTurn({ a, b }, reset, runs);
    if (memory === undefined) return { times, target };
    tell(`memory and stages of ${a.label}…`);
    const { peak, stages } = await observeRuns(memory.argv, () => reset('a'), runs);
    return { times, target, memory: { peak, limit: memory.limit }, stages };
  } finally {
    await finish?.();
  }
}
