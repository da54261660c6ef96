/** The plan for each generator, host and history; nothing is read or written. */

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { InitOptions } from '../../../../src/cli/init/model.js';
import { makePlan } from '../../../../src/cli/init/plan/plan.js';
import { findProject, readConfigured } from '../../../../src/cli/init/project.js';
import { formatPlan } from '../../../../src/cli/init/words.js';
import { makeColors } from '../../../../src/cli/words/style.js';
import { ADDRESS, type Files, makeFacts, makeGitFacts, makeManifest, plan } from '../../../support/init.js';

const BUILD = { build: 'make it' };

const CONFIG = 'resync-static.config.json';

const npm = (packages: string[], more: Files = {}, scripts: object = {}): Files => ({
  'package.json': makeManifest(packages, scripts),
  ...more,
});

/** Files, and what is planned: the generator and its folder, the way with the file that is edited, the build, the URLs. */
type Case = [files: Files, project: string, way: string, build: string, urls?: string];

const CASES: Case[] = [
  [
    npm(['@11ty/eleventy'], { 'eleventy.config.js': 'export default function (c) {}' }),
    'Eleventy _site',
    'plugin eleventy.config.js',
    'npx @11ty/eleventy',
  ],
  [
    npm(
      ['@11ty/eleventy'],
      { '.eleventy.js': `module.exports = (c) => {\n  return { dir: { output: './docs/' } };\n};` },
      BUILD,
    ),
    'Eleventy docs',
    'plugin .eleventy.js',
    'npm run build',
  ],
  [
    { 'package.json': makeManifest(['@11ty/eleventy'], {}, { type: 'module' }) },
    'Eleventy _site',
    'plugin eleventy.config.js',
    'npx @11ty/eleventy',
  ],
  [
    npm(['astro'], { 'astro.config.mjs': 'export default { }' }),
    'Astro dist',
    'plugin astro.config.mjs',
    'npx astro build',
  ],
  [
    npm(['astro', '@astrojs/starlight', 'vite'], {
      'astro.config.ts': `export default { trailingSlash: 'never', outDir: 'www' }`,
    }),
    'Starlight www',
    'plugin astro.config.ts',
    'npx astro build',
    'bare',
  ],
  [npm(['vite']), 'Vite dist', 'plugin vite.config.mjs', 'npx vite build'],
  [
    npm(['vite'], { 'vite.config.ts': 'export default make()' }, BUILD),
    'Vite dist',
    `command ${CONFIG}`,
    'npm run build',
  ],
  [
    npm(
      ['vitepress'],
      { 'docs/.vitepress/config.mts': 'export default defineConfig({ cleanUrls: true })' },
      { 'docs:build': 'vitepress build docs', build: 'tsc' },
    ),
    'VitePress docs/.vitepress/dist',
    'plugin docs/.vitepress/config.mts',
    'npm run docs:build',
    'clean',
  ],
  [
    npm(
      ['@sveltejs/kit', 'vite'],
      {
        'vite.config.js': 'export default {}',
        'svelte.config.js': `import adapter from "@sveltejs/adapter-static";\nexport default { kit: { adapter: adapter({ pages: "out" }) } }`,
      },
      BUILD,
    ),
    'SvelteKit out',
    'plugin svelte.config.js',
    'npm run build',
    'clean',
  ],
  [
    npm(
      ['@sveltejs/kit'],
      {
        'vite.config.ts': `import adapter from '@sveltejs/adapter-static';\nexport default { plugins: [sveltekit({ adapter: adapter({ pages: 'www' }) })] };`,
        'src/routes/+layout.js': `export const trailingSlash = 'always';`,
      },
      BUILD,
    ),
    'SvelteKit www',
    'plugin vite.config.ts',
    'npm run build',
  ],
  ...Object.entries({
    bare: '{}',
    directory: '{\n  // trailingSlash: false,\n  trailingSlash: true,\n}',
    clean: '{ trailingSlash: false }',
  }).map(
    ([urls, config]): Case => [
      npm(['@docusaurus/core'], { 'docusaurus.config.js': `module.exports = ${config}` }, BUILD),
      'Docusaurus build',
      'plugin docusaurus.config.js',
      'npm run build',
      urls,
    ],
  ),
  [
    npm(['next'], { 'next.config.mjs': `export default { output: 'export' }` }, BUILD),
    'Next.js out',
    `command ${CONFIG}`,
    'npm run build',
    'clean',
  ],
  [
    npm(['nuxt'], {}, { ...BUILD, generate: 'nuxt generate' }),
    'Nuxt .output/public',
    'plugin nuxt.config.mjs',
    'npm run generate',
  ],
  [
    npm(['nuxt'], { 'nuxt.config.ts': 'export default make()' }, { generate: 'nuxt generate' }),
    'Nuxt .output/public',
    `command ${CONFIG}`,
    'npm run generate',
  ],
  [
    npm(['@react-router/dev', 'vite'], {
      'react-router.config.ts': 'export default { ssr: false, prerender: true } satisfies Config;',
    }),
    'React Router build/client',
    'plugin react-router.config.ts',
    'npx react-router build',
  ],
  [
    npm(['@tanstack/react-start', 'vite'], { 'vite.config.ts': 'export default {}' }, BUILD),
    'TanStack Start dist/client',
    `command ${CONFIG}`,
    'npm run build',
  ],
  [
    npm(['@awesome.me/buildawesome'], { 'buildawesome.config.js': 'export default function ($c) {}' }),
    'Build Awesome _site',
    'plugin buildawesome.config.js',
    'npx @awesome.me/buildawesome',
  ],
  [npm(['gatsby'], { 'gatsby-config.js': '' }, BUILD), 'Gatsby public', `command ${CONFIG}`, 'npm run build'],
  [
    { 'hugo.toml': 'baseURL = "https://example.org/"\n# publishDir = "no"\npublishDir = "www"\n' },
    'Hugo www',
    `command ${CONFIG}`,
    'hugo --cleanDestinationDir',
  ],
  [
    { '_config.yml': 'title: A\ndestination: ./out # here\n', Gemfile: '' },
    'Jekyll out',
    `command ${CONFIG}`,
    'bundle exec jekyll build',
  ],
  [{ 'mkdocs.yml': 'site_name: A\n' }, 'MkDocs site', `command ${CONFIG}`, 'mkdocs build'],
  [{ 'properdocs.yml': 'site_dir: www\n' }, 'ProperDocs www', `command ${CONFIG}`, 'properdocs build'],
  [
    { 'zensical.toml': '[project]\nsite_dir = "www"\nuse_directory_urls = false\n' },
    'Zensical www',
    `command ${CONFIG}`,
    'zensical build',
    'file',
  ],
  [
    { 'mkdocs.yml': 'use_directory_urls: false\n' },
    'MkDocs site',
    `command ${CONFIG}`,
    'mkdocs build',
    'file',
  ],
  [
    { 'docs/conf.py': `project = 'A'\n` },
    'Sphinx docs/_build/html',
    `command ${CONFIG}`,
    'sphinx-build -b html docs docs/_build/html',
    'file',
  ],
];

/** Left out of the lists: pages without content, and our own file, which Jekyll copies into the site. */
const EXCLUDED: Readonly<Record<string, string>> = {
  'Next.js': '_not-found*',
  Gatsby: '_gatsby',
  Nuxt: '200.html',
  Jekyll: CONFIG,
};

test.each<Case>(CASES)('$1: $2, $3', (files, expected, way, build, urls = 'directory') => {
  const { project, settings, edits, ...planned } = plan(makeFacts(files));
  expect(`${project.generator?.name} ${project.site}`).toBe(expected);
  expect(settings.urls).toBe(urls);
  const names = edits.map(({ file }) => file);
  expect([planned.way, ...names].join(' ')).toBe(way);
  expect(planned.build?.join(' ')).toBe(build);
  const config = edits.find(({ file }) => file === CONFIG)?.after;
  if (config !== undefined) {
    const style = urls === 'directory' ? {} : { urls };
    const [name = ''] = expected.split(' ');
    const exclude = EXCLUDED[name] === undefined ? {} : { exclude: [EXCLUDED[name]] };
    expect(JSON.parse(config)).toEqual({ site: project.site, url: ADDRESS, ...style, ...exclude });
  }
  // With what the plan wrote, nothing is left to write.
  const written = Object.fromEntries(edits.map(({ file, after }) => [file, after]));
  expect(plan(makeFacts({ ...files, ...written })).edits).toEqual([]);
});

describe('how changes are known', () => {
  const files = { 'package.json': makeManifest(['vite'], BUILD, { type: 'module' }) };
  const optionsOf = (planned: ReturnType<typeof plan>) =>
    /resyncStatic\((.*)\)\]/.exec(planned.edits[0]?.after ?? '')?.[1];

  test.each([
    ['the output is committed', {}, makeGitFacts({ tracked: true, ignored: [] }), ''],
    ['git', {}, makeGitFacts(), ''],
    ['a deploy branch', {}, makeGitFacts({ deployed: 'origin/gh-pages' }), `, history: 'origin/gh-pages'`],
    ['Netlify', { 'netlify.toml': '' }, makeGitFacts(), `, headers: 'netlify', history: 'published'`],
    [
      'Cloudflare Pages, which sends /a.html on to /a',
      { 'wrangler.toml': 'pages_build_output_dir = "dist"' },
      makeGitFacts(),
      `, urls: 'clean', headers: 'cloudflare', history: 'published'`,
    ],
    ['Vercel', { 'vercel.json': '{ "cleanUrls": true }' }, undefined, `, urls: 'bare', history: 'published'`],
    ['a worker that is no site', { 'wrangler.toml': 'main = "worker.js"' }, makeGitFacts(), ''],
    ['no repository yet', {}, undefined, ''],
  ])('%s', (_, more, git, options) => {
    expect(optionsOf(plan(makeFacts({ ...files, ...more }), git))).toBe(`{ url: '${ADDRESS}'${options} }`);
  });

  test('a live site without https, which could be forged in transit, is no history', () => {
    const facts = makeFacts({ ...files, 'netlify.toml': '' });
    expect(plan(facts, makeGitFacts(), { url: 'http://birds.example/' }).keeping.kind).toBe('record');
  });

  test('a folder that git ignores is no history, and may be what a build writes', () => {
    const facts = makeFacts({}, { sites: [''] });
    const { keeping, told } = plan(facts, makeGitFacts({ ignored: ['.'] }), { site: '.' });
    expect(keeping.kind).toBe('record');
    expect(told).toEqual([expect.stringMatching(/^git ignores this folder\. /)]);
    expect(plan(facts, makeGitFacts(), { site: '.' })).toMatchObject({
      keeping: { kind: 'commits' },
      told: [],
    });
  });

  test('a new repository ignores the site', () => {
    const facts = makeFacts({ ...files, '.gitignore': '.env' });
    const { project, settings } = plan(facts);
    const { edits, makesRepository } = makePlan({ facts, git: undefined, project, settings, asked: {} });
    expect(makesRepository).toBe(true);
    expect(edits.at(-1)).toMatchObject({ file: '.gitignore', after: '.env\ndist/\n' });
  });

  test('a folder that may be written by hand is not ignored, and may be committed later', () => {
    const { edits } = plan(makeFacts({}, { sites: ['public'] }), makeGitFacts({ ignored: [] }));
    expect(edits.map(({ file }) => file)).toEqual([CONFIG]);
    expect(JSON.parse(edits[0]?.after ?? '')).toEqual({ site: 'public', url: ADDRESS, history: 'snapshots' });
  });

  test('GitHub Pages: a workflow is the user’s, and what it lacks is shown', () => {
    const workflow = '.github/workflows/deploy.yml';
    const { way, edits, told } = plan(makeFacts({ ...files, [workflow]: '- uses: actions/deploy-pages@v3' }));
    expect(way).toBe('plugin');
    expect(edits.map(({ file }) => file)).toEqual(['vite.config.js']);
    expect(told).toEqual([expect.stringContaining(`Add to the job in ${workflow}`)]);
    const steps: readonly { run: string }[] = parse(told[0]?.match(/^ {6}- run.*\n?/gm)?.join('') ?? '');
    expect(steps.map(({ run }) => run.replace(/ .*&& /, ' … '))).toEqual([
      "git fetch origin '+refs/resync-static/*:refs/resync-static/*'",
      "npx … git push origin 'refs/resync-static/*:refs/resync-static/*'",
    ]);
    const using = `- uses: actions/deploy-pages@v3\n- uses: somebody/resync-static@v0.9.0`;
    expect(plan(makeFacts({ ...files, [CONFIG]: '{ "site": "dist" }', [workflow]: using }))).toMatchObject({
      edits: [],
      steps: [],
      project: { setUp: { file: CONFIG } },
    });
    const plain = plan(makeFacts({ 'hugo.toml': '', [workflow]: '- uses: actions/deploy-pages@v3' }));
    expect(plain.told.join()).toContain('\n      - run: npx resync-static\n');
    const next = npm(['next'], { [workflow]: '- uses: actions/deploy-pages@v3' }, BUILD);
    expect(plan(makeFacts(next))).toMatchObject({ way: 'command', notes: [] });
    const commented = plan(makeFacts({ ...files, [workflow]: '# uses: actions/deploy-pages@v3' }));
    expect(commented.settings.host).toBeUndefined();
  });
});

describe('what is left to the user', () => {
  test.each([
    [CONFIG, '{ "site": "dist" }', 'command'],
    ['vite.config.js', `import resyncStatic from 'resync-static/vite';\nexport default make()`, 'plugin'],
    // As `astro add` writes it.
    [
      'astro.config.mjs',
      `import resyncStatic from 'resync-static';\nexport default { integrations: [resyncStatic()] }`,
      'plugin',
    ],
  ])('%s is there, and is left as it is', (file, text, way) => {
    const packages = [file.startsWith('astro') ? 'astro' : 'vite'];
    const files = { 'package.json': makeManifest(packages, { ...BUILD, postbuild: 'npx resync-static' }) };
    const planned = plan(makeFacts({ ...files, [file]: text }));
    expect(planned).toMatchObject({ project: { setUp: { file } }, way, edits: [], told: [] });
  });

  const LOCKED = { text: 'export default {}', isLocked: true };

  test('files that must not be written', () => {
    const facts = makeFacts({
      'package.json': makeManifest(['vite'], BUILD),
      'vite.config.js': LOCKED,
      '.gitignore': { text: '', isLocked: true },
    });
    const { way, steps, notes, edits } = plan(facts, makeGitFacts({ ignored: [] }));
    expect(way).toBe('command');
    expect(notes.map(String)).toEqual([
      expect.stringMatching(
        /^vite\.config\.js stays as it is: .* The command runs after the build instead\. If you prefer the plugin, add these lines:\n {4}import resyncStatic from 'resync-static\/vite';\n {4}plugins: /,
      ),
      'To describe the site with each build, run this: npm pkg set "scripts.postbuild=resync-static"',
    ]);
    expect(steps.map(String)).toEqual([
      expect.stringMatching(/^\.gitignore stays as it is: .*\. Add this to it: dist\/$/),
    ]);
    expect(edits.map(({ file }) => file)).toEqual([CONFIG]);
  });

  const atEnd = 'add this to the end of the script build in package.json: && resync-static';

  test.each([
    ['npm', { build: 'a' }, 'run this: npm pkg set "scripts.postbuild=resync-static"'],
    ['npm', { build: 'a', postbuild: 'pagefind' }, atEnd.replace('script build', 'script postbuild')],
    ['pnpm', { build: 'a' }, atEnd],
    ['yarn', { build: 'a', postbuild: 'pagefind' }, atEnd],
  ] as const)('%s: how the command runs after the build is shown: %j', (packageManager, scripts, change) => {
    const facts = makeFacts({ 'package.json': makeManifest(['gatsby'], scripts) }, { packageManager });
    const { edits, notes } = plan(facts);
    expect(edits.map(({ file }) => file)).toEqual([CONFIG]);
    expect(notes.map(String)).toEqual([`To describe the site with each build, ${change}`]);
  });

  test.each([
    { build: 'gatsby build && resync-static public' },
    { build: 'gatsby build', postbuild: 'npx resync-static' },
  ])('nothing for scripts that run the command already: %j', (scripts) => {
    expect(plan(makeFacts({ 'package.json': makeManifest(['gatsby'], scripts) })).notes).toEqual([]);
  });

  test.each([
    ['netlify.toml', '[build]\npublish = "public"\ncommand = "hugo --gc" # quickly\n', 'netlify.toml'],
    ['netlify.toml', '[build]\npublish = "public"\n', 'the settings of your host'],
    ['vercel.json', '{ "buildCommand": "hugo" }', 'vercel.json'],
  ])('a host that builds with %s: %j', (file, text, where) => {
    const toldFor = (own: string) => plan(makeFacts({ 'hugo.toml': 'baseURL = "/"', [file]: own })).told;
    expect(toldFor(text)).toEqual([
      `In ${where}, add this to the end of the build command: && npx resync-static`,
    ]);
    expect(toldFor(text.replace(/hugo[^"]*|$/, 'hugo && npx resync-static'))).toEqual([]);
  });

  test('the package, where it is not installed', () => {
    const files = { 'package.json': makeManifest(['vite']) };
    const facts = makeFacts(files, { installed: false, packageManager: 'pnpm' });
    const { project, settings, told } = plan(facts);
    expect(told).toEqual(['Install the package in this project: pnpm add -D resync-static']);
    const unreleased = { ...settings, package: './resync-static-1.2.3.tgz' };
    const { steps } = makePlan({ facts, git: undefined, project, settings: unreleased, asked: {} });
    expect(String(steps[0])).toBe(
      'Copy resync-static-1.2.3.tgz into this project, and install it: pnpm add -D ./resync-static-1.2.3.tgz',
    );
  });

  test.each([
    ['gh-pages -d dist', true],
    ['gh-pages -m done --dist dist && echo', true],
    ['gh-pages --dotfiles -d dist', false],
    ['gh-pages -d dist -t', false],
    ['git push origin gh-pages', false],
  ])('a script that leaves out .well-known: %s', (deploy, isTold) => {
    const { told } = plan(makeFacts({ 'package.json': makeManifest([], { deploy }) }));
    expect(told).toEqual(
      isTold
        ? [
            'Add --dotfiles to gh-pages in the script deploy of package.json. Without it, .well-known is left out, where clients begin.',
          ]
        : [],
    );
  });

  test.each<[files: Files, told: string | undefined]>([
    [
      npm(['astro'], { 'astro.config.mjs': `export default { site: 'https://birds.dev', base: '/a' };` }),
      `In astro.config.mjs, the address is https://birds.dev/a/ (site), and pages and sitemap will name it; the lists will name ${ADDRESS}. Use the same address in both: set site to https://birds.example, and the base path to /.`,
    ],
    [
      npm(['astro'], { 'astro.config.mjs': `export default { site: 'https://example.com' };` }),
      `In astro.config.mjs, the address is https://example.com/ (site), and pages and sitemap will name it; the lists will name ${ADDRESS}. Use the same address in both: set site to https://birds.example.`,
    ],
    [
      npm(['@docusaurus/core'], {
        'docusaurus.config.js': `export default { url: 'https://your-docusaurus-site.example.com', baseUrl: '/' };`,
      }),
      `In docusaurus.config.js, the address is https://your-docusaurus-site.example.com/ (url), and pages and sitemap will name it; the lists will name ${ADDRESS}. Use the same address in both: set url to https://birds.example.`,
    ],
    [
      npm(['@sveltejs/kit'], {
        'vite.config.js': `export default { plugins: [sveltekit({ paths: { origin: 'https://example.com' }, adapter: adapter() })] };`,
      }),
      `In vite.config.js, the address is https://example.com/ (paths.origin), and pages and sitemap will name it; the lists will name ${ADDRESS}. Use the same address in both: set paths.origin to https://birds.example.`,
    ],
    [
      npm(['gatsby'], {
        'gatsby-config.js': `module.exports = { siteMetadata: { siteUrl: 'https://www.yourdomain.tld' } };`,
      }),
      `In gatsby-config.js, the address is https://www.yourdomain.tld/ (siteMetadata.siteUrl), and pages and sitemap will name it; the lists will name ${ADDRESS}. Use the same address in both: set siteMetadata.siteUrl to ${ADDRESS}.`,
    ],
    [
      { 'hugo.toml': `baseURL = 'https://example.org/'\n` },
      `In hugo.toml, the address is https://example.org/ (baseURL), and pages and sitemap will name it; the lists will name ${ADDRESS}. Use the same address in both: set baseURL to ${ADDRESS}.`,
    ],
    [
      {
        'hugo.toml': `baseURL = 'https://example.org/'\n`,
        ...npm([], {}, { build: 'hugo -b http://localhost/' }),
      },
      `In the build command, the address is http://localhost/ (-b), and pages and sitemap will name it; the lists will name ${ADDRESS}. Use the same address in both: set -b to ${ADDRESS}.`,
    ],
    [
      { '_config.yml': 'url: http://example.com\n' },
      `In _config.yml, the address is http://example.com/ (url), and pages and sitemap will name it; the lists will name ${ADDRESS}. Use the same address in both: set url to https://birds.example.`,
    ],
    [
      { 'zensical.toml': '[project]\nsite_url = "https://example.com/docs"\n' },
      `In zensical.toml, the address is https://example.com/docs/ (project.site_url), and pages and sitemap will name it; the lists will name ${ADDRESS}. Use the same address in both: set project.site_url to ${ADDRESS}.`,
    ],
    [{ 'hugo.toml': `baseURL = '${ADDRESS}'\n` }, undefined],
    [{ 'hugo.toml': `baseURL = '/'\n` }, undefined],
    [
      npm(['astro'], { 'astro.config.mjs': `export default { site: process.env.SITE ?? 'https://a.dev' };` }),
      undefined,
    ],
  ])('an address that contradicts the one of the generator, %#', (files, told) => {
    const steps = plan(makeFacts(files)).steps.map(String);
    expect(steps.filter((step) => step.includes('address'))).toEqual(told === undefined ? [] : [told]);
  });

  test('what was asked, but is configured differently', () => {
    const config = `import resyncStatic from 'resync-static/vite';\nexport default { plugins: [resyncStatic({ url: '${ADDRESS}', urls: 'clean' })] };`;
    const facts = makeFacts({ 'package.json': makeManifest(['vite']), 'vite.config.js': config });
    const project = findProject(facts);
    expect(readConfigured(project)).toEqual({ site: 'dist', url: ADDRESS, urls: 'clean' });
    const settings = { ...plan(facts).settings, urls: 'clean' } as const;
    const stepsFor = (asked: InitOptions) =>
      makePlan({ facts, git: makeGitFacts(), project, settings, asked }).steps.map(String);
    expect(stepsFor({ url: ADDRESS, urls: 'clean', site: 'dist' })).toEqual([]);
    expect(stepsFor({ url: 'https://b.example/', urls: 'bare' })).toEqual([
      `In vite.config.js, url is ${ADDRESS}, not https://b.example/. Change it there.`,
      'In vite.config.js, urls is clean, not bare. Change it there.',
    ]);
  });

  test.each([
    [{ 'hugo.toml': '', 'mkdocs.yml': '' }, 'mkdocs.yml'],
    [npm(['@11ty/eleventy', 'vite'], { 'mkdocs.yml': '', 'vite.config.js': '' }), 'mkdocs.yml'],
    [npm(['astro', 'vite'], { 'vite.config.js': '' }), undefined],
    [npm(['hexo'], { '_config.yml': '' }), undefined],
    [{ 'conf.py': 'project = "A"', 'docs/conf.py': 'project = "A"' }, undefined],
  ])('another generator, which may be the right one, %#', (files, rival) => {
    const facts = makeFacts(files);
    const { project, settings } = plan(facts);
    const settled = { facts, git: makeGitFacts(), project, settings, asked: {} };
    const told = String(formatPlan(makePlan(settled), settled, makeColors()));
    expect(project.rival).toBe(rival);
    expect(/If the site is built with (\S+), change nothing here/.exec(told)?.[1]).toBe(rival);
  });

  test('the sitemap, the feed and the page are one choice', () => {
    const facts = makeFacts({ 'hugo.toml': '' });
    const { project, settings } = plan(facts);
    const { edits } = makePlan({
      ...{ facts, git: makeGitFacts(), project, asked: {} },
      settings: { ...settings, hasExtras: true },
    });
    expect(JSON.parse(edits[0]?.after ?? '')).toMatchObject({ sitemap: true, feed: true, page: true });
  });

  test('a project that is the site leaves its own files out', () => {
    const files = { 'package.json': '{}', 'package-lock.json': '{}' };
    const facts = makeFacts(files, { sites: [''], names: [...Object.keys(files), 'node_modules'] });
    const { project, edits } = plan(facts, makeGitFacts({ ignored: [] }), { site: '.' });
    expect(findProject(facts).site).toBe('.');
    expect(project.generator).toBeUndefined();
    expect(JSON.parse(edits[0]?.after ?? '')).toMatchObject({
      site: '.',
      exclude: [CONFIG, 'package.json', 'package-lock.json'],
    });
    expect(edits[1]).toMatchObject({ file: '.gitignore', after: 'node_modules/\n' });
  });
});
