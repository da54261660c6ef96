/** Watches a site for 500 runs and prints the memory that is in use: `node bench/watch-memory.mjs`. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { watch } from '../dist/src/index.js';
import { BENCH_FOLDER } from './corpora.mjs';

const RUNS = 500;
const STEP = 50;
const FOLDERS = 1000;

setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collectGarbage = runInNewContext('gc');

const site = join(BENCH_FOLDER, 'watch-memory');
rmSync(site, { recursive: true, force: true });
for (let folder = 0; folder < FOLDERS; folder++) edit(folder, 0);

let runs = 0;
for await (const event of watch({ site, url: 'https://example.org/', history: 'none' })) {
  if (event.kind !== 'described') throw event.kind === 'failed' ? event.error : new Error(event.kind);
  if (event.report.resources !== FOLDERS) throw new Error(`${event.report.resources} resources`);
  if (runs % STEP === 0) {
    collectGarbage();
    const { heapUsed, external, rss } = process.memoryUsage();
    const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
    console.log(
      `run ${runs}: heap ${megabytes(heapUsed)}, external ${megabytes(external)}, resident ${megabytes(rss)}`,
    );
  }
  if (runs === RUNS) break;
  runs++;
  const folder = (runs * 7) % FOLDERS;
  // Now and then a folder is made anew, and watching begins anew with it.
  if (runs % 10 === 0) rmSync(join(site, `page-${folder}`), { recursive: true });
  edit(folder, runs);
}

/**
 * @param {number} folder
 * @param {number} version
 */
function edit(folder, version) {
  mkdirSync(join(site, `page-${folder}`), { recursive: true });
  writeFileSync(join(site, `page-${folder}`, 'index.html'), `version ${version} of ${folder}\n`);
}
