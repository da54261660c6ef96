/** A site of 5 GB: a file of 2 GB, some that are larger than a package, stored and compressed, and 20,000 pages. */

import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeOnce } from './once.js';
import { makeNoise, makeRandom } from './random.js';

const WORDS = 'Some words of a page that is neither long nor short, and compresses well. ';

/** @returns its folder */
export async function makeLargeSite(): Promise<string> {
  return await makeOnce('site-5gb', { bytes: 5e9 }, (site) => {
    const noise = makeNoise(makeRandom());
    const write = (path: string, length: number) => writeRepeated(join(site, path), noise, length);
    write('film.mp4', 2e9);
    for (let index = 0; index < 30; index++) write(`clip-${index}.mp4`, 20e6 + index * 1e6);
    for (let index = 0; index < 8; index++) write(`table-${index}.csv`, 200e6);
    mkdirSync(join(site, 'pages'));
    for (let page = 0; page < 20_000; page++) {
      writeFileSync(join(site, 'pages', `${page}.html`), `${page} ${WORDS.repeat(page % 500)}`);
    }
  });
}

function writeRepeated(path: string, piece: Buffer, length: number): void {
  const file = openSync(path, 'w');
  try {
    for (let rest = length; rest > 0; ) rest -= writeSync(file, piece, 0, Math.min(rest, piece.length));
  } finally {
    closeSync(file);
  }
}
