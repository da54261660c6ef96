/** Reads the site: which files it holds, which of them are resources, what their bytes are. */

import { isUtf8 } from 'node:buffer';
import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Config, ResolvedSet, ResourceFacts } from '../config/config.js';
import { ResyncError, type SkipReason, systemErrorCode } from '../errors.js';
import { WORK_FOLDER } from '../paths/ours.js';
import { compileGlobs, skippedByDefault } from '../paths/selection.js';
import { makeUri, URL_LENGTH_LIMIT } from '../paths/urls.js';
import { fitsZip } from '../plan/packages.js';
import type { Resource } from '../resourcesync/model.js';
import { say } from '../text/say.js';
import { type DigestTable, startDigester } from './digest.js';

/** What the site holds. */
export interface ScannedSite {
  /** In the order of their URIs. */
  readonly resources: readonly Resource[];
  /** The sets of resources that are configured, in their order. */
  readonly sets: readonly ScannedSet[];
  /** The ids that git gives to the bytes of the resources, in the same order; empty unless asked for. */
  readonly blobs: readonly string[];
  readonly typeOf: TypeOf;
  /** What is no resource, counted by reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** The files of the site's root that tell hosts what to do. */
  readonly hostFiles: ReadonlySet<string>;
  /** `include` globs that brought nothing back. */
  readonly idleIncludes: readonly string[];
}

/** So far, in milliseconds, the clock of a file system in the network may be behind ours. */
const CLOCK_DIFFERENCE = 60_000;

/** What a set of resources holds. */
export interface ScannedSet extends Pick<ResolvedSet, 'name' | 'describedby'> {
  readonly resources: readonly Resource[];
}

type ScanConfig = Pick<
  Config,
  'url' | 'urls' | 'include' | 'selection' | 'sets' | 'hash' | 'dumps' | 'extras'
>;

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
        ? say`There is no folder ${path}.\nBuild the site first, or name the folder that the build writes.`
        : say`Cannot read the folder ${path} (${code}).`,
      { cause: error },
    );
  }
  throw new ResyncError(
    'site-unreadable',
    say`${path} is not a folder.\nName the folder that the build writes.`,
  );
}

/** The two ways in which a scan touches the disk. */
export interface SiteReader {
  readonly startDigester: typeof startDigester;
  readonly readFolder: (site: string, folder: string) => readonly Entry[];
}

/**
 * Walks the site, maps its files to URLs and reads those that are resources.
 *
 * @param site absolute path, see `resolveSite`
 * @param blobName the kind of git ids to compute along with the digests; undefined for none
 * @param onProgress called now and then with the number of files read, and of those found so far
 * @param reader what the site is read with
 * @throws ResyncError `file-unreadable`, `file-changing`, `name-not-unicode`, `url-conflict`, `url-too-long`,
 *   `site-empty`, `file-too-large`, `extras-invalid`
 */
export async function scanSite(
  site: string,
  config: ScanConfig,
  blobName: 'git-sha1' | 'git-sha256' | undefined,
  onProgress: (done: number, total: number) => void,
  reader: SiteReader = { startDigester, readFolder },
): Promise<ScannedSite> {
  const begin = Date.now();
  const names = blobName === undefined ? config.hash : [...config.hash, blobName];
  const digester = reader.startDigester(site, names);
  const timer = setInterval(() => {
    const { done, total } = digester.progress();
    onProgress(done, total);
  }, 100);
  try {
    const folders: string[] = [];
    const list = (root: string, folder: string) => {
      folders.push(folder);
      return reader.readFolder(root, folder);
    };
    const { files, ...rest } = await walkSite(site, config, list, digester.add);
    const typeOf = await loadTypes();
    const digests = await digester.finish();
    refuseSwapped(site, folders, begin);
    const resources = files.map((file) => makeResource(file, digests, typeOf, config));
    return {
      resources,
      sets: config.sets.map((set) => selectResources(set, resources)),
      blobs: blobName === undefined ? [] : files.map(({ index }) => digests.hex(index, blobName)),
      typeOf,
      ...rest,
    };
  } finally {
    clearInterval(timer);
    digester.close();
  }
}

interface FoundFile {
  readonly uri: string;
  readonly path: string;
  /** The place among all files that were found, in no particular order. */
  readonly index: number;
}

/** Finds the files that are resources, tells of each, and returns them in the order of their URIs. */
async function walkSite(
  site: string,
  config: ScanConfig,
  list: SiteReader['readFolder'],
  onFile: (path: string) => void,
) {
  const { selection } = config;
  const idleIncludes = new Map(config.include.map((glob) => [glob, compileGlobs([glob], { dot: false })]));
  const skipped: Partial<Record<SkipReason, number>> = {};
  const hostFiles = new Set<string>();
  const files: FoundFile[] = [];
  let seen = 0;
  for (const { path, kind, nameless } of listEntries(site, list)) {
    // Others wait for their turn: git, whose output has to be taken, and the progress line.
    if (++seen % 256 === 0) await yieldToEventLoop();
    if (path === 'CNAME' || path === '.nojekyll') hostFiles.add(path);
    for (const [glob, test] of idleIncludes) {
      if (skippedByDefault(path) !== undefined && test(path)) idleIncludes.delete(glob);
    }
    const reason = selection(path) ?? kind;
    if (nameless && selection(path) === undefined) refuseName(path);
    if (reason === undefined) {
      if (config.dumps.resources) refuseLarge(site, path);
      files.push({ uri: uriOf(path, config), path, index: files.length });
      onFile(path);
    } else {
      skipped[reason] = (skipped[reason] ?? 0) + 1;
    }
  }
  if (files.length === 0) refuseEmpty(site, skipped);
  files.sort((a, b) => (a.uri < b.uri ? -1 : 1));
  let before: FoundFile | undefined;
  for (const file of files) {
    if (before?.uri === file.uri) refuseConflict(file.uri, before.path, file.path, config.urls);
    before = file;
  }
  return { files, skipped, hostFiles, idleIncludes: [...idleIncludes.keys()] };
}

function skippedByKind(entry: Dirent): SkipReason | undefined {
  if (entry.isFile()) return undefined;
  return entry.isSymbolicLink() ? 'symbolic-link' : 'special-file';
}

/** What a folder holds. */
export interface Entry {
  readonly path: string;
  readonly isFolder: boolean;
  /** Why it is no resource whatever its name: it is no regular file. */
  readonly kind: SkipReason | undefined;
  /** Whether bytes of the name are not Unicode. What is below such a folder cannot be reached. */
  readonly nameless: boolean;
}

/** Everything in the site that is not a folder; never what git keeps for itself, nor what we are about to publish. */
export function* listEntries(
  site: string,
  list: SiteReader['readFolder'] = readFolder,
): Generator<Entry, void> {
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of list(site, folder)) {
      const { path, isFolder, nameless } = entry;
      if (nameless || !isFolder) yield entry;
      else if (basename(path) !== '.git' && path !== WORK_FOLDER) folders.push(path);
    }
  }
}

/**
 * Lists a folder of the site, '' for the site itself.
 *
 * @throws ResyncError `file-unreadable`
 */
export function readFolder(site: string, folder: string): Entry[] {
  const entries = readEntries(site, folder);
  const nameless = findNameless(site, folder, entries);
  return entries.map((entry) => ({
    path: folder === '' ? entry.name : `${folder}/${entry.name}`,
    isFolder: entry.isDirectory(),
    kind: skippedByKind(entry),
    nameless: nameless.has(entry.name),
  }));
}

/** The names that are not Unicode, as they are shown. A replacement character may also stand in a name of its own right. */
function findNameless(site: string, folder: string, entries: readonly Dirent[]): ReadonlySet<string> {
  const suspects = entries.filter(({ name }) => name.includes('\uFFFD') || !name.isWellFormed());
  if (suspects.length === 0) return new Set();
  const names = readdirSync(`${site}/${folder}`, { encoding: 'buffer' });
  const broken = names.filter((name) => !isUtf8(name)).map(String);
  return new Set([...broken, ...suspects.map(({ name }) => name).filter((name) => !name.isWellFormed())]);
}

function readEntries(site: string, folder: string): Dirent[] {
  try {
    return readdirSync(`${site}/${folder}`, { withFileTypes: true });
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw new ResyncError(
      'file-unreadable',
      say`Cannot read the folder ${join(site, folder)} (${code}).\nMake it readable; this goes for folders that are left out, too.`,
      { cause: error },
    );
  }
}

/** The media type that a file's extension stands for, without parameters; undefined when unknown. */
export type TypeOf = (path: string) => string | undefined;

async function loadTypes(): Promise<TypeOf> {
  const { default: mime } = await import('mime');
  // With a folder before it, a name without a dot is never taken for an extension.
  return (path) => mime.getType(`/${path}`) ?? undefined;
}

/** Without named sets, there is one of everything. */
function selectResources({ name, describedby, holds }: ResolvedSet, all: readonly Resource[]): ScannedSet {
  const resources = name === undefined ? all : all.filter(({ path }) => holds(path));
  return { name, describedby, resources };
}

function makeResource(
  { uri, path, index }: FoundFile,
  digests: DigestTable,
  typeOf: TypeOf,
  config: ScanConfig,
): Resource {
  const length = digests.length(index);
  const hash = digests.join(index, config.hash);
  const type = typeOf(path);
  // Written out, because an object that was spread takes half as much memory again.
  const facts: ResourceFacts =
    type === undefined ? { uri, path, length, hash } : { uri, path, length, hash, type };
  return config.extras === undefined ? facts : { ...facts, ...config.extras(facts) };
}

function uriOf(path: string, { url, urls }: ScanConfig): string {
  const uri = makeUri(url, path, urls);
  if (uri.length < URL_LENGTH_LIMIT) return uri;
  throw new ResyncError(
    'url-too-long',
    say`The URL of ${path} has ${uri.length.toLocaleString('en-US')} characters; the Sitemap protocol allows ${(URL_LENGTH_LIMIT - 1).toLocaleString('en-US')}.\nShorten the name, or leave the file out with --exclude.`,
  );
}

/** Before the file is read, which takes its time. */
function refuseLarge(site: string, path: string): void {
  const length = statSync(`${site}/${path}`, { throwIfNoEntry: false })?.size ?? 0;
  if (fitsZip([{ length }])) return;
  throw new ResyncError(
    'file-too-large',
    say`${path} has ${length} bytes, more than a ZIP package can hold.\nLeave it out with --exclude ${JSON.stringify(path)}, or leave out --dumps; nothing has been written.`,
  );
}

/**
 * A file is never read through a link in its own place; a folder on the way to it may have become one. Who replaces a
 * folder changes the one above it: where that shows, all folders in it are looked at, after the last file was read.
 *
 * @param folders all that were listed
 * @param begin when the first of them was
 */
function refuseSwapped(site: string, folders: readonly string[], begin: number): void {
  const below = new Map<string, string[]>();
  for (const folder of folders) {
    if (folder === '') continue;
    const parent = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
    const siblings = below.get(parent);
    if (siblings === undefined) below.set(parent, [folder]);
    else siblings.push(folder);
  }
  const look = (folder: string) => lstatSync(`${site}/${folder}`, { throwIfNoEntry: false });
  for (const [parent, children] of below) {
    if ((look(parent)?.ctimeMs ?? begin) < begin - CLOCK_DIFFERENCE) continue;
    const swapped = children.find((folder) => look(folder)?.isSymbolicLink() === true);
    if (swapped === undefined) continue;
    throw new ResyncError(
      'file-changing',
      say`${join(site, swapped)} became a symbolic link while it was read; nothing has been written.\nFind out who did that, and run again when nobody changes the site.`,
    );
  }
}

function refuseName(path: string): never {
  throw new ResyncError(
    'name-not-unicode',
    say`The name ${JSON.stringify(path)} is not valid Unicode (\uFFFD or \\u… stands for what is not), so it has no URL.\nRename the file or folder, or leave it out with --exclude.`,
  );
}

function refuseConflict(uri: string, a: string, b: string, style: string): never {
  const [first, second] = a < b ? [a, b] : [b, a];
  throw new ResyncError(
    'url-conflict',
    say`${first} and ${second} have one URL, ${uri} (with --urls ${style}).\nLeave one of them out with --exclude, or choose the --urls style of your host.`,
  );
}

function refuseEmpty(site: string, skipped: ScannedSite['skipped']): never {
  const left = Object.values(skipped).reduce((sum, count) => sum + count, 0);
  throw new ResyncError(
    'site-empty',
    left === 0
      ? say`${site} is empty. Is it the right folder?\nBuild the site first, or name the folder that the build writes.`
      : say`${site} holds nothing to list: ${left === 1 ? 'its one file is' : `all ${left} files are`} left out. Is it the right folder?\nName the folder that the build writes, or look at --include and --exclude.`,
  );
}
