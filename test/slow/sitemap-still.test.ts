/** What is built of the same sources again and again, and published each time, moves no date: wherever history is kept. */

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { UserConfig } from '../../src/config/options.js';
import { record } from '../../src/index.js';
import { describeAt } from '../support/changes.js';
import { cloneOf, commitFiles, commitFolder, git, makeRepository } from '../support/git.js';
import { startHost } from '../support/host.js';
import { pageOf } from '../support/people.js';
import { makeFolder, makeSite, readTree } from '../support/site.js';
import { readDates } from '../support/sitemap.js';

const DAY = 86_400;
const URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';

/** What a generator builds: noise, and the time, but for what the pages say. */
function build(day: number, url: string, generated: boolean, text = 'two'): Record<string, string> {
  const rows = ['index.html', 'new.html'].map(
    (name) => `<url><loc>${url}${name}</loc><lastmod>2026-01-${10 + day}</lastmod></url>`,
  );
  return {
    'index.html': pageOf('Home', text, `<script src="/app-${day}.js"></script>`),
    'new.html': pageOf('New', 'new', `<!-- built on day ${day} -->`),
    ...(generated && { 'sitemap.xml': `${URLSET}${rows.join('')}</urlset>` }),
  };
}

/** Where the sitemap is, and what is done with a build, and with what was described. */
interface Kind {
  readonly config: Partial<UserConfig> & { readonly site: string };
  readonly url: string;
  /** After the files were built. */
  readonly built?: (day: number) => void;
  /** After they were described. */
  readonly publish: (day: number) => unknown;
}

const KINDS: Readonly<Record<string, () => Promise<Kind>>> = {
  async 'commits of the site'() {
    const folder = makeRepository();
    return {
      config: { site: join(folder, 'site') },
      url: 'https://example.org/',
      built: (day) => commitFiles(folder, day * DAY, {}),
      publish: (day) => commitFiles(folder, day * DAY + 60, {}),
    };
  },
  async 'commits of the site, before it is described'() {
    const folder = makeRepository();
    return {
      config: { site: join(folder, 'site') },
      url: 'https://example.org/',
      publish: (day) => commitFiles(folder, day * DAY + 30, {}),
    };
  },
  async 'a branch'() {
    const folder = makeRepository();
    commitFiles(folder, 0, { 'a.txt': 'a' });
    const site = join(folder, 'site');
    commitFolder(folder, 0, makeSite({ 'index.html': pageOf('Home', 'one') }), 'gh-pages');
    return {
      config: { site, history: 'gh-pages' },
      url: 'https://example.org/',
      publish: (day) => commitFolder(folder, day * DAY + 30, site, 'gh-pages'),
    };
  },
  async snapshots() {
    const folder = makeRepository();
    commitFiles(folder, 0, { 'a.txt': 'a', '.gitignore': 'site' });
    const site = join(folder, 'site');
    return {
      config: { site },
      url: 'https://example.org/',
      publish: () => record({ site, url: 'https://example.org/', urls: 'file', sitemap: true }),
    };
  },
  async 'the live site'() {
    const host = await startHost(makeFolder());
    const site = join(makeFolder(), 'site');
    return {
      config: { site, history: 'published' },
      url: host.url,
      publish() {
        const live = makeFolder();
        cpSync(site, live, { recursive: true });
        host.folder = live;
      },
    };
  },
};

describe.each(Object.entries(KINDS))('history in %s', (_, make) => {
  test.each([
    ['ours', false],
    ["a generator's", true],
  ] as const)('%s', async (_what, generated) => {
    const { config, url, built, publish } = await make();
    const options = { ...config, url, urls: 'file', sitemap: true } as const;
    const run = async (day: number, text?: string) => {
      makeSite(build(day, url, generated, text), config.site);
      built?.(day);
      const report = await describeAt(day * DAY + 30, options);
      const dates = readDates(readFileSync(join(config.site, 'sitemap.xml'), 'utf8'), url);
      await publish(day);
      return { report, dates };
    };
    makeSite({ 'index.html': pageOf('Home', 'one') }, config.site);
    built?.(0);
    await describeAt(30, options);
    await publish(0);
    const first = await run(1);
    expect(Object.values(first.dates).map((date) => date?.slice(0, 10))).toEqual([
      '2023-11-15',
      '2023-11-15',
    ]);
    for (const day of [2, 3, 4]) expect((await run(day)).dates).toEqual(first.dates);
    const changed = await run(5, 'three');
    expect(Object.values(changed.dates).map((date) => date?.slice(0, 10))).toEqual([
      '2023-11-19',
      '2023-11-15',
    ]);
    // The very same once more: nothing is written.
    const tree = readTree(config.site);
    if (generated) writeFileSync(join(config.site, 'sitemap.xml'), build(7, url, true)['sitemap.xml'] ?? '');
    await describeAt(7 * DAY, options);
    expect(readTree(config.site)).toEqual(tree);
  });
});

test.each(['1', '2', '50'])('in a clone of depth %s, what that knows stays', async (depth) => {
  const folder = makeRepository();
  for (const day of [0, 1, 2, 3]) {
    const files = Object.entries(build(day, 'https://example.org/', true, day > 1 ? 'two' : 'one'));
    commitFiles(folder, day * DAY, Object.fromEntries(files.map(([path, text]) => [`site/${path}`, text])));
  }
  const clone = cloneOf(folder, '--depth', depth);
  const config = {
    site: join(clone, 'site'),
    url: 'https://example.org/',
    urls: 'file',
    sitemap: true,
  } as const;
  const read = () => readFileSync(join(clone, 'site/sitemap.xml'), 'utf8');
  await describeAt(9 * DAY, config);
  const before = read();
  expect(before.includes('2023-11-16')).toBe(depth !== '1' && depth !== '2');
  for (const day of [4, 5, 6]) {
    git(clone, ['add', '--all']);
    commitFiles(clone, day * DAY, {});
    const noise = build(day, 'https://example.org/', true);
    makeSite(noise, join(clone, 'site'));
    await describeAt(10 * DAY, config);
    expect(read()).toBe(before);
  }
});
