/** Reads the site: which files it holds, which of them are resources, what their bytes are. */

import { lstatSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config, ResourceFacts } from './config.js';
import type { DigestTable } from './digest.js';
import { ResyncError, type SkipReason, systemErrorCode } from './errors.js';
import type { Hash, Resource } from './resourcesync/model.js';
import { compileGlobs, makeSelection, skippedByDefault } from './select.js';
import { makeUri, URL_LENGTH_LIMIT } from './uri.js';

/** A file of the site that is a resource, before it is read. */
export interface FoundFile {
  readonly uri: string;
  readonly path: string;
}

/** What the walk found. */
export interface Found {
  /** In the order of their URIs. */
  readonly files: readonly FoundFile[];
  /** What is no resource, counted by reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** The files of the site's root that tell hosts what to do; see `noticeHost`. */
  readonly hostFiles: ReadonlySet<string>;
  /** `include` globs that brought nothing back. */
  readonly idleIncludes: readonly string[];
}

/**
 * Resolves the site's folder.
 *
 * @throws ResyncError `site-unreadable` when it is not a folder
 */
export function resolveSite(site: string): string {
  const path = resolve(site);
  try {
    if (statSync(path).isDirectory()) return realpathSync(path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw new ResyncError(
      'site-unreadable',
      code === 'ENOENT'
        ? `There is no folder ${path}.\nBuild the site first, or name the folder that the build writes.`
        : `Cannot read the folder ${path} (${code}).`,
      { cause: error },
    );
  }
  throw new ResyncError(
    'site-unreadable',
    `${path} is not a folder.\nName the folder that the build writes.`,
  );
}

/**
 * Walks the site and maps its files to URLs; reads no file.
 *
 * @throws ResyncError `file-unreadable`, `name-not-unicode`, `url-conflict`, `url-too-long`, `site-empty`
 */
export async function walkSite(
  site: string,
  config: Pick<Config, 'url' | 'urls' | 'include' | 'exclude'>,
): Promise<Found> {
  const selection = makeSelection(config.include, config.exclude);
  const idle = new Map(config.include.map((glob) => [glob, compileGlobs([glob], { dot: false })]));
  const skipped: Partial<Record<SkipReason, number>> = {};
  const skip = (reason: SkipReason) => {
    skipped[reason] = (skipped[reason] ?? 0) + 1;
  };
  const hostFiles = new Set<string>();
  const byUri = new Map<string, string>();
  for (const { path, kind } of await listEntries(site)) {
    const reason = selection(path);
    if (path === 'CNAME' || path === '.nojekyll') hostFiles.add(path);
    for (const [glob, test] of idle)
      if (skippedByDefault(path) !== undefined && test(path)) idle.delete(glob);
    if (reason === undefined && path.includes('\uFFFD')) refuseUnreadableName(site, path);
    if (kind === 'folder') continue;
    if (reason !== undefined) skip(reason);
    else if (kind !== 'file') skip(kind);
    else {
      const uri = uriOf(path, config);
      const other = byUri.get(uri);
      if (other !== undefined) refuseConflict(uri, other, path, config.urls);
      byUri.set(uri, path);
    }
  }
  if (byUri.size === 0) refuseEmpty(site, skipped);
  const files = Array.from(byUri, ([uri, path]) => ({ uri, path })).sort((a, b) => (a.uri < b.uri ? -1 : 1));
  return { files, skipped, hostFiles, idleIncludes: [...idle.keys()] };
}

/** Joins what the walk and the digests found, in the same order, and asks the configuration for what only it knows. */
export async function makeResources(
  files: readonly FoundFile[],
  digests: DigestTable,
  config: Config,
): Promise<Resource[]> {
  const { default: mime } = await import('mime');
  return files.map(({ uri, path }, index) => {
    const hashes: Hash[] = config.hash.map((algorithm) => ({
      algorithm,
      value: digests.hex(index, algorithm),
    }));
    // With a folder before it, a name without a dot is never taken for an extension.
    const known = mime.getType(`/${path}`);
    const facts: ResourceFacts = {
      uri,
      path,
      length: digests.length(index),
      hashes,
      ...(known !== null && { type: known }),
    };
    return config.extras === undefined ? facts : { ...facts, ...config.extras(facts) };
  });
}

interface Entry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'symbolic-link' | 'special-file';
}

async function listEntries(site: string): Promise<Entry[]> {
  const { globbySync } = await import('globby');
  try {
    const entries = globbySync('**', {
      cwd: site,
      dot: true,
      expandDirectories: false,
      followSymbolicLinks: false,
      ignore: ['**/.git'],
      objectMode: true,
      onlyFiles: false,
    });
    return entries.map(({ path, dirent }) => ({
      path,
      kind: dirent.isFile()
        ? 'file'
        : dirent.isDirectory()
          ? 'folder'
          : dirent.isSymbolicLink()
            ? 'symbolic-link'
            : 'special-file',
    }));
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    const path = error instanceof Error && 'path' in error ? String(error.path) : site;
    throw new ResyncError(
      'file-unreadable',
      `Cannot read the folder ${path} (${code}).\nMake it readable; a folder that is left out has to be readable too.`,
      { cause: error },
    );
  }
}

function uriOf(path: string, { url, urls }: Pick<Config, 'url' | 'urls'>): string {
  if (!path.isWellFormed()) refuseName(path);
  const uri = makeUri(url, path, urls);
  if (uri.length < URL_LENGTH_LIMIT) return uri;
  throw new ResyncError(
    'url-too-long',
    `The URL of ${path} has ${uri.length.toLocaleString('en')} characters; the Sitemap protocol allows ${(URL_LENGTH_LIMIT - 1).toLocaleString('en')}.\nShorten the name, or leave the file out with --exclude.`,
  );
}

/** A replacement character may stand in a name, or stand for bytes that are not UTF-8: then no such file is found. */
function refuseUnreadableName(site: string, path: string): void {
  if (lstatSync(join(site, path), { throwIfNoEntry: false }) === undefined) refuseName(path);
}

function refuseName(path: string): never {
  throw new ResyncError(
    'name-not-unicode',
    `The name ${JSON.stringify(path)} is not valid Unicode (\uFFFD or \\u… stands for what is not), so it has no URL.\nRename the file or folder, or leave it out with --exclude.`,
  );
}

function refuseConflict(uri: string, a: string, b: string, style: string): never {
  const [first, second] = [a, b].sort();
  throw new ResyncError(
    'url-conflict',
    `${first} and ${second} have one URL, ${uri} (with --urls ${style}).\nLeave one of them out with --exclude, or choose the --urls style of your host.`,
  );
}

function refuseEmpty(site: string, skipped: Found['skipped']): never {
  const left = Object.values(skipped).reduce((sum, count) => sum + count, 0);
  throw new ResyncError(
    'site-empty',
    left === 0
      ? `${site} is empty. Is it the right folder?\nBuild the site first, or name the folder that the build writes.`
      : `${site} holds nothing to list: all ${left} files are left out. Is it the right folder?\nName the folder that the build writes, or look at --include and --exclude.`,
  );
}
