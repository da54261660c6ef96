/** Calls the command line, which is beside this file in the bundle. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { NoticeSeverity } from '../src/base/notices.js';
import type { Report } from '../src/describe/report.js';
import { ActionError, readInput } from './inputs.js';

/** A call of the command line. One that records may be repeated on top of another publication. */
export interface Run {
  readonly cwd: string;
  readonly args: readonly string[];
  /** True if the step of the call has a key to sign with; the key itself is not saved. */
  readonly signs?: boolean;
}

/** The output of `describe --json`: a report whose notices have texts. */
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

/** Flags with which status 1 means that the command worked, and found something. */
const MAY_FIND: ReadonlySet<string> = new Set(['--exit-code', '--gone']);

/** The result of a call of the command line that worked. */
interface Ended<T> {
  readonly report: T;
  /** Exit status: 0, or 1 if something differs with `--exit-code` or is gone with `--gone`, or if a notification failed. */
  readonly status: number;
}

/**
 * Runs the command line in a process of its own, so that the step can report any failure. Its standard error goes to the log.
 *
 * @throws ActionError with the message of the command line, if it fails
 */
export function runCommandLine<T extends object>({ cwd, args }: Run): Ended<T> {
  const sign = readInput('sign');
  const { INPUT_SIGN: _, ...env } = process.env;
  const { status, signal, stdout, error } = spawnSync(process.execPath, [COMMAND_LINE, ...args], {
    cwd,
    // The key is passed in the environment, where other programs cannot see it.
    env: { ...env, ...(sign !== '' && { RESYNC_SIGNING_KEY: sign }) },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error !== undefined) throw error;
  const printed = parsePrinted<T>(stdout);
  if (printed !== undefined && 'error' in printed) throw new ActionError(printed.error.message);
  const mayFind = args.some((one) => MAY_FIND.has(one)) || args[0] === 'notify';
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
