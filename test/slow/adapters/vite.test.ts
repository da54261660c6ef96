/** The plugin in every version of Vite that it is for, and where it has to step aside. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  build,
  expectNoDocuments,
  expectSameAsCli,
  expectServed,
  findPort,
  makeProject,
  readExamples,
  runTool,
  startTool,
  type Tool,
  tellListed,
} from '../../support/frameworks.js';
import { runProgram } from '../../support/site.js';
import {
  asides,
  bookOf,
  configure,
  countRuns,
  failures,
  isPage,
  KIT,
  LISTED,
  makeBook,
  makeSource,
  SITE_URL,
  SVELTEKIT,
  siteOf,
} from '../../support/vite-project.js';

test.each<Tool>(['vite5', 'vite6', 'vite'])('%s: several pages below a base path', async (tool) => {
  const project = makeSource(configure(`base: '/docs/',`));

  expect(countRuns(await build(tool, project))).toBe(1);

  expect(tellListed(siteOf(project), `${SITE_URL}docs/`)).toEqual(LISTED);
  await expectSameAsCli(siteOf(project), '--url', `${SITE_URL}docs/`);
  const server = startTool(tool, project, ['preview']);
  const [, address = ''] = await server.said(/(http:\/\/localhost:\d+)/);
  await expectServed(siteOf(project), `${SITE_URL}docs/`, address);
});

test.each<Tool>(['vite5', 'vite6', 'vite'])('%s: a build for the server describes nothing', async (tool) => {
  const project = makeSource(configure('', { input: `'server.js'` }));
  expect(await build(tool, project, ['build', '--ssr'])).not.toContain('resync-static');
  expectNoDocuments(siteOf(project));
});

test.each(
  (['vite5', 'vite6', 'vite'] as const).flatMap((tool) => failures.map((failure) => ({ tool, ...failure }))),
)('$tool, $what: the build fails, and there are no documents', async ({ tool, files, says }) => {
  const project = makeSource(files);
  const { status, stdout, stderr } = await runTool(tool, project, ['build']);
  expect(status).toBe(1);
  expect(stdout + stderr).toMatch(says);
  expectNoDocuments(siteOf(project));
});

test('VitePress below a base path, with clean URLs, without a sitemap', async () => {
  const project = makeBook(`
import { describeVitePress } from 'resync-static/vite';
export default { base: '/docs/', cleanUrls: true, buildEnd: describeVitePress({ url: '${SITE_URL}' }) };`);

  await build('vitepress', project);

  const pages = ['', 'about', 'guide/', 'hashmap.json', 'robots.txt', 'vp-icons.css'];
  expect(tellListed(bookOf(project), `${SITE_URL}docs/`).filter(isPage)).toEqual(pages);
  await expectSameAsCli(bookOf(project), '--url', `${SITE_URL}docs/`, '--urls', 'clean');
  const server = startTool('vitepress', project, ['preview', '--port', await findPort()]);
  const [, address = ''] = await server.said(/(http:\/\/localhost:\d+)/);
  await expectServed(bookOf(project), `${SITE_URL}docs/`, address);
});

test.each(asides)(
  'under $framework it steps aside, and says so once',
  async ({ tool, project, site, says }) => {
    const folder = project();
    const output = await build(tool, folder);
    expect(output.split('[resync-static]')).toHaveLength(2);
    expect(output).toContain(`[resync-static] This plugin does nothing here. ${says}\n`);
    expectNoDocuments(join(folder, site));
  },
);

test('SvelteKit, as the documentation says', async () => {
  const { 'package.json': manifest = '' } = readExamples('docs/vite.md');
  const project = makeProject(KIT, {
    ...SVELTEKIT,
    'package.json': manifest,
    'vite.config.js': `import { sveltekit } from '@sveltejs/kit/vite';
export default { plugins: [sveltekit()] };`,
  });
  const { scripts } = JSON.parse(manifest);
  await build('vite', project);
  const command = scripts.postbuild.split(' ');
  const cli = join(project, 'node_modules/resync-static/dist/src/cli/main.js');
  expect(await runProgram(process.execPath, [cli, ...command.slice(1)], { cwd: project })).toMatchObject({
    status: 0,
  });
  expect(tellListed(join(project, 'build'), SITE_URL)).toEqual(
    expect.arrayContaining(['', 'about', 'robots.txt']),
  );
});
