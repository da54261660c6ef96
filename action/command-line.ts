/** Runs the command line that stands beside this file in the bundle. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { NoticeSeverity } from '../src/base/notices.js';
import type { Report } from '../src/describe/report.js';
import { ActionError, readInput } from './inputs.js';

/** A run, which may have to be done again on top of another publication. */
export interface Run {
  readonly cwd: string;
  readonly args: readonly string[];
  /** Whether the step got a key; the key is noted nowhere. */
  readonly signs?: boolean;
}

/** What `describe --json` prints: of notices, the wording and where it is explained, too. */
export type PrintedReport = Omit<Report, 'notices'> & {
  readonly notices: readonly {
    readonly severity: NoticeSeverity;
    readonly text: string;
    readonly help: string;
  }[];
};

interface Failure {
  readonly error: { readonly code: string; readonly message: string };
}

const COMMAND_LINE = fileURLToPath(new URL('./main.js', import.meta.url));

/** A run that came to its end. */
export interface Ended<T> {
  readonly report: T;
  /** 0; 1 where something differs with `--exit-code`, or where somebody could not be told. */
  readonly status: number;
}

/**
 * Runs the command line in a process of its own, so that whatever becomes of it, the step can tell. What it says on
 * standard error is in the log.
 *
 * @throws ActionError with the message of the command line, if it fails
 */
export function runCommandLine<T extends object>({ cwd, args }: Run): Ended<T> {
  const sign = readInput('sign');
  const { INPUT_SIGN: _, ...env } = process.env;
  const { status, signal, stdout, error } = spawnSync(process.execPath, [COMMAND_LINE, ...args], {
    cwd,
    // A key is handed on where no other program sees it.
    env: { ...env, ...(sign !== '' && { RESYNC_SIGNING_KEY: sign }) },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error !== undefined) throw error;
  const printed = parsePrinted<T>(stdout);
  if (printed !== undefined && 'error' in printed) throw new ActionError(printed.error.message);
  const mayFind = args.includes('--exit-code') || args[0] === 'notify';
  const isWell = status === 0 || (status === 1 && mayFind);
  if (!isWell) throw new ActionError(`resync-static was ended by ${signal ?? `status ${status}`}.`);
  // Options such as --help print something else.
  if (printed === undefined) throw new ActionError(`resync-static gave no report but:\n${stdout}`);
  return { report: printed, status };
}

function parsePrinted<T>(text: string): T | Failure | undefined {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
