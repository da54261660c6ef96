/** Docusaurus, with the real tool. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { build, expectSameAsCli, makeProject, tellListed } from '../../support/frameworks.js';
import { SITE_URL } from '../../support/vite-project.js';

/** What is listed, but for scripts, styles and data. */
const listPages = (site: string) => tellListed(site, SITE_URL).filter((name) => !/^assets\//.test(name));

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
