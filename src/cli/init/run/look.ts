/** Looks at the folder of a project: its files, and what else is there. */

import { accessSync, constants, existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemErrorCode, unlessRefused } from '../../../base/errors.js';
import { findAround, listAncestors } from '../../../config/finding/around.js';
import { CONFIG_FILES } from '../../../config/finding/find.js';
import { makeRefName } from '../../../history/find.js';
import { hasFolder, resolveCommit } from '../../../history/git/refs.js';
import { openRepository } from '../../../history/git/repository.js';
import { askGit, findGit } from '../../../history/git/run.js';
import { MIRROR_FOLDER } from '../../../paths/ours.js';
import type { FolderFacts, GitFacts, PackageManager, ProjectFile } from '../facts.js';
import { GENERATORS } from '../generators.js';

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

export function readProjectFolder(folder: string): FolderFacts {
  const workflows = listNames(join(folder, '.github/workflows'))
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => `.github/workflows/${name}`);
  const files = [...new Set([...FILES, ...workflows])].flatMap((path): [string, ProjectFile][] => {
    const file = readFile(join(folder, path));
    return file === undefined ? [] : [[path, file]];
  });
  const above = [folder, ...listAncestors(folder)];
  return {
    files: Object.fromEntries(files),
    names: listNames(folder),
    copy: findAround(folder, MIRROR_FOLDER),
    sites: SITES.filter((site) => existsSync(join(folder, site, 'index.html'))),
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
