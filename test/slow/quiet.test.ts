/** Watching: nothing happens by itself. */

import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readDocuments } from '../support/changes.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { makeSite, runCli } from '../support/site.js';
import { readEntries } from '../support/sitemap.js';
import { startWatch } from '../support/watch.js';
import { EPOCH, isCurrent, QUIET, startIn, URL_OPTION } from '../support/watched.js';

describe('nothing happens by itself', () => {
  test('neither our own documents nor what is not listed here lead to a run', async () => {
    const site = makeSite({ 'index.html': 'home', 'a/b.txt': 'b' });
    const watching = startIn(site);
    await watching.next();
    const [documents, stats] = [readDocuments(site), statSync(join(site, 'resourcesync/resourcelist.xml'))];
    await sleep(QUIET);
    expect(await runCli([site, ...URL_OPTION, '--urls', 'file'], { env: EPOCH })).toMatchObject({
      status: 0,
    });
    // Longer than changes take to settle: what is ours leads to no line that could be waited for.
    await sleep(1000);
    expect(watching.lines).toHaveLength(1);
    expect(readDocuments(site)).toEqual(documents);
    expect(statSync(join(site, 'resourcesync/resourcelist.xml')).mtimeMs).toBe(stats.mtimeMs);

    // And a burst leads to one run, or to a few where the machine takes long to write it.
    for (let file = 0; file < 300; file++) makeSite({ [`${file}.txt`]: `${file}` }, site);
    await watching.until(() => isCurrent(site));
    // The documents are in place before their run prints its line, and a change during that run leads to one more.
    await watching.until(() => JSON.parse(watching.lines.at(-1) ?? '').resources === 302);
    await sleep(QUIET);
    const runs = watching.lines.length;
    expect(runs).toBeLessThan(30);
    await sleep(QUIET);
    expect(watching.lines).toHaveLength(runs);
  });

  test('nor does the sitemap of a generator, which is dated each time', async () => {
    const folder = makeRepository();
    const sitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/</loc><lastmod>2026-01-01</lastmod></url></urlset>`;
    commitFiles(folder, 0, { 'site/index.html': 'one', 'site/sitemap.xml': sitemap });
    commitFiles(folder, 86_400, { 'site/index.html': 'two' });
    const watched = startWatch(
      [join(folder, 'site'), '--url', 'https://example.org/', '--sitemap', '--json'],
      {
        env: { SOURCE_DATE_EPOCH: '1800000000' },
      },
    );
    const isDated = () => readEntries(folder)['/'] === '2023-11-15';
    await watched.next();
    expect(isDated()).toBe(true);
    for (let turn = 0; turn < 3; turn++) {
      writeFileSync(join(folder, 'site/sitemap.xml'), sitemap);
      await watched.next();
      expect(isDated()).toBe(true);
    }
    // As long as nothing happens, nothing is done: what goes round would come round twice.
    const lines = watched.lines.length;
    await sleep(2 * QUIET);
    expect(watched.lines.length - lines).toBeLessThanOrEqual(1);
  });
});
