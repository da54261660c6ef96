/** Records snapshots in git; no other module writes to git. */

import { createHash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { ResyncError, unlessRefused } from '../../base/errors.js';
import { OPEN_FLAGS } from '../../base/open-flags.js';
import { say } from '../../base/text/say.js';
import { LISTING_TRAILER } from './log.js';
import { resolveCommit } from './refs.js';
import type { Repository } from './repository.js';
import { askGit, startGit, switchOff } from './run.js';

/**
 * Refuses a ref that is symbolic, or whose file is behind a symbolic link: recording would move another ref or write
 * elsewhere. @throws ResyncError `git-failed`
 */
export async function requireOwnRef(repository: Repository, ref: string): Promise<void> {
  const { root, commonFolder } = repository;
  const target = await askGit(repository, ['symbolic-ref', '--quiet', ref]);
  if (target !== '') {
    throw new ResyncError(
      'git-failed',
      say`${ref} in ${root} is a symbolic ref to ${target}, and recording would move that. Nothing has been written.\nRun git symbolic-ref --delete ${ref}, or choose another name: --history snapshots:<name>.`,
    );
  }
  for (const folder of ['refs', 'logs/refs']) {
    const link = findLink(join(commonFolder, folder), ref.slice('refs/'.length));
    if (link === undefined) continue;
    throw new ResyncError(
      'git-failed',
      say`${link} is a symbolic link: recording ${ref} would write where that leads. Nothing has been written.\nRemove it, or choose another name: --history snapshots:<name>.`,
    );
  }
}

/** Returns the first symbolic link on the way from a folder to a file in it; undefined if there is none. */
function findLink(folder: string, path: string): string | undefined {
  const segments = path.split('/');
  const ways = segments.map((_, index) => join(folder, ...segments.slice(0, index + 1)));
  // The file may be missing or unreadable; git itself reports that.
  return ways.find((path) => unlessRefused(() => lstatSync(path).isSymbolicLink()));
}

/** A state of the site to record, as the difference from the previous snapshot. */
export interface Snapshot {
  readonly ref: string;
  /** The commit that the ref points to; undefined for the first snapshot. */
  readonly parent: string | undefined;
  readonly datetime: Date;
  /** The commit of the sources from which the site was built; undefined if it is not known. */
  readonly source: string | undefined;
  /** Values of the trailers `Listing`, one for each set, see `writeListing`. */
  readonly listings: readonly string[];
  readonly removed: readonly string[];
  readonly written: readonly RecordedFile[];
}

export interface RecordedFile {
  readonly path: string;
  readonly length: number;
  /** The blob id that the bytes must have. */
  readonly blob: string;
  /** Bytes to record instead of those of the file in the site. */
  readonly content?: Uint8Array;
}

/**
 * Appends a snapshot to its ref, which moves last and atomically. No filter or hook runs, and nothing else in the repository
 * changes. Equal snapshots with equal parents become equal commits on every machine.
 *
 * @returns false if another run has moved the ref meanwhile, so that nothing is recorded
 * @throws ResyncError `file-changing` if a file no longer has the scanned bytes, `git-failed`
 */
export async function recordSnapshot(
  repository: Repository,
  site: string,
  snapshot: Snapshot,
): Promise<boolean> {
  const { ref, parent, datetime, source, listings, removed, written } = snapshot;
  const seconds = datetime.getTime() / 1000;
  // The first snapshot is large and written once: speed over size. Later snapshots are small.
  const settings = {
    ...(parent === undefined && { 'core.compression': '0' }),
    // In milliseconds; other processes hold these locks for less. Settings of the repository could make git wait for ever.
    'core.filesRefLockTimeout': '1000',
    'core.packedRefsTimeout': '1000',
  };
  const { stdin, ended } = startGit(repository, ['fast-import', '--quiet', '--done', '--depth=0'], {
    settings,
    // From 2.54 on, git also runs hooks that settings name.
    oddSettings: switchOff(repository.settings, 'hook', { enabled: 'false' }),
  });
  let changed: ResyncError | undefined;
  for (const [index, file] of written.entries()) {
    await write(stdin, `blob\nmark :${index + 1}\ndata ${file.length}\n`);
    if (file.content === undefined)
      changed = await sendFile(join(site, file.path), file, repository.objectFormat, stdin);
    else await write(stdin, Buffer.concat([file.content, LINE_END]));
    if (changed !== undefined) break;
  }
  // If a file has changed, no commit is sent: git later removes the blobs that it got.
  if (changed === undefined) {
    const trailers = [
      ...(source === undefined ? [] : [`Source: ${source}\n`]),
      ...listings.map((listing) => `${LISTING_TRAILER}: ${listing}\n`),
    ];
    const message = `Publication\n\n${trailers.join('')}`;
    const head = `commit ${ref}\ncommitter resync-static <> ${seconds} +0000\n`;
    await write(stdin, `${head}data ${message.length}\n${message}`);
    if (parent !== undefined) await write(stdin, `from ${parent}\n`);
    for (const path of removed) await write(stdin, `D ${quotePath(path)}\n`);
    for (const [index, { path }] of written.entries()) {
      await write(stdin, `M 100644 :${index + 1} ${quotePath(path)}\n`);
    }
  }
  await write(stdin, 'done\n');
  stdin.end();
  try {
    await ended;
  } catch (error) {
    if ((await resolveCommit(repository, ref)) !== parent) return false;
    refuseLocked(repository, ref);
    throw error;
  }
  if (changed !== undefined) throw changed;
  return true;
}

/** Refuses a locked ref. Leaves the lock, because its owner may still be running. @throws ResyncError `git-failed` */
function refuseLocked({ root, commonFolder }: Repository, ref: string): void {
  const lock = join(commonFolder, `${ref}.lock`);
  if (!existsSync(lock)) return;
  const since = lstatSync(lock).mtime.toISOString();
  throw new ResyncError(
    'git-failed',
    say`git cannot record in ${root}: ${ref} is locked since ${since}. Nothing is recorded.\nIf no git runs there any more, one was killed and has left the lock. Then remove ${lock}, and run again.`,
  );
}

const LINE_END = Buffer.from('\n');

/** Sends a file to git as exactly `length` bytes. Returns an error if these are not the scanned bytes. */
async function sendFile(
  path: string,
  { length, blob }: RecordedFile,
  objectFormat: Repository['objectFormat'],
  stdin: Writable,
): Promise<ResyncError | undefined> {
  const id = createHash(objectFormat).update(`blob ${length}\0`);
  let sent = 0;
  let cause: unknown;
  try {
    const file = await open(path, OPEN_FLAGS);
    try {
      while (sent < length) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(1 << 16, length - sent)));
        if (bytesRead === 0) break;
        const part = buffer.subarray(0, bytesRead);
        id.update(part);
        sent += bytesRead;
        await write(stdin, part);
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    cause = error;
  }
  while (sent < length) {
    const padding = Buffer.alloc(Math.min(1 << 16, length - sent));
    sent += padding.length;
    await write(stdin, padding);
  }
  await write(stdin, '\n');
  if (cause === undefined && id.digest('hex') === blob) return undefined;
  return new ResyncError(
    'file-changing',
    say`${path} is no longer what was described. Nothing is recorded.\nRun again when the build has finished.`,
    { cause },
  );
}

/** Quotes a path for fast-import: escapes quotation marks, backslashes and line breaks. */
function quotePath(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/** Writes to git as fast as git reads. If git ends early, the pipe breaks, and `ended` rejects with the cause. */
async function write(stdin: Writable, data: string | Buffer): Promise<void> {
  if (stdin.destroyed || stdin.write(data)) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      stdin.off('drain', done).off('close', done);
      resolve();
    };
    stdin.on('drain', done).on('close', done);
  });
}
