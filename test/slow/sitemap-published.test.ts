/** The sitemap of a site whose history the live site keeps: what was said before is said again. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { audit } from '../../src/audit/index.js';
import type { UserConfig } from '../../src/config/options.js';
import { resolveConfig } from '../../src/config/resolve.js';
import { readLive } from '../../src/history/live/live.js';
import { PAGES_BYTES } from '../../src/standard/pages.js';
import { describeAt } from '../support/changes.js';
import { type Host, startHost } from '../support/host.js';
import { pageOf } from '../support/people.js';
import { makeFolder, makeSite, readTree } from '../support/site.js';
import { readDates } from '../support/sitemap.js';

const DAY = 86_400;
const DATES = [14, 15, 16, 17, 18, 19].map((day) => `2023-11-${day}T22:13:20Z`);
const URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';

/** Builds a state and describes it against what is live; puts it in its place; builds and describes it once more. */
async function startPublishing(config: Partial<UserConfig> = {}) {
  const host = await startHost(makeFolder());
  const build = async (day: number, files: Record<string, string | Uint8Array>, more = {}) => {
    const site = makeSite(files);
    const options = { site, url: host.url, urls: 'file', history: 'published', sitemap: true } as const;
    const { notices } = await describeAt(day * DAY, { ...options, ...config, ...more });
    return { site, codes: notices.map(({ code }) => code), notices };
  };
  const publish = async (day: number, files: Record<string, string | Uint8Array>, more = {}) => {
    host.asked.length = 0;
    const built = await build(day, files, more);
    const asked = [...host.asked];
    host.folder = built.site;
    expect(readTree((await build(day + 0.5, files, more)).site)).toEqual(readTree(built.site));
    const dates = readDates(readFileSync(join(built.site, 'sitemap.xml'), 'utf8'), host.url);
    return { ...built, asked, dates };
  };
  return { host, build, publish };
}

const page = (text: string, script = 'a1') => pageOf('A page', text, `<script src="/${script}.js"></script>`);
const pagesAsked = (asked: readonly string[]) => asked.filter((path) => path.endsWith('.html'));

test('says when texts changed, and fetches no page', async () => {
  const { publish, host } = await startPublishing();
  const files: Record<string, string> = {
    'index.html': page('one'),
    'b.html': page('b'),
    'c.html': page('c'),
  };
  const first = await publish(0, files);
  expect(first.dates).toEqual({ '/index.html': undefined, '/b.html': undefined, '/c.html': undefined });
  expect(first.codes).not.toContain('sitemap-without-history');
  const created = await publish(1, { ...files, 'new.html': page('new') });
  expect(created.dates).toMatchObject({ '/index.html': undefined, '/new.html': DATES[1] });
  expect(pagesAsked(created.asked)).toEqual([]);
  const text = { ...files, 'new.html': page('new'), 'index.html': page('two'), 'b.html': page('b', 'b2') };
  const changed = await publish(2, text);
  expect(changed.dates).toEqual({
    '/index.html': DATES[2],
    '/b.html': undefined,
    '/c.html': undefined,
    '/new.html': DATES[1],
  });
  expect(pagesAsked(changed.asked)).toEqual([]);
  const markup = Object.fromEntries(
    Object.entries(text).map(([name, markup]) => [name, markup.replace(/\w+\.js/, 'c3.js')]),
  );
  expect((await publish(3, markup)).dates).toEqual(changed.dates);
  // A page that comes back is new.
  const { 'new.html': _, ...without } = markup;
  expect((await publish(4, without)).dates).not.toHaveProperty('/new.html');
  expect((await publish(5, markup)).dates).toEqual({ ...changed.dates, '/new.html': DATES[5] });
  expect(await audit({ source: host.url })).toMatchObject({ errors: 0, warnings: 0 });
});

test('a page that comes into a second set is created there, and no date is wrong for the first', async () => {
  const { publish, host } = await startPublishing();
  const files = { 'index.html': page('one'), 'b.html': page('b') };
  const into = (...include: string[]) => ({ sets: [{ name: 'all' }, { name: 'news', include }] });
  await publish(0, files, into('news/**', 'index.html'));
  await publish(1, { ...files, 'b.html': page('other') }, into('news/**', 'index.html'));
  const { dates } = await publish(2, { ...files, 'b.html': page('other') }, into('*.html'));
  expect(Object.values(dates).filter(Boolean)).toHaveLength(1);
  expect(await audit({ source: host.url })).toMatchObject({ errors: 0, warnings: 0 });
  // A date that no set bears out is wrong once.
  const file = join(host.folder, 'sitemap.xml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/<lastmod>.*?</, '<lastmod>2026-01-01T00:00:00Z<'));
  const { findings } = await audit({ source: host.url });
  expect(findings[0]).toMatchObject({
    code: 'sitemap-date-wrong',
    count: 1,
    findings: [{ entry: `${host.url}b.html` }],
  });
});

test('remembers what the Change List has passed', async () => {
  const { publish } = await startPublishing({ changes: { window: 2 } });
  await publish(0, { 'index.html': page('one') });
  const files = { 'index.html': page('one'), 'b.html': page('b') };
  await publish(1, files);
  for (let day = 2; day < 20; day += 8) {
    const { dates } = await publish(day, { ...files, 'data.csv': String(day) });
    expect(dates).toEqual({ '/index.html': undefined, '/b.html': DATES[1] });
  }
});

test.each([
  ['a moment', '2026-01-01T00:00:00+00:00', DATES[2]],
  ['a day', '2026-01-01', '2023-11-16'],
] as const)('dates the sitemap of a generator that says %s', async (_, built, dated) => {
  const { publish, host } = await startPublishing();
  const sitemap = (time: string, ...names: string[]) =>
    `${URLSET}${names.map((name) => `<url><loc>${host.url}${name}</loc><lastmod>${time}</lastmod></url>`).join('')}</urlset>`;
  const names = ['index.html', 'b.html'];
  const files = { 'index.html': page('one'), 'b.html': page('b') };
  expect((await publish(0, { ...files, 'sitemap.xml': sitemap(built, ...names) })).dates).toEqual({
    '/index.html': undefined,
    '/b.html': undefined,
  });
  const changed = { ...files, 'index.html': page('two') };
  for (const day of [2, 3]) {
    const next = built.replace('2026', String(2026 + day));
    const { dates, site } = await publish(day, { ...changed, 'sitemap.xml': sitemap(next, ...names) });
    expect(dates).toEqual({ '/index.html': dated, '/b.html': undefined });
    expect(readFileSync(join(site, 'resourcesync/changelist.xml'), 'utf8')).not.toContain('sitemap.xml');
  }
  // Older than all that is known: it was no date before, and is none now.
  const old = await publish(5, { ...changed, 'sitemap.xml': sitemap('2020-01-01', ...names) });
  expect(old.dates['/b.html']).toBeUndefined();
});

test('believes no sitemap without our mark, and goes by what was created', async () => {
  const { publish, host } = await startPublishing();
  const files: Record<string, string> = { 'index.html': page('one'), 'b.html': page('b') };
  const sitemap = `${URLSET}<url><loc>${host.url}index.html</loc><lastmod>2026-05-05</lastmod></url></urlset>`;
  const off = { sitemap: false };
  await publish(0, { ...files, 'sitemap.xml': sitemap }, off);
  files['new.html'] = page('new');
  await publish(1, { ...files, 'sitemap.xml': sitemap }, off);
  files['b.html'] = page('other');
  await publish(2, { ...files, 'sitemap.xml': sitemap }, off);
  expect((await publish(3, files)).dates).toEqual({
    '/index.html': undefined,
    '/b.html': undefined,
    '/new.html': DATES[1],
  });
});

// docs/sitemap.md: "the dates come from the live [`pages.json`](#pagesjson)"
test('reads one file, whatever changes in hundreds of pages but their text', async () => {
  const { build, host } = await startPublishing();
  const make = (hash: string, first: string) =>
    Object.fromEntries(
      Array.from({ length: 300 }, (_, number) => [
        `p/${number}.html`,
        page(number === 0 ? first : 'same', hash),
      ]),
    );
  host.folder = (await build(0, make('a1', 'same'))).site;
  host.asked.length = 0;
  const { site } = await build(1, make('b2', 'other'));
  expect(pagesAsked(host.asked)).toEqual([]);
  expect(host.asked.filter((path) => path.endsWith('pages.json'))).toHaveLength(1);
  const dates = readDates(readFileSync(join(site, 'sitemap.xml'), 'utf8'), host.url);
  expect(Object.entries(dates).filter(([, date]) => date !== undefined)).toEqual([['/p/0.html', DATES[1]]]);
});

const answer = (host: Host, matches: RegExp, status: number, body = '') => {
  host.intercept = (request, response) => {
    if (!matches.test(request.url ?? '')) return false;
    response.writeHead(status).end(body);
    return true;
  };
};

const editPages = (host: Host, edit: (text: string) => string) => {
  const file = join(host.folder, 'resourcesync/pages.json');
  writeFileSync(file, edit(readFileSync(file, 'utf8')));
};

const edited = (edit: (text: string) => string) => (host: Host) => editPages(host, edit);
const answered = (status: number, body: string) => (host: Host) => answer(host, /pages\.json$/, status, body);

// docs/sitemap.md: "the run stops, so that no date is lost"
test.each<[string, (host: Host) => void, string]>([
  ['is a page in its place', edited(() => '<!doctype html><title>Not found</title>'), ''],
  ['is not whole', edited((text) => text.slice(0, -10)), ''],
  ['is of another publication', edited((text) => text.replace(DATES[1] ?? '', DATES[0] ?? '')), ''],
  [
    'names pages of others',
    edited((text) => text.replace(/"url":"[^"]*"/, '"url":"https://example.com/"')),
    '',
  ],
  ['fails', answered(500, 'broken'), 'status 500'],
  ['is missing, though it is named', answered(404, ''), 'it is missing'],
  ['is too large', answered(200, ' '.repeat(PAGES_BYTES + 1)), `more than ${PAGES_BYTES} bytes`],
])('stops where the live pages.json %s, so that no date is lost', async (_, spoil, found) => {
  const { publish, host } = await startPublishing();
  await publish(0, { 'index.html': page('one') });
  await publish(1, { 'index.html': page('two') });
  spoil(host);
  const config = resolveConfig({ site: '.', url: host.url, history: 'published', sitemap: true });
  const patience = { timeout: 60_000, readings: 2, pause: 10, time: 60_000 };
  await expect(readLive(config, patience)).rejects.toMatchObject({
    code: 'live-unreadable',
    message: expect.stringContaining(found),
  });
});

test('a run that cannot read it writes nothing', async () => {
  const { publish, build, host } = await startPublishing();
  await publish(0, { 'index.html': page('one') });
  editPages(host, (text) => text.slice(0, -10));
  await expect(build(1, { 'index.html': page('two') })).rejects.toMatchObject({ code: 'live-unreadable' });
});

test('keeps all dates where the live pages.json is of another rule, and says so once', async () => {
  const { publish, build, host } = await startPublishing();
  await publish(0, { 'index.html': page('one') });
  await publish(1, { 'index.html': page('two'), 'b.html': page('b') });
  editPages(host, (text) =>
    text.replace('"rule":1', '"rule":0').replace(/"text":"\w+"/g, '"text":"0000000000000000"'),
  );
  const other = await build(2, { 'index.html': page('three'), 'b.html': page('b') });
  expect(other.codes).toContain('dates-of-other-rule');
  expect(readDates(readFileSync(join(other.site, 'sitemap.xml'), 'utf8'), host.url)).toEqual({
    '/index.html': DATES[1],
    '/b.html': DATES[1],
  });
  host.folder = other.site;
  const next = await build(3, { 'index.html': page('four'), 'b.html': page('b') });
  expect(next.codes).not.toContain('dates-of-other-rule');
  expect(readDates(readFileSync(join(next.site, 'sitemap.xml'), 'utf8'), host.url)).toMatchObject({
    '/index.html': DATES[3],
  });
});
