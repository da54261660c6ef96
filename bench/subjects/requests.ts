/** How many requests `mirror` makes to copy 20,000 pages and to keep the copy right, counted in the log of the server. */

import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resyncStatic } from '../built.js';
import { startNginx } from '../corpora/nginx.js';
import { folderOf, undescribe } from '../corpora/once.js';
import { makePages, PAGES_SITE } from '../corpora/pages.js';
import { run, stop } from '../processes.js';
import type { Measured, Section } from '../section.js';

const PORT = 17_961;
const URL_OF_SITE = `http://127.0.0.1:${PORT}/`;
const [FROM_LIST, FROM_DUMP] = [folderOf('requests-list'), folderOf('requests-dump')];
const LOG = folderOf('requests.log');
const CHANGED = Array.from({ length: 100 }, (_, page) => join(PAGES_SITE, `${page}/${page}/index.html`));

export const sections: readonly Section[] = [
  {
    name: 'mirror-requests',
    title: 'requests for 20,000 pages, as the server counts them: from the list / from packages',
    tools: ['nginx'],
    onlyWhenNamed: 'three minutes',
    measure: (_runs, tell) => measure(tell),
  },
];

async function measure(tell: (progress: string) => void): Promise<Measured> {
  await makePages();
  undescribe(PAGES_SITE);
  const originals = CHANGED.map((file) => readFileSync(file));
  writeFileSync(LOG, '');
  const server = await startNginx(PAGES_SITE, PORT, LOG);
  const counts: string[] = [];
  const count = async (what: string) => {
    const both = [await countRequests(FROM_LIST, 'list'), await countRequests(FROM_DUMP, 'dump')];
    counts.push(`${what} ${both.join(' / ')}`);
    tell(counts.at(-1) ?? '');
  };
  try {
    await describe();
    await count('first copy');
    await count('nothing changed');
    for (const file of CHANGED) appendFileSync(file, 'x');
    await describe();
    await count(`${CHANGED.length} changed`);
    return { remark: counts.join('; ') };
  } finally {
    await stop(server);
    for (const [index, file] of CHANGED.entries()) writeFileSync(file, originals[index] ?? '');
    for (const folder of [FROM_LIST, FROM_DUMP]) rmSync(folder, { recursive: true, force: true });
    undescribe(PAGES_SITE);
  }
}

function describe(): Promise<void> {
  const flags = ['--url', URL_OF_SITE, '--history', 'published', '--dumps', '--quiet'];
  return run(resyncStatic(PAGES_SITE, ...flags));
}

async function countRequests(folder: string, from: string): Promise<number> {
  truncateSync(LOG);
  await run(resyncStatic('mirror', URL_OF_SITE, folder, '--from', from, '--quiet'));
  return readFileSync(LOG, 'utf8').split('\n').length - 1;
}
