/** Folders for what an audit or a rehearsal fetches, or for a key that signs: gone when the work or the process ends. */

import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { unlessRefused } from '../../base/errors.js';
import type { Words } from '../../base/text/say.js';
import { explainWriteFailure } from '../../paths/hold/failure.js';
import { isAlive } from '../../paths/hold/process.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** The name says whose it is, also to those that look after it was left behind: in containers, processes share numbers. */
const OWNER = `resync-static-${hostname()
  .replace(/[^\w.]/g, '_')
  .slice(0, 64)}-`;
const NAME = /^(\d{1,10})-\w{6}$/;

const folders = new Set<string>();

/**
 * Makes a folder, and removes those that were left behind by processes of this machine that were killed.
 *
 * @param use what it is for, and how to do without
 * @throws ResyncError `write-failed`
 */
export function makeTemporaryFolder(use: Words) {
  watchForTheEnd();
  if (folders.size === 0) removeAbandoned();
  try {
    const path = mkdtempSync(join(tmpdir(), `${OWNER}${process.pid}-`));
    folders.add(path);
    return {
      path,
      remove(): void {
        removeFolder(path);
        folders.delete(path);
      },
    };
  } catch (error) {
    throw explainWriteFailure(tmpdir(), error, use);
  }
}

/** Before others are told: those that listen once are not there any more when they have been. */
function watchForTheEnd(): void {
  process.off('exit', removeAll).on('exit', removeAll);
  for (const signal of SIGNALS) process.off(signal, endBySignal).prependListener(signal, endBySignal);
}

/** Ends as if nobody had listened; where others listen, too, they decide. */
function endBySignal(signal: NodeJS.Signals): void {
  removeAll();
  process.off(signal, endBySignal);
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function removeAll(): void {
  for (const folder of folders) removeFolder(folder);
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

function removeAbandoned(): void {
  const parent = tmpdir();
  // What cannot be listed cannot be written: making a folder there tells why.
  for (const name of unlessRefused(() => readdirSync(parent)) ?? []) {
    const [, pid] = NAME.exec(name.startsWith(OWNER) ? name.slice(OWNER.length) : '') ?? [];
    if (pid === undefined || isAlive({ pid: Number(pid), started: undefined })) continue;
    const folder = join(parent, name);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid))
      removeFolder(folder);
  }
}
