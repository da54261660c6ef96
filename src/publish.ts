/** Puts finished documents into the site: all staged first, then moved, leaves first, then what is outdated removed. */

import { randomUUID } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ResyncError, systemErrorCode } from './errors.js';
import { isOwnDocument, WORK_FOLDER } from './select.js';

/** Stands in every document and package of ours, and tells it from a file that merely has its name. */
export const OWNER_MARK = 'Written by resync-static';
/** The mark stands within so many bytes of the beginning, or of the end of a package. */
const MARK_WITHIN = 256;

/** Something to publish. `path` is relative to the site. */
export type Publishable = { readonly path: string } & (
  | {
      /** Yields the text of a document, once. */
      readonly content: Iterable<string>;
    }
  | {
      /** A file that is ready in the folder for what is staged; undefined when the one in the site is to stay. */
      readonly file: string | undefined;
    }
);

/** What became of it. */
export interface Published {
  readonly path: string;
  readonly bytes: number;
  /** Whether the site held another one, or none, before. */
  readonly changed: boolean;
}

/** A lock whose holder has not been heard of for so long, in milliseconds, is abandoned. */
const LOCK_EXPIRY = 60_000;
/** Signing a lock takes no time; one that is not signed after so long will never be. */
const UNSIGNED_EXPIRY = 1_000;
const LOCK_HEARTBEAT = 10_000;
const LOCK_POLL = 50;

/**
 * Publishes documents into a site.
 *
 * Whenever the process dies, every document that can be reached from the Source Description is whole, old or new, and
 * links to nothing that is missing: a document is moved into place, atomically, after those that it links down to.
 * Documents of ours that are outdated are removed last. The next run removes what a run that died has left behind.
 *
 * @param make makes what is to be published, leaves first; it may stage files in the folder that it is given
 * @param decide asked once all is ready, before the first file is moved; when it says no, or throws, none is
 * @returns what became of each, and the outdated documents that were removed; undefined when `decide` said no
 * @throws ResyncError `not-ours`, `write-failed`; the former documents are then as they were
 */
export async function publishDocuments(
  site: string,
  make: (folder: string) => Promise<readonly Publishable[]>,
  decide: () => Promise<boolean>,
): Promise<{ published: Published[]; removed: string[] } | undefined> {
  try {
    return await withLock(site, async (folder, confirm) => {
      const documents = await make(folder);
      const targets = documents.map(({ path }) => path);
      refuseForeignFiles(site, targets);
      const staged = documents.map((document, index) =>
        stageDocument(site, document, join(folder, `${index}`)),
      );
      const changed = staged.filter((document) => document.changed);
      const outdated = findOutdated(site, new Set(targets));
      requireWritable(site, [...changed.map(({ path }) => path), ...outdated]);
      const folders = new Set(changed.flatMap(({ path }) => foldersOf(path)));
      const made: string[] = [];
      try {
        for (const name of folders) if (makeFolder(join(site, name))) made.unshift(name);
        if (!(await decide())) return undefined;
        confirm();
        for (const { path, file } of changed) renameSync(file, join(site, path));
      } finally {
        // Those that nothing came into.
        for (const name of made) removeIfEmpty(join(site, name));
      }
      removeDocuments(site, outdated);
      return {
        published: staged.map(({ path, bytes, changed: differs }) => ({ path, bytes, changed: differs })),
        removed: outdated,
      };
    });
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw new ResyncError('write-failed', wordWriteFailure(site, code, error), { cause: error });
  }
}

/**
 * Replaces files of the site, one after another, or makes them. Each is the old or the new one at any moment, whole, and
 * keeps its mode.
 *
 * @param files paths relative to the site, and the bytes that belong there; asked for one by one
 * @throws ResyncError `write-failed`, and whatever `files` throws; those replaced before stay
 */
export async function replaceFiles(
  site: string,
  files: AsyncIterable<{ readonly path: string; readonly content: Uint8Array }>,
): Promise<void> {
  try {
    await withLock(site, async (folder, confirm) => {
      const file = join(folder, 'edited');
      for await (const { path, content } of files) {
        const target = join(site, path);
        const mode = statSync(target, { throwIfNoEntry: false })?.mode;
        writeFileSync(file, content);
        if (mode !== undefined) chmodSync(file, mode & 0o7777);
        confirm();
        renameSync(file, target);
      }
    });
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw new ResyncError('write-failed', wordWriteFailure(site, code, error), { cause: error });
  }
}

function wordWriteFailure(site: string, code: string, error: unknown): string {
  const where = error instanceof Error && 'path' in error ? String(error.path) : site;
  const reason =
    {
      ENOSPC: 'the disk is full',
      EDQUOT: 'the disk quota is used up',
      EACCES: 'permission is denied',
      EPERM: 'permission is denied',
      EROFS: 'the file system is read-only',
      EFBIG: 'the file would be too large',
    }[code] ?? code;
  return `Cannot write ${where}: ${reason}.\nThe documents published before are still in place. Make room or give write permission, and run again.`;
}

/** Documents are compared in pieces of so many bytes; what differs usually does so at the top. */
const COMPARE_BYTES = 64 * 1024;

interface Staged extends Published {
  readonly file: string;
}

function stageDocument(site: string, document: Publishable, name: string): Staged {
  const { path } = document;
  const target = join(site, path);
  if ('content' in document) {
    const bytes = writeDocument(document.content, name);
    return { path, file: name, bytes, changed: !isSameFile(name, target) };
  }
  const { file = target } = document;
  return { path, file, bytes: statSync(file).size, changed: file !== target && !isSameFile(file, target) };
}

/** Writes a new file, and tells its length in bytes. */
export function writeDocument(content: Iterable<string>, file: string): number {
  const handle = openSync(file, 'wx');
  let bytes = 0;
  try {
    for (const text of content) {
      const buffer = Buffer.from(text);
      for (let offset = 0; offset < buffer.length; ) offset += writeSync(handle, buffer, offset);
      bytes += buffer.length;
    }
  } finally {
    closeSync(handle);
  }
  return bytes;
}

/** Whether two files hold the same bytes; the second may be missing. */
function isSameFile(a: string, b: string): boolean {
  const size = statSync(b, { throwIfNoEntry: false })?.size;
  if (size !== statSync(a).size) return false;
  const [first, second] = [openSync(a, 'r'), openSync(b, 'r')];
  try {
    const [left, right] = [Buffer.alloc(COMPARE_BYTES), Buffer.alloc(COMPARE_BYTES)];
    for (let position = 0; position < size; position += COMPARE_BYTES) {
      const length = Math.min(COMPARE_BYTES, size - position);
      readSync(first, left, 0, length, position);
      readSync(second, right, 0, length, position);
      if (!left.equals(right)) return false;
    }
    return true;
  } finally {
    closeSync(first);
    closeSync(second);
  }
}

/** Everything in the way is found before anything is written. */
function refuseForeignFiles(site: string, targets: readonly string[]): void {
  const folders = new Set(targets.flatMap((path) => foldersOf(path)));
  for (const folder of folders) {
    const entry = lstatSync(join(site, folder), { throwIfNoEntry: false });
    if (entry !== undefined && !entry.isDirectory()) {
      const what = entry.isSymbolicLink() ? 'a symbolic link' : 'a file';
      throw new ResyncError(
        'not-ours',
        `${join(site, folder)} is ${what}, where a folder for the ResourceSync documents belongs.\nMove or rename it; nothing has been written.`,
      );
    }
  }
  for (const path of targets) {
    const file = join(site, path);
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined || isOurs(file)) continue;
    throw new ResyncError(
      'not-ours',
      `${file} was not written by resync-static, and is not overwritten.\nMove or remove it; nothing has been written.`,
    );
  }
}

function foldersOf(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}

/** Whether a file was written by us: a document says so in a comment at its top, a package in one at its end. */
export function isOurs(file: string): boolean {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  const handle = openSync(file, 'r');
  try {
    const part = Buffer.alloc(MARK_WITHIN);
    const isPackage = file.endsWith('.zip');
    const position = isPackage ? Math.max(0, fstatSync(handle).size - MARK_WITHIN) : 0;
    const text = part.toString('latin1', 0, readSync(handle, part, 0, MARK_WITHIN, position));
    return isPackage ? text.endsWith(OWNER_MARK) : isOwnText(text);
  } finally {
    closeSync(handle);
  }
}

/** Whether a document says at its top that it was written by us. */
export function isOwnText(text: string): boolean {
  return text.slice(0, MARK_WITHIN).includes(`<!-- ${OWNER_MARK} -->`);
}

/** The first failure is to come before the first move: then all is as it was. */
function requireWritable(site: string, paths: readonly string[]): void {
  for (const folder of new Set(paths.map((path) => dirname(join(site, path))))) {
    let existing = folder;
    while (!existsSync(existing)) existing = dirname(existing);
    accessSync(existing, constants.W_OK);
  }
}

/** The documents of ours that are not among the targets. */
function findOutdated(site: string, targets: ReadonlySet<string>): string[] {
  const outdated: string[] = [];
  const folders = existsSync(join(site, 'resourcesync')) ? ['resourcesync'] : [];
  for (const folder of folders) {
    for (const entry of readdirSync(join(site, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && folder === 'resourcesync') folders.push(path);
      if (isOwnDocument(path) && !targets.has(path) && isOurs(join(site, path))) outdated.push(path);
    }
  }
  return outdated.sort();
}

/** Removes documents, and the folders that this leaves empty. */
function removeDocuments(site: string, paths: readonly string[]): void {
  for (const path of paths) unlinkSync(join(site, path));
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    if (readdirSync(join(site, folder)).length === 0) rmdirSync(join(site, folder));
  }
}

/**
 * Runs `work` while no other run works on the site, in a folder of its own for what it stages.
 *
 * The lock is a file that names its holder. It is abandoned when the holder is a process of this machine that is no
 * longer there, or has not touched it for a minute. A run that was stopped for longer finds out through `confirm` and
 * gives up.
 */
async function withLock<T>(
  site: string,
  work: (folder: string, confirm: () => void) => Promise<T>,
): Promise<T> {
  const folder = join(site, WORK_FOLDER);
  const lock = join(folder, 'lock');
  const holder = JSON.stringify({ host: hostname(), pid: process.pid, run: randomUUID() });
  const holds = () => readIfThere(lock) === holder;
  while (!takeLock(folder, lock, holder)) {
    const other = readIfThere(lock);
    if (other !== undefined && isAbandoned(lock, other)) breakLock(lock, other);
    else await sleep(LOCK_POLL);
  }
  const heartbeat = setInterval(() => {
    const now = Date.now() / 1000;
    if (holds()) utimesSync(lock, now, now);
  }, LOCK_HEARTBEAT);
  try {
    // Whatever else is here was left behind by a run that died.
    for (const name of readdirSync(folder)) {
      if (name !== 'lock') rmSync(join(folder, name), { recursive: true, force: true });
    }
    const staging = join(folder, 'staged');
    mkdirSync(staging);
    return await work(staging, () => {
      if (holds()) return;
      throw new ResyncError(
        'write-failed',
        `Another run took over ${site} while this one stood still.\nRun again.`,
      );
    });
  } finally {
    clearInterval(heartbeat);
    if (holds()) {
      rmSync(join(folder, 'staged'), { recursive: true, force: true });
      unlinkSync(lock);
      removeIfEmpty(folder);
    }
  }
}

function takeLock(folder: string, lock: string, holder: string): boolean {
  const entry = lstatSync(folder, { throwIfNoEntry: false });
  if (entry !== undefined && !entry.isDirectory()) {
    throw new ResyncError(
      'not-ours',
      `${folder} is in the way: a run keeps there what it is about to publish.\nMove or rename it; nothing has been written.`,
    );
  }
  if (entry === undefined) makeFolder(folder);
  try {
    writeFileSync(lock, holder, { flag: 'wx' });
    return true;
  } catch (error) {
    const code = systemErrorCode(error);
    // ENOENT: the run that held it removed the folder just now.
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    // A full disk takes the name of a file and not its content.
    rmSync(lock, { force: true });
    removeIfEmpty(folder);
    throw error;
  }
}

/**
 * Makes a folder, but not those above it: the site may have been moved away.
 *
 * @returns false when it is there already, perhaps because another run has just made it
 */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    return false;
  }
}

function isAbandoned(lock: string, holder: string): boolean {
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age > LOCK_EXPIRY) return true;
  if (holder === '') return age > UNSIGNED_EXPIRY;
  const [, host, pid] = /^\{"host":"(.*)","pid":(\d+),/.exec(holder) ?? [];
  return host === hostname() && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}

/** Moves an abandoned lock aside and removes it; puts it back if another run has taken it in the meantime. */
function breakLock(lock: string, holder: string): void {
  const aside = `${lock}.${randomUUID()}`;
  try {
    renameSync(lock, aside);
    if (readFileSync(aside, 'utf8') !== holder) linkSync(aside, lock);
    unlinkSync(aside);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
  }
}

/** Between looking and reading, another run may remove it. */
function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT') throw error;
  }
}
