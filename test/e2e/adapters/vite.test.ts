/** The plugin in the real Vite, and where it has to step aside. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ASTRO_FILES } from '../../support/astro.js';
import { expectShown } from '../../support/documentation.js';
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
import { makeSite, runProgram } from '../../support/site.js';

const SITE_URL = 'https://example.org/';
const PAGE = '<!doctype html><title>Page</title><script type="module" src="/main.js"></script>';
const FILES = {
  'index.html': PAGE,
  'about.html': PAGE,
  'guide/index.html': PAGE,
  'main.js': `import './style.css'; document.title += '!';`,
  'style.css': 'h1 { color: red }',
  'server.js': 'export const render = () => "";',
  'public/robots.txt': 'User-agent: *\n',
};
const LISTED = ['', 'about.html', 'assets/main-*.css', 'assets/main-*.js', 'guide/', 'robots.txt'];
const PAGES = `['index.html', 'about.html', 'guide/index.html']`;

const makeSource = (files: Readonly<Record<string, string>>) => makeProject(['vite'], { ...FILES, ...files });
const siteOf = (project: string) => join(project, 'dist');

/** A configuration with the plugin after others. */
const configure = (
  lines = '',
  { options = `{ url: '${SITE_URL}' }`, input = PAGES, others = '', build: more = '' } = {},
) => ({
  'vite.config.js': `
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import resyncStatic from 'resync-static/vite';
export default {
  ${lines}
  build: { manifest: true, rollupOptions: { input: ${input} }, ${more} },
  plugins: [${others} resyncStatic(${options})],
};`,
});

/** How often a run was told. */
const countRuns = (output: string) => output.match(/\[resync-static\] Listed /g)?.length ?? 0;

test('the page of the documentation, as served and as by the command line', async () => {
  const project = makeSource(readExamples('docs/vite.md'));

  const output = await build('vite', project);

  expect(output).toMatch(/^\[resync-static\] Listed 4 resources, [\d.]+ k?B$/m);
  expectShown(output, 'docs/vite.md');
  expect(output).toContain('[resync-static] No Change List is published: ');
  expect(countRuns(output)).toBe(1);
  expect(tellListed(siteOf(project), SITE_URL)).toEqual([
    '',
    'assets/index-*.css',
    'assets/index-*.js',
    'robots.txt',
  ]);
  await expectSameAsCli(siteOf(project), '--url', SITE_URL);
});

test.each<Tool>(['vite5', 'vite6', 'vite'])('%s: several pages below a base path', async (tool) => {
  const project = makeSource(configure(`base: '/docs/',`));

  expect(countRuns(await build(tool, project))).toBe(1);

  expect(tellListed(siteOf(project), `${SITE_URL}docs/`)).toEqual(LISTED);
  await expectSameAsCli(siteOf(project), '--url', `${SITE_URL}docs/`);
  const server = startTool(tool, project, ['preview']);
  const [, address = ''] = await server.said(/(http:\/\/localhost:\d+)/);
  await expectServed(siteOf(project), `${SITE_URL}docs/`, address);
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

const ENVIRONMENTS = `
  builder: BUILDER,
  environments: {
    client: { build: { outDir: 'dist/client' } },
    ssr: { build: { outDir: 'dist/server', rollupOptions: { input: 'server.js' } } },
  },`;

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

test.each<Tool>(['vite5', 'vite6', 'vite'])('%s: a build for the server describes nothing', async (tool) => {
  const project = makeSource(configure('', { input: `'server.js'` }));
  expect(await build(tool, project, ['build', '--ssr'])).not.toContain('resync-static');
  expectNoDocuments(siteOf(project));
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

const failures = [
  {
    what: 'a module that is missing',
    files: { 'main.js': `import './missing.js';`, ...configure() },
    says: /missing\.js/,
  },
  {
    what: 'a plugin that fails while chunks are made',
    files: configure('', { others: `{ name: 'bad', renderChunk() { throw new Error('no chunk'); } },` }),
    says: /no chunk/,
  },
  {
    what: 'a plugin that fails when all is written',
    files: configure('', {
      others: `{ name: 'bad', async writeBundle() { await wait(50); throw new Error('no map'); } },`,
    }),
    says: /no map/,
  },
  {
    what: 'a plugin that fails at the very end',
    files: configure('', {
      others: `{ name: 'bad', async closeBundle() { await wait(50); throw new Error('no end'); } },`,
    }),
    says: /no end/,
  },
  {
    what: 'no url',
    files: configure('', { options: '' }),
    says: /url, an option of the plugin resync-static\/vite: is missing; wants the absolute http\(s\) URL/,
  },
  {
    what: 'an option that does not exist',
    files: configure('', { options: `{ url: '${SITE_URL}', exclud: [] }` }),
    says: /exclud: is not an option; did you mean exclude\?/,
  },
  {
    what: 'a site that cannot be described',
    files: { 'public/about': 'x', ...configure('', { options: `{ url: '${SITE_URL}', urls: 'clean' }` }) },
    says: /about and about\.html have one URL/,
  },
];

test.each(
  (['vite5', 'vite6', 'vite'] as const).flatMap((tool) => failures.map((failure) => ({ tool, ...failure }))),
)('$tool, $what: the build fails, and there are no documents', async ({ tool, files, says }) => {
  const project = makeSource(files);
  const { status, stdout, stderr } = await runTool(tool, project, ['build']);
  expect(status).toBe(1);
  expect(stdout + stderr).toMatch(says);
  expectNoDocuments(siteOf(project));
});

const VITEPRESS = {
  'index.md': '# Home',
  'about.md': '# About',
  'guide/index.md': '# Guide',
  'public/robots.txt': 'User-agent: *\n',
};
const makeBook = (config: string) =>
  makeProject(['vitepress', 'vue'], { ...VITEPRESS, '.vitepress/config.js': config });
const bookOf = (project: string) => join(project, '.vitepress/dist');
const isPage = (name: string) => !name.startsWith('assets/');

test('VitePress, as the documentation says, as served and as by the command line', async () => {
  const project = makeBook(readExamples('docs/vite.md')['.vitepress/config.js'] ?? '');

  expect(countRuns(await build('vitepress', project))).toBe(1);

  const listed = tellListed(bookOf(project), SITE_URL);
  expect(listed.filter(isPage)).toEqual([
    '',
    'about.html',
    'guide/',
    'hashmap.json',
    'robots.txt',
    'sitemap.xml',
    'vp-icons.css',
  ]);
  expect(listed).toContain('assets/app.*.js');
  await expectSameAsCli(bookOf(project), '--url', SITE_URL);
  const server = startTool('vitepress', project, ['preview', '--port', await findPort()]);
  const [, address = ''] = await server.said(/(http:\/\/localhost:\d+)/);
  await expectServed(bookOf(project), SITE_URL, address);
});

test('VitePress below a base path, with clean URLs, without a sitemap', async () => {
  const project = makeBook(`
export default { base: '/docs/', cleanUrls: true, buildEnd: describeVitePress({ url: '${SITE_URL}' }) };`);

  await build('vitepress', project);

  const pages = ['', 'about', 'guide/', 'hashmap.json', 'robots.txt', 'vp-icons.css'];
  expect(tellListed(bookOf(project), `${SITE_URL}docs/`).filter(isPage)).toEqual(pages);
  await expectSameAsCli(bookOf(project), '--url', `${SITE_URL}docs/`, '--urls', 'clean');
  const server = startTool('vitepress', project, ['preview', '--port', await findPort()]);
  const [, address = ''] = await server.said(/(http:\/\/localhost:\d+)/);
  await expectServed(bookOf(project), `${SITE_URL}docs/`, address);
});

test('VitePress without a URL: the build fails, and there are no documents', async () => {
  const project = makeBook(`
import { describeVitePress } from 'resync-static/vite';
export default { buildEnd: describeVitePress() };`);
  const { status, stderr } = await runTool('vitepress', project, ['build']);
  expect(status).toBe(1);
  expect(stderr).toContain(
    'sitemap.hostname, in the configuration of VitePress: is missing; wants the absolute',
  );
  expectNoDocuments(bookOf(project));
});

const SVELTEKIT = {
  'svelte.config.js': `
import adapter from '@sveltejs/adapter-static';
export default { kit: { adapter: adapter() } };`,
  'src/app.html': '<!doctype html><html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
  'src/routes/+layout.js': 'export const prerender = true;',
  'src/routes/+page.svelte': '<h1>Home</h1><a href="/about">About</a>',
  'src/routes/about/+page.svelte': '<h1>About</h1>',
  'static/robots.txt': 'User-agent: *\n',
};
const KIT = ['svelte', 'vite', '@sveltejs/kit', '@sveltejs/adapter-static', '@sveltejs/vite-plugin-svelte'];

/** What the plugin says under each framework, and where that writes. */
const asides = [
  {
    framework: 'Astro',
    tool: 'astro',
    project: () =>
      makeProject(['astro'], {
        ...ASTRO_FILES,
        'astro.config.mjs': `import resyncStatic from 'resync-static/vite';
export default { vite: { plugins: [resyncStatic()] } };`,
      }),
    site: 'dist',
    says: 'Under Astro, use the integration resync-static/astro.',
  },
  {
    framework: 'VitePress',
    tool: 'vitepress',
    project: () =>
      makeBook(`import resyncStatic from 'resync-static/vite';
export default { vite: { plugins: [resyncStatic()] } };`),
    site: '.vitepress/dist',
    says: 'Under VitePress, use buildEnd: describeVitePress(), from resync-static/vite.',
  },
  {
    framework: 'SvelteKit',
    tool: 'vite',
    project: () =>
      makeProject(KIT, {
        ...SVELTEKIT,
        'vite.config.js': `import { sveltekit } from '@sveltejs/kit/vite';
import resyncStatic from 'resync-static/vite';
export default { plugins: [sveltekit(), resyncStatic()] };`,
      }),
    site: 'build',
    says: 'Under SvelteKit, run resync-static after the build, on the command line.',
  },
] as const;

test.each(asides)(
  'under $framework it steps aside, and says so once',
  async ({ tool, project, site, says }) => {
    const folder = project();
    const output = await build(tool, folder);
    expect(output.split('[resync-static]')).toHaveLength(2);
    expect(output).toContain(`[resync-static] Nothing is described here. ${says}\n`);
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
