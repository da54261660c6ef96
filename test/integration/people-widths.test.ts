/** The page for people where it is crowded, measured in Chromium at many widths. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describe } from '../../src/index.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { pageOf } from '../support/people.js';
import { serve } from '../support/server.js';
import { findFaults, visit } from '../tools/chromium.js';

const DAY = 86_400;

/** A site in Arabic, long names, several builds of a day, many days: all that a page has to find room for. */
async function makeCrowdedSite(): Promise<string> {
  const folder = makeRepository();
  const arabic = '<html lang="ar" dir="rtl"><head><title>أخبار المكتبة</title></head><body><p>مساء الخير';
  commitFiles(folder, 0, { 'site/index.html': arabic, 'site/a.html': pageOf('A', 'x') });
  for (let number = 1; number <= 40; number++) {
    // Five of them are of one day.
    const seconds = number <= 35 ? number * DAY : 35 * DAY + number * 60;
    commitFiles(folder, seconds, {
      'site/index.html': `${arabic} ${number}</p>`,
      'site/a.html': pageOf('A – أخبار المكتبة', `${'long-word'.repeat(20)} ${number}`),
      [`site/${'folder-name/'.repeat(8)}${number}.html`]: pageOf(
        `${'Wordwithoutspace'.repeat(9)} ${number}`,
        'x',
      ),
      'site/b.html': pageOf('B', 'x', `<script src="/${number}.js"></script>`),
      ...(number > 1 &&
        number % 3 === 0 && { [`site/${'folder-name/'.repeat(8)}${number - 1}.html`]: undefined }),
    });
  }
  const site = join(folder, 'site');
  await describe({
    site,
    url: 'https://example.org/',
    page: true,
    feed: { limit: 40 },
    versions: true,
    dumps: true,
  });
  return site;
}

/** Finds elements that cover others or leave the window or their column, and rows whose parts are not in line. */
const FIND_MISPLACED = `(() => {
  const wrong = [];
  const boxOf = (element) => element.getBoundingClientRect();
  const say = (what, element) => wrong.push(what + ': ' + element.outerHTML.slice(0, 200));
  for (const element of document.querySelectorAll('body *:not(style)')) {
    const box = boxOf(element);
    if (box.width === 0 || box.height === 0) continue;
    if (box.left < -0.5 || box.right > window.innerWidth + 0.5) say('outside', element);
    if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline')
      say('too wide', element);
  }
  const meet = (a, b) =>
    a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
  for (const row of document.querySelectorAll('.day li')) {
    const [kind, what, then] = ['.kind', ':scope > div', '.then'].map((name) => row.querySelector(name));
    const parts = [kind, what, then].filter((part) => part !== null);
    for (const part of parts) {
      const rects = [...part.getClientRects()];
      for (const other of parts) {
        if (other !== part && rects.some((rect) => [...other.getClientRects()].some((box) => meet(rect, box))))
          say('overlaps', row);
      }
    }
    const words = row.querySelector('.words');
    if (words !== null && boxOf(words).left < boxOf(row).left - 0.5) say('leaves its column', words);
  }
  return wrong;
})()`;

test('at every width, nothing overlaps, nothing leaves its column, and axe finds nothing', async () => {
  const url = await serve(await makeCrowdedSite());
  for (const width of [320, 390, 900, 1400]) {
    const colorScheme = width === 390 || width === 1400 ? 'dark' : 'light';
    const { page } = await visit(`${url}resourcesync/`, { viewport: { width, height: 800 }, colorScheme });
    expect(await page.evaluate<string[]>(FIND_MISPLACED), `${width}`).toEqual([]);
    if (width === 320 || width === 1400) {
      expect(await findFaults(page), `${width}`).toEqual([]);
    }
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate<string[]>(FIND_MISPLACED), `${width} print`).toEqual([]);
    await page.context().close();
  }
  const { page } = await visit(`${url}resourcesync/`);
  expect(await page.title()).toBe('Changes – أخبار المكتبة');
  expect(await page.locator('.day').first().locator('.time').textContent()).toContain('6 publications');
  expect(await page.locator('.words').count()).toBeGreaterThan(1);
  expect(await page.locator('.then').count()).toBeGreaterThan(10);
  // Whoever has no mouse comes home first, then to each part.
  const stops: string[] = [];
  for (let stop = 0; stop < 5; stop++) {
    await page.keyboard.press('Tab');
    stops.push(await page.evaluate<string>('document.activeElement.textContent'));
  }
  expect(stops).toEqual(['أخبار المكتبة', 'Changes', 'Copy this site', 'For programs', 'Feed']);
});
