/** Projects that the real Astro 5 builds. */

import { join } from 'node:path';
import { ASTRO_FILES, configureAstro } from './astro.js';
import { expectServed, makeProject, startTool } from './frameworks.js';

export const SITE_URL = 'https://example.org/';

export const makeSource = (files: Readonly<Record<string, string>>) =>
  makeProject(['astro'], { ...ASTRO_FILES, ...files });

export const siteOf = (project: string) => join(project, 'dist');

export async function expectPreviewed(project: string, url: string): Promise<void> {
  const server = startTool('astro', project, ['preview']);
  const [, address = ''] = await server.said(/(http:\/\/localhost:\d+)/);
  await expectServed(siteOf(project), url, address);
}

export const failures = [
  {
    what: 'a page that fails',
    files: { 'src/pages/broken.astro': "---\nthrow new Error('no page');\n---", ...configureAstro('') },
    says: /no page/,
  },
  {
    what: 'an integration that fails after the build',
    files: configureAstro(
      '',
      '{}',
      `{ name: 'late', hooks: { 'astro:build:done': () => { throw new Error('no map'); } } },`,
    ),
    says: /no map/,
  },
  {
    what: 'an option that does not exist, and no site',
    files: configureAstro('site: undefined,', '{ exclud: [] }'),
    says: /exclud is not an option. Did you mean exclude\?/,
  },
  {
    what: 'an option that does not exist',
    files: configureAstro('', '{ exclud: [] }'),
    says: /exclud is not an option. Did you mean exclude\?/,
  },
  {
    what: 'a site that cannot be described',
    files: { 'public/about.html': '', ...configureAstro(`trailingSlash: 'never',`) },
    says: /about.html and about\/index.html have one URL/,
  },
];
