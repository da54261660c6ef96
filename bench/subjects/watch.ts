/** What an edit costs while a site is watched, against describing the site from nothing. */

import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { describeSite, load, resyncStatic } from '../built.js';
import { copyOnce, folderOf, undescribe } from '../corpora/once.js';
import { makeRepository, PASTS, wordPast } from '../corpora/repositories.js';
import { makeSite, SITES, wordShape } from '../corpora/sites.js';
import { wholeRun } from '../measure.js';
import { start, stop } from '../processes.js';
import { compare, type Section } from '../section.js';

const { SETTLING_PAUSE } = await load.listen();
/** After each run the watch looks at all once more; the next edit comes when that is over. */
const REST = 5_000;

interface Watched {
  readonly name: string;
  readonly subject: string;
  readonly options: readonly string[];
  readonly site: string;
  /** A copy of the site. */
  readonly watched: string;
  readonly make: () => Promise<unknown>;
}

export const sections = [
  againstDescribe({
    name: 'watch-edit',
    subject: wordShape(SITES.files20k),
    options: ['--history', 'none'],
    site: folderOf(SITES.files20k.name),
    watched: folderOf('watched-site'),
    make: async () => copyOnce(await makeSite(SITES.files20k), 'watched-site'),
  }),
  againstDescribe({
    name: 'watch-edit-history',
    subject: wordPast(PASTS.publications1k),
    options: [],
    site: join(folderOf(PASTS.publications1k.name), 'site'),
    watched: join(folderOf('watched-repository'), 'site'),
    make: async () => copyOnce(await makeRepository(PASTS.publications1k), 'watched-repository'),
  }),
];

function againstDescribe({ name, subject, options, site, watched, make }: Watched): Section {
  let watching: Watching | undefined;
  return compare({
    name,
    subject: `${subject}, one of them edited`,
    prepare: async () => {
      await make();
      undescribe(watched);
      watching = await watch(watched, options);
    },
    reset: async (side) => {
      if (side === 'b') undescribe(site);
      else await pause(REST);
    },
    finish: async () => {
      if (watching !== undefined) await stop(watching.child);
      undescribe(watched);
      undescribe(site);
    },
    a: {
      label: `watch, from the edit to the documents, without the pause of ${SETTLING_PAUSE} ms`,
      time: async () => {
        if (watching === undefined) throw new Error('nothing is watched');
        return (await timeEdit(watched, watching)) - SETTLING_PAUSE;
      },
    },
    b: wholeRun('describe', describeSite(site, ...options), site),
    target: { ratio: 0.25 },
  });
}

interface Watching {
  readonly child: ChildProcess;
  /** A line for each run. */
  readonly lines: Interface;
  /** The file that is edited. */
  readonly page: string;
}

async function watch(site: string, options: readonly string[]): Promise<Watching> {
  const argv = resyncStatic('watch', site, '--url', 'https://example.org/', ...options, '--json');
  const child = start(argv, { cwd: site, stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('the watch prints nothing');
  const lines = createInterface(child.stdout);
  await nextLine({ child, lines });
  const page = /<loc>https:\/\/example\.org\/(.+\/)<\/loc>/.exec(readResourceList(site))?.[1] ?? '';
  return { child, lines, page: join(site, page, 'index.html') };
}

async function timeEdit(site: string, watching: Watching): Promise<number> {
  const described = nextLine(watching);
  const content = `edit ${performance.now()} ${process.pid}`;
  const begin = performance.now();
  writeFileSync(watching.page, content);
  await described;
  const time = performance.now() - begin;
  const digest = createHash('md5').update(content).digest('hex');
  if (!readResourceList(site).includes(digest)) throw new Error('the edit is not in the documents');
  return time;
}

/** @throws if the watch ends before it prints a line */
async function nextLine({ child, lines }: Pick<Watching, 'child' | 'lines'>): Promise<void> {
  const abort = new AbortController();
  const { signal } = abort;
  const ended = once(child, 'close', { signal }).then(([status, killed]) => {
    throw new Error(`the watch ended with ${killed ?? `status ${status}`}`);
  });
  await Promise.race([once(lines, 'line', { signal }), ended]);
  abort.abort();
}

function readResourceList(site: string): string {
  return readFileSync(join(site, 'resourcesync', 'resourcelist.xml'), 'utf8');
}
