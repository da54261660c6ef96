/**
 * Takes the pictures of docs/people.md with Chromium: the page of the demo site as `npm run demo` left it, in the light,
 * in the dark and on a phone, and the page of a site with 40 publications.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import mime from 'mime';
import { chromium } from 'playwright-core';

const project = fileURLToPath(new URL('..', import.meta.url));
const pictures = join(project, 'docs', 'pictures');
const cli = join(project, 'dist/lib/main.js');
const demo = join(project, '.tmp', 'demo', '_site');

/** Forty days of a village's notice board. */
function makeVillage() {
  const folder = mkdtempSync(join(tmpdir(), 'resync-static-pictures-'));
  const site = join(folder, 'site');
  const identity = ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.org'];
  const write = (/** @type {string} */ path, /** @type {string} */ title, /** @type {string} */ text) => {
    mkdirSync(join(site, path, '..'), { recursive: true });
    writeFileSync(
      join(site, path),
      `<!doctype html><html lang="en"><title>${title}</title><p>${text}</p></html>`,
    );
  };
  execFileSync('git', ['init', '--quiet', folder]);
  const topics = [
    'Ferry times',
    'Market day',
    'Library hours',
    'Road works',
    'Bell ringing',
    'Swimming lessons',
  ];
  for (let day = 0; day <= 40; day++) {
    const topic = topics[day % topics.length] ?? '';
    const name = topic.toLowerCase().replace(' ', '-');
    write('index.html', 'Wrenmouth parish notices', `Day ${Math.floor(day / 5)}`);
    write(`${name}/index.html`, topic, `As of day ${day}`);
    if (day % 4 === 1)
      write(`meetings/${day}.html`, `Minutes of meeting ${(day + 3) / 4}`, 'Those present agreed.');
    if (day % 9 === 8) rmSync(join(site, `meetings/${day - 3}.html`), { force: true });
    const date = `${1_787_000_000 + day * 86_400} +0000`;
    execFileSync('git', ['-C', folder, 'add', '--all']);
    execFileSync('git', ['-C', folder, ...identity, 'commit', '--quiet', '--message', 'Publish'], {
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    });
  }
  writeFileSync(
    join(folder, 'resync-static.config.json'),
    JSON.stringify({
      site: 'site',
      url: 'https://notices.wrenmouth.example/',
      page: { title: 'Wrenmouth parish notices' },
      feed: { limit: 20 },
    }),
  );
  execFileSync(process.execPath, [cli, '--quiet'], { cwd: folder, stdio: ['ignore', 'inherit', 'ignore'] });
  return { folder, site };
}

/** @param {string} folder */
function serve(folder) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    return response
      .writeHead(200, { 'content-type': mime.getType(file) ?? 'text/plain' })
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
const village = makeVillage();
const served = await serve(village.site);
await takePicture(browser, served.url, 'people-many', { viewport: wide, colorScheme: 'light' });
served.close();
rmSync(village.folder, { recursive: true });
await browser.close();
