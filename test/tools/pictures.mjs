/**
 * Takes the pictures of docs/people.md with Chromium: the page of the demo site as `npm run demo` left it, in the light,
 * in the dark and on a phone.
 */

import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const project = fileURLToPath(new URL('../..', import.meta.url));
const pictures = join(project, 'docs', 'pictures');
const demo = join(project, '.tmp', 'demo', '_site');

/** @type {Readonly<Record<string, string>>} */
const TYPES = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml' };

/** @param {string} folder */
function serve(folder) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    return response
      .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' })
      .end(readFileSync(file));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      resolve({ url: `http://127.0.0.1:${port}/resourcesync/`, close: () => server.close() });
    });
  });
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {string} name
 * @param {import('playwright-core').BrowserContextOptions} options
 */
async function takePicture(browser, url, name, options) {
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
const { url, close } = await serve(demo);
await takePicture(browser, url, 'people-light', { viewport: wide, colorScheme: 'light' });
await takePicture(browser, url, 'people-dark', { viewport: wide, colorScheme: 'dark' });
await takePicture(browser, url, 'people-phone', {
  viewport: { width: 360, height: 740 },
  colorScheme: 'light',
});
close();
await browser.close();
