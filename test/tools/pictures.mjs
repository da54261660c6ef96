/**
 * Takes the pictures of docs/people.md with Chromium: the page of the demo site as `npm run demo` left it, in the light,
 * in the dark and on a phone.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const project = fileURLToPath(new URL('../..', import.meta.url));
const pictures = join(project, 'docs', 'pictures');
/** It is one file. */
const { href: url } = pathToFileURL(join(project, '.tmp/demo/_site/resourcesync/index.html'));

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} name
 * @param {import('playwright-core').BrowserContextOptions} options
 */
async function takePicture(browser, name, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(url);
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  await context.close();
}

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
});
mkdirSync(pictures, { recursive: true });
const wide = { width: 800, height: 900 };
await takePicture(browser, 'people-light', { viewport: wide, colorScheme: 'light' });
await takePicture(browser, 'people-dark', { viewport: wide, colorScheme: 'dark' });
await takePicture(browser, 'people-phone', {
  viewport: { width: 360, height: 740 },
  colorScheme: 'light',
});
await browser.close();
