/** Makes the sites that are measured: the same files on every machine, from one seed. */

import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Shape What decides about every byte of a corpus.
 * @property {string} name
 * @property {number} files
 * @property {number} bytes length of a file, on average
 * @property {boolean} spread whether lengths differ: a tenth of the average and up, exponentially
 * @property {number} folders
 * @property {number} sections so many of the folders hold all the others
 * @property {boolean} pages whether every folder has an `index.html`; all other files are assets in any of the folders
 */

/** Where everything that is made for measuring lives; not tracked, may be deleted at any time. */
export const BENCH_FOLDER = fileURLToPath(new URL('../.tmp/bench', import.meta.url));

/** To be raised when the same shape comes to mean other bytes. */
export const RECIPE = 1;
export const SEED = 39_99;
/** Files are slices of one stretch of noise. Longer than any file that is written in one go. */
const NOISE_BYTES = 4 * 1024 * 1024;
const WORDS =
  'almanac binding catalogue desk edition folio gazette harbour index journal ledger map notes page';
const EXTENSIONS = ['webp', 'svg', 'css', 'js', 'json', 'pdf', 'woff2'];

/**
 * Makes a corpus unless it is there already.
 *
 * @param {Shape} shape
 * @returns {string} its folder
 */
export function makeCorpus(shape) {
  const folder = join(BENCH_FOLDER, shape.name);
  const marker = `${folder}.complete.json`;
  const wanted = `${JSON.stringify({ recipe: RECIPE, seed: SEED, ...shape })}\n`;
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return folder;

  rmSync(marker, { force: true });
  rmSync(folder, { recursive: true, force: true });
  const random = makeRandom(SEED);
  const noise = makeNoise(random);
  const folders = listFolders(shape, random);
  for (const path of folders) mkdirSync(join(folder, path), { recursive: true });
  for (const path of listFiles(shape, folders, random)) {
    const length = shape.spread
      ? Math.round(shape.bytes * (0.1 - 0.9 * Math.log(1 - random())))
      : shape.bytes;
    writeCorpusFile(join(folder, path), `${shape.name} ${path}\n`, length, noise, random);
  }
  // What is still on its way to the disk would slow the first runs down.
  execFileSync('sync');
  writeFileSync(marker, wanted);
  return folder;
}

/**
 * Removes what `describe` wrote, so that every run finds the corpus as it was made.
 *
 * @param {string} folder
 */
export function resetCorpus(folder) {
  for (const name of ['.well-known', 'resourcesync', '.resync-static']) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * @param {Shape} shape
 * @param {() => number} random
 */
function listFolders({ folders, sections }, random) {
  const words = WORDS.split(' ');
  const word = () => pick(words, random);
  const tops = Array.from({ length: sections }, (_, index) => `${word()}-${index + 1}`);
  const rest = Array.from({ length: folders - sections }, (_, index) => {
    const slug = `${word()}-${word()}-${word()}-${index + 1}`;
    return tops.length === 0 ? slug : `${pick(tops, random)}/${slug}`;
  });
  return [...tops, ...rest];
}

/**
 * @param {Shape} shape
 * @param {readonly string[]} folders
 * @param {() => number} random
 */
function listFiles({ files, pages }, folders, random) {
  const indexes = pages ? folders.map((folder) => `${folder}/index.html`) : [];
  const assets = Array.from(
    { length: files - indexes.length },
    (_, index) => `${pick(folders, random)}/asset-${index + 1}.${pick(EXTENSIONS, random)}`,
  );
  return [...indexes, ...assets];
}

/**
 * @param {string} file
 * @param {string} head makes the file unlike all others
 * @param {number} length
 * @param {Buffer} noise
 * @param {() => number} random
 */
function writeCorpusFile(file, head, length, noise, random) {
  const handle = openSync(file, 'wx');
  try {
    for (let rest = length - writeSync(handle, head); rest > 0; ) {
      const piece = Math.min(rest, noise.length / 2);
      rest -= writeSync(handle, noise, Math.floor(random() * (noise.length - piece)), piece);
    }
  } finally {
    closeSync(handle);
  }
}

/** @param {() => number} random */
export function makeNoise(random) {
  const words = Uint32Array.from({ length: NOISE_BYTES / 4 }, () => random() * 2 ** 32);
  return Buffer.from(words.buffer);
}

/**
 * @template T
 * @param {readonly T[]} choices
 * @param {() => number} random
 */
function pick(choices, random) {
  return /** @type {T} */ (choices[Math.floor(random() * choices.length)]);
}

/**
 * Numbers from 0 to 1, always the same for a seed (the generator known as mulberry32).
 *
 * @param {number} seed
 */
export function makeRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
