/** `docs/reproducible.md` holds for the generators that are installed with us: what two builds change, and what ends it. */

import { expect, test } from 'vitest';
import { ASTRO_FILES } from '../support/astro.js';
import { readFiles } from '../support/documentation.js';
import { buildOnDay, linkPackages, type Tool } from '../support/frameworks.js';
import { some } from '../support/seed.js';
import { compareTwoDays, type Sources } from '../support/two-days.js';
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

interface Case extends Sources {
  readonly what: string;
  /** The output of `diff`, without scripts whose names have hashes. */
  readonly changed: readonly string[];
}

const CASES: readonly Case[] = [
  {
    what: 'Eleventy changes pages that say when they were built, and pages without a date',
    ...eleventy,
    files: {
      ...ELEVENTY,
      'eleventy.config.js':
        "export default (config) => config.addShortcode('currentBuildDate', () => new Date().toISOString());",
      'built.njk': '<p>Built on {% currentBuildDate %}',
    },
    changed: ['updated built/index.html', 'updated dated/index.html'],
  },
  {
    what: 'Astro writes the same',
    files: {
      ...MANIFEST,
      ...ASTRO_FILES,
      'src/pages/styled.astro':
        '<h1>Styled</h1><style>h1 { color: red }</style><script>console.log(1)</script>',
    },
    output: 'dist',
    build: buildWith('astro', ['astro']),
    changed: [],
  },
  {
    what: 'Eleventy writes the same with dates from git',
    ...eleventy,
    files: { ...ELEVENTY, ...cure('eleventy.config.js') },
    changed: [],
  },
  {
    what: 'VitePress with the hashes of pages apart: an edit changes its page',
    files: { ...MANIFEST, ...VITEPRESS, ...cure('.vitepress/config.js') },
    edited: { 'about.md': '# About us' },
    output: '.vitepress/dist',
    build: buildWith('vitepress', ['vitepress', 'vue']),
    changed: ['updated about.html', 'updated hashmap.json', 'updated metadata.js'],
  },
  {
    what: 'SvelteKit with the commit as its version writes the same',
    files: {
      ...MANIFEST,
      ...Object.fromEntries(Object.entries(SVELTEKIT).filter(([name]) => name !== 'svelte.config.js')),
      ...cure('vite.config.js'),
    },
    output: 'build',
    build: buildWith('vite', KIT),
    changed: [],
  },
  {
    what: 'Vite writes the same',
    files: { ...MANIFEST, ...FILES },
    output: 'dist',
    build: buildWith('vite', ['vite']),
    changed: [],
  },
];

// integration/main-text.test.ts shows what an edit changes in such sites.
test.each(some(CASES, 2))('$what', async ({ changed, ...sources }) => {
  const told = await compareTwoDays(sources);
  expect(told.filter((line) => !line.startsWith('renamed assets/about.md.'))).toEqual(changed);
});
