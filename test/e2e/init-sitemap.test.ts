/** `init` proposes the sitemap where there is none, or none that says when pages changed; what it promises, a run does. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { describe as describeSite } from '../../src/index.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { makeManifest } from '../support/init.js';
import { pageOf } from '../support/people.js';
import { callCli, makeSite, readTree } from '../support/site.js';
import { readDates } from '../support/sitemap.js';

const DAY = 86_400;
const ADDRESS = 'https://birds.example/';
const PROJECT = {
  'package.json': makeManifest(['vite'], { build: 'vite build' }, { type: 'module' }),
  'vite.config.js': 'export default {};\n',
  'node_modules/resync-static/package.json': '{}',
  '.gitignore': 'node_modules\n',
};
const NAMES = ['', 'a.html', 'b.html', 'c.html'];

/** A sitemap of all pages. @param dates one for each, '' for none */
const sitemapOf = (dates: readonly string[], names = NAMES) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${names
    .map(
      (name, at) =>
        `<url><loc>${ADDRESS}${name}</loc>${dates[at] ? `<lastmod>${dates[at]}</lastmod>` : ''}</url>`,
    )
    .join('')}</urlset>`;
const BUILD = ['2026-11-20T08:00:00.000Z', '2026-11-20T08:00:00.120Z', '2026-11-20', '2020-01-01'];

/** Four pages are committed; later one gets another text, and one another script. */
function makeProject(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = makeRepository();
  const page = (name: string, text = 'x', script = 'a') => ({
    [`dist/${name || 'index.html'}`]: pageOf(name, text, `<script src="/${script}.js"></script>`),
  });
  commitFiles(folder, 0, { ...PROJECT, ...Object.assign({}, ...NAMES.map((name) => page(name))) });
  commitFiles(folder, DAY, { ...page('a.html', 'y'), ...page('b.html', 'x', 'b') });
  return makeSite(files, folder);
}

const init = (cwd: string, ...args: string[]) => callCli(['init', '--url', ADDRESS, ...args], { cwd });
const tellAdvice = (stdout: string) => /^Advice {2}(.*)$/m.exec(stdout)?.[1];
const SEE = 'See docs/sitemap.md';

describe('where the history is known', () => {
  test.each([
    [
      'there is none',
      {},
      'There is no sitemap. With sitemap: true in vite.config.js, one would say when the text of 1 page changed.',
    ],
    [
      'it has no dates',
      { 'sitemap.xml': sitemapOf([]) },
      'sitemap.xml does not say when its 4 pages changed. With sitemap: true in vite.config.js, it would say when the text of 1 page changed.',
    ],
    [
      'most of its dates are those of a build',
      { 'sitemap.xml': sitemapOf(BUILD) },
      '3 of 4 dates in sitemap.xml are 2026-11-20, as if the build had changed these pages. With sitemap: true in vite.config.js, it would say when the text of 1 page changed; 2 dates that nothing confirms would go.',
    ],
    [
      'it is an index of what is compressed',
      {
        'sitemap.xml': `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${ADDRESS}p.xml.gz</loc></sitemap></sitemapindex>`,
        'p.xml.gz': gzipSync(sitemapOf(BUILD)),
      },
      '3 of 4 dates in sitemap.xml are 2026-11-20, as if the build had changed these pages. With sitemap: true in vite.config.js, it would say when the text of 1 page changed; 2 dates that nothing confirms would go.',
    ],
  ])(
    'and %s, it says what would change, changes nothing by itself, and a run does that',
    async (_, files, words) => {
      const made = Object.entries(files).map(([name, text]) => [`dist/${name}`, text]);
      const folder = makeProject(Object.fromEntries(made));
      const before = readTree(join(folder, 'dist'));
      const { status, stdout, stderr } = await init(folder, '--yes');
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(tellAdvice(stdout)).toBe(`${words} ${SEE}`);
      expect(readTree(join(folder, 'dist'))).toEqual(before);
      expect(readFileSync(join(folder, 'vite.config.js'), 'utf8')).not.toContain('sitemap');

      await describeSite({ site: join(folder, 'dist'), url: ADDRESS, sitemap: true });
      const name = 'p.xml.gz' in files ? 'p.xml.gz' : 'sitemap.xml';
      const bytes = readFileSync(join(folder, 'dist', name));
      const dates = readDates((name === 'p.xml.gz' ? gunzipSync(bytes) : bytes).toString(), ADDRESS);
      const old = words.includes('2 dates') ? '2020-01-01' : undefined;
      expect(dates).toEqual({
        '/': undefined,
        '/a.html': expect.stringMatching(/^2023-11-15/),
        '/b.html': undefined,
        '/c.html': old,
      });
      expect((await init(folder)).stdout).not.toContain('Advice');
    },
  );
});

test.each<[what: string, files: Record<string, string | Uint8Array>]>([
  [
    'dates differ',
    { 'dist/sitemap.xml': sitemapOf(['2026-11-20', '2026-11-19', '2026-11-20', '2026-10-01']) },
  ],
  [
    'the options say what is wanted',
    {
      'vite.config.js': `import resyncStatic from 'resync-static/vite';\nexport default { plugins: [resyncStatic({ url: '${ADDRESS}', sitemap: false })] };\n`,
    },
  ],
  ['it is none', { 'dist/sitemap.xml': '<urlset><url>' }],
  ['it has a document type', { 'dist/sitemap.xml': `<!DOCTYPE urlset [<!ENTITY a "b">]>${sitemapOf([])}` }],
  [
    'it is a bomb',
    {
      'dist/robots.txt': `Sitemap: ${ADDRESS}s.xml.gz\n`,
      'dist/s.xml.gz': gzipSync(Buffer.alloc(70_000_000)),
    },
  ],
  [
    'it has very many parts',
    {
      'dist/sitemap.xml': `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${Array.from({ length: 30 }, (_, part) => `<sitemap><loc>${ADDRESS}${part}.xml</loc></sitemap>`).join('')}</sitemapindex>`,
      ...Object.fromEntries(Array.from({ length: 30 }, (_, part) => [`dist/${part}.xml`, sitemapOf([])])),
    },
  ],
])('where %s, it proposes nothing', async (_, files) => {
  const folder = makeProject(files);
  const { status, stdout } = await init(folder);
  expect(status, stdout).toBe(0);
  expect(tellAdvice(stdout)).toBeUndefined();
});

test('where git knows no other day than the sitemap, it proposes nothing', async () => {
  const folder = makeRepository();
  const sitemap = sitemapOf(Array(4).fill('2023-11-14'));
  commitFiles(folder, 0, { ...PROJECT, 'dist/index.html': 'home', 'dist/sitemap.xml': sitemap });
  expect(tellAdvice((await init(folder)).stdout)).toBeUndefined();
  commitFiles(folder, 2 * DAY, { 'readme.md': 'more' });
  expect(tellAdvice((await init(folder)).stdout)).toContain('4 of 4 dates in sitemap.xml are 2023-11-14');
});

test('without a publication yet, it promises no numbers', async () => {
  const folder = makeRepository();
  commitFiles(folder, 0, { ...PROJECT, '.gitignore': 'node_modules\ndist\n' });
  makeSite(
    { 'dist/index.html': 'home', 'dist/sitemap.xml': sitemapOf(Array(2).fill('2026-11-20'), ['', 'a.html']) },
    folder,
  );
  expect(tellAdvice((await init(folder)).stdout)).toBe(
    `2 of 2 dates in sitemap.xml are 2026-11-20, as if the build had changed these pages. With sitemap: true in vite.config.js, it would say when the text of a page changed, from the second deploy on; dates that nothing confirms would go. ${SEE}`,
  );
});

test('where a live site or a new repository has the history, it promises no numbers; where nothing can, it proposes nothing', async () => {
  const text = `There is no sitemap. With sitemap: true in resync-static.config.json, one would say when the text of a page changed, from the second deploy on. ${SEE}`;
  const site = { 'public/index.html': 'home' };
  expect(tellAdvice((await init(makeSite(site))).stdout)).toBe(text);
  expect(tellAdvice((await init(makeSite(site), '--host', 'netlify')).stdout)).toBe(text);
  expect(tellAdvice((await init(makeSite({ ...site, '.hg/store': '' }))).stdout)).toBeUndefined();
});

test('names are escaped', async () => {
  const folder = makeProject({
    'dist/robots.txt': `Sitemap: ${ADDRESS}%1B[31mred.xml\n`,
    'dist/\u001b[31mred.xml': sitemapOf([]),
  });
  expect(tellAdvice((await init(folder)).stdout)).toContain(
    '\\u001b[31mred.xml does not say when its 4 pages changed.',
  );
});

test('a site that is built for the first time is looked at then, and JSON has the advice, too', async () => {
  const build = `node --eval "fs.mkdirSync('dist'); fs.writeFileSync('dist/index.html', 'home')"`;
  const folder = makeRepository();
  commitFiles(folder, 0, {
    ...PROJECT,
    'package.json': makeManifest(['vite'], { build }),
    '.gitignore': 'node_modules\ndist\n',
  });
  const { status, stdout } = await init(folder, '--yes', '--build');
  expect(status, stdout).toBe(0);
  expect(stdout.indexOf('Advice  There is no sitemap.')).toBeGreaterThan(stdout.indexOf('$ npm run build'));
  expect(stdout.indexOf('Advice  There is no sitemap.')).toBeLessThan(stdout.indexOf('\nNext'));
  const { steps, options } = JSON.parse((await init(folder, '--json')).stdout);
  expect(options).toBe('vite.config.js');
  expect(steps).toEqual([{ code: 'sitemap', options, pages: 0, dated: 0 }]);
  writeFileSync(join(folder, 'dist/sitemap.xml'), sitemapOf([]));
  expect(JSON.parse((await init(folder, '--json')).stdout).steps).toMatchObject([
    { file: 'sitemap.xml', pages: 4 },
  ]);
});
