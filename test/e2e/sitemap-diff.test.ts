/** `diff` tells which dates the next publication would move: those that it then moves. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { UserConfig } from '../../src/config/options.js';
import { describe as describeSite, diff } from '../../src/index.js';

import { commitFiles, makeRepository } from '../support/git.js';
import { startHost } from '../support/host.js';
import { pageOf } from '../support/people.js';
import { below, callCli, makeFolder, makeSite } from '../support/site.js';
import { readDates } from '../support/sitemap.js';

const FORMER = {
  'index.html': pageOf('Home', 'one'),
  'markup.html': pageOf('Markup', 'same', '<script src="/a.js"></script>'),
  'same.html': pageOf('Same', 'same'),
  'gone.html': pageOf('Gone', 'gone'),
  'data.csv': '1',
};
const { 'gone.html': _, ...rest } = FORMER;
const PRESENT = {
  ...rest,
  'index.html': pageOf('Home', 'two'),
  'markup.html': pageOf('Markup', 'same', '<script src="/b.js"></script>'),
  'new.html': pageOf('New', 'new'),
  'hidden.html': pageOf('Hidden', 'x', '<meta name="robots" content="noindex">'),
  'data.csv': '2',
};
const AT = '2027-01-15T08:00:00Z';
const NOW = String(Date.parse(AT) / 1000);
beforeAll(() => void vi.stubEnv('SOURCE_DATE_EPOCH', NOW));
afterAll(() => void vi.unstubAllEnvs());

/** The dates that `diff` foresees; they have to move when the site is described. */
async function compare(config: UserConfig & { url: string; site: string }): Promise<(string | undefined)[]> {
  const { sitemap } = await diff({ ...config, sitemap: true });
  await describeSite({ ...config, sitemap: true });
  const dates = readDates(readFileSync(join(config.site, 'sitemap.xml'), 'utf8'), config.url);
  const moved = Object.keys(dates).filter((path) => dates[path] === AT);
  expect(sitemap?.moved.map((uri) => uri.replace(config.url, '/'))).toEqual(moved);
  expect(sitemap?.unread).toBe(0);
  return moved;
}

test.each([false, true])('with git, and with links to be added: %s', async (htmlLinks) => {
  const folder = makeRepository();
  commitFiles(folder, 0, below('site', FORMER));
  makeSite(below('site', PRESENT), folder);
  const config = {
    site: join(folder, 'site'),
    url: 'https://example.org/',
    urls: 'file',
    htmlLinks,
  } as const;
  expect(await compare(config)).toEqual(['/index.html', '/new.html']);
});

test('with what is live', async () => {
  const host = await startHost(makeFolder());
  const config = { url: host.url, urls: 'file', history: 'published' } as const;
  const former = makeSite(FORMER);
  vi.stubEnv('SOURCE_DATE_EPOCH', '1700000000');
  await describeSite({ ...config, site: former, sitemap: true });
  vi.stubEnv('SOURCE_DATE_EPOCH', NOW);
  host.folder = former;
  expect(await compare({ ...config, site: makeSite(PRESENT) })).toEqual(['/index.html', '/new.html']);
});

test('people read it behind the counts; without the option there is nothing', async () => {
  const folder = makeRepository();
  commitFiles(folder, 0, { 'site/index.html': FORMER['index.html'] });
  makeSite({ 'site/index.html': PRESENT['index.html'], 'site/new.html': 'new' }, folder);
  const args = ['diff', join(folder, 'site'), '--url', 'https://example.org/'];
  const { stdout } = await callCli([...args, '--sitemap']);
  expect(stdout).toContain('1 updated, 1 created\n\nSitemap  2 dates would move\n  /\n  /new.html\n');
  expect((await callCli(args)).stdout).not.toContain('Sitemap');
  const nothing = await diff({
    site: makeSite({ 'a.html': 'a' }),
    url: 'https://example.org/',
    sitemap: true,
  });
  expect(nothing.sitemap).toBeUndefined();
});
