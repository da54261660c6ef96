/** Lets one run at a time work on a site or a copy, with a folder for the files that it stages. */

import { randomUUID } from 'node:crypto';
import { closeSync, futimesSync, linkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ResyncError, systemErrorCode, unlessRefused, unlessThrown } from '../../base/errors.js';
import type { WaitObserver } from '../../base/progress.js';
import { matchGroups } from '../../base/text/match.js';
import { say } from '../../base/text/say.js';
import { SYSTEM_CLOCK } from '../../base/time.js';
import { type HeldFolder, holdFolder } from '../held/folder.js';
import { holdOwn, readOwn } from '../held/own.js';
import { WORK_FOLDER } from '../ours.js';
import { isAlive, type NamedProcess, readStart } from './process.js';

/** A lock without a sign of life for this many milliseconds is abandoned. */
const LOCK_EXPIRY = 60_000;

const LOCK_HEARTBEAT = 10_000;

const LOCK_POLL = 50;

/** The wait for a lock is reported after this many milliseconds. */
const REPORT_AFTER = 1_000;

const LOCK = 'lock';

/** Limit of a lock file, in bytes: the names of a host and of a process take less. */
const MOST_LOCK = 4096;

/** Name of the folder for staged files that a run makes in the work folder. Everything there but this and locks is the user's. */
const STAGING = 'staged';

const LEFT_BEHIND = /^(?:staged|lock\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

/**
 * Waits until no other run works on the site, and takes the lock.
 *
 * A lock file names the process that holds it. It is abandoned if that process ran on this machine and has ended, or if it
 * has not touched the file for a minute. A run that was suspended for longer finds out through `confirm`, and gives up.
 *
 * @param work folder in the site for the lock and staged files @param signal ends the waiting
 * @throws ResyncError `not-ours` if something else is in the place of the folder or of the lock
 */
export async function takeLock(
  site: string,
  onWaiting: WaitObserver,
  work: string = WORK_FOLDER,
  signal?: AbortSignal,
): Promise<Lock> {
  const top = holdFolder(site);
  const holder = nameProcess();
  let taken: Taken;
  try {
    taken = await waitForLock(top, work, holder, onWaiting, signal);
  } catch (error) {
    top.close();
    throw error;
  }
  return new HeldLock(top, taken, holder);
}

/** A lock, or in its place the folders of a dry run, which locks nothing. */
export type Lock = Pick<HeldLock, keyof HeldLock>;

interface Taken {
  readonly folder: HeldFolder;
  /** Descriptor of the lock file. A run touches its lock through it, even if the path leads to another run's lock by then. */
  readonly file: number;
}

/** A lock that this run has taken, and touches again and again as a sign of life. */
class HeldLock {
  readonly site: HeldFolder;
  readonly work: HeldFolder;
  /** Folder for staged files; empty at first, and removed with the lock. */
  readonly staging: HeldFolder;
  readonly #file: number;
  readonly #holder: string;
  readonly #heartbeat: NodeJS.Timeout;

  /** Takes over a lock. @throws what the system refuses, after releasing the lock */
  constructor(site: HeldFolder, { folder, file }: Taken, holder: string) {
    this.site = site;
    this.work = folder;
    this.#file = file;
    this.#holder = holder;
    this.#heartbeat = setInterval(() => {
      const now = Date.now() / 1000;
      futimesSync(file, now, now);
    }, LOCK_HEARTBEAT);
    try {
      this.staging = holdStaging(folder);
    } catch (error) {
      this.#giveBack();
      throw error;
    }
  }

  /** Checks that this run still holds the lock. Bound, because callers pass it on alone. @throws ResyncError `write-failed` */
  readonly confirm = (): void => {
    for (const held of [this.site, this.work]) held.confirm();
    if (this.#isHeld()) return;
    throw new ResyncError(
      'write-failed',
      say`Another run took over ${this.site.path} while this one was suspended.\nRun again.`,
    );
  };

  release(): void {
    this.staging.close();
    this.#giveBack();
  }

  #giveBack(): void {
    clearInterval(this.#heartbeat);
    closeSync(this.#file);
    try {
      // If another run has taken the lock over, its lock stays, and the next run reports what it finds.
      if (unlessThrown(() => this.#isHeld(), ResyncError) !== true) return;
      this.work.clear(STAGING);
      this.work.remove(LOCK);
      removeIfEmpty(this.site, this.work);
    } finally {
      this.work.close();
      this.site.close();
    }
  }

  #isHeld(): boolean {
    return readOwn(this.work, LOCK, MOST_LOCK) === this.#holder;
  }
}

/** Removes what stopped runs have left in the work folder, and makes an empty folder for staged files there. */
function holdStaging(work: HeldFolder): HeldFolder {
  for (const { name } of work.list()) if (LEFT_BEHIND.test(name)) work.clear(name);
  work.makeFolder(STAGING);
  return work.hold(STAGING);
}

async function waitForLock(
  site: HeldFolder,
  work: string,
  holder: string,
  onWaiting: WaitObserver,
  signal: AbortSignal | undefined,
): Promise<Taken> {
  const begin = SYSTEM_CLOCK.now();
  let isReported = false;
  for (;;) {
    const folder = holdWork(site, work);
    // The folder is missing if the run that held the lock has just removed it.
    if (folder !== undefined) {
      const file = tryLock(site, folder, holder);
      if (file !== undefined) return { folder, file };
      try {
        const other = readOwn(folder, LOCK, MOST_LOCK);
        const age = ageOf(folder);
        if (other !== undefined && isAbandoned(other, age)) {
          breakLock(folder, other);
          continue;
        }
        if (!isReported && other !== undefined && SYSTEM_CLOCK.now() - begin > REPORT_AFTER) {
          isReported = true;
          const seconds = Math.max(1, Math.ceil((LOCK_EXPIRY - age) / 1000));
          onWaiting({ lock: join(folder.path, LOCK), holder: readHolder(other), seconds });
        }
      } finally {
        folder.close();
      }
    }
    await sleep(LOCK_POLL, undefined, { signal });
    site.confirm();
  }
}

/** Holds the folder for the lock, and makes it if it is missing; undefined if another run removes it meanwhile. */
function holdWork(site: HeldFolder, name: string): HeldFolder | undefined {
  if (site.look(name) === undefined) unlessRefused(() => site.makeFolder(name), 'EEXIST');
  return holdOwn(site, name);
}

/** Creates the lock; returns undefined if another run has it. */
function tryLock(site: HeldFolder, folder: HeldFolder, holder: string): number | undefined {
  let file: number | undefined;
  try {
    file = folder.create(LOCK);
    writeFileSync(file, holder);
    return file;
  } catch (error) {
    const code = systemErrorCode(error);
    // ENOENT: the run that held the lock removed the folder just now.
    if (file === undefined && (code === 'EEXIST' || code === 'ENOENT')) return undefined;
    // On a full disk, an empty lock can be created, but the name of its holder cannot be written.
    if (file !== undefined) {
      closeSync(file);
      folder.remove(LOCK);
    }
    removeIfEmpty(site, folder);
    folder.close();
    throw error;
  }
}

/** Returns the milliseconds since the holder of a lock has last touched it. */
function ageOf(folder: HeldFolder): number {
  return Date.now() - (folder.look(LOCK)?.mtimeMs ?? Date.now());
}

function isAbandoned(text: string, age: number): boolean {
  if (age > LOCK_EXPIRY) return true;
  if (text === '') return age > UNSIGNED_EXPIRY;
  const holder = readHolder(text);
  return holder !== undefined && holder.host === hostname() && !isAlive(holder);
}

/** A lock without the name of its holder is abandoned after this many milliseconds: runs write their name at once. */
const UNSIGNED_EXPIRY = 1_000;

/** Moves an abandoned lock aside and removes it; puts it back if another run has taken it in the meantime. */
function breakLock(folder: HeldFolder, holder: string): void {
  const aside = `${LOCK}.${randomUUID()}`;
  const move = () => {
    folder.move(LOCK, folder, aside);
    if (readOwn(folder, aside, MOST_LOCK) !== holder) linkSync(folder.at(aside), folder.at(LOCK));
    folder.remove(aside);
  };
  unlessRefused(move, 'ENOENT', 'EEXIST');
}

function removeIfEmpty(site: HeldFolder, folder: HeldFolder): void {
  // Harmless if the folder holds other files, is gone, or has been replaced.
  const harmless = ['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'];
  unlessRefused(() => site.removeFolder(basename(folder.path)), ...harmless);
}

interface Holder extends NamedProcess {
  readonly host: string;
}

function nameProcess(): string {
  const { pid } = process;
  return JSON.stringify({ host: hostname(), pid, run: randomUUID(), started: readStart(pid) });
}

function readHolder(text: string): Holder | undefined {
  const [, host, pid] = matchGroups(/^\{"host":"([^"]*)","pid":(\d+),/, text);
  const [, started] = matchGroups(/"started":"([^"]*)"\}$/, text);
  return host === undefined ? undefined : { host, pid: Number(pid), started };
}
