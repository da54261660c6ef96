/**
 * Starters of generators, with the package as npm installs it: `init`, two builds, a deploy, what `init` says comes next, an edit,
 * the second deploy, and a mirror.
 */

import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDocuments } from '../support/changes.js';
import { ROOT } from '../support/documentation.js';
import { readSource } from '../support/documents.js';
import { linkPackages, readExamples } from '../support/frameworks.js';
import { git, gitText } from '../support/git.js';
import { some } from '../support/seed.js';
import { serveDeployed } from '../support/server.js';
import { makeFolder, makeForFile, makeSite, readTree, requireProgram, runProgram } from '../support/site.js';
import { FILES, KIT } from '../support/vite-project.js';
import * as generators from './programs/generators.js';

const FRAMEWORKS = join(ROOT, 'test/tools/frameworks/node_modules');

interface Starter {
  readonly what: string;
  /** The program that builds, and the Debian packages that bring it. */
  readonly program?: readonly [name: string, debianPackages: string];
  readonly packages?: readonly string[];
  /** The folder in which they are installed. @default that of the project */
  readonly modules?: string;
  readonly files: (url: string) => Readonly<Record<string, string>>;
  /** The script of `package.json` that builds: a file in a package, and its arguments. */
  readonly build?: string;
  /** The name of that script. @default `build` */
  readonly script?: string;
  /** Whether `package.json` leaves it open that files are modules. */
  readonly isCommonJs?: true;
  /** The path of the site on its host. */
  readonly base?: string;
  readonly site: string;
  /** The file that `init` adds to, or writes. */
  readonly edited: string;
  /** A file, a text in it, and the address of its page below that of the site. */
  readonly page: readonly [file: string, from: string, path: string];
  /** Pages that are not listed, because they have no content of their own. */
  readonly unlisted?: readonly string[];
  /** Addresses that every build changes, as docs/reproducible.md says. */
  readonly varies?: RegExp;
  /** A page of the manual that shows another configuration, with which the last build is made. */
  readonly example?: string;
  /** The flags with which the command writes what the plugin wrote. */
  readonly flags?: readonly string[];
}

const CONFIG = 'resync-static.config.json';
const ASTRO_PAGE = (title: string) => `<html><body><h1>${title}</h1></body></html>\n`;
const REACT = ['react', 'react-dom'];
const DOCUSAURUS = ['core', 'faster', 'theme-classic', 'plugin-content-docs'].map(
  (name) => `@docusaurus/${name}`,
);

/** What a starter takes from one of the generators. */
const use = ({ makeFiles, output, urls, sentence }: generators.Generator) => ({
  files: makeFiles,
  site: output,
  page: [sentence.edit[0], sentence.edit[1], sentence.page] as const,
  ...(urls && { flags: ['--urls', urls] }),
});

const STARTERS: readonly Starter[] = [
  {
    what: 'Eleventy',
    packages: ['@11ty/eleventy'],
    ...use(generators.eleventy),
    build: '@11ty/eleventy/cmd.cjs',
    edited: 'eleventy.config.js',
    // Its layout has the time.
    varies: /^/,
  },
  {
    what: 'Astro below a path, with a sitemap',
    packages: ['astro', '@astrojs/sitemap'],
    files: (url) => ({
      'src/pages/index.astro': ASTRO_PAGE('Home'),
      'src/pages/about.astro': ASTRO_PAGE('About'),
      'astro.config.mjs': `import sitemap from '@astrojs/sitemap';
import { defineConfig } from 'astro/config';

// https://astro.build/config
export default defineConfig({
  site: '${new URL('/', url)}',
  base: '/docs',
  integrations: [sitemap()],
});
`,
    }),
    build: 'astro/astro.js build',
    base: 'docs',
    site: 'dist',
    edited: 'astro.config.mjs',
    page: ['src/pages/about.astro', 'About', 'about/'],
  },
  {
    what: 'Starlight',
    packages: ['astro', '@astrojs/starlight'],
    ...use(generators.starlight),
    build: 'astro/astro.js build',
    edited: 'astro.config.mjs',
  },
  {
    what: 'Vite, with a configuration in TypeScript',
    packages: ['vite'],
    files: () => ({
      ...FILES,
      'vite.config.ts': `import { defineConfig, type UserConfig } from 'vite';\n\nexport default defineConfig(({ mode }) => {\n  const input: string[] = ['index.html', 'about.html'];\n  return { build: { rollupOptions: { input } } } satisfies UserConfig;\n});\n`,
    }),
    build: 'vite/bin/vite.js build',
    site: 'dist',
    edited: 'vite.config.ts',
    page: ['about.html', 'Page', 'about.html'],
  },
  {
    what: 'VitePress',
    packages: ['vitepress', 'vue'],
    ...use(generators.vitepress),
    build: 'vitepress/bin/vitepress.js build --mpa',
    edited: '.vitepress/config.js',
  },
  {
    what: 'Docusaurus',
    packages: [...DOCUSAURUS, '@mdx-js/react', ...REACT],
    ...use(generators.docusaurus),
    build: '@docusaurus/core/bin/docusaurus.mjs build',
    isCommonJs: true,
    edited: 'docusaurus.config.js',
    varies: /^/,
  },
  {
    what: 'SvelteKit',
    packages: KIT,
    ...use(generators.sveltekit),
    build: 'vite/bin/vite.js build',
    edited: 'svelte.config.js',
    varies: /^/,
  },
  {
    what: 'Eleventy in CommonJS',
    packages: ['@11ty/eleventy'],
    files: () => ({
      'about.md': '# About\n',
      '.eleventy.js': `module.exports = function (config) {\n  return { dir: { output: 'www' } };\n};\n`,
    }),
    build: '@11ty/eleventy/cmd.cjs',
    isCommonJs: true,
    site: 'www',
    edited: '.eleventy.js',
    page: ['about.md', 'About', 'about/'],
  },
  {
    // It takes packages only in a folder that is named, and has the project in it.
    what: 'Next',
    packages: ['next', ...REACT],
    files: () => ({
      'next.config.mjs': `export default { output: 'export', turbopack: { root: '${ROOT}' } };\n`,
      'app/layout.js': `export default ({ children }) => <html lang="en"><body>{children}</body></html>;\n`,
      'app/page.js': `export default () => <h1>Home</h1>;\n`,
      'app/about/page.js': `export default () => <h1>About</h1>;\n`,
    }),
    build: 'next/dist/bin/next build',
    site: 'out',
    edited: CONFIG,
    page: ['app/about/page.js', 'About', 'about'],
    unlisted: ['_not-found.html'],
    varies: /^/,
  },
  {
    what: 'Nuxt',
    packages: ['nuxt'],
    modules: FRAMEWORKS,
    files: () => ({
      'nuxt.config.ts': `export default defineNuxtConfig({\n  nitro: { prerender: { autoSubfolderIndex: false } },\n});\n`,
      'app/app.vue': '<template><NuxtPage /></template>',
      'app/pages/index.vue': '<template><main>Home <NuxtLink to="/about">About</NuxtLink></main></template>',
      'app/pages/about.vue': '<template><main>About</main></template>',
    }),
    script: 'generate',
    build: 'nuxt/bin/nuxt.mjs generate',
    site: '.output/public',
    edited: 'nuxt.config.ts',
    page: ['app/pages/about.vue', 'About', 'about'],
    unlisted: ['200.html'],
    flags: ['--urls', 'clean', '--exclude', '200.html'],
    example: 'docs/nuxt.md',
    varies: /^/,
  },
  {
    what: 'React Router',
    packages: ['@react-router/dev', '@react-router/node', 'react-router', ...REACT, 'isbot', 'vite'],
    modules: FRAMEWORKS,
    files: () => ({
      'react-router.config.ts': `import type { Config } from '@react-router/dev/config';\n\nexport default {\n  ssr: false,\n  prerender: true,\n} satisfies Config;\n`,
      'vite.config.js': `import { reactRouter } from '@react-router/dev/vite';\nexport default { plugins: [reactRouter()] };`,
      'app/root.jsx': `import { Outlet, Scripts } from 'react-router';
export default () => <html lang="en"><head><title>Site</title></head><body><Outlet /><Scripts /></body></html>;`,
      'app/routes.js': `import { index, route } from '@react-router/dev/routes';
export default [index('home.jsx'), route('about', 'about.jsx')];`,
      'app/home.jsx': 'export default () => <h1>Home</h1>;',
      'app/about.jsx': 'export default () => <h1>About</h1>;',
    }),
    build: '@react-router/dev/bin.js build',
    site: 'build/client',
    edited: 'react-router.config.ts',
    page: ['app/about.jsx', 'About', 'about/'],
    unlisted: ['__spa-fallback.html'],
    flags: ['--exclude', '__spa-fallback.html'],
    example: 'docs/vite.md',
  },
  { what: 'Hugo', program: ['hugo', 'hugo'], ...use(generators.hugo), edited: CONFIG },
  {
    what: 'Jekyll',
    program: ['jekyll', 'jekyll jekyll-theme-minima ruby-jekyll-feed ruby-jekyll-sitemap'],
    ...use(generators.jekyll),
    edited: CONFIG,
    varies: /^feed\.xml$/,
  },
  {
    what: 'MkDocs',
    program: ['mkdocs', 'mkdocs'],
    ...use(generators.mkdocs),
    edited: CONFIG,
    varies: /^$/,
  },
  {
    what: 'Sphinx',
    program: ['sphinx-build', 'python3-sphinx'],
    files: (url) => ({
      'source/conf.py': `project = 'Site'\nhtml_baseurl = '${url}'\n`,
      'source/index.rst': 'Home\n====\n\n.. toctree::\n\n   about\n',
      'source/about.rst': 'About\n=====\n\nUs.\n',
    }),
    site: 'build/html',
    edited: CONFIG,
    page: ['source/about.rst', 'Us', 'about.html'],
  },
  {
    what: 'plain HTML',
    files: () => ({
      'public/index.html': '<title>Home</title>',
      'public/about.html': '<title>About</title>',
    }),
    site: 'public',
    edited: CONFIG,
    page: ['public/about.html', 'About', 'about.html'],
  },
];

/** The package, as npm installs what would be published. */
const installed = makeForFile(async () => {
  const folder = makeFolder();
  const npm = async (cwd: string, ...args: string[]) => {
    const { status, stdout, stderr } = await runProgram('npm', args, {
      cwd,
      env: { ...process.env } as never,
    });
    expect(status, stderr).toBe(0);
    return stdout.trim().split('\n').at(-1) ?? '';
  };
  const tarball = await npm(ROOT, 'pack', '--ignore-scripts', '--pack-destination', folder);
  await npm(folder, 'install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, tarball));
  return join(folder, 'node_modules/resync-static');
});

/** Makes a repository of a starter, in which `npx` needs no registry; returns what runs a command there. */
function makeStarter(
  { packages, modules, files, build, script = 'build', isCommonJs }: Starter,
  url: string,
) {
  const own = installed();
  const main = join(own, 'dist/lib/main.js');
  // The compiler of Astro takes files of packages only in a folder that project and packages have in common.
  const shared = join(ROOT, '.tmp/starters');
  mkdirSync(shared, { recursive: true });
  const folder = makeSite(files(url), makeFolder(shared));
  git(folder, ['init', '--quiet']);
  if (packages !== undefined) {
    const manifest = {
      ...(isCommonJs ? {} : { type: 'module' }),
      scripts: { [script]: `node node_modules/${build}` },
      dependencies: Object.fromEntries(packages.map((name) => [name, '*'])),
    };
    makeSite({ 'package.json': JSON.stringify(manifest, undefined, 2) }, folder);
    linkPackages(folder, packages, modules, own);
  }
  const start = (shift: string) => `#!/bin/sh\n${shift}exec '${process.execPath}' '${main}' "$@"\n`;
  const programs = makeSite({ npx: start('shift\n'), 'resync-static': start('') });
  for (const name of ['npx', 'resync-static']) chmodSync(join(programs, name), 0o755);
  const run = async (command: string) => {
    const { status, stdout, stderr } = await runProgram('sh', ['-c', command], {
      cwd: folder,
      env: {
        ...{ LC_ALL: 'C.UTF-8', NO_COLOR: '1', ASTRO_TELEMETRY_DISABLED: '1', NEXT_TELEMETRY_DISABLED: '1' },
        PATH: `${programs}:${process.env['PATH'] ?? ''}`,
      },
    });
    expect(status, `${command}\n${stdout}${stderr}`).toBe(0);
    return stdout;
  };
  return { folder, run };
}

/** The listed URLs below that of a site, each with its digest. */
function readListed(site: string, url: string): Record<string, string> {
  const { sets } = readSource(site, url);
  const listed = sets.flatMap(({ resources }) => resources);
  return Object.fromEntries(
    listed.map(({ uri, md }) => [uri.slice(url.length), md['hash']?.split(' ')[0] ?? '']),
  );
}

/** The digest of a file, as lists give it. */
const digestOf = (bytes: string) => `md5:${createHash('md5').update(bytes, 'latin1').digest('hex')}`;

/** The URLs of which one of two lists says something else. */
const compare = (before: Record<string, string>, after: Record<string, string>) =>
  Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);

/** All addresses that a site gives its pages: in its sitemaps, and as canonical. */
function readOwnUrls(site: string): string[] {
  const tree = readTree(site);
  const find = (name: RegExp, link: RegExp) =>
    Object.keys(tree).flatMap((path) => (name.test(path) ? [...(tree[path] ?? '').matchAll(link)] : []));
  const links = [
    ...find(/^sitemap(?:-\d+)?\.xml$/, /<loc>([^<]+)/g),
    ...find(/(?<!404)\.html$/, /<link[^>]* rel="canonical"[^>]* href="([^"]+)"/g),
  ];
  return [...new Set(links.map(([, link = '']) => link))];
}

/** The commands below "Next". */
function readNext(stdout: string): string[] {
  const [, next = ''] = stdout.split(/^Next.*\n/m);
  return [...next.matchAll(/^ {2}(\S.*?) {2,}/gm)].map(([, command = '']) => command);
}

// In CI, other tests build what comes before it, with the adapters and with the command.
const FIRST = STARTERS.findIndex(({ what }) => what === 'Eleventy in CommonJS');
const TRIED = [...some(STARTERS.slice(0, FIRST), 4, 1), ...STARTERS.slice(FIRST)];

test.each(TRIED)('$what', async (starter) => {
  const { site, edited, page, unlisted = [], varies, flags = [], example, program } = starter;
  if (program !== undefined) requireProgram(...program);
  const { url, deploy } = await serveDeployed(starter.base);
  const { folder, run } = makeStarter(starter, url);
  const output = join(folder, site);

  const told = await run(`npx resync-static init --url ${url} --yes --build`);
  expect(told).toContain(`\n${edited}`);
  expect(told).not.toMatch(/OWNER|another address/);
  const commands = readNext(told);
  const builds = commands.slice(0, -3);
  const [diff = '', record = '', audit = ''] = commands.slice(-3);
  expect([diff, record, audit]).toEqual([
    expect.stringMatching(/^npx resync-static diff/),
    `npx resync-static record ${site} --live`,
    `npx resync-static audit ${url}`,
  ]);
  const build = async () => {
    for (const command of builds) await run(command);
    return readListed(output, url);
  };
  const publish = async () => {
    deploy(output);
    await run(record);
    // What is listed is served with the listed bytes.
    expect(await run(`${audit} --verbose`)).not.toContain('canonical-differs');
  };

  const first = readListed(output, url);
  const listed = await build();
  expect(compare(first, listed).filter((name) => varies?.test(name) !== true)).toEqual([]);
  await run(diff);
  await publish();

  // No page is missing, and each is listed under the address that the site itself gives it.
  const pages = Object.entries(readTree(output)).filter(([name]) => /\.html$/.test(name));
  const digests = Object.values(listed);
  const missing = pages.filter(([, text]) => !digests.includes(digestOf(text))).map(([name]) => name);
  expect(missing.filter((name) => !['404.html', 'resourcesync/index.html'].includes(name))).toEqual(unlisted);
  expect(readOwnUrls(output).filter((uri) => listed[uri.slice(url.length)] === undefined)).toEqual([]);

  if (edited !== CONFIG) {
    // The command writes the same with the options that the plugin left, and with those that are given.
    await run(`npx resync-static ${site}`);
    const documents = readDocuments(output);
    for (const path of ['resourcesync', '.well-known/resourcesync'])
      rmSync(join(output, path), { recursive: true });
    await run(['npx resync-static', site, '--url', url, '--sitemap --feed --page', ...flags].join(' '));
    expect(readDocuments(output)).toEqual(documents);
  }

  const [file, from, path] = page;
  const text = readFileSync(join(folder, file), 'utf8');
  writeFileSync(join(folder, file), text.replace(from, `${from} and more`));
  if (example !== undefined) {
    const [config = ''] = Object.values(readExamples(example)).slice(-1);
    writeFileSync(join(folder, edited), config.replace('https://example.org/', url));
  }
  const changed = compare(listed, await build());
  expect(changed).toContain(path);
  expect(await run(diff)).toMatch(new RegExp(`^Updated  /(?:\\S*/)?${path} `, 'm'));
  await publish();
  const snapshots = gitText(folder, 'log', '--format=%s', '--glob=refs/resync-static');
  expect(snapshots.split('\n')).toHaveLength(2);

  const copy = join(makeFolder(), 'copy');
  await run(`npx resync-static mirror ${url} '${copy}'`);
  const copied = Object.entries(readTree(copy)).filter(([name]) => !name.startsWith('.resync-mirror/'));
  const now = Object.values(readListed(output, url));
  expect(copied.map(([, bytes]) => digestOf(bytes)).sort()).toEqual(now.sort());

  const again = await run(`npx resync-static init --url ${url} --yes`);
  expect(again).toContain(starter.packages === undefined ? 'Nothing to write.' : 'Nothing to do.');
});

test.each([
  ['Hugo', 'hugo.toml, the address is https://example.org/ (baseURL)'],
  ['MkDocs', 'mkdocs.yml, the address is https://example.org/ (site_url)'],
  ['Astro below a path, with a sitemap', 'astro.config.mjs, the address is https://example.org/docs/ (site)'],
])('%s with a placeholder for its address: init and the build say where it is', async (what, words) => {
  const starter = STARTERS.find((one) => one.what === what);
  if (starter?.program !== undefined) requireProgram(...starter.program);
  const url = 'https://birds.example/';
  const { run } = makeStarter(starter as Starter, 'https://example.org/');
  const told = await run(`npx resync-static init --url ${url} --yes --build 2>&1`);
  expect(told).toContain(
    `To do  In ${words}, and pages and sitemap will name it; the lists will name ${url}`,
  );
  expect(told).toContain('gives its pages another address than the lists: https://example.org/');
  expect(told).not.toContain('sitemap-pages-unlisted');
});
