/** Hands over what has changed: to a command, or to a function. */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, writeFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { LONGEST_TIMER } from '../../base/bell.js';
import { systemErrorCode } from '../../base/errors.js';
import { formatDuration } from '../../base/text/units.js';
import type { HeldFolder } from '../../paths/held/folder.js';
import { readOwn } from '../../paths/held/own.js';
import { findMarked, findProcess, nameProcess } from '../../paths/hold/lock.js';
import type { ResolvedMirror } from '../config.js';
import { readFiles } from '../memory/state.js';
import { forgetWaiting, recallWaiting, type WaitingChanges } from '../memory/waiting.js';
import type { HandedChanges, MirrorOptions } from '../report.js';

/** Takes what waits; says why not, where it did not. Null where it is not asked yet again. */
export type Hand = (waiting: WaitingChanges, memory: HeldFolder) => Promise<string | null | undefined>;

/**
 * The command that runs: one that outlived its run is waited for. First a mark that it is given, then, once it runs, its
 * process; a line each.
 */
const COMMAND = 'command';
const MOST_NAME = 4096;
/** After a refusal, a process that stays waits so long. */
const AGAIN = 60_000;
/** For a command that is to end, in milliseconds. */
const GRACE = 10_000;
/** For output that is on its way when a command has ended. */
const LAST_WORDS = 1000;

/** Hands over what waits, if anything does. */
export async function handOver(memory: HeldFolder, hand: Hand): Promise<HandedChanges | undefined> {
  const waiting = await recallWaiting(memory, () => readFiles(memory));
  if (waiting === undefined) return undefined;
  const { count } = waiting;
  const found = await hand(waiting, memory);
  if (found !== undefined) return { changes: count, taken: false, ...(found !== null && { found }) };
  forgetWaiting(memory);
  return { changes: count, taken: true };
}

/**
 * Makes what hands over; undefined where nobody takes anything. For all runs of one process: one that was refused is
 * tried again after a minute.
 *
 * @param interrupt gives what tells that a command is to end; asked for when one starts
 */
export function makeHand(
  { run, folder, maxTime }: ResolvedMirror,
  { onChanges, onOutput = () => undefined }: Pick<MirrorOptions, 'onChanges' | 'onOutput'>,
  interrupt?: () => AbortSignal,
): Hand | undefined {
  if (run === undefined && onChanges === undefined) return undefined;
  let refused = Number.NEGATIVE_INFINITY;

  async function offer(waiting: WaitingChanges, memory: HeldFolder): Promise<string | undefined> {
    if (run !== undefined) {
      const file = waiting.open();
      try {
        const command = { words: run, folder, maxTime, memory, file, onOutput, signal: interrupt?.() };
        const found = await runCommand(command);
        if (found !== undefined) return found;
      } finally {
        closeSync(file);
      }
    }
    try {
      await onChanges?.(waiting.changes);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  return async (waiting, memory) => {
    if (performance.now() - refused < AGAIN) return null;
    const begin = performance.now();
    const found = await offer(waiting, memory);
    refused = found === undefined ? Number.NEGATIVE_INFINITY : begin;
    return found;
  };
}

interface Command {
  readonly words: readonly string[];
  readonly folder: string;
  /** Milliseconds that it may take. */
  readonly maxTime: number;
  readonly memory: HeldFolder;
  /** What it reads. A file, which waits for nobody: a run that is killed leaves none of it unsaid. */
  readonly file: number;
  readonly onOutput: (line: string) => void;
  readonly signal: AbortSignal | undefined;
}

/** Runs a command to its end; says why it did not take what it was given. */
async function runCommand(command: Command): Promise<string | undefined> {
  const { words, folder, memory, file, onOutput } = command;
  const other = await awaitFormer(memory);
  if (other !== undefined) return `the command of an earlier run has not ended: process ${other}`;
  const [program = '', ...args] = words;
  const mark = randomUUID();
  memory.clear(COMMAND);
  const note = memory.create(COMMAND);
  let child: ChildProcess | undefined;
  let end: ReturnType<typeof endInTime> | undefined;
  try {
    writeFileSync(note, `${mark}\n`);
    // In a group of its own, so that Ctrl-C does not end it at once.
    child = spawn(program, args, {
      stdio: [file, 'pipe', 'pipe'],
      env: { ...process.env, RESYNC_FOLDER: folder, RESYNC_RUN: mark },
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const ended = awaitEnd(program, child);
    if (child.pid !== undefined) writeFileSync(note, `${nameProcess(child.pid)}\n`);
    const output = passOn(child, onOutput);
    end = endInTime(child, command);
    const found = await ended;
    await Promise.race([output, sleep(LAST_WORDS, undefined, { ref: false })]);
    return found === undefined ? undefined : (end.reason() ?? found);
  } catch (error) {
    // Nobody would wait for it.
    if (child !== undefined) killAll(child, 'SIGKILL');
    throw error;
  } finally {
    end?.stop();
    child?.stdout?.destroy();
    child?.stderr?.destroy();
    closeSync(note);
    memory.clear(COMMAND);
  }
}

/** Why a command did not take what it was given, once it has ended. */
function awaitEnd(program: string, child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(explainStart(program, error)));
    child.once('exit', (status, signal) => {
      if (status === 0) resolve(undefined);
      else resolve(status === null ? `it was ended by ${signal}` : `it ended with status ${status}`);
    });
  });
}

/** Waits for a command whose run was killed; gives its process where it does not end. */
async function awaitFormer(memory: HeldFolder): Promise<number | undefined> {
  const [mark, ...names] = (readOwn(memory, COMMAND, MOST_NAME) ?? '').split('\n').slice(0, -1);
  // It was not begun.
  if (mark === undefined) return undefined;
  const [name] = names;
  // Where nothing tells to whom the mark was given, a command that was not noted has its time.
  const isSure = name !== undefined || process.platform === 'linux';
  const begin = performance.now();
  for (;;) {
    const pid = name === undefined ? findMarked(`RESYNC_RUN=${mark}`) : findProcess(name);
    if ((pid === undefined && isSure) || performance.now() - begin > GRACE) return pid;
    await sleep(50);
  }
}

function explainStart(program: string, error: Error): string {
  const code = systemErrorCode(error);
  if (code === 'ENOENT') return `there is no program ${program}`;
  return code === 'EACCES' ? `${program} may not be run` : error.message;
}

/** Ends a command that takes too long, or longer than it may after an interruption. */
function endInTime(child: ChildProcess, { maxTime, signal }: Command) {
  let reason: string | undefined;
  const timers: NodeJS.Timeout[] = [];
  const after = (pause: number, work: () => void) => {
    timers.push(setTimeout(work, Math.min(pause, LONGEST_TIMER)));
  };
  const kill = () => killAll(child, 'SIGKILL');
  after(maxTime, () => {
    reason ??= `it took longer than --max-time, ${formatDuration(maxTime)}`;
    killAll(child, 'SIGTERM');
    after(GRACE, kill);
  });
  const interrupt = () => {
    after(GRACE, () => {
      reason ??= 'it did not end within 10 seconds after Ctrl-C';
      kill();
    });
  };
  if (signal?.aborted === true) interrupt();
  signal?.addEventListener('abort', interrupt);
  return {
    reason: () => reason,
    stop() {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
    },
  };
}

/** Those that it started, too. */
function killAll(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}

/** Characters of output that are passed on of one command, and of one line. */
const MOST_OUTPUT = 1_000_000;
const LONGEST_LINE = 10_000;

/** Passes on what a command writes, line by line, as far as that is of use; all of it is taken. */
async function passOn({ stdout, stderr }: ChildProcess, onOutput: (line: string) => void): Promise<void> {
  let left = MOST_OUTPUT;
  const tell = (line: string) => {
    if (left <= 0) return;
    left -= line.length + 1;
    onOutput(left > 0 ? line : 'More output is not shown.');
  };
  const read = async (stream: Readable | null) => {
    let rest = '';
    stream?.setEncoding('utf8');
    for await (const piece of stream ?? []) {
      const lines = left > 0 ? `${rest}${piece}`.split(/\r?\n/) : [''];
      rest = lines.pop() ?? '';
      if (rest.length > LONGEST_LINE) {
        lines.push(rest);
        rest = '';
      }
      for (const line of lines) tell(line);
    }
    if (rest !== '') tell(rest);
  };
  // What is left behind by who has ended is cut off.
  await Promise.all([stdout, stderr].map(read)).catch(() => undefined);
}
