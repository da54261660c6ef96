/** Describes a site of 5 GB with its dumps and prints the peak of memory: `node bench/dump-memory.mjs`. */

import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BENCH_FOLDER, makeNoise, makeRandom, resetCorpus, SEED } from './corpora.mjs';
import { TELL_PEAK } from './measure.mjs';

const CLI = fileURLToPath(new URL('../dist/src/cli.js', import.meta.url));
const LIMIT = 450e6;
const site = join(BENCH_FOLDER, 'dump-memory');

makeSite();
resetCorpus(site);
const started = performance.now();
const { status, output } = spawnSync(
  process.execPath,
  [
    `--import=data:text/javascript,${encodeURIComponent(TELL_PEAK)}`,
    CLI,
    site,
    ...['--url', 'https://example.org/', '--history', 'none', '--dumps', '--quiet'],
  ],
  { encoding: 'utf8', stdio: ['ignore', 'ignore', 'inherit', 'pipe'] },
);
resetCorpus(site);
const peak = Number(output[3]);
if (status !== 0 || !(peak > 0)) throw new Error(`describe ended with status ${status}`);
const seconds = ((performance.now() - started) / 1000).toFixed(0);
console.log(
  `5 GB with dumps in ${seconds} s: at most ${(peak / 1e6).toFixed(0)} MB (≤ ${LIMIT / 1e6} MB) ${peak <= LIMIT ? 'met' : 'MISSED'}`,
);

/** One file of 2 GB, some that are larger than a package, stored and compressed, and 20,000 pages. */
function makeSite() {
  const marker = `${site}.complete`;
  if (existsSync(marker)) return;
  rmSync(site, { recursive: true, force: true });
  mkdirSync(join(site, 'pages'), { recursive: true });
  const noise = makeNoise(makeRandom(SEED));
  writeRepeated('film.mp4', noise, 2e9);
  for (let index = 0; index < 30; index++) writeRepeated(`clip-${index}.mp4`, noise, 20e6 + index * 1e6);
  for (let index = 0; index < 8; index++) writeRepeated(`table-${index}.csv`, noise, 200e6);
  const words = 'Some words of a page that is neither long nor short, and compresses well. ';
  for (let page = 0; page < 20_000; page++) {
    writeFileSync(join(site, 'pages', `${page}.html`), `${page} ${words.repeat(page % 500)}`);
  }
  writeFileSync(marker, '');
}

/**
 * @param {string} path
 * @param {Buffer} piece
 * @param {number} length
 */
function writeRepeated(path, piece, length) {
  const file = openSync(join(site, path), 'w');
  for (let rest = length; rest > 0; ) rest -= writeSync(file, piece, 0, Math.min(rest, piece.length));
  closeSync(file);
}
