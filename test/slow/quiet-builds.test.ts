/** Generators whose builds change pages that nobody edited: why, no date of the sitemap moves, and IndexNow is told of none. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startBuilds } from '../support/built-again.js';
import { buildOnDay, makeProject } from '../support/frameworks.js';
import { write } from '../support/mirror.js';
import { readTree } from '../support/site.js';
import { KIT, SVELTEKIT, VITEPRESS } from '../support/vite-project.js';

// docs/reproducible.md: each build writes its time, its version, into every page.
test('SvelteKit', async () => {
  const { expectQuiet } = await startBuilds({ urls: 'clean' });
  const project = makeProject(KIT, {
    ...SVELTEKIT,
    'vite.config.js': `import { sveltekit } from '@sveltejs/kit/vite';
export default { plugins: [sveltekit()] };`,
  });
  const build = async (day: number) => {
    await buildOnDay('vite', project, day);
    return join(project, 'build');
  };
  const edit = () => write(project, 'src/routes/about/+page.svelte', '<h1>About us</h1>');
  const begin = Date.now();
  expect(await expectQuiet(build, edit, 'about')).toEqual([2, 2]);
  const { version } = JSON.parse(readTree(join(project, 'build'))['_app/version.json'] ?? '');
  expect(Number(version)).toBeGreaterThan(begin + 2 * 86_400_000);
});

// docs/reproducible.md: each page has the hashes of all, so one edit changes all. Its own sitemap is dated.
test('VitePress, with its own sitemap', async () => {
  const { url, expectQuiet } = await startBuilds();
  const config = `export default { sitemap: { hostname: '${url}' } };`;
  const project = makeProject(['vitepress', 'vue'], { ...VITEPRESS, '.vitepress/config.js': config });
  const build = async (day: number) => {
    await buildOnDay('vitepress', project, day);
    return join(project, '.vitepress/dist');
  };
  const edit = () => write(project, 'about.md', '# About us');
  expect(await expectQuiet(build, edit, 'about.html')).toEqual([0, 3]);
  const tree = readTree(join(project, '.vitepress/dist'));
  const { 'about.md': hash } = JSON.parse(tree['hashmap.json'] ?? '');
  for (const page of ['about.html', 'guide/index.html', 'index.html']) expect(tree[page]).toContain(hash);
});

// A template writes the time of the build into each page, and another one a sitemap with the times of files.
test('Eleventy, with the time of the build in a comment, and a sitemap that is a template', async () => {
  const { url, expectQuiet } = await startBuilds();
  const project = makeProject(['@11ty/eleventy'], {
    'eleventy.config.js':
      "export default (config) => config.addShortcode('builtAt', () => new Date().toISOString());",
    '_includes/page.njk':
      '<!doctype html><html><head><title>{{ title }}</title></head><body><!-- {{ page.url }}, {% builtAt %} -->{{ content | safe }}</body></html>',
    ...Object.fromEntries(
      ['index', 'about', 'guide'].map((name) => [
        `${name}.md`,
        `---\nlayout: page.njk\ntitle: ${name}\n---\n# ${name}\n`,
      ]),
    ),
    'sitemap.njk': `---\npermalink: /sitemap.xml\neleventyExcludeFromCollections: true\n---
<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{%- for one in collections.all %}
  <url>
    <loc>${url.slice(0, -1)}{{ one.url }}</loc>
    <lastmod>{{ one.date.toISOString() }}</lastmod>
  </url>
{%- endfor %}
</urlset>
`,
  });
  const build = async (day: number) => {
    await buildOnDay('eleventy', project, day);
    return join(project, '_site');
  };
  const edit = () => write(project, 'about.md', '---\nlayout: page.njk\ntitle: about\n---\n# About us\n');
  expect(await expectQuiet(build, edit, 'about/')).toEqual([3, 3]);
});
