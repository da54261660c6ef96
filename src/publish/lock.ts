/** Lets one run at a time work on a site, in a folder of its own for what it stages. */

import { randomUUID } from 'node:crypto';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ResyncError, systemErrorCode } from '../errors.js';
import { WORK_FOLDER } from '../paths/ours.js';
import type { WaitObserver } from '../progress.js';
import { say } from '../text/say.js';
import { SYSTEM_CLOCK } from '../time.js';
import { makeFolder, readIfThere, removeIfEmpty } from './folders.js';
import { isAlive, makeHolder, readHolder } from './holder.js';

/** A lock whose holder has not been heard of for so long, in milliseconds, is abandoned. */
const LOCK_EXPIRY = 60_000;

const LOCK_HEARTBEAT = 10_000;

const LOCK_POLL = 50;

/** Who waits for longer is told, in milliseconds. */
const TELL_AFTER = 1_000;

/** What a run makes in the work folder; all else there is the user's. */
const STAGING = 'staged';

const LEFT_BEHIND = /^(?:staged|lock\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

/** The right to work on a site, held until it is released. */
export interface Lock {
  /** For what the run stages; empty at first, and gone afterwards. */
  readonly folder: string;
  /** Makes sure that the lock is still held. @throws ResyncError `write-failed` */
  readonly confirm: () => void;
  readonly release: () => void;
}

/**
 * Waits until no other run works on the site.
 *
 * The lock is a file that names its holder. It is abandoned when the holder is a process of this machine that is no
 * longer there, or has not touched it for a minute. A run that was stopped for longer finds out through `confirm` and
 * gives up.
 *
 * @param work the folder in the site that holds the lock, and what the run stages
 */
export async function takeLock(
  site: string,
  onWaiting: WaitObserver,
  work: string = WORK_FOLDER,
): Promise<Lock> {
  const folder = join(site, work);
  const file = join(folder, 'lock');
  const staging = join(folder, STAGING);
  const holder = JSON.stringify(makeHolder());
  const holds = () => readIfThere(file) === holder;
  await waitForLock(folder, file, holder, onWaiting);
  const heartbeat = setInterval(() => {
    const now = Date.now() / 1000;
    if (holds()) utimesSync(file, now, now);
  }, LOCK_HEARTBEAT);
  const release = () => {
    clearInterval(heartbeat);
    if (!holds()) return;
    rmSync(staging, { recursive: true, force: true });
    unlinkSync(file);
    removeIfEmpty(folder);
  };
  try {
    for (const name of readdirSync(folder)) {
      if (LEFT_BEHIND.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
    }
    mkdirSync(staging);
  } catch (error) {
    release();
    throw error;
  }
  const confirm = () => {
    if (holds()) return;
    throw new ResyncError(
      'write-failed',
      say`Another run took over ${site} while this one stood still.\nRun again.`,
    );
  };
  return { folder: staging, confirm, release };
}

async function waitForLock(
  folder: string,
  lock: string,
  holder: string,
  onWaiting: WaitObserver,
): Promise<void> {
  const begin = SYSTEM_CLOCK.now();
  let told = false;
  while (!tryLock(folder, lock, holder)) {
    const other = readIfThere(lock);
    const age = ageOf(lock);
    if (other !== undefined && isAbandoned(other, age)) {
      breakLock(lock, other);
      continue;
    }
    if (!told && other !== undefined && SYSTEM_CLOCK.now() - begin > TELL_AFTER) {
      told = true;
      const seconds = Math.max(1, Math.ceil((LOCK_EXPIRY - age) / 1000));
      onWaiting({ lock, holder: readHolder(other), seconds });
    }
    await sleep(LOCK_POLL);
  }
}

function tryLock(folder: string, lock: string, holder: string): boolean {
  const entry = lstatSync(folder, { throwIfNoEntry: false });
  if (entry !== undefined && !entry.isDirectory()) {
    throw new ResyncError(
      'not-ours',
      say`${folder} is in the way: a run keeps there what it is about to publish.\nMove or rename it; nothing has been written.`,
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

/** Milliseconds since the holder was heard of. */
function ageOf(lock: string): number {
  return Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}

function isAbandoned(text: string, age: number): boolean {
  if (age > LOCK_EXPIRY) return true;
  if (text === '') return age > UNSIGNED_EXPIRY;
  const holder = readHolder(text);
  return holder !== undefined && holder.host === hostname() && !isAlive(holder);
}

/** Signing a lock takes no time; one that is not signed after so long will never be. */
const UNSIGNED_EXPIRY = 1_000;

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
