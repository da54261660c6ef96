/** `describe --dumps` against programs that only pack, and a rebuild against the first run. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BENCH_FOLDER, makeCorpus, makeRandom, RECIPE, resetCorpus, SEED } from './corpora.mjs';
import { SHAPES } from './describe.mjs';

/** @typedef {import('./measure.mjs').Comparison} Comparison */
/** @typedef {import('./measure.mjs').Command} Command */
/** @typedef {import('../src/index.js').Report} Report */
/** @typedef {{ folder: string, title: string, make: () => void }} Corpus */

const CLI = fileURLToPath(new URL('../dist/src/cli.js', import.meta.url));
const PACKAGE = join(BENCH_FOLDER, 'package.zip');
const FILES = 20_000;
const PYTHON = `
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED, compresslevel=6) as package:
    for folder, _, files in os.walk('.'):
        for name in files: package.write(os.path.join(folder, name))
`;

/** @type {Corpus} */
const noise = {
  folder: join(BENCH_FOLDER, SHAPES.M.name),
  title: '20,000 files of 12 KB of noise',
  make: () => makeCorpus(SHAPES.M),
};
/** @type {Corpus} */
const text = { folder: join(BENCH_FOLDER, 'T'), title: '20,000 pages of 15 KB of words', make: makePages };

/** @type {Comparison[]} */
export const comparisons = [
  againstPacker('D', noise, zipOf(noise.folder)),
  againstPacker('DP', noise, pythonOf(noise.folder)),
  againstPacker('DT', text, zipOf(text.folder)),
  againstPacker('DTP', text, pythonOf(text.folder)),
  afterEdit('D1', noise, packing),
  afterEdit('D1W', noise),
  afterEdit('DT1', text, packing),
  afterEdit('DT1W', text),
];

/** @param {string} folder @param {...string} more @returns {Command} */
function describeOf(folder, ...more) {
  const args = [folder, '--url', 'https://example.org/', '--history', 'none', '--quiet', ...more];
  return { label: ['describe', ...more].join(' '), argv: [process.execPath, CLI, ...args] };
}

/** @param {string} folder @returns {Command} */
function zipOf(folder) {
  return { label: 'zip -r -6 -q', argv: ['zip', '-r', '-6', '-q', PACKAGE, '.'], cwd: folder };
}

/** @param {string} folder @returns {Command} */
function pythonOf(folder) {
  return { label: "Python's zipfile", argv: ['python3', '-c', PYTHON, PACKAGE], cwd: folder };
}

/**
 * The whole of a run that reads, digests, packs and publishes, against packing alone.
 *
 * @param {string} name @param {Corpus} corpus @param {Command} packer
 * @returns {Comparison}
 */
function againstPacker(name, { folder, title, make }, packer) {
  return {
    name,
    title,
    tools: [packer.argv[0]],
    setup: make,
    reset: () => {
      resetCorpus(folder);
      rmSync(PACKAGE, { force: true });
    },
    a: describeOf(folder, '--dumps'),
    b: packer,
    target: { ratio: 1.4 },
    resources: undefined,
  };
}

/**
 * A run after one edit, somewhere in the site and each time elsewhere, with the former packages at hand, against the first
 * run.
 *
 * @param {string} name
 * @param {Corpus} corpus
 * @param {(command: Command) => Command} part what of the runs is compared; the whole unless told
 * @returns {Comparison}
 */
function afterEdit(name, { folder, title, make }, part = (command) => command) {
  const describe = describeOf(folder, '--dumps');
  const random = makeRandom(SEED);
  let edited = '';
  const edit = () => writeFileSync(edited, `edit ${random()}`);
  const begin = () => {
    rmSync(edited, { force: true });
    resetCorpus(folder);
    edited = join(pickFolder(pickFolder(folder, random), random), 'edited.html');
    edit();
  };
  return {
    name,
    title: `${title}, one of them edited`,
    tools: [],
    setup: make,
    reset: (side) => {
      if (side === 'b') return begin();
      if (!existsSync(edited)) {
        begin();
        run(describe);
      }
      edit();
    },
    a: part({ ...describe, label: 'describe --dumps again' }),
    b: part({ ...describe, label: 'describe --dumps for the first time' }),
    target: part === packing ? { ratio: 0.1, strict: true } : undefined,
    resources: undefined,
  };
}

/** @param {string} folder @param {() => number} random */
function pickFolder(folder, random) {
  const folders = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !/^\.|^resourcesync$/.test(entry.name),
  );
  return join(folder, folders[Math.floor(random() * folders.length)]?.name ?? '');
}

/**
 * Only the stage in which packages are made, as the report tells it.
 *
 * @param {Command} command
 * @returns {Command}
 */
function packing(command) {
  const [file, ...args] = command.argv;
  const time = () => {
    /** @type {Report} */
    const report = JSON.parse(
      execFileSync(file, [...args, '--json'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    return report.durations.pack;
  };
  return { ...command, label: `${command.label}, packing`, time };
}

/** @param {Command} command */
function run({ argv: [file, ...args] }) {
  execFileSync(file, args, { stdio: 'ignore' });
}

/** Pages of words, the frequent ones more often, so that they compress as pages do. */
function makePages() {
  const { folder } = text;
  const marker = `${folder}.complete.json`;
  const wanted = `${JSON.stringify({ recipe: RECIPE, seed: SEED, pages: FILES })}\n`;
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
  rmSync(marker, { force: true });
  rmSync(folder, { recursive: true, force: true });
  const random = makeRandom(SEED);
  const words = Array.from({ length: 4000 }, () =>
    Math.floor(random() * 36 ** (2 + Math.floor(8 * random()))).toString(36),
  );
  const pick = () => words[Math.floor(words.length * random() ** 3)];
  for (let page = 0; page < FILES; page++) {
    const paragraphs = Array.from({ length: 1 + Math.floor(random() * 35) }, () => {
      return `<p class="text">${Array.from({ length: 120 }, pick).join(' ')}</p>\n`;
    });
    const path = join(folder, `${page % 100}`, `${page}`);
    mkdirSync(path, { recursive: true });
    writeFileSync(
      join(path, 'index.html'),
      `<!DOCTYPE html><title>${pick()}</title>\n${paragraphs.join('')}`,
    );
  }
  writeFileSync(marker, wanted);
}
