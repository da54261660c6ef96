/** The plugin in every version of Vite that it is for, and where it has to step aside. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ASTRO_FILES } from '../../support/astro.js';
import {
  build,
  expectNoDocuments,
  expectSameAsCli,
  expectServed,
  findPort,
  importRoot,
  makeProject,
  readExamples,
  runTool,
  startTool,
  type Tool,
  tellListed,
} from '../../support/frameworks.js';
import { some } from '../../support/seed.js';
import { makeSite } from '../../support/site.js';
import {
  bookOf,
  configure,
  countRuns,
  isPage,
  KIT,
  LISTED,
  makeBook,
  makeSource,
  SITE_URL,
  SVELTEKIT,
  siteOf,
} from '../../support/vite-project.js';

const ENVIRONMENTS = `
  builder: BUILDER,
  environments: {
    client: { build: { outDir: 'dist/client' } },
    ssr: { build: { outDir: 'dist/server', rollupOptions: { input: 'server.js' } } },
  },`;

/** A configuration with a plugin that fails in a hook, with some words. */
const failIn = (hook: string, words: string) =>
  configure('', {
    others: `{ name: 'bad', async ${hook}() { await wait(50); throw new Error('${words}'); } },`,
  });
const withOptions = (options: string) => configure('', { options });

const ASIDE = '[resync-static] This plugin does nothing here.';

const failures = [
  {
    what: 'a module that is missing',
    files: { 'main.js': `import './missing.js';`, ...configure() },
    says: /missing\.js/,
  },
  {
    what: 'a plugin that fails while chunks are made',
    files: failIn('renderChunk', 'no chunk'),
    says: /no chunk/,
  },
  { what: 'a plugin that fails when all is written', files: failIn('writeBundle', 'no map'), says: /no map/ },
  { what: 'a plugin that fails at the very end', files: failIn('closeBundle', 'no end'), says: /no end/ },
  {
    what: 'no url',
    files: withOptions(''),
    says: /url \(an option of the plugin resync-static\/vite\) is missing\. Give the absolute http\(s\) URL/,
  },
  {
    what: 'the integration for Astro',
    files: importRoot(configure()),
    says: /For Vite, write: import resyncStatic from "resync-static\/vite";/,
  },
  {
    what: 'an option that does not exist',
    files: withOptions(`{ url: '${SITE_URL}', exclud: [] }`),
    says: /exclud is not an option. Did you mean exclude\?/,
  },
  {
    what: 'a site that cannot be described',
    files: { 'public/about': 'x', ...withOptions(`{ url: '${SITE_URL}', urls: 'clean' }`) },
    says: /about and about\.html have one URL/,
  },
];

test.each<Tool>(['vite5', 'vite6', 'vite'])(
  '%s: several pages below a base path, and what other plugins write at the very end',
  async (tool) => {
    const late = (
      name: string,
      order: string,
    ) => `{ name: '${name}', enforce: 'post', closeBundle: { ${order} async handler() {
    await wait(50);
    writeFileSync('dist/${name}', 'late');
  } } },`;
    const others = late('sitemap.xml', '') + late('sw.js', `order: 'post', sequential: true,`);
    const project = makeSource(configure(`base: '/docs/',`, { others }));

    expect(countRuns(await build(tool, project))).toBe(1);

    expect(tellListed(siteOf(project), `${SITE_URL}docs/`)).toEqual([...LISTED, 'sitemap.xml', 'sw.js']);
    await expectSameAsCli(siteOf(project), '--url', `${SITE_URL}docs/`);
    const server = startTool(tool, project, ['preview']);
    const [, address = ''] = await server.said(/(http:\/\/localhost:\d+)/);
    await expectServed(siteOf(project), `${SITE_URL}docs/`, address);
  },
);

test('a build for the server describes nothing', async () => {
  const project = makeSource(configure('', { input: `'server.js'` }));
  expect(await build('vite', project, ['build', '--ssr'])).not.toContain('resync-static');
  expectNoDocuments(siteOf(project));
});

// Each failure in one version, which are all there.
test.each(
  some(
    failures.map((failure, index) => ({
      tool: (['vite5', 'vite6', 'vite'] as const)[index % 3] ?? 'vite',
      ...failure,
    })),
    2,
  ),
)('$tool, $what: the build fails, and there are no documents', async ({ tool, files, says }) => {
  const project = makeSource(files);
  const { status, stdout, stderr } = await runTool(tool, project, ['build']);
  expect(status).toBe(1);
  expect(stdout + stderr).toMatch(says);
  expectNoDocuments(siteOf(project));
});

test('VitePress below a base path, with clean URLs, without a sitemap; the plugin steps aside, and says so once', async () => {
  const project = makeBook(`
import resyncStatic from 'resync-static/vite';
import describeVitePress from 'resync-static/vitepress';
export default {
  base: '/docs/',
  cleanUrls: true,
  vite: { plugins: [resyncStatic()] },
  buildEnd: describeVitePress({ url: '${SITE_URL}' }),
};`);

  const output = await build('vitepress', project);

  expect(output.split('This plugin does nothing here.')).toHaveLength(2);
  expect(output).toContain(
    `${ASIDE} Under VitePress, use buildEnd: resyncStatic(), from resync-static/vitepress.\n`,
  );
  const pages = ['', 'about', 'guide/', 'hashmap.json', 'robots.txt', 'vp-icons.css'];
  const listed = tellListed(bookOf(project), `${SITE_URL}docs/`);
  expect(listed.filter(isPage)).toEqual(pages);
  expect(listed).toContain('assets/app.*.js');
  await expectSameAsCli(bookOf(project), '--url', `${SITE_URL}docs/`, '--urls', 'clean');
  const server = startTool('vitepress', project, ['preview', '--port', await findPort()]);
  const [, address = ''] = await server.said(/(http:\/\/localhost:\d+)/);
  await expectServed(bookOf(project), `${SITE_URL}docs/`, address);
});

test('under Astro it steps aside, and says so once', async () => {
  const project = makeProject(['astro'], {
    ...ASTRO_FILES,
    'astro.config.mjs': `import resyncStatic from 'resync-static/vite';
export default { vite: { plugins: [resyncStatic()] } };`,
  });
  const output = await build('astro', project);
  expect(output.split('[resync-static]')).toHaveLength(2);
  expect(output).toContain(`${ASIDE} Under Astro, use the integration resync-static/astro.\n`);
  expectNoDocuments(siteOf(project));
});

test('SvelteKit, as the documentation says; the plugin steps aside', async () => {
  const project = makeProject(KIT, {
    ...SVELTEKIT,
    'svelte.config.js': readExamples('docs/vite.md')['svelte.config.js'] ?? '',
    'vite.config.js': `import { sveltekit } from '@sveltejs/kit/vite';
import resyncStatic from 'resync-static/vite';
export default { plugins: [sveltekit(), resyncStatic()] };`,
  });
  const output = await build('vite', project);
  expect(output).toContain(
    `${ASIDE} Under SvelteKit, wrap its adapter: adapter: resyncStatic(adapter(), { … }), from resync-static/sveltekit.
`,
  );
  expect(countRuns(output)).toBe(1);
  const site = join(project, 'build');
  expect(tellListed(site, SITE_URL)).toEqual(expect.arrayContaining(['', 'about', 'robots.txt']));
  await expectSameAsCli(site, '--url', SITE_URL, '--urls', 'clean');
});

test.each([
  [`base: '/docs/',`, `${SITE_URL}docs/`, `${SITE_URL}docs/`],
  [`base: '/docs/',`, `${SITE_URL}elsewhere`, `${SITE_URL}elsewhere/`],
  [`base: '',`, SITE_URL, SITE_URL],
  [`base: 'https://assets.example.net/x/',`, SITE_URL, SITE_URL],
])('%s and the url %s make %s', async (base, url, expected) => {
  const project = makeSource(configure(base, { options: `{ url: '${url}' }` }));
  await build('vite', project);
  expect(tellListed(siteOf(project), expected)).toEqual(LISTED);
});

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

test('options win, and the folder is that of the build', async () => {
  const options = `{ url: '${SITE_URL}', urls: 'clean', exclude: ['assets'] }`;
  const project = makeSource(configure(`root: '.',`, { options, build: `outDir: 'out/www',` }));
  await build('vite', project);
  expect(tellListed(join(project, 'out/www'), SITE_URL)).toEqual(['', 'about', 'guide/', 'robots.txt']);
});

// Where Vite writes, and what other folders may be there from earlier builds.
test.each([
  ['output.dir', `rollupOptions: { output: { dir: 'build' } }`, '', 'build'],
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
