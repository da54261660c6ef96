/**
 * The manual as a website, built by VitePress and described by this project itself. `DOCS_URL` is its address, and
 * `RESYNC_SIGNING_KEY` signs it.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import describeSite from 'resync-static/vitepress';
import { defineConfig } from 'vitepress';

const url = new URL(process.env.DOCS_URL ?? 'https://example.org/');
// A secret that is not set is an empty variable.
const SIGNED = (process.env.RESYNC_SIGNING_KEY ?? '') !== '';
const { repository } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const REPOSITORY = repository.url.replace(/^git\+|\.git$/g, '');
const DOCS = fileURLToPath(new URL('..', import.meta.url));

/**
 * Names all pages for programs that collect texts, each with its title.
 *
 * @param {import('vitepress').SiteConfig} site
 */
function writeLlms({ pages, outDir, rewrites }) {
  const lines = pages.map((page) => {
    const [, title = page] = /^# (.*)$/m.exec(readFileSync(join(DOCS, page), 'utf8')) ?? [];
    const path = (rewrites.map[page] ?? page).replace(/\.md$/, '.html').replace(/(^|\/)index\.html$/, '$1');
    return `- [${title}](${new URL(path, url).href})\n`;
  });
  const lists = `- [All pages with checksums, and what changed](${new URL('.well-known/resourcesync', url).href}): ResourceSync\n`;
  writeFileSync(join(outDir, 'llms.txt'), `# resync-static\n\n> The manual.\n\n${lists}${lines.join('')}`);
}

/**
 * Keeps Vue from reading `{{ … }}` in code as its own, and leads links out of `docs/` to the repository.
 *
 * @param {import('vitepress').MarkdownRenderer} markdown
 */
function adaptMarkdown({ core, renderer: { rules } }) {
  const render = rules.code_inline;
  rules.code_inline = (...given) => render?.(...given).replace('<code', '<code v-pre') ?? '';
  core.ruler.push('outside', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.attrGet('href');
      if (href?.startsWith('../'))
        token.attrSet('href', `${REPOSITORY}/blob/main/${href.slice('../'.length)}`);
    }
  });
}

export default defineConfig({
  title: 'resync-static',
  description: 'True dates, a feed of changes, checked copies: lists of all that a static site publishes.',
  base: url.pathname,
  outDir: '../.tmp/docs',
  cacheDir: '../.tmp/docs-cache',
  rewrites: { 'README.md': 'index.md' },
  markdown: { config: adaptMarkdown },
  sitemap: { hostname: url.href },
  themeConfig: { search: { provider: 'local' }, outline: [2, 3] },
  async buildEnd(site) {
    writeLlms(site);
    const options = { url: url.href, sitemap: true, feed: true, page: true, htmlLinks: true };
    await describeSite({ ...options, ...(SIGNED && { sign: {} }) })(site);
  },
});
