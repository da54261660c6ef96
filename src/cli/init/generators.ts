/** The generators that `init` knows: how each is recognised, where it writes, and how its pages are addressed. */

import type { UrlStyle } from '../../paths/urls.js';
import type { PluginPlace } from './edit/config.js';
import type { Options, Said } from './options.js';

export interface Generator {
  readonly name: string;
  /** Packages that say that it is used. */
  readonly packages: readonly string[];
  /** Its configuration files; the first that exists counts. */
  readonly configs: readonly string[];
  /** Whether all of its configurations count together, each before the ones behind it. */
  readonly isLayered?: boolean;
  /** Whether a configuration is one of it, where the name of the file alone does not tell. */
  readonly marks?: (options: Options, file: string) => boolean;
  /** The folder that it writes; relative to the folder of the project. */
  readonly site: string;
  /** Options that name another one, the address of the host, and the path below it. */
  readonly siteOptions?: readonly string[];
  readonly hostOption?: string;
  readonly pathOption?: string;
  /** Flags of its command that win over them. */
  readonly siteFlags?: readonly string[];
  readonly hostFlags?: readonly string[];
  readonly pathFlags?: readonly string[];
  /** The style of its URLs, `directory` if absent. */
  readonly urls?: (read: (option: string) => Said['value']) => UrlStyle;
  /** What makes it write pages, and no program for a server; and what shows that this is there. */
  readonly needs?: string;
  readonly meets?: RegExp;
  /** How a script calls its build. */
  readonly call: RegExp;
  /** Scripts of `package.json` that build the site, before `build`. */
  readonly scripts?: readonly string[];
  /** The command that builds, where no script does. */
  readonly build: readonly string[];
  /** Our plugin for it. */
  readonly plugin?: { readonly module: string; readonly place: PluginPlace; readonly knowsUrl: boolean };
}

const namesOf = (name: string, extensions: readonly string[]) =>
  extensions.map((extension) => `${name}.${extension}`);

const MODULES = ['js', 'mjs', 'ts', 'mts', 'cjs', 'cts'];
const HUGO = ['hugo', 'config'].flatMap((name) => namesOf(name, ['toml', 'yaml', 'yml', 'json']));

const ASTRO = {
  configs: namesOf('astro.config', ['mjs', ...MODULES]),
  site: 'dist',
  siteOptions: ['outDir'],
  hostOption: 'site',
  pathOption: 'base',
  siteFlags: ['--outDir'],
  hostFlags: ['--site'],
  pathFlags: ['--base'],
  urls: (read) => {
    const [slash, format] = [read('trailingSlash'), read('build.format')];
    if (slash === 'never') return 'bare';
    return slash === 'always' || format === undefined || format === 'directory' ? 'directory' : 'clean';
  },
  needs: "output: 'static' in astro.config",
  meets: /^(?![\s\S]*\boutput\s*:\s*['"`]server)/,
  call: /\bastro build\b/,
  build: ['npx', 'astro', 'build'],
  plugin: {
    module: 'resync-static/astro',
    place: { kind: 'list', option: 'integrations' },
    knowsUrl: true,
  },
} as const satisfies Omit<Generator, 'name' | 'packages'>;

/** The first that matches counts: a framework stands before what it is made with. */
export const GENERATORS: readonly Generator[] = [
  { name: 'Starlight', packages: ['@astrojs/starlight'], ...ASTRO },
  { name: 'Astro', packages: ['astro'], ...ASTRO },
  {
    name: 'SvelteKit',
    packages: ['@sveltejs/kit'],
    // New projects have their options in the configuration of Vite.
    configs: [...namesOf('svelte.config', MODULES), ...namesOf('vite.config', MODULES)],
    isLayered: true,
    site: 'build',
    siteOptions: ['kit.adapter().pages', 'plugins.sveltekit().adapter().pages'],
    urls: () => 'clean',
    needs: '@sveltejs/adapter-static, and prerender = true in src/routes/+layout.js',
    // Adapters of SvelteKit itself, but for one, write no plain files.
    meets: /['"](?!@sveltejs\/adapter-(?!static))[^'"\s]*\badapter\b[^'"\s]*['"]/,
    call: /\bvite build\b/,
    build: ['npx', 'vite', 'build'],
  },
  {
    name: 'VitePress',
    packages: ['vitepress'],
    configs: ['', 'docs/'].flatMap((root) => namesOf(`${root}.vitepress/config`, MODULES)),
    site: '.vitepress/dist',
    siteOptions: ['outDir'],
    hostOption: 'sitemap.hostname',
    pathOption: 'base',
    siteFlags: ['--outDir'],
    pathFlags: ['--base'],
    urls: (read) => (read('cleanUrls') === true ? 'clean' : 'directory'),
    call: /\bvitepress build\b/,
    scripts: ['docs:build'],
    build: ['npx', 'vitepress', 'build'],
    plugin: {
      module: 'resync-static/vitepress',
      place: { kind: 'option', option: 'buildEnd' },
      knowsUrl: true,
    },
  },
  {
    name: 'Docusaurus',
    packages: ['@docusaurus/core'],
    configs: namesOf('docusaurus.config', MODULES),
    site: 'build',
    hostOption: 'url',
    pathOption: 'baseUrl',
    siteFlags: ['--out-dir'],
    // Without the option, its sitemap and its canonical links name /blog, and it writes blog/index.html.
    urls: (read) => {
      const slash = read('trailingSlash');
      return slash === true ? 'directory' : slash === false ? 'clean' : 'bare';
    },
    call: /\bdocusaurus build\b/,
    build: ['npx', 'docusaurus', 'build'],
  },
  {
    name: 'Next.js',
    packages: ['next'],
    configs: namesOf('next.config', MODULES),
    site: 'out',
    siteOptions: ['distDir'],
    siteFlags: ['-o', '--outdir'],
    urls: (read) => (read('trailingSlash') === true ? 'directory' : 'clean'),
    needs: "output: 'export' in next.config",
    meets: /\boutput\s*:[^,\n]*['"`]export['"`]|\bnext export\b/,
    call: /\bnext (?:build|export)\b/,
    build: ['npx', 'next', 'build'],
  },
  {
    name: 'Nuxt',
    packages: ['nuxt'],
    configs: namesOf('nuxt.config', MODULES),
    site: '.output/public',
    needs: 'the script "generate": "nuxt generate" in package.json',
    meets:
      /\bnux[ti] (?:generate|build\b.*--prerender)\b|\bpreset\s*:\s*['"`](?:static|[\w-]+[-_]static|git\w+[-_]pages)/,
    call: /\bnux[ti] (?:generate|build)\b/,
    scripts: ['generate'],
    build: ['npx', 'nuxt', 'generate'],
  },
  {
    name: 'Gatsby',
    packages: ['gatsby'],
    configs: namesOf('gatsby-config', MODULES),
    site: 'public',
    hostOption: 'siteMetadata.siteUrl',
    call: /\bgatsby build\b/,
    build: ['npx', 'gatsby', 'build'],
  },
  {
    name: 'Eleventy',
    packages: ['@11ty/eleventy'],
    configs: [...namesOf('eleventy.config', MODULES), '.eleventy.js'],
    site: '_site',
    siteOptions: ['dir.output', 'config.dir.output', 'setOutputDirectory()'],
    pathOption: 'pathPrefix',
    siteFlags: ['--output'],
    pathFlags: ['--pathprefix'],
    call: /(?:^|[\s/])eleventy(?!\S)/,
    build: ['npx', '@11ty/eleventy'],
    plugin: { module: 'resync-static/eleventy', place: { kind: 'call' }, knowsUrl: false },
  },
  {
    // It writes its pages after the plugins of Vite.
    name: 'React Router',
    packages: ['@react-router/dev'],
    configs: namesOf('react-router.config', MODULES),
    site: 'build/client',
    needs: 'ssr: false, and prerender, in react-router.config',
    meets: /\bssr\s*:\s*false|\bprerender\b/,
    call: /\breact-router build\b/,
    build: ['npx', 'react-router', 'build'],
  },
  {
    name: 'Hexo',
    packages: ['hexo'],
    configs: ['_config.yml'],
    site: 'public',
    siteOptions: ['public_dir'],
    hostOption: 'url',
    call: /\bhexo g(?:enerate)?\b/,
    build: ['npx', 'hexo', 'generate'],
  },
  {
    name: 'Vite',
    packages: ['vite'],
    configs: namesOf('vite.config', MODULES),
    site: 'dist',
    siteOptions: ['build.rollupOptions.output.dir', 'build.rolldownOptions.output.dir', 'build.outDir'],
    pathOption: 'base',
    siteFlags: ['--outDir'],
    pathFlags: ['--base'],
    call: /\bvite build\b/,
    build: ['npx', 'vite', 'build'],
    plugin: { module: 'resync-static/vite', place: { kind: 'list', option: 'plugins' }, knowsUrl: false },
  },
  {
    name: 'Hugo',
    packages: [],
    // A plain build is for production.
    configs: ['config/production/', 'config/_default/', ''].flatMap((folder) =>
      HUGO.map((name) => `${folder}${name}`),
    ),
    isLayered: true,
    marks: (options, file) => /hugo|_default/.test(file) || options('baseURL').value !== undefined,
    site: 'public',
    siteOptions: ['publishDir'],
    hostOption: 'baseURL',
    siteFlags: ['--destination', '-d'],
    hostFlags: ['--baseURL', '-b'],
    call: /(?:^|[\s/])hugo(?!\s+[a-z]|\S)/,
    build: ['hugo'],
  },
  {
    name: 'Jekyll',
    packages: [],
    configs: namesOf('_config', ['yml', 'yaml', 'toml']),
    site: '_site',
    siteOptions: ['destination'],
    hostOption: 'url',
    pathOption: 'baseurl',
    siteFlags: ['--destination', '-d'],
    pathFlags: ['--baseurl', '-b'],
    call: /\bjekyll b(?:uild)?\b/,
    build: ['bundle', 'exec', 'jekyll', 'build'],
  },
  {
    name: 'MkDocs',
    packages: [],
    configs: namesOf('mkdocs', ['yml', 'yaml']),
    site: 'site',
    siteOptions: ['site_dir'],
    hostOption: 'site_url',
    siteFlags: ['--site-dir', '-d'],
    // Without folders for pages, links and sitemap name index.html.
    urls: (read) => (read('use_directory_urls') === false ? 'file' : 'directory'),
    call: /\bmkdocs build\b/,
    build: ['mkdocs', 'build'],
  },
  {
    name: 'Sphinx',
    packages: [],
    configs: ['', 'docs/', 'source/', 'docs/source/'].map((folder) => `${folder}conf.py`),
    marks: (options) => ['html_theme', 'extensions', 'project'].some((name) => isThere(options(name))),
    site: '_build/html',
    hostOption: 'html_baseurl',
    // Its links name index.html.
    urls: () => 'file',
    call: /\bsphinx-build\b/,
    build: ['sphinx-build', '-b', 'html'],
  },
];

const isThere = ({ value, isSure }: Said) => value !== undefined || !isSure;
