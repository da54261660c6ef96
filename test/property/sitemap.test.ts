/** The dates of the sitemap, over random histories: those of an extractor that knows nothing of ours. */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describe } from '../../src/describe/index.js';
import { makeRepository } from '../support/git.js';
import {
  arbitrarySteps,
  compareStates,
  makeHistory,
  readStates,
  URL_BASE,
  writableFrom,
} from '../support/histories.js';
import { checkLaw, fewer } from '../support/seed.js';
import { makeSite } from '../support/site.js';
import { readDates } from '../support/sitemap.js';

/** Texts that readers see, and those that they do not. */
const PARTS = {
  title: ['A title', 'Another title'],
  text: ['one', 'two &amp; three'],
  link: ['/a/', 'https://example.net/?q=1'],
  alt: ['a cat', 'a dog'],
  asset: ['d41d8cd98f', 'a0b1c2d3e4'],
  style: ['app-1.css', 'app-2.css'],
  script: ['var a = 1', 'var b = "<p>2</p>"'],
  markup: ['p', 'p class="x"'],
  robots: ['index', 'noindex'],
} as const;
type Page = { readonly [Part in keyof typeof PARTS]: string };

const arbitraryPage: fc.Arbitrary<Page> = fc.record({
  title: fc.constantFrom(...PARTS.title),
  text: fc.constantFrom(...PARTS.text),
  link: fc.constantFrom(...PARTS.link),
  alt: fc.constantFrom(...PARTS.alt),
  asset: fc.constantFrom(...PARTS.asset),
  style: fc.constantFrom(...PARTS.style),
  script: fc.constantFrom(...PARTS.script),
  markup: fc.constantFrom(...PARTS.markup),
  robots: fc.constantFrom('index', 'index', 'index', ...PARTS.robots),
});

const write = ({ title, text, link, alt, asset, style, script, markup, robots }: Page) =>
  `<!doctype html><html><head><title>${title}</title><meta name="robots" content="${robots}">` +
  `<link rel="stylesheet" href="/${style}"><script>${script}</script></head><body><!-- ${style} -->` +
  `<${markup}>${text} <a href="${link}">on</a> <img src="/i-${asset}.png" alt="${alt}">` +
  `<a href="/files/r-${asset}.pdf">PDF</a></p></body></html>\n`;

/** The text of a page as docs/sitemap.md defines it: no tags and no scripts, but the targets of links, without hashes of assets. */
function extract(html: string): string {
  return html
    .replace(/<!--.*?-->/gs, '')
    .replace(/<script>.*?<\/script>/gs, '')
    .replace(/<a href="([^"]*)">/g, (_, target: string) => ` (${target.replace(/-[\da-f]{10}\./, '-*.')}) `)
    .replace(/<img [^>]*alt="([^"]*)">/g, ' [$1] ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

const edit = fc.record({
  name: fc.constantFrom('index.html', 'a.html', 'a/index.html', 'b/index.html', 'b.html', 'c.html'),
  content: fc.option(arbitraryPage.map(write), { nil: undefined, freq: 4 }),
});

const urlOf = (path: string) => URL_BASE + path.replace(/(^|\/)index\.html$/, '').replace(/\.html$/, '');
const hashOf = (content: string) => `md5:${createHash('md5').update(content).digest('hex')}`;

test('every date is that of the publication in which an independent reader sees another text', async () => {
  await checkLaw(
    'sitemap',
    fc.asyncProperty(arbitrarySteps(edit), async (steps) => {
      const texts = new Map<string, string>();
      for (const { content = '' } of steps.flatMap(({ edits }) => edits)) texts.set(hashOf(content), content);
      const repository = makeRepository();
      const tree = makeHistory(repository, steps);
      const site = join(repository, 'the site');
      mkdirSync(site);
      const files = writableFrom(tree, urlOf);
      makeSite(files, site);
      const config = { site, url: URL_BASE, urls: 'bare', hash: ['md5'] } as const;
      const run = () => describe({ ...config, history: 'main:the site', sitemap: true });
      const report = await run();

      const present = new Map<string, string>();
      for (const [path, content] of Object.entries(files)) present.set(urlOf(path), content);
      const states = readStates(repository, urlOf);
      const known = states.some(({ state }) => state.size > 0);
      const now = new Map([...present].map(([url, content]) => [url, hashOf(content)]));
      const { base, lines } = compareStates([
        ...states,
        { seconds: Date.parse(report.at) / 1000, state: now },
      ]);
      const told = new Map([...base].map(([url, hash]) => [url, extract(texts.get(hash) ?? hash)]));
      const dates = new Map<string, string>();
      for (const [change, url = '', date = '', hash = ''] of known
        ? lines.map((line) => line.split(' '))
        : []) {
        const text = extract(texts.get(hash) ?? hash);
        if (change === 'deleted') dates.delete(url);
        else if (change === 'created' || told.get(url) !== text) dates.set(url, date);
        told.set(url, text);
      }
      const expected = [...present]
        .filter(([url, content]) => !url.endsWith('.css') && !content.includes('noindex'))
        .map(([url]) => [url.replace(URL_BASE, '/'), dates.get(url)]);
      const read = () => readDates(readFileSync(join(site, 'sitemap.xml'), 'utf8'), URL_BASE);
      expect(read()).toEqual(Object.fromEntries(expected));
      expect(Object.keys(read())).toHaveLength(expected.length);
      expect((await run()).documents.filter(({ changed, kind }) => changed && kind === 'sitemap')).toEqual(
        [],
      );
      rmSync(repository, { recursive: true, force: true });
    }),
    fewer(60, 4),
  );
});
