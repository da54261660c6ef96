/** The generators that `init` knows: how each is recognised, where it writes, and how its pages are addressed. */

import type { UrlStyle } from '../../paths/urls.js';
import type { PluginPlace } from './edit/config.js';
import type { Options, Said } from './options.js';

export interface Generator {
  readonly name: string;
  /** The package that says that it is used. */
  readonly package?: string;
  /** Its configuration files; the first that exists counts. */
  readonly configs: readonly string[];
  /** Whether all of its configurations count together, each before the ones behind it. */
  readonly isLayered?: boolean;
  /** Whether a configuration is one of it, where the name of the file alone does not tell. */
  readonly marks?: (options: Options, file: string) => boolean;
  /** The folder that it writes; relative to the folder of the project, or to the one that its configuration is for. */
  readonly site: string;
  readonly isBesideConfig?: boolean;
  /** Flags of its command, which win, and options that name another one, the address of the host, and the path below it. */
  readonly siteNames?: readonly string[];
  readonly hostNames?: readonly string[];
  readonly pathNames?: readonly string[];
  /** The style of its URLs, `directory` if absent. */
  readonly urls?: (read: (option: string) => Said['value']) => UrlStyle;
  /** What is lacking for it to write pages, and no program for a server. */
  readonly needs?: (read: (option: string) => Said['value']) => string | undefined;
  /** How a script calls its build, if not as `build` says. */
  readonly call?: RegExp;
  /** Scripts of `package.json` that build the site, before `build`. */
  readonly scripts?: readonly string[];
  /** The command that builds, where no script does. */
  readonly build: readonly string[];
  /** Our plugin for it. */
  readonly plugin?: { readonly module: string; readonly place: PluginPlace };
}

const namesOf = (name: string, extensions: readonly string[]) =>
  extensions.map((extension) => `${name}.${extension}`);

const MODULES = ['js', 'mjs', 'ts', 'mts', 'cjs', 'cts'];
const HUGO = ['hugo', 'config'].flatMap((name) => namesOf(name, ['toml', 'yaml', 'yml', 'json']));
/** Where pages of SvelteKit have options. */
const LAYOUTS = namesOf('src/routes/+layout', ['js', 'ts', 'server.js', 'server.ts']);

const ASTRO = {
  configs: namesOf('astro.config', ['mjs', ...MODULES]),
  site: 'dist',
  siteNames: ['--outDir', 'outDir'],
  hostNames: ['--site', 'site'],
  pathNames: ['--base', 'base'],
  urls: (read) => {
    const [slash, format] = [read('trailingSlash'), read('build.format')];
    if (slash === 'never') return 'bare';
    return slash === 'always' || format === undefined || format === 'directory' ? 'directory' : 'clean';
  },
  needs: (read) => (read('output') === 'server' ? "no output: 'server' in astro.config" : undefined),
  build: ['npx', 'astro', 'build'],
  plugin: { module: 'resync-static/astro', place: { kind: 'list', option: 'integrations' } },
} as const satisfies Omit<Generator, 'name' | 'package'>;

const SPHINX: Generator = {
  name: 'Sphinx',
  configs: ['conf.py', 'docs/conf.py'],
  marks: (options) => ['html_theme', 'extensions', 'project'].some((name) => isThere(options(name))),
  site: '_build/html',
  isBesideConfig: true,
  hostNames: ['html_baseurl'],
  // Its links name index.html.
  urls: () => 'file',
  call: /\bsphinx-build\b/,
  build: ['sphinx-build', '-b', 'html'],
};

/** The first that matches counts: a framework stands before what it is made with. */
export const GENERATORS: readonly Generator[] = [
  { name: 'Starlight', package: '@astrojs/starlight', ...ASTRO },
  { name: 'Astro', package: 'astro', ...ASTRO },
  {
    name: 'SvelteKit',
    package: '@sveltejs/kit',
    // New projects have their options in the configuration of Vite.
    configs: [...namesOf('svelte.config', MODULES), ...namesOf('vite.config', MODULES), ...LAYOUTS],
    isLayered: true,
    site: 'build',
    siteNames: ['kit.adapter().pages', 'plugins.sveltekit().adapter().pages'],
    urls: (read) => (read('trailingSlash') === 'always' ? 'directory' : 'clean'),
    needs: () => '@sveltejs/adapter-static, and prerender = true in src/routes/+layout.js',
    build: ['npx', 'vite', 'build'],
  },
  {
    name: 'VitePress',
    package: 'vitepress',
    configs: ['', 'docs/'].flatMap((root) => namesOf(`${root}.vitepress/config`, MODULES)),
    site: '.vitepress/dist',
    isBesideConfig: true,
    siteNames: ['--outDir', 'outDir'],
    hostNames: ['sitemap.hostname'],
    pathNames: ['--base', 'base'],
    urls: (read) => (read('cleanUrls') === true ? 'clean' : 'directory'),
    scripts: ['docs:build'],
    build: ['npx', 'vitepress', 'build'],
    plugin: { module: 'resync-static/vitepress', place: { kind: 'option', option: 'buildEnd' } },
  },
  {
    name: 'Docusaurus',
    package: '@docusaurus/core',
    configs: namesOf('docusaurus.config', MODULES),
    site: 'build',
    siteNames: ['--out-dir'],
    hostNames: ['url'],
    pathNames: ['baseUrl'],
    // Without the option, its sitemap and its canonical links name /blog, and it writes blog/index.html.
    urls: (read) => {
      const slash = read('trailingSlash');
      return slash === true ? 'directory' : slash === false ? 'clean' : 'bare';
    },
    build: ['npx', 'docusaurus', 'build'],
  },
  {
    name: 'Next.js',
    package: 'next',
    configs: namesOf('next.config', MODULES),
    site: 'out',
    siteNames: ['-o', '--outdir', 'distDir'],
    urls: (read) => (read('trailingSlash') === true ? 'directory' : 'clean'),
    needs: (read) => (read('output') === 'export' ? undefined : "output: 'export' in next.config"),
    call: /\bnext (?:build|export)\b/,
    build: ['npx', 'next', 'build'],
  },
  {
    name: 'Nuxt',
    package: 'nuxt',
    configs: namesOf('nuxt.config', MODULES),
    site: '.output/public',
    needs: () => 'the script "generate": "nuxt generate" in package.json',
    call: /\bnux[ti] (?:generate|build)\b/,
    scripts: ['generate'],
    build: ['npx', 'nuxt', 'generate'],
  },
  {
    name: 'Gatsby',
    package: 'gatsby',
    configs: namesOf('gatsby-config', MODULES),
    site: 'public',
    hostNames: ['siteMetadata.siteUrl'],
    build: ['npx', 'gatsby', 'build'],
  },
  {
    name: 'Eleventy',
    package: '@11ty/eleventy',
    configs: [...namesOf('eleventy.config', MODULES), '.eleventy.js'],
    site: '_site',
    siteNames: ['--output', 'dir.output', 'config.dir.output', 'setOutputDirectory()'],
    pathNames: ['--pathprefix', 'pathPrefix'],
    call: /(?:^|[\s/])eleventy(?!\S)/,
    build: ['npx', '@11ty/eleventy'],
    plugin: { module: 'resync-static/eleventy', place: { kind: 'call' } },
  },
  {
    // It writes its pages after the plugins of Vite.
    name: 'React Router',
    package: '@react-router/dev',
    configs: namesOf('react-router.config', MODULES),
    site: 'build/client',
    needs: (read) =>
      read('ssr') === false ? undefined : 'ssr: false, and prerender, in react-router.config',
    build: ['npx', 'react-router', 'build'],
  },
  {
    name: 'Hexo',
    package: 'hexo',
    configs: ['_config.yml'],
    site: 'public',
    siteNames: ['public_dir'],
    hostNames: ['url'],
    call: /\bhexo g(?:enerate)?\b/,
    build: ['npx', 'hexo', 'generate'],
  },
  {
    name: 'Vite',
    package: 'vite',
    configs: namesOf('vite.config', MODULES),
    site: 'dist',
    siteNames: [
      '--outDir',
      'build.rollupOptions.output.dir',
      'build.rolldownOptions.output.dir',
      'build.outDir',
    ],
    pathNames: ['--base', 'base'],
    build: ['npx', 'vite', 'build'],
    plugin: { module: 'resync-static/vite', place: { kind: 'list', option: 'plugins' } },
  },
  {
    name: 'Hugo',
    // A plain build is for production.
    configs: ['config/production/', 'config/_default/', ''].flatMap((folder) =>
      HUGO.map((name) => `${folder}${name}`),
    ),
    isLayered: true,
    marks: (options, file) => /hugo|_default/.test(file) || options('baseURL').value !== undefined,
    site: 'public',
    siteNames: ['--destination', '-d', 'publishDir'],
    hostNames: ['--baseURL', '-b', 'baseURL'],
    call: /(?:^|[\s/])hugo(?!\s+[a-z]|\S)/,
    build: ['hugo'],
  },
  {
    name: 'Jekyll',
    configs: namesOf('_config', ['yml', 'yaml', 'toml']),
    site: '_site',
    siteNames: ['--destination', '-d', 'destination'],
    hostNames: ['url'],
    pathNames: ['--baseurl', '-b', 'baseurl'],
    call: /\bjekyll b(?:uild)?\b/,
    build: ['bundle', 'exec', 'jekyll', 'build'],
  },
  {
    name: 'MkDocs',
    configs: namesOf('mkdocs', ['yml', 'yaml']),
    site: 'site',
    siteNames: ['--site-dir', '-d', 'site_dir'],
    hostNames: ['site_url'],
    // Without folders for pages, links and sitemap name index.html.
    urls: (read) => (read('use_directory_urls') === false ? 'file' : 'directory'),
    build: ['mkdocs', 'build'],
  },
  SPHINX,
  // As sphinx-quickstart keeps sources and output apart.
  { ...SPHINX, configs: ['source/conf.py', 'docs/source/conf.py'], site: '../build/html' },
];

const isThere = ({ value, isSure }: Said) => value !== undefined || !isSure;
