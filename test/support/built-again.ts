/** Builds of a generator, published one after another: what their sitemap says, and what IndexNow is told. */

import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { describe as describeSite, diff, notify, type UserConfig } from '../../src/index.js';
import { commitFiles, makeRepository } from './git.js';
import { write } from './mirror.js';
import { startHost } from './next.js';
import { validate } from './schemas.js';
import { readTree } from './site.js';
import { readDates } from './sitemap.js';
import { startTaker } from './websub.js';

const KEY = 'b6a5d7e4-0123456789';
const DAY = 86_400;
const DATED = /\s*<lastmod>[^<]*<\/lastmod>|<!-- Dated by resync-static -->\n?/g;

/** Starts a host, and a search engine. */
export async function startBuilds(config: Pick<UserConfig, 'urls'> = {}) {
  const engine = await startTaker();
  const published = makeRepository();
  const site = join(published, 'site');
  const { url, deploy } = await startHost();
  const options = { ...config, site, url, history: 'HEAD:site' } as const;

  /** Publishes a built folder as it is on a day, with a sitemap that is dated, or ours. */
  async function publish(day: number, built: string) {
    rmSync(site, { recursive: true, force: true });
    cpSync(built, site, { recursive: true });
    write(site, `${KEY}.txt`, KEY);
    const before = readTree(site)['sitemap.xml'];
    const { changes } = day === 0 ? { changes: [] } : await diff({ ...options, sitemap: true });
    commitFiles(published, day * DAY, {});
    await describeSite({ ...options, sitemap: true });
    deploy(site);
    const dated = readTree(site)['sitemap.xml'] ?? '';
    // A post may say its own day, which is older than all that is known; the days of the builds are gone.
    expect(Object.values(readDates(dated, url)).filter((date = '') => date >= '2023-12')).toEqual([]);
    if (before !== undefined) expect(dated.replace(DATED, '')).toBe(before.replace(DATED, ''));
    expect(await validate({ 'sitemap.xml': dated })).toEqual([]);
    const { told } = await notify({ source: site, indexnow: KEY, indexnowEndpoint: engine.url });
    return {
      dates: readDates(dated, url),
      urls: told.map(({ done, urls }) => (done ? urls : 'failed')),
      /** Pages whose bytes differ from those of the day before. */
      noisy: changes.filter(({ path }) => path.endsWith('.html')).length,
    };
  }

  /**
   * Builds unchanged sources on two days, and then with one text edited. Expects that no date moves, and no search engine
   * is told, but of that page.
   *
   * @param page the page that is edited, relative to the site
   * @returns how many pages have other bytes, without and with the edit
   */
  async function expectQuiet(build: (day: number) => Promise<string>, edit: () => void, page: string) {
    const { dates } = await publish(0, await build(0));
    expect(Object.keys(dates)).toContain(`/${page}`);
    const { noisy, ...again } = await publish(1, await build(1));
    expect(again).toEqual({ dates, urls: [0] });
    edit();
    const edited = await publish(2, await build(2));
    const moved = { ...dates, [`/${page}`]: expect.stringContaining('2023-11-16') };
    expect(edited).toMatchObject({ dates: moved, urls: [1] });
    expect(engine.seen.map(({ body }) => JSON.parse(body).urlList)).toEqual([[url + page]]);
    return [noisy, edited.noisy];
  }
  return { url, expectQuiet };
}
