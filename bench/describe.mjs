/** `describe` against programs that only hash, and against Node alone. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BENCH_FOLDER, makeCorpus, resetCorpus } from './corpora.mjs';

/** @typedef {import('./corpora.mjs').Shape} Shape */
/** @typedef {import('./measure.mjs').Command} Command */
/** @typedef {import('./measure.mjs').Comparison} Comparison */

const CLI = fileURLToPath(new URL('../dist/src/cli.js', import.meta.url));
const EMPTY = join(BENCH_FOLDER, 'empty.mjs');

/** @type {Record<'M' | 'L' | 'B' | 'S', Shape>} */
export const SHAPES = {
  M: { name: 'M', files: 20_000, bytes: 12_000, spread: true, folders: 14_288, sections: 24, pages: true },
  L: { name: 'L', files: 200_000, bytes: 4_000, spread: true, folders: 14_000, sections: 24, pages: true },
  B: { name: 'B', files: 20, bytes: 100_000_000, spread: false, folders: 1, sections: 0, pages: false },
  S: { name: 'S', files: 1_000, bytes: 12_000, spread: true, folders: 1_000, sections: 0, pages: true },
};

/** @type {Comparison[]} */
export const comparisons = [
  againstCoreutils(SHAPES.M, { ratio: 1.0 }),
  againstCoreutils(SHAPES.L, { ratio: 0.8 }),
  againstCoreutils(SHAPES.B, { ratio: 0.55 }),
  // By 500, all 20 files are hashed by one process; by 10, by two at once.
  { ...againstCoreutils(SHAPES.B, undefined, 10), name: 'B10', resources: undefined },
  {
    ...compareDescribe(SHAPES.S),
    b: { label: 'an empty Node process', argv: [process.execPath, EMPTY] },
    target: { ratio: 3, strict: true },
    tools: [],
  },
];

/**
 * @param {Shape} shape
 * @param {Comparison['target']} target
 * @param {number} [batch] files for each process
 * @returns {Comparison}
 */
function againstCoreutils(shape, target, batch = 500) {
  const pass = (/** @type {string} */ sum) =>
    `find . -type f -print0 | xargs -0 -P2 -n ${batch} ${sum} > /dev/null`;
  return {
    ...compareDescribe(shape),
    b: {
      label: `sha256sum, then md5sum, by ${batch}`,
      argv: ['bash', '-c', `set -euo pipefail; ${pass('sha256sum')}; ${pass('md5sum')}`],
      cwd: folderOf(shape),
    },
    target,
    tools: ['bash', 'find', 'xargs', 'sha256sum', 'md5sum'],
  };
}

/** @param {Shape} shape */
function compareDescribe(shape) {
  const folder = folderOf(shape);
  /** @type {Command} */
  const a = {
    label: 'describe',
    argv: [process.execPath, CLI, folder, '--url', 'https://example.org/', '--history', 'none', '--quiet'],
  };
  const { files, bytes, folders } = shape;
  const size = bytes < 1e6 ? `${bytes / 1e3} KB` : `${bytes / 1e6} MB`;
  return {
    name: shape.name,
    title: `${count(files)} files of ${size} in ${folders === 1 ? 'one folder' : `${count(folders)} folders`}`,
    setup: () => {
      makeCorpus(shape);
      writeFileSync(EMPTY, '');
    },
    reset: () => resetCorpus(folder),
    a,
    resources: files,
  };
}

/** @param {number} value */
function count(value) {
  return value.toLocaleString('en-US');
}

/** @param {Shape} shape */
function folderOf({ name }) {
  return join(BENCH_FOLDER, name);
}
