/** Docusaurus, Nuxt and React Router, each with the real tool. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { build, expectSameAsCli, makeProject, readExamples, tellListed } from '../../support/frameworks.js';
import { SITE_URL } from '../../support/vite-project.js';

const TOOLS = join(import.meta.dirname, '../../tools');

/** What is listed, but for scripts, styles and data. */
const listPages = (site: string) =>
  tellListed(site, SITE_URL).filter((name) => !/^(?:_nuxt|_app|assets)\/|\.(?:json|data)$/.test(name));

test('React Router', async () => {
  const script = join(TOOLS, 'frameworks/node_modules/@react-router/dev/bin.js');
  const project = makeProject(
    ['@react-router/dev', '@react-router/node', 'react-router', 'react', 'react-dom', 'isbot', 'vite'],
    {
      'package.json': '{ "type": "module", "dependencies": { "@react-router/node": "7", "isbot": "5" } }',
      'react-router.config.js': readExamples('docs/vite.md')['react-router.config.js'] ?? '',
      'vite.config.js': `import { reactRouter } from '@react-router/dev/vite';\nexport default { plugins: [reactRouter()] };`,
      'app/root.jsx': `import { Outlet, Scripts } from 'react-router';
export default () => <html lang="en"><head><title>Site</title></head><body><Outlet /><Scripts /></body></html>;`,
      'app/routes.js': `import { index, route } from '@react-router/dev/routes';
export default [index('home.jsx'), route('about', 'about.jsx')];`,
      'app/home.jsx': 'export default () => <h1>Home</h1>;',
      'app/about.jsx': 'export default () => <h1>About</h1>;',
    },
    { modules: join(TOOLS, 'frameworks/node_modules') },
  );
  expect(await build([process.execPath, script], project)).toContain('[resync-static] Listed');
  expect(listPages(join(project, 'build/client'))).toEqual(['', 'about/']);
  await expectSameAsCli(join(project, 'build/client'), '--url', SITE_URL, '--exclude', '__spa-fallback.html');
});

test('Nuxt', async () => {
  const script = join(TOOLS, 'frameworks/node_modules/nuxt/bin/nuxt.mjs');
  const project = makeProject(
    ['nuxt'],
    {
      'nuxt.config.ts': readExamples('docs/nuxt.md')['nuxt.config.ts'] ?? '',
      'app/app.vue': '<template><NuxtPage /></template>',
      'app/pages/index.vue': '<template><main>Home <NuxtLink to="/about">About</NuxtLink></main></template>',
      'app/pages/about.vue': '<template><main>About</main></template>',
    },
    { modules: join(TOOLS, 'frameworks/node_modules') },
  );
  const site = join(project, '.output/public');
  expect(await build([process.execPath, script], project, ['generate'])).toContain('[resync-static] Listed');
  expect(listPages(site)).toEqual(['', 'about']);
  await expectSameAsCli(site, '--url', SITE_URL, '--urls', 'clean', '--exclude', '200.html');
});

test('Docusaurus, with a sitemap and a second locale', async () => {
  const project = makeProject(
    [
      ...['core', 'faster', 'theme-classic', 'plugin-content-docs', 'plugin-sitemap'].map(
        (name) => `@docusaurus/${name}`,
      ),
      ...['@mdx-js/react', 'react', 'react-dom'],
    ],
    {
      'package.json': '{ "private": true }',
      'docusaurus.config.js': `export default {
  title: 'Notes',
  url: 'https://example.org',
  baseUrl: '/',
  trailingSlash: false,
  i18n: { defaultLocale: 'en', locales: ['en', 'fr'] },
  future: { v4: true, faster: true },
  plugins: [
    ['@docusaurus/plugin-content-docs', { routeBasePath: '/' }],
    ['resync-static/docusaurus', { history: 'none' }],
    '@docusaurus/plugin-sitemap',
  ],
  themes: ['@docusaurus/theme-classic'],
};`,
      'docs/index.md': '---\nslug: /\n---\n# Home\n',
      'docs/about.md': '# About\n',
    },
  );
  const script = join(project, 'node_modules/@docusaurus/core/bin/docusaurus.mjs');
  expect(await build([process.execPath, script], project)).toContain('[resync-static] Listed');
  expect(listPages(join(project, 'build'))).toEqual(
    expect.arrayContaining(['', 'about', 'fr/', 'fr/about', 'fr/sitemap.xml', 'sitemap.xml']),
  );
  await expectSameAsCli(join(project, 'build'), '--url', SITE_URL, '--urls', 'clean', '--history', 'none');
});
