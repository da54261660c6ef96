/** The recipes of docs/last-updated.md, as they stand there: dates from the last `pages.json`, which move no dates. */

import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeAt } from '../support/changes.js';
import { readBlocks, readFiles } from '../support/documentation.js';
import { build, makeProject, type Tool } from '../support/frameworks.js';
import { startHost } from '../support/host.js';
import { makeFolder, makeSite, readTree } from '../support/site.js';
import { readDates } from '../support/sitemap.js';

const PAGE = 'docs/last-updated.md';
const DAY = 86_400;
const FILES = readFiles(PAGE);
const [ELEVENTY = ''] = readBlocks(PAGE, 'njk');
const [ASTRO = ''] = readBlocks(PAGE, 'astro');

interface Recipe {
  readonly tool: Tool & string;
  readonly packages: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly output: string;
  /** Its copy of `dates.js`. */
  readonly dates: string;
  /** The name of the source of a page. */
  readonly nameOf: (page: string) => string;
  /** Ends the path of a page. */
  readonly ending: string;
}

const RECIPES: readonly Recipe[] = [
  {
    tool: 'eleventy',
    packages: ['@11ty/eleventy'],
    files: {
      '_includes/base.njk': `<!doctype html><title>{{ title }}</title><main>{{ content | safe }}${ELEVENTY}</main>`,
      '_data/layout.js': `export default 'base.njk';`,
    },
    output: '_site',
    dates: '_data/dates.js',
    nameOf: (page) => `${page}.md`,
    ending: '/',
  },
  {
    tool: 'astro',
    packages: ['astro'],
    files: {
      'astro.config.mjs': `export default { site: 'https://example.org' };`,
      'src/layouts/Base.astro': ASTRO.replace(
        /---\n(?!import)/,
        '---\n<!doctype html><title>A page</title><main><slot />',
      ).concat('</main>'),
    },
    output: 'dist',
    dates: 'src/dates.js',
    nameOf: (page) => `src/pages/${page}.md`,
    ending: '/',
  },
  {
    tool: 'vitepress',
    packages: ['vitepress', 'vue'],
    files: { '.vitepress/config.js': FILES['.vitepress/config.js'] ?? '' },
    output: '.vitepress/dist',
    dates: '.vitepress/dates.js',
    nameOf: (page) => `${page}.md`,
    ending: '.html',
  },
];

test.each(RECIPES)('$tool shows when a page changed, and no build moves a date by that', async (recipe) => {
  const { tool, packages, files, output, dates, nameOf, ending } = recipe;
  const host = await startHost(makeFolder());
  const textOf = (text: string) =>
    `${tool === 'astro' ? '---\nlayout: /src/layouts/Base.astro\n---\n' : ''}${text}\n`;
  const project = makeProject(packages, {
    ...files,
    [dates]: (FILES['dates.js'] ?? '').replace('https://example.org/', host.url),
    [nameOf('index')]: textOf('# Home'),
    [nameOf('about')]: textOf('# About\n\nWe are two.'),
    [nameOf('über')]: textOf('# Ufer'),
  });
  const edit = (page: string, text: string) => makeSite({ [nameOf(page)]: textOf(text) }, project);
  const site = join(project, output);

  /** Builds and describes at a moment, but deploys nothing. */
  const describe = async (seconds: number) => {
    rmSync(site, { recursive: true, force: true });
    await build(tool, project, tool === 'vitepress' ? ['build', '--mpa'] : undefined);
    await describeAt(seconds, {
      site,
      url: host.url,
      urls: 'directory',
      history: 'published',
      sitemap: true,
    });
    const shown = Object.entries(readTree(site)).flatMap(([path, text]) => {
      const [, date] = /Last updated: ?<time datetime="([^"]+)"/.exec(text) ?? [];
      return date === undefined ? [] : [[path.replace(/(?:\/index)?\.html$/, ''), date.slice(0, 10)]];
    });
    const listed = readDates(readFileSync(join(site, 'sitemap.xml'), 'utf8'), host.url);
    return { shown: Object.fromEntries(shown), listed };
  };
  const publish = async (day: number) => {
    const published = await describe(day * DAY);
    host.folder = makeFolder();
    cpSync(site, host.folder, { recursive: true });
    return published;
  };

  const first = await publish(0);
  expect(first.shown).toEqual({});
  expect(Object.keys(first.listed)).toHaveLength(3);
  edit('about', '# About\n\nWe are three.');
  edit('neu/ä', '# New');
  const { shown, listed } = await publish(1);
  expect(shown).toEqual({});
  const paths = [`/about${ending}`, `/neu/${encodeURI('ä')}${ending}`];
  const moment = '2023-11-15T22:13:20Z';
  expect(Object.entries(listed).filter(([, date]) => date !== undefined)).toEqual(
    paths.map((path) => [path, moment]),
  );
  const second = await publish(2);
  expect(second).toEqual({ shown: { about: '2023-11-15', 'neu/ä': '2023-11-15' }, listed });

  // The others take long to build.
  if (tool !== 'eleventy') return;
  const bytes = readTree(site);
  expect(await publish(3)).toEqual(second);
  expect(readTree(site)).toEqual(bytes);
});
