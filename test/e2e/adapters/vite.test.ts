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
  tellListed,
} from '../../support/frameworks.js';
import { configure, countRuns, makeSource, SITE_URL, siteOf } from '../../support/vite-project.js';

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

test('options win, and the folder is that of the build', async () => {
  const options = `{ url: '${SITE_URL}', urls: 'clean', exclude: ['assets'] }`;
  const project = makeSource(configure(`root: '.',`, { options, build: `outDir: 'out/www',` }));
  await build('vite', project);
  expect(tellListed(join(project, 'out/www'), SITE_URL)).toEqual(['', 'about', 'guide/', 'robots.txt']);
});

test('vite dev describes nothing, and wants no url', async () => {
  const project = makeSource(configure('', { options: '' }));
  const server = startTool('vite', project, []);
  const [, address = ''] = await server.said(/(http:\/\/localhost:\d+)/);
  expect((await fetch(`${address}/about.html`)).status).toBe(200);
  expectNoDocuments(siteOf(project));
});
