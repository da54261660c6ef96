/** The page for people as readers meet it, in Chromium: on a screen, a phone, paper, and read aloud. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { describe } from '../../src/index.js';
import { ROOT } from '../support/documentation.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { HOSTILE_NAMES } from '../support/hostile.js';
import { pageOf } from '../support/people.js';
import { serve } from '../support/server.js';
import { makeSite, readTree } from '../support/site.js';
import { findFaults, visit } from '../tools/chromium.js';

const DEMO = join(ROOT, '.tmp', 'demo', '_site');
const DAY = 86_400;

let told = '';
beforeAll(() => {
  told = execFileSync(process.execPath, [join(ROOT, 'demo-site', 'demo.mjs')], { encoding: 'utf8' });
});

test('the demo tells of five versions, five archived months, and a mirror that catches up by them', () => {
  const [story = ''] = (told.split('A story: ')[1] ?? '').split('Signed with an SSH key');
  // Six publications, and the copy twice.
  expect(story.match(/audit.*: nothing found in \d+ documents and \d+ resources/g)).toHaveLength(8);
  expect(told).not.toMatch(/(?<!nothing) found in/);
  expect(story.match(/^ .* versions\/[\da-f]{16}\/conservation-diary\//gm)).toHaveLength(5);
  expect(story.match(/^ .*conservation-diary\/ +on the page, too$/gm)).toHaveLength(3);
  expect(story.match(/^ {2}\w+ +\d+ changes, then \d+ resources$/gm)).toHaveLength(5);
  expect(story).toContain(
    'mirror: 6 created, 13 updated, 1 deleted\n          by 2 archived lists of changes, and the one of today\n',
  );
  const changes = story.match(/^ {2}2026-\d\d-\d\d {2}(?:created|updated|deleted) {2}\S.*$/gm) ?? [];
  expect(changes).toHaveLength(20);
  expect(changes).toContain('  2026-10-26  deleted  notes/ferry-ledger/index.html');
  expect(changes).toContain('  2026-07-06  created  notes/ogilby-britannia/index.html');
  expect(told.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('the demo proves a mirror of a mirror, and asks an index that followed one', () => {
  const [signed = '', asked = ''] = (told.split('Signed with an SSH key')[1] ?? '').split('A question, ');
  expect(signed.match(/has \d+ files, signed with that key$/gm)).toHaveLength(2);
  expect(signed).toMatch(/^ +Good "resourcesync" signature for readingroom\.wrenmouth\.example$/m);
  expect(signed).toMatch(/audit: nothing found in \d+ documents and \d+ resources/);
  expect(asked.split('2026-10-26')).toEqual([
    expect.stringContaining('Thursday 12 noon to 8 pm'),
    expect.stringContaining('Thursday 12 noon to 7 pm'),
  ]);
});

test.each([
  ['light', 'rgb(255, 255, 255)', { colorScheme: 'light' as const }],
  ['dark', 'rgb(22, 24, 28)', { colorScheme: 'dark' as const }],
  ['on a phone', 'rgb(255, 255, 255)', { viewport: { width: 360, height: 640 } }],
])(
  'the page of the demo, %s as the reader has it, is whole, still and legible',
  async (_, ground, options) => {
    const url = await serve(DEMO);
    const { page, requests, complaints } = await visit(`${url}resourcesync/`, options);
    expect(await findFaults(page)).toEqual([]);
    expect(requests.filter((request) => !/\/resourcesync\/$|\/favicon\.ico$/.test(request))).toEqual([]);
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    const excess = 'document.documentElement.scrollWidth - window.innerWidth';
    expect(await page.evaluate<number>(excess)).toBeLessThanOrEqual(0);
    expect(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')).toBe(ground);
  },
);

test('without scripts, and read aloud, it says the same', async () => {
  const url = await serve(DEMO);
  const { page } = await visit(`${url}resourcesync/`, { javaScriptEnabled: false });
  const spoken = await page.locator('body').ariaSnapshot();
  const parts = [
    '- heading "Changes – Reading Room Notes" [level=1]',
    '- heading "Latest changes" [level=2]',
    '- heading "26 October 2026" [level=3]',
    'New',
    'The whole site: ',
    '- heading "Copy this site" [level=2]',
  ];
  for (const part of parts) expect(spoken).toContain(part);
});

test('it prints on A4 without what only a screen needs', async () => {
  const url = await serve(DEMO);
  const { page } = await visit(`${url}resourcesync/`);
  await page.emulateMedia({ media: 'print' });
  expect(await page.evaluate<string>('getComputedStyle(document.body).fontSize')).toBe('13.3333px');
  const printed = await page.pdf({ format: 'A4' });
  expect(printed.subarray(0, 5).toString()).toBe('%PDF-');
  expect(printed.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBeLessThan(8);
});

test('every link on it answers', async () => {
  const url = await serve(DEMO);
  const { page } = await visit(`${url}resourcesync/`);
  const links = await page.evaluate<string[]>(
    "[...document.querySelectorAll('[href]')].map(({ href }) => href)",
  );
  expect(links.length).toBeGreaterThan(20);
  const statuses = await Promise.all(links.map(async (link) => [link, (await fetch(link)).status]));
  expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
});

test('hostile names and titles are shown and linked right, and are nothing but text', async () => {
  const folder = makeRepository();
  const site = join(folder, 'site');
  commitFiles(folder, 0, { 'site/index.html': pageOf('Home', 'Welcome') });
  const marks = [
    '<script>window.bad = 1</script>',
    '"><img src=x onerror="window.bad = 1">',
    "'&amp;lt;b&amp;gt;",
  ];
  const names = HOSTILE_NAMES.filter((name) => Buffer.byteLength(name) < 240);
  const paths = names.map((name) => `pages/${name}/index.html`);
  for (const [index, path] of paths.entries()) {
    makeSite({ [path]: pageOf(`Page ${index} ${marks[index % 3]?.replaceAll('<', '&lt;')}`, 'x') }, site);
  }
  commitFiles(folder, DAY, {});
  await describe({ site, url: 'https://example.org/', page: true, feed: { limit: 1000 }, dumps: true });
  const url = await serve(site);
  const { page, complaints } = await visit(`${url}resourcesync/`);
  expect(await page.evaluate<boolean>("'bad' in window")).toBe(false);
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
  expect(await page.locator('img, script').count()).toBe(0);
  const links = await page.evaluate<[string, string][]>(
    "[...document.querySelectorAll('.day a')].map((link) => [link.href, link.textContent])",
  );
  expect(links).toHaveLength(paths.length);
  for (const [href = '', title = ''] of links) {
    const served = await (await fetch(href)).text();
    expect(served, href).toContain(`<title>${/^Page \d+ /.exec(title)?.[0]}`);
    expect(title).toMatch(/<script>|"><img|'&lt;b&gt;/);
  }
  expect(await findFaults(page)).toEqual([]);
  expect(Object.keys(readTree(site)).filter((name) => name.startsWith('resourcesync/index'))).toHaveLength(1);
});
