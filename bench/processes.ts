/** Starts programs, waits for them, and ends those that still run when the bench ends or is interrupted. */

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

/** A program and its arguments. */
export type Argv = readonly [program: string, ...args: string[]];

export interface Surroundings {
  /** @default the folder in which the bench was started */
  readonly cwd?: string | undefined;
  /** Added to the environment of the bench. */
  readonly env?: Readonly<Record<string, string>>;
  /** @default only errors are shown */
  readonly stdio?: StdioOptions;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const living = new Set<ChildProcess>();

process.on('exit', endAll);

/** Starts a program in a process group of its own, so that whatever it starts can be ended with it. */
export function start([program, ...args]: Argv, { cwd, env, stdio }: Surroundings = {}): ChildProcess {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: stdio ?? ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  // Only while there is a program to end: corpora are made without a pause in which a signal could be heard.
  if (living.size === 0) for (const signal of SIGNALS) process.on(signal, endOnSignal);
  living.add(child);
  child.once('close', () => {
    living.delete(child);
    if (living.size === 0) for (const signal of SIGNALS) process.off(signal, endOnSignal);
  });
  return child;
}

/** @throws if the program cannot be started or fails */
export async function run(argv: Argv, surroundings?: Surroundings): Promise<void> {
  await succeed(start(argv, surroundings), argv);
}

/** @returns what the program prints */
export async function runForText(argv: Argv, surroundings?: Surroundings): Promise<string> {
  const child = start(argv, { stdio: ['ignore', 'pipe', 'inherit'], ...surroundings });
  const [text] = await Promise.all([readText(child.stdout), succeed(child, argv)]);
  return text;
}

/** Waits until the program has ended. @throws if it fails */
export async function succeed(child: ChildProcess, argv: Argv): Promise<void> {
  const [status, signal] = await once(child, 'close');
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${signal ?? `status ${status}`}`);
}

export async function readText(stream: AsyncIterable<Buffer> | null | undefined): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream ?? []) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Ends a program and all that it started. */
export async function stop(child: ChildProcess): Promise<void> {
  if (!living.has(child)) return;
  const closed = once(child, 'close');
  endGroup(child);
  await closed;
}

function endOnSignal(signal: (typeof SIGNALS)[number]): void {
  process.stderr.write(`Interrupted by ${signal}.\n`);
  process.exit(128 + constants.signals[signal]);
}

function endAll(): void {
  for (const child of living) endGroup(child);
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It has ended already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
