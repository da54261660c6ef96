/** The site that every version of Astro builds. */

export const ASTRO_FILES = {
  'src/pages/index.astro': `---
import mark from '../mark.svg?url';
---
<html><head><title>Home</title></head><body><img src={mark} /></body></html>`,
  'src/pages/about.astro': '<p>About</p>',
  'src/pages/guide/index.astro': '<p>Guide</p>',
  'src/pages/404.astro': '<p>Not found</p>',
  'src/pages/api/data.json.ts': `export const prerender = true; export const GET = () => new Response('{}');`,
  // Smaller ones would become part of the page.
  'src/mark.svg': `<svg xmlns="http://www.w3.org/2000/svg">${'<path d="M0 0h9v9z"/>'.repeat(300)}</svg>`,
  'public/robots.txt': 'User-agent: *\n',
};

export const ASTRO_LISTED = ['', '_astro/mark.*.svg', 'about/', 'api/data.json', 'guide/', 'robots.txt'];

type AstroStyle = readonly [
  trailingSlash: string,
  format: string,
  urls: string,
  about: string,
  guide: string,
];

/** Settings that decide how pages become URLs, and the URLs of two pages. */
export const ASTRO_STYLES: readonly AstroStyle[] = [
  ['ignore', 'directory', 'directory', 'about/', 'guide/'],
  ['ignore', 'preserve', 'clean', 'about', 'guide/'],
  ['ignore', 'file', 'clean', 'about', 'guide'],
  ['never', 'directory', 'bare', 'about', 'guide'],
  ['never', 'preserve', 'bare', 'about', 'guide'],
  ['never', 'file', 'bare', 'about', 'guide'],
  ['always', 'directory', 'directory', 'about/', 'guide/'],
  ['always', 'preserve', 'directory', 'about.html', 'guide/'],
  ['always', 'file', 'directory', 'about.html', 'guide.html'],
];

/** As little of a server adapter as Astro takes. */
export const ASTRO_SERVER = {
  'server.js': `export const createExports = () => ({}); export const start = () => undefined;`,
  'src/pages/search.astro': '---\nexport const prerender = false;\n---\n<p>On demand</p>',
};
export const ASTRO_ADAPTER = `adapter: { name: 'server', hooks: { 'astro:config:done': ({ setAdapter }) => setAdapter({
  name: 'server', serverEntrypoint: new URL('./server.js', import.meta.url), exports: ['start'],
  supportedAstroFeatures: { staticOutput: 'stable', hybridOutput: 'stable', serverOutput: 'stable' },
}) } },`;

/** A configuration with the integration after others. */
export function configureAstro(lines: string, options = '{}', others = ''): Record<string, string> {
  return {
    'astro.config.mjs': `
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { defineConfig } from 'astro/config';
import resyncStatic from 'resync-static/astro';
export default defineConfig({
  site: 'https://example.org',
  ${lines}
  integrations: [${others} resyncStatic(${options})],
});`,
  };
}
