/** `describe` with a history against `describe` without one, and recording against what git itself does. */

import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BENCH_FOLDER, makeNoise, makeRandom, RECIPE, resetCorpus, SEED } from './corpora.mjs';

/** @typedef {import('./measure.mjs').Comparison} Comparison */

const CLI = fileURLToPath(new URL('../dist/src/cli.js', import.meta.url));
const READ = fileURLToPath(new URL('read-history.mjs', import.meta.url));
const FILES = 20_000;
const FILE_BYTES = 12_000;
const SECTIONS = 100;
/** Publications are an hour apart. */
const HOUR = 3600;
const START = 1_780_000_000;
const IDENTITY = 'T <t@example.org>';

/** @type {[node: string, ...args: string[]]} */
const DESCRIBE = [process.execPath, CLI, 'site', '--url', 'https://example.org/', '--quiet'];

/** @type {Comparison[]} */
export const comparisons = [
  addsToDescribe('H1', 1000, 20, 1500),
  addsToDescribe('H10', 10_000, 2, 6000),
  {
    ...addsToDescribe('H1', 1000, 20, 0),
    name: 'HR',
    title: `history of 1,000 publications of 20 changes`,
    setup: () => {
      makeHistory('H1', 1000, 20);
      listSuperseded('H1');
    },
    a: { label: 'reading it and its digests', argv: [process.execPath, READ], cwd: folderOf('H1') },
    b: {
      label: 'git log --raw -z and git cat-file --batch',
      argv: [
        'bash',
        '-c',
        `set -euo pipefail
         git log --first-parent -m --raw -z --no-renames --no-abbrev --format=%H HEAD -- site > /dev/null
         git cat-file --batch --buffer < superseded.txt > /dev/null`,
      ],
      cwd: folderOf('H1'),
    },
    target: { ratio: 1.2 },
  },
  againstStatus('R0', 'nothing changed', 1),
  againstStatus('R1', 'one file changed', 2),
  {
    name: 'RF',
    title: `${FILES.toLocaleString('en-US')} files, first recording`,
    tools: ['bash', 'git'],
    setup: () => makeRecording(),
    reset: () => {
      rmSync(join(folderOf('R'), '.git'), { recursive: true, force: true });
      git(folderOf('R'), 'init', '--quiet');
      resetCorpus(join(folderOf('R'), 'site'));
    },
    a: { label: 'describe --record', argv: [...DESCRIBE, '--record'], cwd: folderOf('R') },
    b: {
      label: 'git add -A, git write-tree',
      argv: ['bash', '-c', 'set -e; git add -A; git write-tree > /dev/null'],
      cwd: folderOf('R'),
    },
    target: { ratio: 0.5 },
    resources: undefined,
  },
];

/**
 * @param {string} name
 * @param {number} publications
 * @param {number} changes of each publication
 * @param {number} adds
 * @returns {Comparison}
 */
function addsToDescribe(name, publications, changes, adds) {
  const count = (/** @type {number} */ value) => value.toLocaleString('en-US');
  return {
    name,
    title: `${count(FILES)} files, ${count(publications)} publications of ${changes} changes`,
    tools: ['bash', 'git'],
    setup: () => makeHistory(name, publications, changes),
    reset: () => resetCorpus(join(folderOf(name), 'site')),
    a: { label: 'describe', argv: DESCRIBE, cwd: folderOf(name) },
    b: { label: 'describe --history none', argv: [...DESCRIBE, '--history', 'none'], cwd: folderOf(name) },
    target: { adds },
    resources: undefined,
  };
}

/**
 * Recording adds at most `times` a warm `git status` of the same files.
 *
 * @param {string} name
 * @param {string} title
 * @param {number} times
 * @returns {Comparison}
 */
function againstStatus(name, title, times) {
  const folder = folderOf('R');
  /** @type {[node: string, ...args: string[]]} */
  const snapshots = [...DESCRIBE, '--history', 'snapshots:bench'];
  const edited = join(folder, 'site', '0', '0', 'index.html');
  let edits = 0;
  return {
    name,
    title: `${FILES.toLocaleString('en-US')} files, ${title}`,
    tools: ['bash', 'git'],
    setup: () => {
      makeRecording();
      if (!existsSync(join(folder, '.git'))) git(folder, 'init', '--quiet');
      git(folder, 'add', '--all');
      git(
        folder,
        '-c',
        'user.name=T',
        '-c',
        'user.email=t@example.org',
        'commit',
        '--quiet',
        '--allow-empty',
        '-m',
        'x',
      );
      const [node, ...args] = [...snapshots, '--record'];
      execFileSync(node, args, { cwd: folder });
    },
    reset: () => {
      if (times > 1) writeFileSync(edited, `edit ${edits++} ${process.pid}`);
      git(folder, 'status', '--short', '--untracked-files=no');
    },
    a: { label: 'describe --record', argv: [...snapshots, '--record'], cwd: folder },
    b: {
      label: `describe, then git status${times > 1 ? `, ${times} times` : ''}`,
      argv: [
        'bash',
        '-c',
        `"$@"; for i in $(seq ${times}); do git status --short > /dev/null; done`,
        'bash',
        ...snapshots,
      ],
      cwd: folder,
    },
    target: { ratio: 1 },
    resources: undefined,
  };
}

/** @param {string} name */
function folderOf(name) {
  return join(BENCH_FOLDER, name);
}

/**
 * @param {string} folder
 * @param {...string} args
 */
function git(folder, ...args) {
  execFileSync('git', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/**
 * Makes a repository whose `site/` was published so many times, and is checked out.
 *
 * @param {string} name
 * @param {number} publications
 * @param {number} changes
 */
export function makeHistory(name, publications, changes) {
  const folder = folderOf(name);
  const marker = `${folder}.complete.json`;
  const wanted = `${JSON.stringify({ recipe: RECIPE, seed: SEED, publications, changes })}\n`;
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
  rmSync(marker, { force: true });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '--quiet', '--initial-branch=main');

  const random = makeRandom(SEED);
  const noise = makeNoise(random);
  const stream = `${folder}.stream`;
  const file = openSync(stream, 'w');
  /** @type {Map<number, Buffer>} */
  const current = new Map();
  /** @param {number} index @param {number} version */
  const put = (index, version) => {
    const length = Math.round(FILE_BYTES * (0.2 + 1.6 * random()));
    const start = Math.floor(random() * (noise.length - length));
    const content = Buffer.concat([
      Buffer.from(`${index} ${version}\n`),
      noise.subarray(start, start + length),
    ]);
    current.set(index, content);
    writeSync(file, `M 100644 inline ${pathOf(index)}\ndata ${content.length}\n`);
    writeSync(file, content);
    writeSync(file, '\n');
  };
  for (let version = 0; version <= publications; version++) {
    const seconds = START + (version - publications) * HOUR;
    writeSync(file, `commit refs/heads/main\ncommitter ${IDENTITY} ${seconds} +0000\ndata 1\nx\n`);
    if (version === 0) for (let index = 0; index < FILES; index++) put(index, 0);
    else for (let change = 0; change < changes; change++) put(Math.floor(random() * FILES), version);
  }
  const imported = spawnSync('git', ['fast-import', '--quiet', '--depth=0'], {
    cwd: folder,
    stdio: [openSync(stream, 'r'), 'ignore', 'inherit'],
  });
  if (imported.status !== 0) throw new Error('git fast-import failed');
  rmSync(stream);
  for (const [index, content] of current) {
    mkdirSync(dirname(join(folder, pathOf(index))), { recursive: true });
    writeFileSync(join(folder, pathOf(index)), content);
  }
  writeFileSync(marker, wanted);
}

/**
 * Lists the versions that have to be read from git: all but the newest of each file, and those of the first publication.
 *
 * @param {string} name
 */
function listSuperseded(name) {
  const folder = folderOf(name);
  const log = execFileSync(
    'git',
    ['log', '--raw', '--no-abbrev', '--no-renames', '--format=', 'HEAD', '--', 'site'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 30 },
  );
  const seen = new Set();
  const superseded = log.split('\n').flatMap((line) => {
    const [, , , blob = '', kind = '', path] = line.split(/[ \t]/);
    if (path === undefined || !seen.has(path)) {
      seen.add(path);
      return [];
    }
    return kind === 'A' ? [] : [blob];
  });
  writeFileSync(join(folder, 'superseded.txt'), `${superseded.join('\n')}\n`);
}

/** @param {number} index */
function pathOf(index) {
  return `site/${index % SECTIONS}/${index}/index.html`;
}

/** A site to record, in a folder of its own: the present state of H1, without its history. */
function makeRecording() {
  makeHistory('H1', 1000, 20);
  if (!existsSync(join(folderOf('R'), 'site'))) {
    cpSync(join(folderOf('H1'), 'site'), join(folderOf('R'), 'site'), { recursive: true });
    resetCorpus(join(folderOf('R'), 'site'));
  }
}
