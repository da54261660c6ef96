/** Repositories whose `site/` was published many times. */

import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../processes.js';
import { makeOnce } from './once.js';
import { makeWords, writeParagraphs } from './pages.js';
import { makeNoise, makeRandom } from './random.js';
import { count } from './sites.js';

export interface Past {
  /** Of its folder. */
  readonly name: string;
  readonly publications: number;
  /** Of each publication. */
  readonly changes: number;
  /** Whether files are pages of words, of which some say `noindex`, and not noise. */
  readonly pages?: boolean;
  /** From one publication to the next. @default 1 */
  readonly hours?: number;
}

export const PASTS = {
  publications1k: { name: 'repository-1k-publications', publications: 1000, changes: 20 },
  threeYears: { name: 'repository-three-years', publications: 1000, changes: 20, hours: 26 },
  publications10k: { name: 'repository-10k-publications', publications: 10_000, changes: 2 },
  publications10kOf20: { name: 'repository-10k-publications-of-20', publications: 10_000, changes: 20 },
  pages1k: { name: 'repository-1k-of-pages', publications: 1000, changes: 20, pages: true },
} satisfies Record<string, Past>;

export const REPOSITORY_FILES = 20_000;
const FILE_BYTES = 12_000;
export const SECTIONS = 100;
const HOUR = 3600;
const NEWEST = 1_780_000_000;

/** Such as `20,000 files, 1,000 publications of 20 changes`. */
export function wordPast({ publications, changes, pages = false, hours }: Past): string {
  const apart = hours === undefined ? '' : `, ${hours} hours apart`;
  return `${count(REPOSITORY_FILES)} ${pages ? 'pages' : 'files'}, ${count(publications)} publications of ${changes} changes${apart}`;
}

export async function git(folder: string, ...args: string[]): Promise<void> {
  await run(['git', ...args], { cwd: folder });
}

/** @returns its folder; what was published last is checked out */
export async function makeRepository({ name, ...past }: Past): Promise<string> {
  return await makeOnce(name, past, async (folder) => {
    await git(folder, 'init', '--quiet', '--initial-branch=main');
    const stream = `${folder}.stream`;
    const current = writePublications(stream, past);
    const input = openSync(stream, 'r');
    await run(['git', 'fast-import', '--quiet', '--depth=0'], {
      cwd: folder,
      stdio: [input, 'ignore', 'inherit'],
    });
    closeSync(input);
    rmSync(stream);
    for (const [path, content] of current) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  });
}

/**
 * Writes all publications, as `git fast-import` reads them.
 *
 * @returns the files of the last one
 */
function writePublications(
  stream: string,
  { publications, changes, pages = false, hours = 1 }: Omit<Past, 'name'>,
): Map<string, Buffer> {
  const random = makeRandom();
  const makeContent = pages ? startPages() : startNoise(random);
  const current = new Map<string, Buffer>();
  const file = openSync(stream, 'w');
  const put = (index: number, version: number) => {
    const content = makeContent(index, version);
    const path = `site/${index % SECTIONS}/${index}/index.html`;
    current.set(path, content);
    writeSync(file, `M 100644 inline ${path}\ndata ${content.length}\n`);
    writeSync(file, content);
    writeSync(file, '\n');
  };
  for (let version = 0; version <= publications; version++) {
    const seconds = NEWEST + (version - publications) * hours * HOUR;
    writeSync(file, `commit refs/heads/main\ncommitter T <t@example.org> ${seconds} +0000\ndata 1\nx\n`);
    if (version === 0) for (let index = 0; index < REPOSITORY_FILES; index++) put(index, 0);
    else
      for (let change = 0; change < changes; change++) put(Math.floor(random() * REPOSITORY_FILES), version);
  }
  closeSync(file);
  return current;
}

type MakeContent = (index: number, version: number) => Buffer;

function startNoise(random: () => number): MakeContent {
  const noise = makeNoise(random);
  return (index, version) => {
    const length = Math.round(FILE_BYTES * (0.2 + 1.6 * random()));
    const from = Math.floor(random() * (noise.length - length));
    const head = Buffer.from(`${index} ${version}\n`);
    return Buffer.concat([head, noise.subarray(from, from + length)]);
  };
}

/** A page has a title of its own; one in fifty says `noindex`, and in each version anew. */
function startPages(): MakeContent {
  const { random, word } = makeWords();
  return (index, version) => {
    const robots = random() < 0.02 ? '<meta name="robots" content="noindex">' : '';
    const head = `<!DOCTYPE html><meta charset="utf-8">${robots}<title>${index} ${word()}</title>\n`;
    return Buffer.from(`${head}<h1>${version}</h1>\n${writeParagraphs(1 + Math.floor(random() * 35), word)}`);
  };
}
