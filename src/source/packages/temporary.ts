/** Makes temporary folders, which are removed when the work or the process ends. */

import { lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { listQuietly } from '../../base/folders.js';
import type { Words } from '../../base/text/say.js';
import { explainWriteFailure } from '../../paths/hold/failure.js';
import { isAlive } from '../../paths/hold/process.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Beginning of the names of our folders. The host is part of it, because processes in several containers share ids. */
const OWNER = `resync-static-${hostname()
  .replace(/[^\w.]/g, '_')
  .slice(0, 64)}-`;
const NAME = /^(\d{1,10})-\w{6}$/;

const folders = new Set<string>();

/** Makes a temporary folder, and removes those of killed processes. @param use for errors: its purpose, and how to do without */
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

/** Listens to the end of the process, before other listeners: those that listen once are gone after they were called. */
function watchForTheEnd(): void {
  process.off('exit', removeAll).on('exit', removeAll);
  for (const signal of SIGNALS) process.off(signal, endBySignal).prependListener(signal, endBySignal);
}

/** Removes the folders, and ends the process unless others listen to the signal, too. */
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
  // If the folder for temporary files cannot be listed, making a folder in it will report that.
  for (const name of listQuietly(parent)) {
    const pid = name.startsWith(OWNER) ? NAME.exec(name.slice(OWNER.length))?.[1] : undefined;
    if (pid === undefined || isAlive({ pid: Number(pid), started: undefined })) continue;
    const folder = join(parent, name);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid))
      removeFolder(folder);
  }
}
