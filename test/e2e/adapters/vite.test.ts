/** The plugin in the real Vite. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectShown } from '../../support/documentation.js';
import {
  build,
  expectNoDocuments,
  expectSameAsCli,
  readExamples,
  startTool,
  type Tool,
  tellListed,
} from '../../support/frameworks.js';
import { makeSite } from '../../support/site.js';
import {
  configure,
  countRuns,
  ENVIRONMENTS,
  LISTED,
  makeSource,
  SITE_URL,
  siteOf,
} from '../../support/vite-project.js';

test('the page of the documentation, as served and as by the command line', async () => {
  const project = makeSource(readExamples('docs/vite.md'));

  const output = await build('vite', project);

  expect(output).toMatch(/^\[resync-static\] Listed 4 resources, [\d.]+ k?B$/m);
  expectShown(output, 'docs/vite.md');
  expect(output).toContain('[resync-static] No Change List was written: ');
  expect(countRuns(output)).toBe(1);
  expect(tellListed(siteOf(project), SITE_URL)).toEqual([
    '',
    'assets/index-*.css',
    'assets/index-*.js',
    'robots.txt',
  ]);
  await expectSameAsCli(siteOf(project), '--url', SITE_URL);
});

test.each([
  [`base: '/docs/',`, `${SITE_URL}docs/`, `${SITE_URL}docs/`],
  [`base: '/docs/',`, `${SITE_URL}elsewhere`, `${SITE_URL}elsewhere/`],
  [`base: './',`, SITE_URL, SITE_URL],
  [`base: '',`, SITE_URL, SITE_URL],
  [`base: 'https://assets.example.net/x/',`, SITE_URL, SITE_URL],
])('%s and the url %s make %s', async (base, url, expected) => {
  const project = makeSource(configure(base, { options: `{ url: '${url}' }` }));
  await build('vite', project);
  expect(tellListed(siteOf(project), expected)).toEqual(LISTED);
});

test('options win, and the folder is that of the build', async () => {
  const options = `{ url: '${SITE_URL}', urls: 'clean', exclude: ['assets'] }`;
  const project = makeSource(configure(`root: '.',`, { options, build: `outDir: 'out/www',` }));
  await build('vite', project);
  expect(tellListed(join(project, 'out/www'), SITE_URL)).toEqual(['', 'about', 'guide/', 'robots.txt']);
});

test.each<Tool>(['vite5', 'vite6', 'vite'])(
  '%s: what other plugins write at the very end is listed',
  async (tool) => {
    const late = (
      name: string,
      order: string,
    ) => `{ name: '${name}', enforce: 'post', closeBundle: { ${order} async handler() {
    await wait(50);
    writeFileSync('dist/${name}', 'late');
  } } },`;
    const others = late('sitemap.xml', '') + late('sw.js', `order: 'post', sequential: true,`);
    const project = makeSource(configure('', { others }));
    await build(tool, project);
    expect(tellListed(siteOf(project), SITE_URL)).toEqual(expect.arrayContaining(['sitemap.xml', 'sw.js']));
  },
);

test.each([
  ['one after the other', '{}'],
  ['with plugins in common', '{ sharedConfigBuild: true, sharedPlugins: true }'],
  [
    'at once',
    `{ sharedConfigBuild: true, sharedPlugins: true, buildApp: (builder) =>
      Promise.all(Object.values(builder.environments).map((each) => builder.build(each))) }`,
  ],
])('two environments, built %s: one run, over what is for the client', async (_, builder) => {
  const project = makeSource(configure(ENVIRONMENTS.replace('BUILDER', builder)));
  const output = await build('vite', project, ['build', '--app']);
  expect(output).toContain('dist/server/server.js');
  expect(countRuns(output)).toBe(1);
  expectNoDocuments(join(siteOf(project), 'server'));
  expect(tellListed(join(siteOf(project), 'client'), SITE_URL)).toEqual(LISTED);
});

test('watch mode describes nothing', async () => {
  const project = makeSource(configure());
  const tool = startTool('vite', project, ['build', '--watch']);
  let edits = 0;
  await tool.rebuilt(/built in/g, () => makeSite({ 'main.js': `document.title += '${++edits}';` }, project));
  expectNoDocuments(siteOf(project));
});

test('vite dev describes nothing, and wants no url', async () => {
  const project = makeSource(configure('', { options: '' }));
  const server = startTool('vite', project, []);
  const [, address = ''] = await server.said(/(http:\/\/localhost:\d+)/);
  expect((await fetch(`${address}/about.html`)).status).toBe(200);
  expectNoDocuments(siteOf(project));
});
