/**
 * Loaded into the command line with `--import`: kills the process just before the n-th call of `node:fs` that changes
 * anything, n being `KILL_AT_STEP`.
 */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const HARMLESS =
  /^(?:access|close|exists|fstat|lstat|opendir|read|readdir|readFile|readlink|readv|realpath|stat)Sync$/;

let steps = Number(process.env['KILL_AT_STEP']);

const { O_WRONLY, O_RDWR, O_CREAT } = fs.constants;

/** @param {unknown} flags of `open` */
function writes(flags) {
  return typeof flags === 'number'
    ? (flags & (O_WRONLY | O_RDWR | O_CREAT)) !== 0
    : flags !== 'r' && flags !== undefined;
}

/** @type {Record<string, any>} */
const functions = fs;

for (const [name, original] of Object.entries(functions)) {
  if (!isMainThread || !name.endsWith('Sync') || HARMLESS.test(name)) continue;
  functions[name] = Object.assign((/** @type {unknown[]} */ ...args) => {
    const changes = name !== 'openSync' || writes(args[1]);
    if (changes && --steps === 0) process.kill(process.pid, 'SIGKILL');
    return original(...args);
  }, original);
}
syncBuiltinESMExports();
