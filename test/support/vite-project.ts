/** Projects that the real Vite builds, by itself and inside of frameworks. */

import { join } from 'node:path';
import { ASTRO_FILES } from './astro.js';
import { importRoot, makeProject } from './frameworks.js';

export const SITE_URL = 'https://example.org/';

const PAGE = '<!doctype html><title>Page</title><script type="module" src="/main.js"></script>';

export const FILES = {
  'index.html': PAGE,
  'about.html': PAGE,
  'guide/index.html': PAGE,
  'main.js': `import './style.css'; document.title += '!';`,
  'style.css': 'h1 { color: red }',
  'server.js': 'export const render = () => "";',
  'public/robots.txt': 'User-agent: *\n',
};

export const LISTED = ['', 'about.html', 'assets/main-*.css', 'assets/main-*.js', 'guide/', 'robots.txt'];

const PAGES = `['index.html', 'about.html', 'guide/index.html']`;

export const makeSource = (files: Readonly<Record<string, string>>) =>
  makeProject(['vite'], { ...FILES, ...files });

export const siteOf = (project: string) => join(project, 'dist');

/** A configuration with the plugin after others. */
export const configure = (
  lines = '',
  { options = `{ url: '${SITE_URL}' }`, input = PAGES, others = '', build: more = '' } = {},
) => ({
  'vite.config.js': `
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import resyncStatic from 'resync-static/vite';
export default {
  ${lines}
  build: { manifest: true, rollupOptions: { input: ${input} }, ${more} },
  plugins: [${others} resyncStatic(${options})],
};`,
});

/** How often a run was told. */
export const countRuns = (output: string) => output.match(/\[resync-static\] Listed /g)?.length ?? 0;

export const ENVIRONMENTS = `
  builder: BUILDER,
  environments: {
    client: { build: { outDir: 'dist/client' } },
    ssr: { build: { outDir: 'dist/server', rollupOptions: { input: 'server.js' } } },
  },`;

export const failures = [
  {
    what: 'a module that is missing',
    files: { 'main.js': `import './missing.js';`, ...configure() },
    says: /missing\.js/,
  },
  {
    what: 'a plugin that fails while chunks are made',
    files: configure('', { others: `{ name: 'bad', renderChunk() { throw new Error('no chunk'); } },` }),
    says: /no chunk/,
  },
  {
    what: 'a plugin that fails when all is written',
    files: configure('', {
      others: `{ name: 'bad', async writeBundle() { await wait(50); throw new Error('no map'); } },`,
    }),
    says: /no map/,
  },
  {
    what: 'a plugin that fails at the very end',
    files: configure('', {
      others: `{ name: 'bad', async closeBundle() { await wait(50); throw new Error('no end'); } },`,
    }),
    says: /no end/,
  },
  {
    what: 'no url',
    files: configure('', { options: '' }),
    says: /url \(an option of the plugin resync-static\/vite\) is missing\. Give the absolute http\(s\) URL/,
  },
  {
    what: 'the integration for Astro',
    files: importRoot(configure()),
    says: /For Vite, write: import resyncStatic from "resync-static\/vite";/,
  },
  {
    what: 'an option that does not exist',
    files: configure('', { options: `{ url: '${SITE_URL}', exclud: [] }` }),
    says: /exclud is not an option. Did you mean exclude\?/,
  },
  {
    what: 'a site that cannot be described',
    files: { 'public/about': 'x', ...configure('', { options: `{ url: '${SITE_URL}', urls: 'clean' }` }) },
    says: /about and about\.html have one URL/,
  },
];

export const VITEPRESS = {
  'index.md': '# Home',
  'about.md': '# About',
  'guide/index.md': '# Guide',
  'public/robots.txt': 'User-agent: *\n',
};

export const makeBook = (config: string) =>
  makeProject(['vitepress', 'vue'], { ...VITEPRESS, '.vitepress/config.js': config });

export const bookOf = (project: string) => join(project, '.vitepress/dist');

export const isPage = (name: string) => !name.startsWith('assets/');

export const SVELTEKIT = {
  'svelte.config.js': `
import adapter from '@sveltejs/adapter-static';
export default { kit: { adapter: adapter() } };`,
  'src/app.html': '<!doctype html><html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
  'src/routes/+layout.js': 'export const prerender = true;',
  'src/routes/+page.svelte': '<h1>Home</h1><a href="/about">About</a>',
  'src/routes/about/+page.svelte': '<h1>About</h1>',
  'static/robots.txt': 'User-agent: *\n',
};

export const KIT = [
  'svelte',
  'vite',
  '@sveltejs/kit',
  '@sveltejs/adapter-static',
  '@sveltejs/vite-plugin-svelte',
];

/** What the plugin says under each framework, and where that writes. */
export const asides = [
  {
    framework: 'Astro',
    tool: 'astro',
    project: () =>
      makeProject(['astro'], {
        ...ASTRO_FILES,
        'astro.config.mjs': `import resyncStatic from 'resync-static/vite';
export default { vite: { plugins: [resyncStatic()] } };`,
      }),
    site: 'dist',
    says: 'Under Astro, use the integration resync-static/astro.',
  },
  {
    framework: 'SvelteKit',
    tool: 'vite',
    project: () =>
      makeProject(KIT, {
        ...SVELTEKIT,
        'vite.config.js': `import { sveltekit } from '@sveltejs/kit/vite';
import resyncStatic from 'resync-static/vite';
export default { plugins: [sveltekit(), resyncStatic()] };`,
      }),
    site: 'build',
    says: 'Under SvelteKit, run resync-static after the build, on the command line.',
  },
] as const;
