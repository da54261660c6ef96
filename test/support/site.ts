/** Sites on disk for the tests, and the command line as users run it. */

import { spawn } from 'node:child_process';
import {
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, onTestFinished, vi } from 'vitest';

/** The built command line. */
export const CLI = fileURLToPath(new URL('../../dist/lib/main.js', import.meta.url));

/** Work to do after all tests of the file; set while something is made for all of them. */
let endings: (() => void)[] | undefined;

/** Does something after the test, or after all tests of the file where it was made for these. */
export function afterUse(work: () => void): void {
  if (endings === undefined) onTestFinished(work);
  else endings.push(work);
}

/** Makes, once for all tests of a file, what none of them changes; it is there when a test asks for it. */
export function makeForFile<T>(make: () => Promise<T>): () => T {
  let made: { readonly value: T } | undefined;
  beforeAll(async () => {
    const own: (() => void)[] = [];
    endings = own;
    try {
      made = { value: await make() };
    } finally {
      endings = undefined;
    }
    return () => {
      for (const end of own.reverse()) end();
    };
  });
  return () => {
    if (made === undefined) throw new Error('It is made when the first test begins.');
    return made.value;
  };
}

/** A folder, in one for such folders, that is gone after the test. */
export function makeFolder(parent = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, 'resync-static-')));
  afterUse(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files, paths with `/`, into a folder; a new one unless it is given. */
export function makeSite(
  files: Readonly<Record<string, string | Uint8Array>>,
  folder = makeFolder(),
): string {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}

/** The same files below a folder, for `makeSite` and `commitFiles`. */
export const below = <T>(folder: string, files: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));

/** The flags that take options for which there is no flag: from a configuration file outside of the site. */
export function configured(options: object, folder = makeFolder()): string[] {
  const file = join(folder, 'options.json');
  writeFileSync(file, JSON.stringify(options));
  return ['--config', file];
}

/** Every file below a folder, its bytes as a binary string, by path with `/`. */
export function readTree(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return Object.fromEntries(
    paths.sort().map((path) => [path.split(sep).join('/'), readFileSync(join(folder, path), 'latin1')]),
  );
}

/** Where, when and as what the files of a folder stand: all of it, unless paths are given. */
export function stampsOf(folder: string, paths: readonly string[] = Object.keys(readTree(folder))) {
  return paths.map((path) => {
    const { ino, mtimeNs, ctimeNs, size, mode } = statSync(join(folder, path), { bigint: true });
    return { path, ino, mtimeNs, ctimeNs, size, mode };
  });
}

/** Writes what `readTree` has read into a new folder. */
export function writeTree(tree: Readonly<Record<string, string>>): string {
  const files = Object.entries(tree).map(([path, bytes]) => [path, Buffer.from(bytes, 'latin1')]);
  return makeSite(Object.fromEntries(files));
}

export interface RunResult {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Kills a program that does not end, in milliseconds. No program takes so long on a busy machine. */
const HANGING = 600_000;

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
}

/** Another user where the tests run as root, to whom every file is open. */
export const ORDINARY_USER: Pick<RunOptions, 'uid'> = process.getuid?.() === 0 ? { uid: 65_534 } : {};

/** Gives a folder and all that is in it to the ordinary user. */
export function handOver(folder: string): string {
  const { uid } = ORDINARY_USER;
  if (uid !== undefined) {
    const below = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const path of ['', ...below]) lchownSync(join(folder, path), uid, uid);
  }
  return folder;
}

const KILLER = new URL('kill-at-step.mjs', import.meta.url).href;

/** The environment in which a run of Node is killed just before its n-th step that changes a file. */
export const killAtStep = (step: number) => ({ NODE_OPTIONS: `--import=${KILLER}`, KILL_AT_STEP: `${step}` });

/** Runs the command line and waits for its end. */
export function runCli(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return runProgram(process.execPath, [CLI, ...args], options);
}

let calls = 0;
let lastCall: Promise<unknown> = Promise.resolve();

/**
 * Runs the command line as `runCli` does, one run after another in this process, where most of what it loads is loaded: a
 * tenth of the time. For what is said and written; not for what begins or ends with a process, such as signals.
 */
export function callCli(
  args: readonly string[],
  options: Pick<RunOptions, 'cwd' | 'env'> = {},
): Promise<RunResult> {
  const call = lastCall.then(() => callNow(args, options));
  lastCall = call.catch(() => undefined);
  return call;
}

async function callNow(
  args: readonly string[],
  { cwd, env }: Pick<RunOptions, 'cwd' | 'env'>,
): Promise<RunResult> {
  const before = { folder: process.cwd(), env: { ...process.env }, argv: process.argv, exit: process.exit };
  const streams = [process.stdout, process.stderr];
  const removeListeners = noteListeners([process, ...streams]);
  const setEnv = (values: NodeJS.ProcessEnv) => {
    for (const name of Object.keys(process.env)) if (values[name] === undefined) delete process.env[name];
    Object.assign(process.env, values);
  };
  const written = streams.map((stream) => {
    const texts: string[] = [];
    const spy = vi.spyOn(stream, 'write').mockImplementation((text, ...more: unknown[]) => {
      texts.push(text.toString());
      const told = more.at(-1);
      if (typeof told === 'function') told();
      return true;
    });
    return { texts, spy };
  });
  try {
    if (cwd !== undefined) process.chdir(cwd);
    setEnv({ PATH: process.env['PATH'], ...env });
    process.argv = [process.execPath, CLI, ...args];
    process.exitCode = 0;
    const exit = new Promise<void>((resolve) => {
      process.exit = () => resolve() as never;
    });
    // Its imports are cached; only this module runs again.
    const { ended } = await import(`${pathToFileURL(CLI).href}?${++calls}`);
    await Promise.race([ended, exit]);
    const [stdout = '', stderr = ''] = written.map(({ texts }) => texts.join(''));
    return { status: Number(process.exitCode), signal: null, stdout, stderr };
  } finally {
    process.exitCode = undefined;
    process.exit = before.exit;
    process.argv = before.argv;
    setEnv(before.env);
    process.chdir(before.folder);
    for (const { spy } of written) spy.mockRestore();
    removeListeners();
  }
}

/** Notes who listens now; what it returns removes whoever has come since, such as those that wait for Ctrl-C. */
function noteListeners(emitters: readonly NodeJS.EventEmitter[]): () => void {
  const before = emitters.map((one) => new Map(one.eventNames().map((name) => [name, one.listeners(name)])));
  return () => {
    for (const [index, emitter] of emitters.entries()) {
      for (const name of emitter.eventNames()) {
        for (const listener of emitter.listeners(name))
          if (before[index]?.get(name)?.includes(listener) !== true)
            emitter.off(name, listener as () => void);
      }
    }
  };
}

/** The path of a program; tests that need it fail without it. */
export function requireProgram(name: string, debianPackage: string): string {
  // Debian keeps servers where only root looks for them.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined) {
    throw new Error(`This test needs ${name}: apt-get install ${debianPackage}, or what it is called here.`);
  }
  return found;
}

/** Runs any program and waits for its end. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const { cwd, env, uid } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...(cwd !== undefined && { cwd }),
      ...(uid !== undefined && { uid, gid: uid }),
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), HANGING);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject).on('close', (status, signal) => {
      clearTimeout(timer);
      resolve({ status, signal, stdout, stderr });
    });
  });
}
