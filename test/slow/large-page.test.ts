/** A page of 60 MB: nobody reads it, and it harms nothing. */

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDigester } from '../../src/files/digest/digester.js';
import { digestShares, loadPageReader, makeJob } from '../../src/files/digest/job.js';
import { unpackRecord, type WantedFacts } from '../../src/files/page/facts/seen.js';
import { measurePeak } from '../support/peak.js';
import { makeFolder, makeSite, readTree, runCli } from '../support/site.js';

const url = 'https://example.org/';
const HEAD = '<!doctype html><html lang="en"><head><title>Long</title><meta name="robots" content="noindex">';
/** Longer than 60 MB with its beginning, and nested as deep as it is long. */
const BODY = Buffer.alloc(60 * 1024 ** 2, '<main><p>1 &amp; <b>2');

/** A site with a short page and a long one. */
function makeLong(head = HEAD): string {
  const site = makeSite({ 'a.html': '<title>A</title><main>a', 'long.html': `${head}</head><body>` });
  appendFileSync(join(site, 'long.html'), BODY);
  return site;
}

test('it is seen alike in threads, in the main thread, and once it is known', async () => {
  const site = makeLong();
  const paths = ['a.html', 'long.html'];
  const wishes = { noindex: true, canonical: true, leads: true, links: true, lists: true, texts: true };
  const wanted: WantedFacts = { wishes, url, urls: 'file' };
  const names = ['sha-256'] as const;
  const unknown = { root: site, names, wanted, known: new Uint8Array(), refusesKeys: true };
  const here = [...digestShares(makeJob(unknown, paths, 0), await loadPageReader(wanted))].flatMap(
    ({ seen }) => seen,
  );
  expect(unpackRecord(here[0])).toMatchObject({ title: 'A' });
  expect(unpackRecord(here[1])).toBeUndefined();
  expect(here[1]).toContain('!');

  const keys = new Uint8Array(Buffer.from(here.map((line) => line?.slice(0, 22)).join('')));
  for (const known of [
    undefined,
    { keys, find: (key: string) => here.find((line) => line?.startsWith(key)) },
  ]) {
    const digester = createDigester(site, names, wanted, true, known);
    try {
      for (const path of paths) digester.add(path);
      const table = await digester.finish();
      expect(paths.map((_, index) => table.seen(index))).toEqual(here);
    } finally {
      digester.close();
    }
  }
});

test('it is described in as much memory as a short one, the first time and later', async () => {
  const run = async (site: string, caches: string) => {
    const peak = measurePeak(makeFolder());
    const args = [site, '--url', url, '--sitemap', '--history', 'none'];
    const env = { SOURCE_DATE_EPOCH: '1700000000', XDG_CACHE_HOME: caches, ...peak.env };
    expect(await runCli(args, { env })).toMatchObject({ status: 0 });
    return { kilobytes: peak.read(), tree: readTree(site) };
  };
  const short = await run(makeSite({ 'a.html': '<title>A</title><main>a' }), makeFolder());
  const [site, caches] = [makeLong(HEAD.replace('noindex', 'all')), makeFolder()];
  const [first, later, forgotten] = [
    await run(site, caches),
    await run(site, caches),
    await run(site, makeFolder()),
  ];
  expect(first.tree['resourcesync/pages.json']).toContain(`${url}long.html`);
  expect(later.tree).toEqual(first.tree);
  expect(forgotten.tree).toEqual(first.tree);
  for (const { kilobytes } of [first, later, forgotten])
    expect(kilobytes - short.kilobytes).toBeLessThan(64 * 1024);
});
