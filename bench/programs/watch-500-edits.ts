/** Watches a site during 500 edits, and prints what memory is in use: a line of JSON for every 50. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { watch } from 'resync-static';

const EDITS = 500;
const STEP = 50;
const FOLDERS = 1000;

const [site = ''] = process.argv.slice(2);
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

rmSync(site, { recursive: true, force: true });
for (let folder = 0; folder < FOLDERS; folder++) edit(folder, 0);

let edits = 0;
for await (const event of watch({ site, url: 'https://example.org/', history: 'none' })) {
  if (event.kind !== 'described') throw event.kind === 'failed' ? event.error : new Error(event.kind);
  if (event.report.resources !== FOLDERS) throw new Error(`${event.report.resources} resources`);
  if (edits % STEP === 0) {
    collectGarbage();
    const { heapUsed, external, rss } = process.memoryUsage();
    console.log(JSON.stringify({ edits, heapUsed, external, rss }));
  }
  if (edits === EDITS) break;
  edits++;
  const folder = (edits * 7) % FOLDERS;
  // Now and then a folder is made anew, and watching begins anew with it.
  if (edits % 10 === 0) rmSync(join(site, `page-${folder}`), { recursive: true });
  edit(folder, edits);
}

function edit(folder: number, version: number): void {
  mkdirSync(join(site, `page-${folder}`), { recursive: true });
  writeFileSync(join(site, `page-${folder}`, 'index.html'), `version ${version} of ${folder}\n`);
}
