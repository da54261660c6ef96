/** Runs git in such a way that nothing in the repository chooses a program, a server or an option. */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { ResyncError, systemErrorCode } from '../../base/errors.js';
import { findProgram } from '../../base/programs.js';
import { say, sayLines } from '../../base/text/say.js';

export interface GitFolder {
  readonly root: string;
  /** The folder in which git keeps the repository. If it is missing, git searches from `root`, and checks the owner. */
  readonly gitFolder?: string;
}

/** Matches variables to keep from git: they could make it look elsewhere, ask or start an editor, or hold keys. */
const FOREIGN_VARIABLES = /^(?:GIT_.*|SSH_ASKPASS|EDITOR|VISUAL|PAGER|RESYNC_SIGNING_KEY)$/i;

/**
 * Settings that win over those of the repository. git must not fetch missing objects from a remote: it would run the
 * command that the repository names for that. `GIT_NO_LAZY_FETCH` prevents it. A git that does not know this variable
 * starts `git fetch`, which refuses the negative `fetch.parallel` before it looks at any remote.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.ignoreCase': 'false',
  'fetch.parallel': '-1',
  'hook.reference-transaction.enabled': 'false',
  'log.diffMerges': 'separate',
  'log.showRoot': 'true',
  // git knows `safe.bareRepository` from 2.38 on; for older versions, see `openRepository`.
  'safe.bareRepository': 'explicit',
};

const VARIABLES: Readonly<Record<string, string>> = {
  LC_ALL: 'C',
  GIT_ALLOW_PROTOCOL: 'none',
  // No grafts and no replacements: a commit has the parents that it names, and an id stands for the object that has it.
  GIT_GRAFT_FILE: '/dev/null/none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_TERMINAL_PROMPT: '0',
};

export interface GitOptions {
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** Settings whose names may hold any character; git before 2.31 ignores them. */
  readonly oddSettings?: Readonly<Record<string, string>>;
}

export interface GitProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when git has ended; rejects with ResyncError `git-failed` if it failed. */
  readonly ended: Promise<void>;
}

interface Outcome {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The beginning of what git wrote to standard error. */
  readonly complaint: string;
}

/** Starts git. The caller has to read the output of git, and to end its input. */
export function startGit(place: GitFolder, args: readonly string[], options: GitOptions = {}): GitProcess {
  const { stdin, stdout, outcome } = spawnGit(place, args, options);
  const ended = outcome.then((result) => {
    if (result.status !== 0) throw makeGitError(place.root, wordFailure(args, result));
  });
  // The end of git is awaited only after its output was read; until then, a rejection must not end the process.
  ended.catch(() => undefined);
  return { stdin, stdout, ended };
}

/** Asks git for a short text, without the final line break; '' if git fails silently. @throws ResyncError `git-failed` */
export async function askGit(
  place: GitFolder,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  const { stdin, stdout, outcome } = spawnGit(place, args, options);
  stdin.end();
  const text = await readText(stdout);
  const result = await outcome;
  if (result.status === 0) return text.replace(/\n$/, '');
  if (result.status !== null && result.complaint === '') return '';
  throw makeGitError(place.root, wordFailure(args, result));
}

function wordFailure(args: readonly string[], { status, signal, complaint }: Outcome): string {
  const command = args.find((argument) => !argument.startsWith('-')) ?? '';
  return `git ${command} ended with ${status ?? signal}: ${complaint}`;
}

function spawnGit({ root, gitFolder }: GitFolder, args: readonly string[], options: GitOptions) {
  const program = findGit();
  if (program === undefined) throw makeGitError(root, 'there is no git');
  const settings = { ...SETTINGS, ...options.settings };
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(
    program,
    [
      '--no-pager',
      '--no-optional-locks',
      '--literal-pathspecs',
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ...args,
    ],
    {
      cwd: root,
      env: {
        ...ownVariables(),
        ...VARIABLES,
        ...variablesOf(options.oddSettings ?? {}),
        // Wins over the setting `core.worktree` of the repository.
        GIT_WORK_TREE: root,
        ...(gitFolder !== undefined && { GIT_DIR: gitFolder }),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  let complaint = '';
  const outcome = new Promise<Outcome>((resolve, reject) => {
    child.on('error', (error) => reject(makeGitError(root, systemErrorCode(error) ?? error.message)));
    child.on('close', (status, signal) => resolve({ status, signal, complaint }));
  });
  // The end of git is awaited only after its output was read; until then, a rejection must not end the process.
  outcome.catch(() => undefined);
  const { stdin, stdout, stderr } = child as Partial<typeof child>;
  // The pipes are missing if git could not be started; its event `error` follows only later.
  if (stdin === undefined || stdout === undefined || stderr === undefined)
    throw makeGitError(root, 'too many files are open');
  stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, 2000);
  });
  // A broken pipe is only a consequence of the end of git, whose exit status has the cause.
  stdin.on('error', () => undefined);
  return { stdin, stdout, outcome };
}

function ownVariables(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN_VARIABLES.test(name)));
}

function variablesOf(settings: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(settings);
  const pairs = entries.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: `${entries.length}`, ...Object.fromEntries(pairs) };
}

/** Makes settings that switch off hooks or filters. @param names of settings that mention these @param off values for each */
export function switchOff(
  names: readonly string[],
  kind: 'hook' | 'filter',
  off: Readonly<Record<string, string>>,
): Record<string, string> {
  const ofKind = names.filter((name) => name.startsWith(`${kind}.`));
  const each = new Set(ofKind.map((name) => name.slice(0, name.lastIndexOf('.'))));
  return Object.fromEntries(
    [...each].flatMap((name) => Object.entries(off).map(([key, value]) => [`${name}.${key}`, value])),
  );
}

export function findGit(): string | undefined {
  return findProgram('git');
}

export function makeGitError(folder: string, message: string): ResyncError {
  return new ResyncError(
    'git-failed',
    say`git cannot be used in ${folder}: ${sayLines(message)}\nMend that, or choose another history: --history published, --history snapshots:<name>, or --history none.`,
  );
}
