/** Projects that the real Vite builds, by itself and inside of frameworks. */

import { join } from 'node:path';
import { makeProject } from './frameworks.js';

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

/** The number of runs that the output reports. */
export const countRuns = (output: string) => output.match(/\[resync-static\] Listed /g)?.length ?? 0;

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
