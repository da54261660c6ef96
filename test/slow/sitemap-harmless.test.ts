/** Edits of sitemaps, and of other files of a site, lose nothing that somebody else wrote. */

import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { UserConfig } from '../../src/config/options.js';
import { describe as describeSite } from '../../src/index.js';
import { stateOfFile } from '../../src/paths/hold/files.js';
import { replaceFiles } from '../../src/paths/hold/replace.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { pageOf } from '../support/people.js';
import { makeFolder } from '../support/site.js';

const SITE = 'https://example.org/';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const DATE = '2023-11-15T22:13:20Z';

const run = (site: string, config: Partial<UserConfig> = {}) =>
  describeSite({ site, url: SITE, sitemap: true, history: 'HEAD:site', ...config });

function makeStory(head = ''): string {
  const folder = makeRepository();
  for (const [step, text] of ['One', 'Two'].entries())
    commitFiles(folder, step * 86_400, {
      'site/a.html': pageOf('A', text, head),
      'site/b.html': pageOf('B', text, head),
    });
  return join(folder, 'site');
}

const LOC = `${SITE}a.html`;

test.each([
  [
    'an address',
    `<urlset xmlns="${NAMESPACE}"><url><q:loc xmlns:q="${NAMESPACE}">${LOC}</q:loc>`,
    '<lastmod>',
    '</url></urlset>',
  ],
  [
    'an entry',
    `<urlset xmlns="${NAMESPACE}"><q:url xmlns:q="${NAMESPACE}"><q:loc>${LOC}</q:loc>`,
    '<q:lastmod>',
    '</q:url></urlset>',
  ],
])('%s may have a prefix of its own', async (_, before, tag, after) => {
  const site = makeStory();
  writeFileSync(join(site, 'sitemap.xml'), before + after);
  await run(site);
  const text = readFileSync(join(site, 'sitemap.xml'), 'utf8');
  expect(text.startsWith(`${before}${tag}${DATE}${tag.replace('<', '</')}${after}`)).toBe(true);
});

const PLAIN = `<?xml version="1.0"?><urlset xmlns="${NAMESPACE}"><url><loc>${LOC}</loc></url></urlset>`;

test.each([true, false])('a sitemap behind a link stays (is there: %s)', async (isThere) => {
  const site = makeStory();
  const target = join(makeFolder(), 'map.xml');
  if (isThere) writeFileSync(target, PLAIN);
  symlinkSync(target, join(site, 'sitemap.xml'));
  const { notices } = await run(site);
  expect(notices.map(({ code }) => code)).toContain('sitemap-not-dated');
  expect(existsSync(target) ? readFileSync(target, 'utf8') : undefined).toBe(isThere ? PLAIN : undefined);
});

test('modes stay', async () => {
  const site = makeStory();
  const files = ['sitemap.xml', 'robots.txt', '_headers', 'a.html'];
  writeFileSync(join(site, 'sitemap.xml'), PLAIN);
  writeFileSync(join(site, 'robots.txt'), 'User-agent: *\n');
  writeFileSync(join(site, '_headers'), '/x\n  A: b\n');
  for (const file of files) chmodSync(join(site, file), 0o640);
  const before = files.map((file) => readFileSync(join(site, file), 'utf8'));
  await run(site, { robots: true, headers: 'netlify', htmlLinks: true, history: 'none' });
  expect(files.map((file) => statSync(join(site, file)).mode & 0o777)).toEqual(files.map(() => 0o640));
  expect(readFileSync(join(site, 'a.html'), 'utf8')).not.toBe(before[3]);
});

test.each([
  ['written to', 'newer'],
  ['made', undefined],
])('a file that was %s since it was read stays', async (_, text) => {
  const site = makeFolder();
  const file = join(site, 'robots.txt');
  if (text !== undefined) writeFileSync(file, 'older');
  const state = stateOfFile(file);
  writeFileSync(file, 'newest');
  const edits = [
    { path: 'robots.txt', content: Buffer.from('ours'), state },
    { path: 'other.txt', content: Buffer.from('ours'), state: stateOfFile(join(site, 'other.txt')) },
  ];
  expect(await replaceFiles(site, edits, () => undefined)).toEqual({
    replaced: ['other.txt'],
    left: ['robots.txt'],
  });
  expect(readFileSync(file, 'utf8')).toBe('newest');
});

describe('canonical links', () => {
  const link = (url: string) => `<link rel="canonical" href="${url}">`;
  test.each(['http://localhost:4321/a', 'https://example.org/gone'])(
    'that name %s are told, because our sitemap lacks these pages',
    async (said) => {
      const { notices } = await run(makeStory(link(said)));
      const facts = { code: 'urls-contradicted', source: 'canonical', count: 2, said, listed: LOC };
      expect(notices).toContainEqual(expect.objectContaining(facts));
    },
  );

  test('that name a page of the site mean what they say', async () => {
    const { notices } = await run(makeStory(link(`${SITE}%62.html`)));
    expect(notices.map(({ code }) => code)).not.toContain('urls-contradicted');
  });
});

test.each([
  ['map.xml', 'sitemap.xml'],
  ['maps/all.xml', 'sitemap.xml'],
  ['map.xml', undefined],
])('a sitemap that was %s, and is %s, leaves nothing', async (before, after) => {
  const site = makeStory();
  await run(site, { sitemap: { file: before }, robots: true });
  expect(readFileSync(join(site, 'robots.txt'), 'utf8')).toContain(`${SITE}${before}\n`);
  await run(site, { sitemap: after !== undefined && { file: after }, robots: true });
  expect(existsSync(join(site, before))).toBe(false);
  const robots = readFileSync(join(site, 'robots.txt'), 'utf8');
  expect(robots).not.toContain(`/${before}`);
  if (after !== undefined) expect(robots).toContain(`${SITE}${after}\n`);
  expect(readFileSync(join(site, 'resourcesync/resourcelist.xml'), 'utf8')).not.toContain(`/${before}`);
});
