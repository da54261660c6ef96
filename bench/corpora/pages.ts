/** Sites of 20,000 pages of words, which compress as pages do. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf, makeOnce } from './once.js';
import { makeRandom } from './random.js';

const PAGES = 20_000;
const NAME = 'site-20k-pages';
const NAME_WITH_HEADS = 'site-20k-heads';

export const PAGES_SITE = folderOf(NAME);
export const HEADS_SITE = folderOf(NAME_WITH_HEADS);

export async function makePages(): Promise<void> {
  await makeSite(NAME, { pages: PAGES }, ({ word }) => `<!DOCTYPE html><title>${word()}</title>\n`);
}

/** Every page has a head as generators write it, with links that `pageLinks` lists; some say `noindex`. */
export async function makePagesWithHeads(): Promise<void> {
  await makeSite(NAME_WITH_HEADS, { pages: PAGES, heads: 1 }, writeHead);
}

interface PageSource {
  /** Where it will be served, below the root. */
  readonly path: string;
  readonly page: number;
  readonly word: () => string;
}

function writeHead({ path, page, word }: PageSource): string {
  const url = `https://example.org/${path}/`;
  const robots = page % 50 === 0 ? 'noindex, follow' : 'index, follow';
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${word()} ${word()} – Example</title>
<meta name="description" content="${word()} ${word()} &amp; ${word()}">
<meta name="robots" content="${robots}">
<link rel="canonical" href="${url}">
<link rel="alternate" type="application/pdf" href="${url}page.pdf">
<link rel="license" href="https://creativecommons.org/licenses/by/4.0/">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/${word()}.css">
<link rel="preload" href="/assets/${word()}.woff2" as="font" type="font/woff2" crossorigin>
<meta property="og:title" content="${word()}"><meta property="og:url" content="${url}">
<style>body { margin: 0 auto; max-width: 46rem } a > b { color: #123 }</style>
<script type="module" src="/assets/${word()}.js"></script>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"WebPage","name":"${word()}"}</script>
</head>
<body>
`;
}

async function makeSite(name: string, recipe: object, head: (source: PageSource) => string): Promise<void> {
  await makeOnce(name, recipe, (folder) => {
    const { random, word } = makeWords();
    for (let page = 0; page < PAGES; page++) {
      const paragraphs = writeParagraphs(1 + Math.floor(random() * 35), word);
      const path = `${page % 100}/${page}`;
      mkdirSync(join(folder, path), { recursive: true });
      writeFileSync(join(folder, path, 'index.html'), head({ path, page, word }) + paragraphs);
    }
  });
}

export function makeWords() {
  const random = makeRandom();
  const words = Array.from({ length: 4000 }, () =>
    Math.floor(random() * 36 ** (2 + Math.floor(8 * random()))).toString(36),
  );
  // The first words come often, the last ones rarely.
  const word = () => words[Math.floor(words.length * random() ** 3)] ?? '';
  return { random, word };
}

export function writeParagraphs(count: number, word: () => string): string {
  const write = () => `<p class="text">${Array.from({ length: 120 }, word).join(' ')}</p>\n`;
  return Array.from({ length: count }, write).join('');
}
