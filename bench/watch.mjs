/** What an edit costs while a site is watched, against describing the site from nothing. */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SETTLING_PAUSE } from '../dist/src/watch.js';
import { BENCH_FOLDER, makeCorpus, resetCorpus } from './corpora.mjs';
import { SHAPES } from './describe.mjs';
import { makeHistory } from './history.mjs';

/** @typedef {import('./measure.mjs').Comparison} Comparison */

const CLI = fileURLToPath(new URL('../dist/src/cli.js', import.meta.url));
const URL_OPTION = ['--url', 'https://example.org/'];
/** After each run the watch looks at all once more; the next edit comes when that is over. */
const REST = 5_000;

/** @type {Comparison[]} */
export const comparisons = [
  againstDescribe('W', '20,000 files of 12 KB', ['--history', 'none'], () => {
    const site = makeCorpus(SHAPES.M);
    return { site, watched: copyOnce(site, 'W') };
  }),
  againstDescribe('WH', '20,000 files, 1,000 publications of 20 changes', [], () => {
    makeHistory('H1', 1000, 20);
    const folder = join(BENCH_FOLDER, 'H1');
    return { site: join(folder, 'site'), watched: join(copyOnce(folder, 'WH'), 'site') };
  }),
];

/**
 * @param {string} name
 * @param {string} title
 * @param {readonly string[]} options
 * @param {() => { site: string, watched: string }} makeSites two that are alike
 * @returns {Comparison}
 */
function againstDescribe(name, title, options, makeSites) {
  const output = join(BENCH_FOLDER, `${name}.jsonl`);
  let site = '';
  let watched = '';
  let edited = '';
  let edits = 0;
  return {
    name,
    title: `${title}, one of them edited`,
    tools: [],
    setup: () => {
      ({ site, watched } = makeSites());
      resetCorpus(watched);
      const arguments_ = [CLI, 'watch', watched, ...URL_OPTION, ...options, '--json'];
      const child = spawn(process.execPath, arguments_, {
        cwd: watched,
        stdio: ['ignore', openSync(output, 'w'), 'inherit'],
      });
      child.unref();
      process.on('exit', () => child.kill('SIGKILL'));
      waitUntil(() => statSync(output).size > 0);
      const list = readFileSync(join(watched, 'resourcesync/resourcelist.xml'), 'utf8');
      const page = /<loc>https:\/\/example\.org\/(.+\/)<\/loc>/.exec(list)?.[1] ?? '';
      edited = join(watched, page, 'index.html');
    },
    reset: (side) => {
      if (side === 'b') resetCorpus(site);
      else pause(REST);
    },
    a: {
      label: `watch, from the edit to the documents, without the pause of ${SETTLING_PAUSE} ms`,
      argv: ['watch'],
      time: () => {
        const before = statSync(output).size;
        const content = `edit ${edits++} ${process.pid}`;
        const start = performance.now();
        writeFileSync(edited, content);
        waitUntil(() => statSync(output).size > before);
        const time = performance.now() - start;
        const digest = createHash('md5').update(content).digest('hex');
        const list = readFileSync(join(watched, 'resourcesync/resourcelist.xml'), 'utf8');
        if (!list.includes(digest)) throw new Error('the edit is not in the documents');
        return time - SETTLING_PAUSE;
      },
    },
    b: {
      label: 'describe',
      // It is known when the setup is done.
      get argv() {
        return /** @type {[string, ...string[]]} */ ([
          process.execPath,
          CLI,
          site,
          ...URL_OPTION,
          ...options,
          '--quiet',
        ]);
      },
      get cwd() {
        return site;
      },
    },
    target: { ratio: 0.25 },
    resources: undefined,
  };
}

/**
 * @param {string} folder
 * @param {string} name
 */
function copyOnce(folder, name) {
  const copy = join(BENCH_FOLDER, name);
  const marker = `${copy}.complete.json`;
  if (!existsSync(marker)) {
    rmSync(copy, { recursive: true, force: true });
    cpSync(folder, copy, { recursive: true });
    writeFileSync(marker, '');
  }
  return copy;
}

/** @param {number} milliseconds */
function pause(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** @param {() => boolean} isSo */
function waitUntil(isSo) {
  while (!isSo()) pause(1);
}
