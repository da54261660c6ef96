/** The command line as it watches, read run by run. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Report } from '../../src/index.js';
import { CLI } from './site.js';

/** A line of `watch --json`. */
export type WatchLine = Report | { readonly error: { readonly code: string; readonly message: string } };

/** Starts to watch; ends with the test at the latest. */
export function startWatch(
  args: readonly string[],
  { cwd, env = {}, command = [process.execPath], verb = 'watch' }: WatchSettings = {},
) {
  const [program = '', ...before] = command;
  const child = spawn(program, [...before, CLI, verb, ...args], {
    ...(cwd !== undefined && { cwd }),
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const output = createInterface(child.stdout).on('line', (line) => lines.push(line));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const closed = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  let read = 0;
  return {
    lines,
    child,
    stderr: () => stderr,
    /** The next line, when it comes; parsed. */
    async next(): Promise<WatchLine> {
      while (lines.length === read) {
        if (child.exitCode !== null) throw new Error(`watch has ended: ${stderr}`);
        await Promise.race([once(output, 'line'), closed]);
      }
      return JSON.parse(lines[read++] ?? '');
    },
    /** Reads lines until something is so. */
    async until(isSo: () => boolean): Promise<void> {
      while (!isSo()) {
        if (child.exitCode !== null) throw new Error(`watch has ended: ${stderr}`);
        await sleep(10);
      }
      read = lines.length;
    },
    /** Sends a signal and waits for the end. */
    async end(signal: NodeJS.Signals = 'SIGINT') {
      child.kill(signal);
      const [status, by] = (await closed) as [number | null, NodeJS.Signals | null];
      return { status, signal: by, stdout: lines.join('\n'), stderr };
    },
    closed,
  };
}

export interface WatchSettings {
  /** The command, in place of `watch`. */
  readonly verb?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The program that runs the command line. */
  readonly command?: readonly string[];
}
