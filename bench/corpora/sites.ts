/** Sites of files that do not compress, in several sizes. */

import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeOnce } from './once.js';
import { makeNoise, makeRandom, pick } from './random.js';

export interface Shape {
  /** Of its folder. */
  readonly name: string;
  readonly files: number;
  /** Length of a file, on average. */
  readonly bytes: number;
  /** Whether lengths differ: a tenth of the average and up, exponentially. */
  readonly spread: boolean;
  readonly folders: number;
  /** So many of the folders hold all the others. */
  readonly sections: number;
  /** Whether every folder has an `index.html`; all other files are assets in any of the folders. */
  readonly pages: boolean;
}

const MIXED = { spread: true, sections: 24, pages: true };

export const SITES = {
  files20k: { name: 'site-20k-files', files: 20_000, bytes: 12_000, folders: 14_288, ...MIXED },
  files200k: { name: 'site-200k-files', files: 200_000, bytes: 4_000, folders: 14_000, ...MIXED },
  files100mb: {
    name: 'site-100mb-files',
    files: 20,
    bytes: 100_000_000,
    spread: false,
    folders: 1,
    sections: 0,
    pages: false,
  },
  small: {
    name: 'site-1k-files',
    files: 1_000,
    bytes: 12_000,
    spread: true,
    folders: 1_000,
    sections: 0,
    pages: true,
  },
} satisfies Record<string, Shape>;

const WORDS =
  'almanac binding catalogue desk edition folio gazette harbour index journal ledger map notes page';
const EXTENSIONS = ['webp', 'svg', 'css', 'js', 'json', 'pdf', 'woff2'];

/** @returns its folder */
export async function makeSite(shape: Shape): Promise<string> {
  return await makeOnce(shape.name, shape, (folder) => {
    const random = makeRandom();
    const noise = makeNoise(random);
    const folders = listFolders(shape, random);
    for (const path of folders) mkdirSync(join(folder, path), { recursive: true });
    for (const path of listFiles(shape, folders, random)) {
      const length = shape.spread
        ? Math.round(shape.bytes * (0.1 - 0.9 * Math.log(1 - random())))
        : shape.bytes;
      writeNoise(join(folder, path), `${shape.name} ${path}\n`, length, noise, random);
    }
  });
}

/** Such as `20,000 files of 12 KB in 14,288 folders`. */
export function wordShape({ files, bytes, folders }: Shape): string {
  const size = bytes < 1e6 ? `${bytes / 1e3} KB` : `${bytes / 1e6} MB`;
  return `${count(files)} files of ${size} in ${folders === 1 ? 'one folder' : `${count(folders)} folders`}`;
}

/** Such as `20,000`. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

function listFolders({ folders, sections }: Shape, random: () => number): string[] {
  const words = WORDS.split(' ');
  const word = () => pick(words, random);
  const tops = Array.from({ length: sections }, (_, index) => `${word()}-${index + 1}`);
  const rest = Array.from({ length: folders - sections }, (_, index) => {
    const slug = `${word()}-${word()}-${word()}-${index + 1}`;
    return tops.length === 0 ? slug : `${pick(tops, random)}/${slug}`;
  });
  return [...tops, ...rest];
}

function listFiles({ files, pages }: Shape, folders: readonly string[], random: () => number): string[] {
  const indexes = pages ? folders.map((folder) => `${folder}/index.html`) : [];
  const assets = Array.from(
    { length: files - indexes.length },
    (_, index) => `${pick(folders, random)}/asset-${index + 1}.${pick(EXTENSIONS, random)}`,
  );
  return [...indexes, ...assets];
}

/** @param head makes the file unlike all others */
function writeNoise(file: string, head: string, length: number, noise: Buffer, random: () => number): void {
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
