/** Builds of a generator, published one after another: which dates move, what the feed says, and what IndexNow is told. */

import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { describe as describeSite, diff, type UserConfig } from '../../src/index.js';
import { notify } from '../../src/tell/index.js';
import { BEGIN, commitFiles, makeRepository } from './git.js';
import { write } from './mirror.js';
import { readFeed } from './people.js';
import { validate } from './schemas.js';
import { serveDeployed } from './server.js';
import { readTree } from './site.js';
import { readDates } from './sitemap.js';
import { startTaker } from './websub.js';

const KEY = 'b6a5d7e4-0123456789';
const DAY = 86_400;
const DATED = /\s*<lastmod>[^<]*<\/lastmod>|<!-- Dated by resync-static -->\n?/g;

const readSitemaps = (site: string) =>
  Object.fromEntries(Object.entries(readTree(site)).filter(([path]) => /^sitemap[\w-]*\.xml$/.test(path)));

/** Starts a host, and a search engine. */
export async function startBuilds(config: Pick<UserConfig, 'urls'> = {}) {
  const engine = await startTaker();
  const published = makeRepository();
  const site = join(published, 'site');
  const { url, deploy } = await serveDeployed();
  const options = { ...config, site, url, history: 'HEAD:site' } as const;
  let previous: Readonly<Record<string, string | undefined>> = {};

  /** Publishes a built folder as it is on a day, with a sitemap that is dated, or ours, and a feed. Pages are paths. */
  async function publish(day: number, built: string) {
    rmSync(site, { recursive: true, force: true });
    cpSync(built, site, { recursive: true });
    write(site, `${KEY}.txt`, KEY);
    const before = readSitemaps(site);
    const { changes } = day === 0 ? { changes: [] } : await diff(options);
    commitFiles(published, day * DAY, {});
    await describeSite({ ...options, sitemap: true, feed: true });
    deploy(site);
    const after = readSitemaps(site);
    // But for dates and a comment, the sitemap of a generator is as it was.
    for (const [path, text] of Object.entries(before)) {
      expect(after[path]?.replace(DATED, '')).toBe(text.replace(DATED, ''));
    }
    expect(await validate(after)).toEqual([]);
    const dates = readDates(Object.values(after).join(''), url);
    // A post may say its own day, which is older than all that is known; the days of the builds are gone.
    expect(Object.values(dates).filter((date = '') => date >= '2023-12')).toEqual([]);
    await notify({ source: site, indexnow: KEY, indexnowEndpoint: engine.url });
    const pages = Object.keys(dates).filter((path) => !path.endsWith('.xml'));
    const moved = pages.filter((path) => dates[path] !== previous[path]);
    previous = dates;
    const today = new Date((BEGIN + day * DAY) * 1000).toISOString().replace('.000', '');
    const entries = readFeed(site).entries.filter(({ updated }) => updated === today);
    const told: string[] = engine.seen.splice(0).flatMap(({ body }) => JSON.parse(body).urlList);
    return {
      dates,
      pages: pages.length,
      moved: moved.map((path) => path.slice(1)).sort(),
      entries: entries.map(({ uri }) => uri.slice(url.length)).sort(),
      told: told.map((uri) => uri.slice(url.length)).sort(),
      /** Pages whose bytes are not those of the day before. */
      changed: changes.filter(({ path }) => path.endsWith('.html')).length,
    };
  }
  return { url, publish };
}
