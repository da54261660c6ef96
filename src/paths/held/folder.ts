/** Held folders: work reaches the folder that was opened, even if its path leads elsewhere by then, and follows no link inside. */

import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  type Stats,
  statSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { ResyncError, systemErrorCode, unlessRefused } from '../../base/errors.js';
import { OPEN_FLAGS } from '../../base/open-flags.js';
import { say } from '../../base/text/say.js';

/** Flag of Linux that opens a folder only as a base of paths, which needs no right to list it. Node has no name for it. */
const O_PATH = 0o10000000;
const NO_LINK = constants.O_NOFOLLOW ?? 0;
/** Flags that open new files only, so that nothing is written through a link, or into a file that has a second name. */
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_LINK;

type Identity = Pick<BigIntStats, 'dev' | 'ino'>;

/**
 * A folder that stays the same until it is closed. On Linux, all work goes through its descriptor. Elsewhere Node cannot do
 * that: a check before and after each change finds a replaced folder. Names are single segments; links in it are not followed.
 */
export class HeldFolder {
  readonly path: string;
  /** Path to put before names for `node:fs`. Valid only while the folder is held, in this process and its threads. */
  readonly base: string;
  readonly #descriptor: number | undefined;
  readonly #identity: Identity;
  /** True if links may lead to the folder, because the user named its path. */
  readonly #isNamed: boolean;

  /** Opens a folder. @param path for messages @param place path for `node:fs`, if by descriptor @throws a system error */
  constructor(
    path: string,
    place: string,
    way: { readonly byDescriptor: boolean; readonly isNamed: boolean },
  ) {
    this.path = path;
    this.#isNamed = way.isNamed;
    if (way.byDescriptor) {
      this.#descriptor = openSync(place, O_PATH | constants.O_DIRECTORY | (way.isNamed ? 0 : NO_LINK));
      this.base = `${DESCRIPTORS}/${this.#descriptor}`;
      this.#identity = fstatSync(this.#descriptor, { bigint: true });
    } else {
      const found = this.#find();
      if (found?.isDirectory() !== true)
        throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR', path });
      this.base = path;
      this.#identity = found;
    }
  }

  at(name: string): string {
    return `${this.base}/${name}`;
  }

  /** Returns the metadata of an entry; for a link, those of the link itself. Undefined if no entry has the name. */
  look(name: string): Stats | undefined {
    return nameRefused(() => lstatSync(this.at(name), { throwIfNoEntry: false }));
  }

  list(): Dirent[] {
    return nameRefused(() => readdirSync(`${this.base}/`, { withFileTypes: true }));
  }

  /** Opens an entry for reading, of any kind but a link: the caller has to check what it is. */
  open(name: string): number {
    return nameRefused(() => openSync(this.at(name), OPEN_FLAGS));
  }

  create(name: string): number {
    return this.#act(() => openSync(this.at(name), NEW_FILE, 0o666));
  }

  makeFolder(name: string): void {
    this.#act(() => mkdirSync(this.at(name)));
  }

  /** Moves a file or a folder into a held folder; a file of that name there is replaced. */
  move(name: string, target: HeldFolder, newName: string): void {
    this.#act(() => target.#act(() => renameSync(this.at(name), target.at(newName))));
  }

  remove(name: string): void {
    this.#act(() => unlinkSync(this.at(name)));
  }

  removeFolder(name: string): void {
    this.#act(() => rmdirSync(this.at(name)));
  }

  clear(name: string): void {
    const found = this.look(name);
    if (found?.isDirectory() === true) {
      const folder = this.hold(name);
      try {
        for (const inner of folder.list()) folder.clear(inner.name);
      } finally {
        folder.close();
      }
      this.removeFolder(name);
    } else if (found !== undefined) this.remove(name);
  }

  /** Holds a subfolder. @throws a system error; `ENOTDIR` if the entry is no folder, or is a link */
  hold(name: string): HeldFolder {
    const byDescriptor = this.#descriptor !== undefined;
    return this.#act(
      () => new HeldFolder(join(this.path, name), this.at(name), { byDescriptor, isNamed: false }),
    );
  }

  /** Checks that the folder is still at its path. @throws ResyncError `write-failed` if it is not */
  confirm(): void {
    const found = this.#find();
    if (found !== undefined && found.dev === this.#identity.dev && found.ino === this.#identity.ino) return;
    const what = found === undefined ? say`was removed` : say`was replaced by ${nameKind(found)}`;
    throw new ResyncError(
      'write-failed',
      say`${this.path} ${what} while this run worked in it.\nNothing was written to the new place. Find out what changes the folder, and run again.`,
    );
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  #find(): BigIntStats | undefined {
    const look = this.#isNamed ? statSync : lstatSync;
    return unlessRefused(() => look(this.path, { bigint: true, throwIfNoEntry: false }), 'ENOTDIR');
  }

  #act<T>(work: () => T): T {
    if (this.#descriptor !== undefined) return nameRefused(work);
    this.confirm();
    const result = work();
    this.confirm();
    return result;
  }
}

/**
 * Holds a folder that the user named: links that lead to it are followed.
 * @param byDescriptor false to hold it by its path on any system @throws a system error; `ENOTDIR` if it is no folder
 */
export function holdFolder(path: string, byDescriptor = true): HeldFolder {
  const can = byDescriptor && process.platform === 'linux' && existsSync(DESCRIPTORS);
  return new HeldFolder(path, path, { byDescriptor: can, isNamed: true });
}

export function nameKind(found: Stats | BigIntStats): string {
  if (found.isSymbolicLink()) return 'a link';
  if (found.isDirectory()) return 'a folder';
  if (found.isFile()) return 'a file';
  return found.isFIFO() ? 'a pipe' : 'a device or a socket';
}

const DESCRIPTORS = '/proc/self/fd';

/** Turns a path through the descriptor of a held folder into the path that people know; returns other paths unchanged. */
export function namePath(path: string): string {
  if (!path.startsWith(`${DESCRIPTORS}/`)) return path;
  const [held = '', rest = ''] = path.slice(DESCRIPTORS.length + 1).split(/\/(.*)/s);
  const folder = unlessRefused(() => readlinkSync(`${DESCRIPTORS}/${held}`));
  // Linux adds this to the path of a folder that was removed.
  return join(folder?.replace(/ \(deleted\)$/, '') ?? path, rest);
}

function nameRefused<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (systemErrorCode(error) !== undefined) {
      const refused = error as NodeJS.ErrnoException & { dest?: string };
      if (refused.path !== undefined) refused.path = namePath(refused.path);
      if (refused.dest !== undefined) refused.dest = namePath(refused.dest);
    }
    throw error;
  }
}
