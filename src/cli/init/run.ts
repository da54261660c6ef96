/** Effects of `init`: reads the files and the repository of a project, applies a plan, and runs the build. */

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ResyncError, systemErrorCode, unlessRefused } from '../../base/errors.js';
import { findAround, listAround, listQuietly } from '../../base/folders.js';
import { say } from '../../base/text/say.js';
import { CONFIG_FILES } from '../../config/file.js';
import { hasFolder, resolveCommit } from '../../history/git/refs.js';
import { openRepository } from '../../history/git/repository.js';
import { askGit } from '../../history/git/run.js';
import { readIfThere, writeDocument } from '../../paths/hold/files.js';
import { folderOfSet, MIRROR_FOLDER } from '../../paths/ours.js';
import { GENERATORS } from './generators.js';
import { HOSTS } from './hosts.js';
import {
  type FolderFacts,
  type GitFacts,
  type InitPlan,
  LOCK_FILES,
  MANIFEST,
  MODULES,
  type ProjectEdit,
  type ProjectFile,
} from './model.js';
import { makeSnapshotRef, quoteArgument } from './plan/keeping.js';

const FILES = [
  MANIFEST,
  '.gitignore',
  ...CONFIG_FILES,
  ...Object.values(HOSTS).flatMap(({ files = [] }) => files),
  ...GENERATORS.flatMap(({ configs }) => configs),
];

const SITES = ['', 'dist', 'build', 'public', '_site', 'site', 'out', 'output', 'www', 'html', 'docs'];

export function readProjectFolder(folder: string): FolderFacts {
  const workflows = listQuietly(join(folder, '.github/workflows')).filter((name) => /\.ya?ml$/.test(name));
  const paths = new Set([...FILES, ...workflows.map((name) => `.github/workflows/${name}`)]);
  const files = [...paths].flatMap((path): [string, ProjectFile][] => {
    const file = unlessRefused(() => readFile(join(folder, path)));
    return file === undefined ? [] : [[path, file]];
  });
  const above = listAround(folder);
  const top = above.findIndex((one) => existsSync(join(one, '.git')));
  const [lock = ''] = above
    .slice(0, top === -1 ? undefined : top + 1)
    .flatMap((one) => Object.keys(LOCK_FILES).filter((file) => existsSync(join(one, file))));
  return {
    files: Object.fromEntries(files),
    names: listQuietly(folder),
    copy: findAround(folder, MIRROR_FOLDER),
    sites: SITES.filter((site) => existsSync(join(folder, site, 'index.html'))),
    packageManager: LOCK_FILES[lock] ?? 'npm',
    installed: above.some((one) => existsSync(join(one, MODULES, 'resync-static/package.json'))),
  };
}

function readFile(path: string): ProjectFile | undefined {
  const facts = statSync(path);
  if (!facts.isFile()) return undefined;
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8');
  // Bytes that are not UTF-8 would not survive an edit. Mode bits are checked, because root can write read-only files.
  const isText = Buffer.from(text).equals(bytes);
  const isLocked = !isText || lstatSync(path).isSymbolicLink() || (facts.mode & 0o222) === 0;
  return { text: isText ? text : '', isLocked };
}

/**
 * Reads facts of the git repository that a project is in. @param site relative to the project folder, with `/`
 * @returns undefined if there is no repository
 * @throws ResyncError `git-failed`
 */
export async function readGit(folder: string, site: string): Promise<GitFacts | undefined> {
  const repository = await openRepository(folder);
  if (repository === undefined) return undefined;
  const path = [repository.prefix, site === '.' ? '' : site].filter(Boolean).join('/');
  const head = repository.head ?? (await resolveCommit(repository, 'HEAD'));
  const branch = await askGit(repository, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  let deployed: string | undefined;
  for (const ref of ['gh-pages', 'origin/gh-pages']) {
    // A checked-out branch is not used for deploys.
    if (ref !== branch && (await resolveCommit(repository, ref)) !== undefined) deployed = ref;
  }
  const ignored = [];
  for (const name of [site, MODULES]) {
    const place = [repository.prefix, name === '.' ? '' : name].filter(Boolean).join('/');
    // `check-ignore` does not support literal pathspecs; a path that begins with `./` is literal anyway.
    const asked = ['--no-literal-pathspecs', 'check-ignore', '--', `./${place}/`];
    if (place !== '' && (await askGit(repository, asked)) !== '') ignored.push(name);
  }
  return {
    deployed,
    tracked: head !== undefined && (await hasFolder(repository, head, path)),
    ignored,
    ref: makeSnapshotRef(path),
  };
}

/**
 * Writes the files of a plan, and creates its git repository; a failure undoes the changes of files.
 *
 * @returns the changes, for `undoEdits`
 * @throws ResyncError `write-failed`, `git-failed`
 */
export async function applyPlan(
  folder: string,
  { edits, makesRepository }: Pick<InitPlan, 'edits' | 'makesRepository'>,
): Promise<readonly ProjectEdit[]> {
  const written: ProjectEdit[] = [];
  try {
    for (const edit of edits) {
      writeEdit(join(folder, edit.file), edit);
      written.push(edit);
    }
    if (makesRepository) await askGit({ root: folder, gitFolder: join(folder, '.git') }, ['init', '--quiet']);
    return written;
  } catch (error) {
    undoEdits(folder, written);
    throw error;
  }
}

/** Replaces a file as a whole, so that a full disk leaves the old file. Owner and mode stay. */
function writeEdit(target: string, { before, after }: Pick<ProjectEdit, 'before' | 'after'>): void {
  const made = `${target}.${process.pid}.tmp`;
  try {
    if (readIfThere(target) !== before) throw new Error('it changed in the meantime');
    mkdirSync(dirname(target), { recursive: true });
    writeDocument([after], made, statSync(target, { throwIfNoEntry: false }));
    renameSync(made, target);
  } catch (error) {
    const reason = systemErrorCode(error) ?? (error instanceof Error ? error.message : String(error));
    throw new ResyncError(
      'write-failed',
      say`${target} cannot be written: ${reason}.\nNothing was changed. Mend that, and run resync-static init again.`,
    );
  } finally {
    rmSync(made, { force: true });
  }
}

/** Undoes the changes of `applyPlan`, except for files that have changed since. */
export function undoEdits(folder: string, edits: readonly ProjectEdit[]): void {
  for (const { file, before, after } of edits) {
    const path = join(folder, file);
    if (readIfThere(path) !== after) continue;
    if (before === undefined) rmSync(path);
    else writeEdit(path, { before: after, after: before });
  }
}

/** Tests if a folder has HTML pages, except in hidden folders and installed packages. */
export function hasPages(folder: string): boolean {
  const entries = unlessRefused(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  if (entries.some((one) => one.isFile() && /\.x?html?$/i.test(one.name))) return true;
  // Symbolic links, which may lead back to this folder, are not followed.
  const inner = entries.filter((one) => one.isDirectory() && !/^(?:\.|node_modules$)/.test(one.name));
  return inner.some(({ name }) => hasPages(join(folder, name)));
}

/** Checks that the lists in a site name a page. @param site absolute path @throws ResyncError `build-failed` if they do not */
export function checkLists(site: string): void {
  const folder = join(site, folderOfSet(undefined));
  const entries = unlessRefused(() => readdirSync(folder, { recursive: true, withFileTypes: true })) ?? [];
  // A symbolic link could lead to a device, whose bytes never end.
  const lists = entries.filter((one) => one.isFile() && /^resourcelist(?:-\d+)?\.xml$/.test(one.name));
  const isPaged = lists.some(({ parentPath, name }) =>
    /type="(?:text\/html|application\/xhtml\+xml)"/.test(readFileSync(join(parentPath, name), 'utf8')),
  );
  if (!isPaged) {
    throw new ResyncError(
      'build-failed',
      say`The build ended well, but ${folder} lists no page.\nIf the build writes its pages after the plugin has run, run the command after the build: npx resync-static`,
    );
  }
}

/**
 * Runs the build of a project with its output shown.
 *
 * @param output 1 for standard output, 2 for standard error
 * @param text the command for messages
 * @throws ResyncError `build-failed`
 */
export function runBuild(folder: string, command: readonly string[], output: 1 | 2, text: string): void {
  const [program = '', ...args] = command;
  // On Windows, npm and other package managers are scripts, which need a shell.
  const shell = process.platform === 'win32';
  const { error, status, signal } = spawnSync(program, shell ? args.map(quoteArgument) : args, {
    ...{ cwd: folder, shell },
    stdio: ['ignore', output, 2],
  });
  if (status === 0) return;
  const reason = error === undefined ? (status ?? String(signal)) : (systemErrorCode(error) ?? error.message);
  throw new ResyncError(
    'build-failed',
    reason === 'ENOENT'
      ? say`The build could not start: ${text}: ${program} is not installed.`
      : say`The build ended with ${reason}: ${text}\nSee its output above.`,
  );
}
