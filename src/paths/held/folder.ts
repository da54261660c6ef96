/** Folders that are held: what is done in one happens there, whatever stands at its path by then, and follows no link. */

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
import { say } from '../../base/text/say.js';

/** Opens a folder for use as a base only, without the right to list it; Node has no name for the flag. */
const O_PATH = 0o10000000;
const NO_LINK = constants.O_NOFOLLOW ?? 0;
/** Flags for new files only, so that nothing is written through a link, or into a file that has a second name. */
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_LINK;
/** Does not block on a pipe without a writer. */
const READ = constants.O_RDONLY | NO_LINK | (constants.O_NONBLOCK ?? 0);

type Identity = Pick<BigIntStats, 'dev' | 'ino'>;

/**
 * A folder that stays the same until it is closed: all work goes through its descriptor on Linux. Elsewhere Node has no such
 * way, so its path is compared before and after. Names are single segments; links are never followed.
 */
export class HeldFolder {
  /** The path in messages. */
  readonly path: string;
  /** Prefix of paths for `node:fs`, in this process and its threads. */
  readonly base: string;
  readonly #descriptor: number | undefined;
  readonly #identity: Identity;
  /** True if links may lead to it, because the user named it so. */
  readonly #isNamed: boolean;

  /** @param place where it is opened now */
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

  /** Returns the entry of a name, links as links; undefined if there is none. */
  look(name: string): Stats | undefined {
    return nameRefused(() => lstatSync(this.at(name), { throwIfNoEntry: false }));
  }

  list(): Dirent[] {
    return nameRefused(() => readdirSync(`${this.base}/`, { withFileTypes: true }));
  }

  /** Opens a file to read it, whatever it is: who opens it has to look. */
  open(name: string): number {
    return nameRefused(() => openSync(this.at(name), READ));
  }

  create(name: string): number {
    return this.#act(() => openSync(this.at(name), NEW_FILE, 0o666));
  }

  makeFolder(name: string): void {
    this.#act(() => mkdirSync(this.at(name)));
  }

  /** Moves a file or a folder into a held folder, over a file of that name. */
  move(name: string, target: HeldFolder, newName: string): void {
    this.#act(() => target.#act(() => renameSync(this.at(name), target.at(newName))));
  }

  remove(name: string): void {
    this.#act(() => unlinkSync(this.at(name)));
  }

  removeFolder(name: string): void {
    this.#act(() => rmdirSync(this.at(name)));
  }

  /** Removes an entry, and everything in it. */
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

  /** Holds a folder in it. @throws a system error: `ENOTDIR` where it is none, but a link, too */
  hold(name: string): HeldFolder {
    const byDescriptor = this.#descriptor !== undefined;
    return this.#act(
      () => new HeldFolder(join(this.path, name), this.at(name), { byDescriptor, isNamed: false }),
    );
  }

  /** @throws ResyncError `write-failed` where something else stands at its path */
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
 *
 * @param byDescriptor whether it may be held by its descriptor, where the system can do that
 * @throws a system error where it is no folder
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

/** The folder in which Linux shows the open files of a process. */
const DESCRIPTORS = '/proc/self/fd';

/** The path of something in a held folder, as long as that is held; any other path as it is. */
export function namePath(path: string): string {
  if (!path.startsWith(`${DESCRIPTORS}/`)) return path;
  const [held = '', rest = ''] = path.slice(DESCRIPTORS.length + 1).split(/\/(.*)/s);
  const folder = unlessRefused(() => readlinkSync(`${DESCRIPTORS}/${held}`));
  // Linux says so of what is gone.
  return join(folder?.replace(/ \(deleted\)$/, '') ?? path, rest);
}

/** Does something in held folders; errors of the system name the paths that people know. */
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
