/** A page of 60 MB: nobody reads it, and it harms nothing. */

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { measurePeak } from '../support/peak.js';
import { makeFolder, makeSite, readTree, runCli } from '../support/site.js';

const url = 'https://example.org/';
/** Longer than 60 MB with its beginning, and nested as deep as it is long. */
const BODY = Buffer.alloc(60 * 1024 ** 2, '<main><p>1 &amp; <b>2');

/** A site with a short page and two long ones, one of which is not to be shown. */
function makeLong(): string {
  const site = makeSite({ 'a.html': '<title>A</title><main>a' });
  for (const [name, robots] of Object.entries({ 'long.html': 'all', 'hidden.html': 'noindex' })) {
    const head = `<head><title>Long</title><meta name="robots" content="${robots}"></head>`;
    makeSite({ [name]: `<!doctype html><html lang="en">${head}<body>` }, site);
    appendFileSync(join(site, name), BODY);
  }
  return site;
}

test('it is described in as much memory as a short one, the first time and later', async () => {
  const run = async (site: string, caches: string) => {
    const peak = measurePeak(makeFolder());
    const args = [site, '--url', url, '--sitemap', '--history', 'none'];
    const env = { SOURCE_DATE_EPOCH: '1700000000', XDG_CACHE_HOME: caches, ...peak.env };
    expect(await runCli(args, { env })).toMatchObject({ status: 0 });
    return { kilobytes: peak.read(), tree: readTree(site) };
  };
  const short = await run(makeSite({ 'a.html': '<title>A</title><main>a' }), makeFolder());
  const [site, caches] = [makeLong(), makeFolder()];
  const [first, later, forgotten] = [
    await run(site, caches),
    await run(site, caches),
    await run(site, makeFolder()),
  ];
  expect(first.tree['resourcesync/pages.json']).toContain(`${url}long.html`);
  expect(first.tree['resourcesync/pages.json']).not.toContain('hidden.html');
  expect(later.tree).toEqual(first.tree);
  expect(forgotten.tree).toEqual(first.tree);
  for (const { kilobytes } of [first, later, forgotten])
    expect(kilobytes - short.kilobytes).toBeLessThan(64 * 1024);
});
