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

// Where Vite writes, and what other folders may be there from earlier builds.
test.each([
  ['output.dir', `rollupOptions: { output: { dir: 'build' } }`, '', 'build'],
  ['output.dir beside outDir', `outDir: 'www', rollupOptions: { output: { dir: 'build' } }`, '', 'build'],
  [
    'several outputs in one folder',
    `rollupOptions: { output: [{ dir: 'build' }, { dir: 'build', entryFileNames: 'old/[name].js' }] }`,
    '',
    'build',
  ],
  [
    'an environment of its own',
    `outDir: 'www'`,
    `builder: {}, environments: { client: { build: { rollupOptions: { output: { dir: 'build/client' } } } },
      ssr: { build: { rollupOptions: { input: 'server.js', output: { dir: 'build/server' } } } } },`,
    'build/client',
  ],
])('%s: the folder that was written is described, and no other', async (_, more, lines, site) => {
  const stale = Object.fromEntries(
    ['dist', 'www', 'build/server'].map((name) => [`${name}/old.html`, 'old']),
  );
  const config = {
    'vite.config.js': `import resyncStatic from 'resync-static/vite';
export default { ${lines} build: { ${more} }, plugins: [resyncStatic({ url: '${SITE_URL}', history: 'none' })] };`,
  };
  const project = makeSource({ ...stale, ...config });
  const output = await build('vite', project, ['build', ...(lines === '' ? [] : ['--app'])]);
  expect(countRuns(output), output).toBe(1);
  expect(tellListed(join(project, site), SITE_URL).slice(0, 2)).toEqual(['', 'assets/index-*.css']);
  for (const other of ['dist', 'www', 'build/server']) expectNoDocuments(join(project, other));
});

test('pages in two folders: one is described, the other named', async () => {
  const outputs = `{ dir: 'build/new' }, { dir: 'build/old' }`;
  const options = `{ url: '${SITE_URL}', history: 'none' }`;
  const config = (more: string) => ({
    'vite.config.js': `import resyncStatic from 'resync-static/vite';
export default { build: { rollupOptions: { output: [${outputs}] } }, plugins: [resyncStatic({ ...${options}, ${more} })] };`,
  });
  const output = await build('vite', makeSource(config('')));
  expect(output).toMatch(/Vite wrote pages into several folders: \S+build\/new, \S+build\/old\./);
  const chosen = makeSource(config(`site: 'build/old'`));
  expect(await build('vite', chosen)).not.toContain('several folders');
  expect(tellListed(join(chosen, 'build/old'), SITE_URL)).toContain('');
});

test('a client whose pages are written later is told of', async () => {
  const options = `{ url: '${SITE_URL}' }`;
  const output = await build('vite', makeSource(configure('', { options, input: `'main.js'` })));
  expect(output).toContain('(no-pages)');
});

test('vite dev describes nothing, and wants no url', async () => {
  const project = makeSource(configure('', { options: '' }));
  const server = startTool('vite', project, []);
  const [, address = ''] = await server.said(/(http:\/\/localhost:\d+)/);
  expect((await fetch(`${address}/about.html`)).status).toBe(200);
  expectNoDocuments(siteOf(project));
});
