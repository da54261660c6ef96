/** `docs/reproducible.md` holds for the generators that are installed with us: what two builds change, and what ends it. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ASTRO_FILES } from '../support/astro.js';
import { readFiles } from '../support/documentation.js';
import { buildOnDay, linkPackages, type Tool } from '../support/frameworks.js';
import { makeSite, readTree } from '../support/site.js';
import { compareTwoDays } from '../support/two-days.js';
import { FILES, KIT, SVELTEKIT, VITEPRESS } from '../support/vite-project.js';

const DAY = 86_400_000;
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

test('VitePress writes the hashes of all pages into each; where they are apart, an edit changes its page', async () => {
  const files = { ...MANIFEST, ...VITEPRESS };
  const [output, buildBook] = ['.vitepress/dist', buildWith('vitepress', ['vitepress', 'vue'])];
  const project = makeSite(files);
  await buildBook(project, 0);
  const tree = readTree(join(project, output));
  const { 'about.md': hash } = JSON.parse(tree['hashmap.json'] ?? '');
  for (const page of ['about.html', 'guide/index.html', 'index.html']) expect(tree[page]).toContain(hash);

  const cured = await compareTwoDays({
    files: { ...files, ...cure('.vitepress/config.js') },
    edited: { 'about.md': '# About us' },
    output,
    build: buildBook,
  });
  expect(cured.filter((line) => !line.startsWith('renamed assets/about.md.'))).toEqual([
    'updated about.html',
    'updated hashmap.json',
    'updated metadata.js',
  ]);
});

test('SvelteKit has the time of the build as its version; with the commit it writes the same', async () => {
  const { 'svelte.config.js': config = '', ...sources } = { ...MANIFEST, ...SVELTEKIT };
  const buildKit = buildWith('vite', KIT);
  const project = makeSite({
    ...sources,
    'svelte.config.js': config,
    'vite.config.js': `import { sveltekit } from '@sveltejs/kit/vite';
export default { plugins: [sveltekit()] };`,
  });
  const before = Date.now();
  await buildKit(project, 1);
  const { version } = JSON.parse(readTree(join(project, 'build'))['_app/version.json'] ?? '');
  expect(Number(version)).toBeGreaterThan(before + DAY);

  const files = { ...sources, ...cure('vite.config.js') };
  expect(await compareTwoDays({ files, output: 'build', build: buildKit })).toEqual([]);
});
