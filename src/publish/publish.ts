/** Puts finished documents into the site: all staged first, then moved, leaves first, then what is outdated removed. */

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ResyncError, systemErrorCode } from '../errors.js';
import { isOwnDocument } from '../paths/selection.js';
import { say, type Words } from '../text/say.js';
import { makeFolder, removeIfEmpty, type WaitObserver, withLock } from './lock.js';

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

/** What a run that is ready does: it gives up, or publishes what it has recorded just now or need not record. */
export type Decision = 'give up' | 'publish' | 'publish what is recorded';

/** How far a run has come in changing the site. */
interface Advance {
  readonly moved: number;
  readonly toMove: number;
  readonly removed: number;
  readonly toRemove: number;
  readonly recorded: boolean;
}

const NO_ADVANCE: Advance = { moved: 0, toMove: 0, removed: 0, toRemove: 0, recorded: false };

/**
 * Publishes documents into a site.
 *
 * Whenever the process dies, or the system refuses a step, every document that can be reached from the Source
 * Description is whole, old or new, and links to nothing that is missing: a document is moved into place, atomically,
 * after those that it links down to. Documents of ours that are outdated are removed last. The next run does what this
 * one left undone: it compares with what stands in the site, whatever was recorded, and removes what was left behind.
 *
 * @param make makes what is to be published, leaves first; it may stage files in the folder that it is given
 * @param decide asked once all is ready, before the first file is moved; when it gives up, or throws, none is
 * @returns what became of each, and the outdated documents that were removed; undefined when `decide` gave up
 * @throws ResyncError `not-ours`, and the former documents are as they were; `write-failed`, which says what is new
 */
export async function publishDocuments(
  site: string,
  make: (folder: string) => Promise<readonly Publishable[]>,
  decide: () => Promise<Decision>,
  tellWaiting: WaitObserver,
): Promise<{ published: Published[]; removed: string[] } | undefined> {
  let advance = NO_ADVANCE;
  const publish = async (folder: string, confirm: () => void) => {
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
      const decision = await decide();
      if (decision === 'give up') return undefined;
      const recorded = decision === 'publish what is recorded';
      advance = { ...NO_ADVANCE, toMove: changed.length, toRemove: outdated.length, recorded };
      confirm();
      for (const { path, file } of changed) {
        renameSync(file, join(site, path));
        advance = { ...advance, moved: advance.moved + 1 };
      }
    } finally {
      // Those that nothing came into.
      for (const name of made) removeIfEmpty(join(site, name));
    }
    for (const path of outdated) {
      unlinkSync(join(site, path));
      advance = { ...advance, removed: advance.removed + 1 };
    }
    removeEmptyFolders(site, outdated);
    return {
      published: staged.map(({ path, bytes, changed: differs }) => ({ path, bytes, changed: differs })),
      removed: outdated,
    };
  };
  try {
    return await withLock(site, publish, tellWaiting);
  } catch (error) {
    throw explainFailure(site, error, wordAdvance(advance));
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
  tellWaiting: WaitObserver,
): Promise<void> {
  let replaced = 0;
  const replace = async (folder: string, confirm: () => void) => {
    const file = join(folder, 'edited');
    for await (const { path, content } of files) {
      const target = join(site, path);
      const mode = statSync(target, { throwIfNoEntry: false })?.mode;
      writeFileSync(file, content);
      if (mode !== undefined) chmodSync(file, mode & 0o7777);
      confirm();
      renameSync(file, target);
      replaced++;
    }
  };
  try {
    await withLock(site, replace, tellWaiting);
  } catch (error) {
    const edited =
      replaced === 0 ? say`` : say`${countOf(replaced, 'file was', 'files were')} edited before that. `;
    throw explainFailure(site, error, say`${edited}The documents published before are still in place.`);
  }
}

/** Words what the system refused; what is no such refusal stays as it is. */
function explainFailure(site: string, error: unknown, state: Words): unknown {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  return new ResyncError(
    'write-failed',
    say`Cannot write ${findTarget(error) ?? site}: ${REASONS[code] ?? code}.\n${state} Make room or give write permission, and run again.`,
    { cause: error },
  );
}

/** What could not be written; of a move, the place where it was to go. */
function findTarget(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('dest' in error) return String(error.dest);
  return 'path' in error ? String(error.path) : undefined;
}

const REASONS: Readonly<Record<string, string | undefined>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  EFBIG: 'the file would be too large',
  EXDEV: 'it is on another file system than the site',
  EBUSY: 'another program uses it',
};

function wordAdvance({ moved, toMove, removed, toRemove, recorded }: Advance): Words {
  const kept = recorded ? say` This publication is recorded, and is not recorded twice.` : say``;
  if (moved === 0 && moved < toMove) return say`The documents published before are still in place.${kept}`;
  if (moved < toMove) {
    return say`Of ${countOf(toMove, 'file', 'files')} that are to change, ${countOf(moved, 'is', 'are')} new, and the others are as they were. Every document is whole and links to nothing that is missing.${kept} The next run does the rest.`;
  }
  if (removed < toRemove) {
    return say`All documents are up to date, but ${countOf(toRemove - removed, 'outdated file is', 'outdated files are')} still there.${kept} The next run removes what is left.`;
  }
  return toMove === 0
    ? say`The documents published before are still in place.${kept}`
    : say`All documents are up to date.${kept}`;
}

function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
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
        say`${join(site, folder)} is ${what}, where a folder for the ResourceSync documents belongs.\nMove or rename it; nothing has been written.`,
      );
    }
  }
  for (const path of targets) {
    const file = join(site, path);
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined || isOurs(file)) continue;
    throw new ResyncError(
      'not-ours',
      say`${file} was not written by resync-static, and is not overwritten.\nMove or remove it; nothing has been written.`,
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

/** Removes the folders that are empty now that these documents are gone. */
function removeEmptyFolders(site: string, removed: readonly string[]): void {
  for (const folder of new Set(removed.map((path) => dirname(path)))) {
    if (readdirSync(join(site, folder)).length === 0) rmdirSync(join(site, folder));
  }
}
