/** `describe` with the history of the live site against `describe` without one. */

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BENCH_FOLDER, makeCorpus, resetCorpus } from './corpora.mjs';
import { SHAPES } from './describe.mjs';

/** @typedef {import('./measure.mjs').Comparison} Comparison */

const CLI = fileURLToPath(new URL('../dist/src/cli.js', import.meta.url));
const SERVE = fileURLToPath(new URL('serve.mjs', import.meta.url));
const PORT = 17_939;
const URL_BASE = `http://127.0.0.1:${PORT}/`;
const SITE = join(BENCH_FOLDER, SHAPES.L.name);
const LIVE = join(BENCH_FOLDER, 'P');
const EVENTS = 50_000;
const START = 1_780_000_000;

/** @param {string} history */
function describe(history) {
  const flags = ['--urls', 'clean', '--history', history, '--quiet'];
  return /** @type {[string, ...string[]]} */ ([
    ...[process.execPath, CLI, SITE, '--url', URL_BASE],
    ...flags,
  ]);
}

/** @type {Comparison[]} */
export const comparisons = [
  {
    name: 'P',
    title: `${SHAPES.L.files.toLocaleString('en-US')} files, ${EVENTS.toLocaleString('en-US')} changes on the live site`,
    tools: [],
    setup,
    reset: () => resetCorpus(SITE),
    a: { label: 'describe --history published', argv: describe('published') },
    b: { label: 'describe --history none', argv: describe('none') },
    target: { adds: 3000 },
    resources: SHAPES.L.files,
    // 300 MB more than without.
    baseBytes: 400e6,
  },
];

/** Publishes the site once, as if many of its files had been changed before, and goes on serving that. */
function setup() {
  makeCorpus(SHAPES.L);
  rmSync(LIVE, { recursive: true, force: true });
  mkdirSync(LIVE, { recursive: true });
  const server = spawn(process.execPath, [SERVE, LIVE, `${PORT}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  server.unref();
  process.on('exit', () => server.kill());
  // What is not served yet is refused, and asked for again.
  const [node, ...args] = describe('published');
  execFileSync(node, args, { env: { ...process.env, SOURCE_DATE_EPOCH: `${START}` } });
  for (const folder of ['resourcesync', '.well-known']) {
    cpSync(join(SITE, folder), join(LIVE, folder), { recursive: true });
  }
  writeChanges(join(LIVE, 'resourcesync', 'changelist.xml'));
  resetCorpus(SITE);
}

/** @param {string} file the Change List, which is empty */
function writeChanges(file) {
  const list = readFileSync(file, 'utf8');
  const rows = readFileSync(file.replace('changelist', 'resourcelist-0001'), 'utf8').split('\n');
  const resources = rows.filter((row) => row.startsWith('  <url>'));
  const events = Array.from({ length: EVENTS }, (_, index) => {
    const row = resources[index % resources.length] ?? '';
    const datetime = new Date((START - EVENTS + 1 + index) * 1000).toISOString().replace('.000', '');
    return row
      .replace(/<lastmod>.*?<\/lastmod>/, '')
      .replace('<rs:md', `<rs:md change="updated" datetime="${datetime}"`);
  });
  const from = new Date((START - EVENTS) * 1000).toISOString().replace('.000', '');
  const text = list
    .replace(/ from="[^"]*"/, ` from="${from}"`)
    .replace('\n</urlset>', () => `\n${events.join('\n')}\n</urlset>`);
  writeFileSync(file, text);
}
