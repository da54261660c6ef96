/** The integration in the real Astro 5. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  ASTRO_ADAPTER,
  ASTRO_FILES,
  ASTRO_LISTED,
  ASTRO_SERVER,
  ASTRO_STYLES,
  configureAstro,
} from '../../support/astro.js';
import { expectShown } from '../../support/documentation.js';
import {
  build,
  expectNoDocuments,
  expectSameAsCli,
  expectServed,
  makeProject,
  readExamples,
  runTool,
  startTool,
  tellListed,
} from '../../support/frameworks.js';

const SITE_URL = 'https://example.org/';

const makeSource = (files: Readonly<Record<string, string>>) =>
  makeProject(['astro'], { ...ASTRO_FILES, ...files });
const siteOf = (project: string) => join(project, 'dist');

async function expectPreviewed(project: string, url: string): Promise<void> {
  const server = startTool('astro', project, ['preview']);
  const [, address = ''] = await server.said(/(http:\/\/localhost:\d+)/);
  await expectServed(siteOf(project), url, address);
}

test('the page of the documentation: pages, endpoints, assets and public/, as served and as by the command line', async () => {
  const project = makeSource(readExamples('docs/astro.md'));

  const output = await build('astro', project);

  expect(output).toMatch(/\[resync-static\] Listed \d+ resources, [\d.]+ k?B\n/);
  expectShown(output, 'docs/astro.md');
  expect(output).toMatch(/\[WARN\] \[resync-static\] No Change List is published: /);
  expect(tellListed(siteOf(project), SITE_URL)).toEqual(ASTRO_LISTED);
  await expectSameAsCli(siteOf(project), '--url', SITE_URL);
  await expectPreviewed(project, SITE_URL);
});

test.each(ASTRO_STYLES)(
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

test('the documentation tells the same of trailingSlash and build.format', () => {
  const page = readFileSync(new URL('../../../docs/astro.md', import.meta.url), 'utf8');
  const rows = ASTRO_STYLES.map(([slash, format, urls, about, guide]) =>
    [
      '',
      ` \`${slash}\` `,
      slash === 'never' ? ' any ' : ` \`${format}\` `,
      ` \`/${about}\` `,
      ` \`/${guide}\` `,
      ` \`${urls}\` `,
      '',
    ].join('|'),
  );
  for (const row of rows) expect(page).toContain(`\n${row}\n`);
});

test('what other integrations write after the build is listed, and options win', async () => {
  const project = makeSource(
    configureAstro(
      `outDir: 'out',`,
      `{ url: 'https://staging.example.org/', exclude: ['_astro'] }`,
      `{ name: 'late', hooks: { 'astro:build:done': async ({ dir }) => {
        await wait(50);
        writeFileSync(new URL('sitemap.xml', dir), '<urlset/>');
      } } },`,
    ),
  );
  await build('astro', project);
  expect(tellListed(join(project, 'out'), 'https://staging.example.org/')).toEqual([
    '',
    'about/',
    'api/data.json',
    'guide/',
    'robots.txt',
    'sitemap.xml',
  ]);
});

test('with a server adapter the folder of the client is described, and nothing else', async () => {
  const project = makeSource({ ...ASTRO_SERVER, ...configureAstro(ASTRO_ADAPTER) });
  await build('astro', project);
  expect(readdirSync(siteOf(project)).sort()).toEqual(['client', 'server']);
  expect(tellListed(join(siteOf(project), 'client'), SITE_URL)).toEqual(ASTRO_LISTED);
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

const failures = [
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
    what: 'no site',
    files: configureAstro('site: undefined,'),
    says: /site, in the configuration of Astro: is missing; wants the absolute http\(s\) URL/,
  },
  {
    what: 'an option that does not exist',
    files: configureAstro('', '{ exclud: [] }'),
    says: /exclud: is not an option; did you mean exclude\?/,
  },
  {
    what: 'a site that cannot be described',
    files: { 'public/about.html': '', ...configureAstro(`trailingSlash: 'never',`) },
    says: /about.html and about\/index.html have one URL/,
  },
];

test.each(failures)('$what: the build fails, and there are no documents', async ({ files, says }) => {
  const project = makeSource(files);
  const { status, stdout, stderr } = await runTool('astro', project, ['build']);
  expect(status).toBe(1);
  expect(stdout + stderr).toMatch(says);
  expectNoDocuments(siteOf(project));
});
