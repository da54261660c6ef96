/** The integration in the real Astro 5, however it is configured. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ASTRO_ADAPTER, ASTRO_SERVER, ASTRO_STYLES, configureAstro } from '../../support/astro.js';
import { expectPreviewed, failures, makeSource, SITE_URL, siteOf } from '../../support/astro-project.js';
import {
  build,
  expectNoDocuments,
  expectSameAsCli,
  importRoot,
  runTool,
  startTool,
  tellListed,
} from '../../support/frameworks.js';
import { some } from '../../support/seed.js';

// In CI, Astro 7 builds another one of them, and each builds the first in what its page shows.
test.each(some(ASTRO_STYLES, 9, 5))(
  'below a path, with trailingSlash %s and build.format %s: %s',
  async (trailingSlash, format, urls, about, guide) => {
    const project = makeSource(
      configureAstro(`base: '/docs', trailingSlash: '${trailingSlash}', build: { format: '${format}' },`),
    );
    await build('astro', project);
    expect(tellListed(siteOf(project), `${SITE_URL}docs/`)).toEqual(
      expect.arrayContaining(['', about, guide]),
    );
    await expectSameAsCli(siteOf(project), '--url', `${SITE_URL}docs/`, '--urls', urls);
    await expectPreviewed(project, `${SITE_URL}docs/`);
  },
);

test('with a server adapter the folder of the client is described, with what others write after the build; options win', async () => {
  const late = `{ name: 'late', hooks: { 'astro:build:done': async ({ dir }) => {
    await wait(50);
    writeFileSync(new URL('sitemap.xml', dir), '<urlset/>');
  } } },`;
  const options = `{ url: 'https://staging.example.org/', exclude: ['_astro'] }`;
  const project = makeSource({
    ...ASTRO_SERVER,
    ...configureAstro(`outDir: 'out', ${ASTRO_ADAPTER}`, options, late),
  });
  await build('astro', project);
  expect(readdirSync(join(project, 'out')).sort()).toEqual(['client', 'server']);
  expect(tellListed(join(project, 'out/client'), 'https://staging.example.org/')).toEqual([
    '',
    'about/',
    'api/data.json',
    'guide/',
    'robots.txt',
    'sitemap.xml',
  ]);
});

test('with all pages on demand, what is left is described', async () => {
  const project = makeSource({ ...ASTRO_SERVER, ...configureAstro(`output: 'server', ${ASTRO_ADAPTER}`) });
  await build('astro', project);
  expect(tellListed(join(siteOf(project), 'client'), SITE_URL)).toEqual([
    '_astro/mark.*.svg',
    'api/data.json',
    'robots.txt',
  ]);
});

test('astro dev describes nothing, and wants no site', async () => {
  const project = makeSource(configureAstro('site: undefined,'));
  const server = startTool('astro', project, ['dev']);
  const [, address = ''] = await server.said(/(http:\/\/localhost:\d+)/);
  expect((await fetch(`${address}/about`)).status).toBe(200);
  expectNoDocuments(siteOf(project));
});

test('without a site, the build goes on and warns, or says nothing of it if nobody wants that', async () => {
  // As `astro add` writes it.
  const added = makeSource(importRoot(configureAstro('site: undefined,')));
  expect(await build('astro', added)).toMatch(/\[WARN\] \[resync-static\] Nothing was listed: /);
  const project = makeSource(
    importRoot(configureAstro('site: undefined,', `{ notices: { 'no-site-url': false } }`)),
  );
  expect(await build('astro', project)).not.toContain('Nothing was listed');
  for (const one of [added, project]) expectNoDocuments(siteOf(one));
});

// In CI, Astro 7 has a page that fails, and Vite and Eleventy what cannot be described.
test.each(some(failures, 2, 1))(
  '$what: the build fails, and there are no documents',
  async ({ files, says }) => {
    const project = makeSource(files);
    const { status, stdout, stderr } = await runTool('astro', project, ['build']);
    expect(status).toBe(1);
    expect(stdout + stderr).toMatch(says);
    expectNoDocuments(siteOf(project));
  },
);
