/**
 * Loaded into the command line with `--import`: puts a symbolic link in the place of the folder `SWAP_FOLDER`, which
 * leads to `SWAP_TARGET`, just after the folder above it was listed, or just after the folder itself was (`SWAP_AFTER`).
 */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const { SWAP_FOLDER = '', SWAP_TARGET = '', SWAP_AFTER = '' } = process.env;
/** @type {any} */
const original = fs.readdirSync;
/** @type {Record<string, any>} */
const functions = fs;
let swapped = false;

if (isMainThread) {
  functions['readdirSync'] = (/** @type {unknown[]} */ path, /** @type {unknown[]} */ ...args) => {
    const entries = original(path, ...args);
    // A caller that asks for names only does not walk the site.
    const isWalk = args.some((options) => Object(options).withFileTypes === true);
    if (!swapped && isWalk && String(path).replace(/\/$/, '') === SWAP_AFTER) {
      swapped = true;
      fs.renameSync(SWAP_FOLDER, `${SWAP_TARGET}-before`);
      fs.symlinkSync(SWAP_TARGET, SWAP_FOLDER, 'junction');
    }
    return entries;
  };
  syncBuiltinESMExports();
}
