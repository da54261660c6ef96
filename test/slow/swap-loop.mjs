/**
 * Puts a symbolic link in the place of a folder and the folder back, over and over, until it is told to stop by a line on
 * its standard input; the folder is in its place then: `node swap-loop.mjs <folder> <target of the link>`. Tells how often.
 */

import { renameSync, rmSync, symlinkSync } from 'node:fs';
import process from 'node:process';

const [folder = '', target = ''] = process.argv.slice(2);
const aside = `${folder}-aside`;
const clock = new Int32Array(new SharedArrayBuffer(4));
let count = 0;
let isOver = false;

process.stdin.once('data', () => {
  isOver = true;
});

/** Waits for up to so many milliseconds. */
function pause(/** @type {number} */ most) {
  Atomics.wait(clock, 0, 0, Math.random() * most);
}

function swap() {
  try {
    renameSync(folder, aside);
  } catch {
    // It is not there, or not yet.
    pause(1);
    return;
  }
  try {
    symlinkSync(target, folder);
    pause(2);
  } finally {
    // The run may have made another one meanwhile.
    rmSync(folder, { recursive: true, force: true });
    renameSync(aside, folder);
  }
  count++;
  pause(2);
}

function work() {
  if (isOver) {
    process.stdin.destroy();
    process.stdout.write(`${count}\n`);
    return;
  }
  swap();
  setImmediate(work);
}

work();
