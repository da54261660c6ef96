/** Touches the folder of a project: reads its files and its repository, and carries out a plan. */

import { spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ResyncError, systemErrorCode, unlessRefused } from '../../base/errors.js';
import { listAround } from '../../base/folders.js';
import { say } from '../../base/text/say.js';
import { fixNow } from '../../base/time.js';
import { CONFIG_FILES, findAround } from '../../config/file.js';
import { resolveConfig } from '../../config/resolve.js';
import { makeRefName } from '../../history/find.js';
import { hasFolder, resolveCommit } from '../../history/git/refs.js';
import { openRepository } from '../../history/git/repository.js';
import { askGit, findGit } from '../../history/git/run.js';
import { MIRROR_FOLDER } from '../../paths/ours.js';
import { GENERATORS } from './generators.js';
import type {
  FolderFacts,
  GitFacts,
  InitPlan,
  PackageManager,
  ProjectEdit,
  ProjectFile,
  Settings,
  SitemapAdvice,
} from './model.js';
import { writeKeeping } from './plan/keeping.js';
import { stripComments } from './plan/values.js';

const FILES = [
  'package.json',
  '.gitignore',
  ...CONFIG_FILES,
  'netlify.toml',
  'vercel.json',
  'wrangler.toml',
  'wrangler.json',
  'wrangler.jsonc',
  ...['', 'public/', 'static/', 'src/', 'docs/'].map((folder) => `${folder}CNAME`),
  ...['js', 'ts', 'server.js', 'server.ts'].map((end) => `src/routes/+layout.${end}`),
  ...GENERATORS.flatMap(({ configs }) => configs),
];

const SITES = ['', 'dist', 'build', 'public', '_site', 'site', 'out', 'output', 'www', 'html', 'docs'];

const LOCK_FILES: readonly (readonly [file: string, manager: PackageManager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
];

/** A configuration that is larger than this was not written by hand. */
const LENGTH_LIMIT = 1_000_000;

/** @param named another folder that may hold the site */
export function readProjectFolder(folder: string, named = ''): FolderFacts {
  const workflows = listNames(join(folder, '.github/workflows'))
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => `.github/workflows/${name}`);
  const files = [...new Set([...FILES, ...workflows])].flatMap((path): [string, ProjectFile][] => {
    const file = readFile(join(folder, path));
    return file === undefined ? [] : [[path, file]];
  });
  const above = listAround(folder);
  return {
    files: Object.fromEntries(files),
    names: listNames(folder),
    copy: findAround(folder, MIRROR_FOLDER),
    sites: [...new Set([...SITES, named])].filter((site) => existsSync(join(folder, site, 'index.html'))),
    packageManager: findPackageManager(above),
    installed: above.some((one) => existsSync(join(one, 'node_modules/resync-static/package.json'))),
  };
}

function listNames(folder: string): string[] {
  return (unlessRefused(() => readdirSync(folder)) ?? []).sort();
}

function readFile(path: string): ProjectFile | undefined {
  try {
    const isLink = lstatSync(path).isSymbolicLink();
    const facts = statSync(path);
    if (!facts.isFile()) return undefined;
    const text = facts.size > LENGTH_LIMIT ? undefined : decode(readFileSync(path));
    if (text === undefined) return { text: '', lock: 'not-text' };
    if (isLink) return { text, lock: 'symbolic-link' };
    return isWritable(path) ? { text } : { text, lock: 'read-only' };
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    return code === 'EACCES' ? { text: '', lock: 'read-only' } : undefined;
  }
}

/** Undefined where the bytes are not UTF-8: written back, they would be others. */
function decode(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

function isWritable(path: string): boolean {
  // To root, every file is open; what is marked as read-only is meant so.
  if ((statSync(path).mode & 0o222) === 0) return false;
  const access = () => {
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return true;
  };
  return unlessRefused(access) === true;
}

function findPackageManager(folders: readonly string[]): PackageManager {
  for (const folder of folders) {
    const found = LOCK_FILES.find(([file]) => existsSync(join(folder, file)));
    if (found !== undefined) return found[1];
    if (existsSync(join(folder, '.git'))) break;
  }
  return 'npm';
}

const OTHER_SYSTEMS = ['.hg', '.svn', '.jj', '.fslckout', '.pijul'];

const DEPLOYED = ['origin/gh-pages', 'gh-pages'];

/**
 * @param site relative to the folder, with `/`
 * @throws ResyncError `git-failed`
 */
export async function readGit(folder: string, site: string): Promise<GitFacts> {
  const other = OTHER_SYSTEMS.find((name) => existsSync(join(folder, name)))?.slice(1);
  const program = findGit() !== undefined;
  const repository = await openRepository(folder);
  if (repository === undefined) return { program, ...(other !== undefined && { other }) };
  const path = [repository.prefix, site === '.' ? '' : site].filter(Boolean).join('/');
  const head = await resolveCommit(repository, 'HEAD');
  const branch = await askGit(repository, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const remote = await askGit(repository, ['config', '--get', 'remote.origin.url']);
  // `check-ignore` does not know literal paths; none that begins with a dot means anything else.
  const asked = ['--no-literal-pathspecs', 'check-ignore', '--', `./${path}/`];
  const ignored = site === '.' ? '' : await askGit(repository, asked);
  return {
    program,
    repository: {
      branch: branch || undefined,
      remote: remote || undefined,
      deployed: await findDeployed(repository, branch),
      isTop: repository.prefix === '',
      tracked: head !== undefined && (await hasFolder(repository, head, path)),
      ignored: ignored !== '',
      ref: makeSnapshotRef(path),
    },
  };
}

async function findDeployed(
  repository: Parameters<typeof resolveCommit>[0],
  branch: string,
): Promise<string | undefined> {
  for (const ref of DEPLOYED) {
    if (ref !== branch && (await resolveCommit(repository, ref)) !== undefined) return ref;
  }
  return undefined;
}

/** The ref on which snapshots of a site are kept, whose path in the repository this is. */
export function makeSnapshotRef(path: string): string {
  return `refs/resync-static/${makeRefName(path === '.' ? '' : path)}`;
}

/**
 * Looks at the sitemap of a site that is built. Most dates of one day, where git knows other days, are those of a build.
 *
 * @param facts of the folder
 * @returns undefined where there is no site yet, no history to take dates from, or nothing to say
 */
export async function adviseSitemap(
  folder: string,
  { facts, settings: { site, url, urls } }: { readonly facts: FolderFacts; readonly settings: Settings },
  { keeping, options }: Pick<InitPlan, 'keeping' | 'options'>,
): Promise<SitemapAdvice | undefined> {
  const text = stripComments(facts.files[options]?.text ?? '');
  const own = /\bresyncStatic\s*[(,]([^)]*)/.exec(text)?.[1] ?? text;
  const isBuilt = existsSync(join(folder, site, 'index.html'));
  if (keeping.kind === 'none' || /\bsitemap['"]?\s*:/.test(own) || !isBuilt) return undefined;
  // The live site, or the repository, need not be there yet.
  const isLater = keeping.kind === 'published' || (keeping.kind === 'record' && keeping.isNewRepository);
  const history = isLater ? { history: 'none' } : writeKeeping(keeping, undefined);
  const { seeSitemap } = await import('../../describe/run/sitemap.js');
  try {
    const seen = await seeSitemap(resolveConfig({ site: join(folder, site), url, urls, ...history }));
    if (seen === undefined) return undefined;
    const dates = [...seen.said].filter(([, date]) => date !== '');
    const built = await findBuildDay(
      folder,
      dates.map(([, date]) => date.slice(0, 10)),
    );
    if (dates.length > 0 && built === undefined) return undefined;
    const then = await seen.rehearse(fixNow(process.env));
    const after = then && {
      dated: [...then].filter(([uri, date]) => date !== '' && date !== seen.said.get(uri)).length,
      undated: dates.filter(([uri]) => then.get(uri) === '').length,
    };
    if (built !== undefined && after?.dated === 0 && after.undated === 0) return undefined;
    const pages = seen.file === undefined ? (then?.size ?? 0) : seen.said.size;
    return { code: 'sitemap', options, file: seen.file, pages, dated: dates.length, built, after };
  } catch (error) {
    // The first run tells what cannot be read.
    if (error instanceof ResyncError || systemErrorCode(error) !== undefined) return undefined;
    throw error;
  }
}

/** The day that most say. */
async function findBuildDay(folder: string, days: readonly string[]): Promise<SitemapAdvice['built']> {
  const counts = new Map<string, number>();
  for (const day of days) counts.set(day, (counts.get(day) ?? 0) + 1);
  const [day, pages] = [...counts].find(([, count]) => count > 1 && count * 2 > days.length) ?? [];
  const repository = day === undefined ? undefined : await openRepository(folder);
  if (day === undefined || pages === undefined || repository === undefined) return undefined;
  const known = await askGit(repository, ['log', '--max-count=1000', '--format=%cI']);
  const isOther = (line: string) => line !== '' && line.slice(0, 10) !== day;
  return known.split('\n').some(isOther) ? { day, pages } : undefined;
}

/**
 * Writes the files of a plan. Each is the old or the new one at any moment, and keeps its mode.
 *
 * @throws ResyncError `write-failed`, which names what was written before; `git-failed`
 */
export async function applyPlan(
  folder: string,
  { edits, keeping }: Pick<InitPlan, 'edits' | 'keeping'>,
): Promise<void> {
  const written: string[] = [];
  for (const edit of edits) {
    try {
      writeEdit(folder, edit);
      written.push(edit.file);
    } catch (error) {
      throw explain(join(folder, edit.file), error, written);
    }
  }
  if (keeping.kind === 'record' && keeping.isNewRepository) {
    await askGit({ root: folder, gitFolder: join(folder, '.git') }, ['init', '--quiet']);
  }
}

function writeEdit(folder: string, { file, before, after }: ProjectEdit): void {
  const target = join(folder, file);
  const facts = statSync(target, { throwIfNoEntry: false });
  const found = facts === undefined ? undefined : readFileSync(target, 'utf8');
  if (found !== before) throw new Changed();
  mkdirSync(dirname(target), { recursive: true });
  const staged = join(dirname(target), `.${basename(target)}.resync-static`);
  try {
    writeFileSync(staged, after, { flag: 'wx' });
    if (facts !== undefined) chmodSync(staged, facts.mode & 0o7777);
    if (readFileSync(staged, 'utf8') !== after) throw new Changed();
    renameSync(staged, target);
  } finally {
    rmSync(staged, { force: true });
  }
}

/** Undoes what `applyPlan` wrote, but for files that changed since; a repository that it made stays. */
export function takeBack(folder: string, edits: readonly ProjectEdit[]): void {
  for (const { file, before, after } of edits) {
    const path = join(folder, file);
    if (unlessRefused(() => readFileSync(path, 'utf8')) !== after) continue;
    if (before === undefined) rmSync(path);
    else writeEdit(folder, { file, before: after, after: before });
  }
}

/** Whether a folder, or one in it, has a page. */
export function hasPage(folder: string): boolean {
  const names = unlessRefused(() => readdirSync(folder, { recursive: true, encoding: 'utf8' })) ?? [];
  return names.some((name) => /\.x?html?$/i.test(name));
}

/** The file is not what it was when the plan was made. */
class Changed extends Error {}

function explain(file: string, error: unknown, written: readonly string[]): unknown {
  const code = systemErrorCode(error);
  if (!(error instanceof Changed) && code === undefined) return error;
  const reason = error instanceof Changed ? 'it changed in the meantime' : (code ?? '');
  const before =
    written.length === 0
      ? say`Nothing was changed.`
      : say`Before that, these were written: ${written.join(', ')}.`;
  return new ResyncError(
    'write-failed',
    say`${file} cannot be written: ${reason}.\n${before} Mend that, and run resync-static init again.`,
    { cause: error },
  );
}

/**
 * Runs a build, which prints by itself.
 *
 * @param output where it prints: 1 for standard output, 2 for standard error
 * @throws ResyncError `build-failed`
 */
export function runBuild(folder: string, command: readonly string[], output: 1 | 2): Promise<void> {
  const [program = '', ...args] = command;
  const text = command.join(' ');
  return new Promise((resolve, reject) => {
    // On Windows, npm and its like are scripts, which only a shell can run. Nothing in a command is quoted.
    const shell = process.platform === 'win32';
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', output, 2], shell });
    child.on('error', (error) => {
      const reason = systemErrorCode(error) === 'ENOENT' ? `${program} is not installed` : error.message;
      reject(
        new ResyncError('build-failed', say`The build could not start: ${text}: ${reason}.`, {
          cause: error,
        }),
      );
    });
    child.on('close', (status, signal) => {
      if (status === 0) return resolve();
      const words = say`The build ended with ${status ?? String(signal)}: ${text}\nWhat it printed says why. Mend that, and run the build again.`;
      reject(new ResyncError('build-failed', words));
    });
  });
}
