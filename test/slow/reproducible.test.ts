/** `docs/reproducible.md` holds for the generators that are installed with us: what two builds change, and what ends it. */

import { expect, test } from 'vitest';
import { ASTRO_FILES } from '../support/astro.js';
import { readFiles } from '../support/documentation.js';
import { buildOnDay, linkPackages, type Tool } from '../support/frameworks.js';
import { compareTwoDays } from '../support/two-days.js';
import { FILES, KIT, SVELTEKIT, VITEPRESS } from '../support/vite-project.js';

const MANIFEST = { 'package.json': '{ "type": "module", "private": true }' };

const buildWith = (tool: Tool, packages: readonly string[]) => (project: string, day: number) => {
  linkPackages(project, packages);
  return buildOnDay(tool, project, day);
};

/** A file that the page shows. */
function cure(name: string): Record<string, string> {
  const code = readFiles('docs/reproducible.md')[name];
  expect(code, name).toBeDefined();
  return { [name]: code ?? '' };
}

const ELEVENTY = {
  ...MANIFEST,
  'dated.njk': '<p>{{ page.date.toISOString() }}',
  'plain.njk': '<p>Plain',
};
const eleventy = { output: '_site', build: buildWith('eleventy', ['@11ty/eleventy']) };

test('Eleventy changes pages that say when they were built, and pages without a date', async () => {
  const files = {
    ...ELEVENTY,
    'eleventy.config.js':
      "export default (config) => config.addShortcode('currentBuildDate', () => new Date().toISOString());",
    'built.njk': '<p>Built on {% currentBuildDate %}',
  };
  expect(await compareTwoDays({ ...eleventy, files })).toEqual([
    'updated built/index.html',
    'updated dated/index.html',
  ]);
});

test('Eleventy writes the same with dates from git', async () => {
  const files = { ...ELEVENTY, ...cure('eleventy.config.js') };
  expect(await compareTwoDays({ ...eleventy, files })).toEqual([]);
});

test('Astro writes the same', async () => {
  const files = {
    ...MANIFEST,
    ...ASTRO_FILES,
    'src/pages/styled.astro':
      '<h1>Styled</h1><style>h1 { color: red }</style><script>console.log(1)</script>',
  };
  const outcome = compareTwoDays({ files, output: 'dist', build: buildWith('astro', ['astro']) });
  expect(await outcome).toEqual([]);
});

test('Vite writes the same', async () => {
  const files = { ...MANIFEST, ...FILES };
  const outcome = compareTwoDays({ files, output: 'dist', build: buildWith('vite', ['vite']) });
  expect(await outcome).toEqual([]);
});

test('VitePress with the hashes of pages apart: an edit changes its page', async () => {
  const cured = await compareTwoDays({
    files: { ...MANIFEST, ...VITEPRESS, ...cure('.vitepress/config.js') },
    edited: { 'about.md': '# About us' },
    output: '.vitepress/dist',
    build: buildWith('vitepress', ['vitepress', 'vue']),
  });
  expect(cured.filter((line) => !line.startsWith('renamed assets/about.md.'))).toEqual([
    'updated about.html',
    'updated hashmap.json',
    'updated metadata.js',
  ]);
});

test('SvelteKit with the commit as its version writes the same', async () => {
  const { 'svelte.config.js': _, ...sources } = SVELTEKIT;
  const files = { ...MANIFEST, ...sources, ...cure('vite.config.js') };
  expect(await compareTwoDays({ files, output: 'build', build: buildWith('vite', KIT) })).toEqual([]);
});
