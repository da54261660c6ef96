/** `describe` with the history of the live site against `describe` without one. */

import type { ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownProgram, resyncStatic } from '../built.js';
import { folderOf, undescribe } from '../corpora/once.js';
import { count, makeSite, SITES } from '../corpora/sites.js';
import { wholeRun } from '../measure.js';
import { type Argv, run, start, stop } from '../processes.js';
import { allowMemory, compare } from '../section.js';

const PORT = 17_939;
const SITE = folderOf(SITES.files200k.name);
const LIVE = folderOf('live-site');
const CHANGES = 50_000;
const PUBLISHED = 1_780_000_000;

let server: ChildProcess | undefined;

export const sections = [
  compare({
    name: 'live-history',
    subject: `${count(SITES.files200k.files)} files, ${count(CHANGES)} changes on the live site`,
    prepare: publishAndServe,
    reset: () => undescribe(SITE),
    finish: async () => {
      undescribe(SITE);
      if (server !== undefined) await stop(server);
    },
    a: wholeRun('describe with the history of the live site', describe('published')),
    b: wholeRun('describe without history', describe('none')),
    target: { adds: 3000 },
    // 300 MB more than without.
    memory: { argv: describe('published'), limit: allowMemory(SITES.files200k.files, 400e6) },
  }),
];

function describe(history: string): Argv {
  const url = `http://127.0.0.1:${PORT}/`;
  return resyncStatic(SITE, '--url', url, '--urls', 'clean', '--history', history, '--quiet');
}

/** Publishes the site once, as if many of its files had been changed before, and goes on serving that. */
async function publishAndServe(): Promise<void> {
  await makeSite(SITES.files200k);
  undescribe(SITE);
  rmSync(LIVE, { recursive: true, force: true });
  mkdirSync(LIVE, { recursive: true });
  server = start(ownProgram('serve', LIVE, `${PORT}`));
  // What is not served yet is refused, and asked for again.
  await run(describe('published'), { env: { SOURCE_DATE_EPOCH: `${PUBLISHED}` } });
  for (const folder of ['resourcesync', '.well-known']) {
    cpSync(join(SITE, folder), join(LIVE, folder), { recursive: true });
  }
  writeChanges(join(LIVE, 'resourcesync', 'changelist.xml'));
  undescribe(SITE);
}

/** @param file the Change List, which is empty */
function writeChanges(file: string): void {
  const list = readFileSync(file, 'utf8');
  const rows = readFileSync(file.replace('changelist', 'resourcelist-0001'), 'utf8').split('\n');
  const resources = rows.filter((row) => row.startsWith('  <url>'));
  const changes = Array.from({ length: CHANGES }, (_, index) => {
    const row = resources[index % resources.length] ?? '';
    const datetime = formatSeconds(PUBLISHED - CHANGES + 1 + index);
    return row
      .replace(/<lastmod>.*?<\/lastmod>/, '')
      .replace('<rs:md', `<rs:md change="updated" datetime="${datetime}"`);
  });
  const text = list
    .replace(/ from="[^"]*"/, ` from="${formatSeconds(PUBLISHED - CHANGES)}"`)
    .replace('\n</urlset>', () => `\n${changes.join('\n')}\n</urlset>`);
  writeFileSync(file, text);
}

function formatSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000', '');
}
