/** Table of site generators: how `init` recognises each, its output folder and the URLs of its pages. */

import type { UrlStyle } from '../../paths/urls.js';
import type { Plugin } from './edit/config.js';
import type { Options } from './options.js';

export interface Generator {
  readonly name: string;
  /** The npm packages by which the generator is recognised. */
  readonly packages?: readonly string[];
  /** Configuration files of the generator; the first that exists counts, or all if `isLayered`. */
  readonly configs: readonly string[];
  /** True if the generator merges all its configuration files; earlier ones win. */
  readonly isLayered?: boolean;
  /** Tests if a configuration belongs to the generator, if other programs have files of that name. */
  readonly marks?: (options: Options, file: string) => boolean;
  /** Default output folder, relative to the project or, if `isBesideConfig`, to the folder of the configuration. */
  readonly site: string;
  readonly isBesideConfig?: boolean;
  /** Names of flags, which win, and of options: `siteNames` for the output folder, `hostNames` for the URL, `pathNames` for the base path. */
  readonly siteNames?: readonly string[];
  readonly hostNames?: readonly string[];
  readonly pathNames?: readonly string[];
  /** Finds the URL style by the options of the generator. @default `directory` */
  readonly urls?: (read: Options) => UrlStyle;
  /** Settings, in words, without which the generator writes a server instead of pages. */
  readonly needs?: string;
  /** Globs of pages without content that the generator writes; our plugin leaves them out by itself. */
  readonly exclude?: readonly string[];
  /** Matches the command of the generator in a script, if it differs from `build`. */
  readonly call?: RegExp;
  /** Scripts of `package.json` that build the site, preferred to `build`. @default none */
  readonly scripts?: readonly string[];
  /** Build command for a project without a script that builds. */
  readonly build: readonly string[];
  /** Our plugin for the generator, if there is one. */
  readonly plugin?: Plugin;
}

const namesOf = (name: string, extensions: readonly string[]) =>
  extensions.map((extension) => `${name}.${extension}`);

const MODULES = ['js', 'mjs', 'ts', 'mts', 'cjs', 'cts'];
const YAML = ['yml', 'yaml'];
const HUGO = ['hugo', 'config'].flatMap((name) => namesOf(name, ['toml', ...YAML, 'json']));
/** Spellings of the option for the URL in Hugo, which ignores case. */
const BASE_URL = ['baseURL', 'baseurl', 'baseUrl'];
/** Paths of the object with the options of SvelteKit: in its own configuration, and in that of Vite. */
const KIT = ['kit', 'plugins.sveltekit()'];
/** Files of SvelteKit with options for all pages. */
const LAYOUTS = namesOf('src/routes/+layout', ['js', 'ts', 'server.js', 'server.ts']);

/** Makes the usual properties of a generator: npm package, configuration file and build command have the name of its program. */
const makeUsual = (program: string) => ({
  packages: [program],
  configs: namesOf(`${program}.config`, MODULES),
  build: ['npx', program, 'build'],
});

const ASTRO: Omit<Generator, 'name'> = {
  ...makeUsual('astro'),
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
  needs: "no output: 'server' in astro.config",
  plugin: { module: 'resync-static/astro', kind: 'list', option: 'integrations' },
};

/** Makes the entry of Eleventy, or of its next version, Build Awesome. */
const makeEleventy = (name: string, program: string, config: string): Generator => ({
  name,
  packages: [program],
  configs: [...namesOf(config, MODULES), ...namesOf('eleventy.config', MODULES), '.eleventy.js'],
  site: '_site',
  siteNames: ['--output', 'dir.output', 'config.dir.output', 'setOutputDirectory()'],
  pathNames: ['--pathprefix', 'pathPrefix'],
  call: /(?:^|[\s/])(?:eleventy|buildawesome)(?!\S)/,
  build: ['npx', program],
  plugin: { module: 'resync-static/eleventy', kind: 'call', option: 'addPlugin' },
});

const VITE = { ...makeUsual('vite'), pathNames: ['--base', 'base'] };

/** Makes the entry of MkDocs, or of one of its successors. */
const makeMkDocs = (name: string, configs: readonly string[]): Generator => ({
  name,
  configs,
  site: 'site',
  // Zensical has its options in the table `project`.
  siteNames: ['--site-dir', '-d', 'site_dir', 'project.site_dir'],
  hostNames: ['site_url', 'project.site_url'],
  // Without directory URLs, links and sitemap of MkDocs contain index.html.
  urls: (read) =>
    [read('use_directory_urls'), read('project.use_directory_urls')].includes(false) ? 'file' : 'directory',
  build: [name.toLowerCase(), 'build'],
});

/** Makes the entry of Sphinx for the folder of its configuration. @param site relative to that folder */
const makeSphinx = (folder: string, site: string): Generator => ({
  name: 'Sphinx',
  configs: [`${folder}conf.py`, `docs/${folder}conf.py`],
  marks: (options) => ['html_theme', 'extensions', 'project'].some((name) => options(name) !== undefined),
  site,
  isBesideConfig: true,
  hostNames: ['html_baseurl'],
  // Links of Sphinx contain index.html.
  urls: () => 'file',
  call: /\bsphinx-build\b/,
  build: ['sphinx-build', '-b', 'html'],
});

/** All generators. The first match counts, so a framework comes before the tools that it uses. */
export const GENERATORS: readonly Generator[] = [
  { name: 'Starlight', ...ASTRO, packages: ['@astrojs/starlight'] },
  { name: 'Astro', ...ASTRO },
  {
    name: 'SvelteKit',
    ...VITE,
    packages: ['@sveltejs/kit'],
    // New projects configure SvelteKit in the configuration of Vite.
    configs: [...namesOf('svelte.config', MODULES), ...VITE.configs, ...LAYOUTS],
    isLayered: true,
    site: 'build',
    siteNames: KIT.map((kit) => `${kit}.adapter().pages`),
    hostNames: KIT.flatMap((kit) => [`${kit}.paths.origin`, `${kit}.prerender.origin`]),
    pathNames: KIT.map((kit) => `${kit}.paths.base`),
    urls: (read) => (read('trailingSlash') === 'always' ? 'directory' : 'clean'),
    needs: '@sveltejs/adapter-static, and prerender = true in src/routes/+layout.js',
    plugin: {
      ...{ module: 'resync-static/sveltekit', kind: 'wrap', option: 'adapter' },
      owners: ['kit', 'sveltekit'],
    },
  },
  {
    name: 'VitePress',
    ...makeUsual('vitepress'),
    configs: ['', 'docs/'].flatMap((root) => namesOf(`${root}.vitepress/config`, MODULES)),
    site: '.vitepress/dist',
    isBesideConfig: true,
    siteNames: ['--outDir', 'outDir'],
    hostNames: ['sitemap.hostname'],
    pathNames: ['--base', 'base'],
    urls: (read) => (read('cleanUrls') === true ? 'clean' : 'directory'),
    scripts: ['docs:build'],
    plugin: { module: 'resync-static/vitepress', kind: 'option', option: 'buildEnd' },
  },
  {
    name: 'Docusaurus',
    ...makeUsual('docusaurus'),
    packages: ['@docusaurus/core'],
    site: 'build',
    siteNames: ['--out-dir'],
    hostNames: ['url'],
    pathNames: ['baseUrl'],
    // Without `trailingSlash`, Docusaurus writes blog/index.html, but its sitemap and canonical links name /blog.
    urls: (read) => {
      const slash = read('trailingSlash');
      return slash === true ? 'directory' : slash === false ? 'clean' : 'bare';
    },
    plugin: { module: 'resync-static/docusaurus', kind: 'name', option: 'plugins' },
  },
  {
    name: 'Next.js',
    ...makeUsual('next'),
    site: 'out',
    siteNames: ['-o', '--outdir', 'distDir'],
    urls: (read) => (read('trailingSlash') === true ? 'directory' : 'clean'),
    needs: "output: 'export' in next.config",
    exclude: ['_not-found*'],
    call: /\bnext (?:build|export)\b/,
  },
  {
    name: 'Nuxt',
    ...makeUsual('nuxt'),
    site: '.output/public',
    hostNames: ['site.url'],
    pathNames: ['app.baseURL'],
    urls: (read) => (read('nitro.prerender.autoSubfolderIndex') === false ? 'clean' : 'directory'),
    needs: 'the script "generate": "nuxt generate" in package.json',
    exclude: ['200.html'],
    call: /\bnux[ti] (?:generate|build)\b/,
    scripts: ['generate'],
    build: ['npx', 'nuxt', 'generate'],
    plugin: { module: 'resync-static/nuxt', kind: 'name', option: 'modules' },
  },
  {
    name: 'Gatsby',
    ...makeUsual('gatsby'),
    configs: namesOf('gatsby-config', MODULES),
    site: 'public',
    hostNames: ['siteMetadata.siteUrl'],
    exclude: ['_gatsby'],
  },
  makeEleventy('Build Awesome', '@awesome.me/buildawesome', 'buildawesome.config'),
  makeEleventy('Eleventy', '@11ty/eleventy', 'eleventy.config'),
  {
    name: 'React Router',
    ...makeUsual('react-router'),
    packages: ['@react-router/dev'],
    site: 'build/client',
    needs: 'ssr: false, and prerender, in react-router.config',
    exclude: ['__spa-fallback.html'],
    plugin: { module: 'resync-static/react-router', kind: 'option', option: 'buildEnd' },
  },
  // TanStack Start writes its pages after the plugins of Vite have run, so it gets no plugin: the command runs after the build.
  {
    name: 'TanStack Start',
    ...VITE,
    packages: ['@tanstack/react-start', '@tanstack/solid-start'],
    site: 'dist/client',
    needs: 'prerender: { enabled: true } in tanstackStart() in vite.config',
  },
  {
    name: 'Hexo',
    packages: ['hexo'],
    configs: ['_config.yml'],
    site: 'public',
    siteNames: ['public_dir'],
    hostNames: ['url'],
    call: /\bhexo g(?:enerate)?\b/,
    build: ['npx', 'hexo', 'generate'],
  },
  {
    name: 'Vite',
    ...VITE,
    site: 'dist',
    siteNames: [
      '--outDir',
      'build.rollupOptions.output.dir',
      'build.rolldownOptions.output.dir',
      'build.outDir',
    ],
    plugin: { module: 'resync-static/vite', kind: 'list', option: 'plugins' },
  },
  {
    name: 'Hugo',
    // Hugo builds for production by default, so options in config/production win.
    configs: ['config/production/', 'config/_default/', ''].flatMap((folder) =>
      HUGO.map((name) => `${folder}${name}`),
    ),
    isLayered: true,
    marks: (options, file) =>
      /hugo|_default/.test(file) || BASE_URL.some((name) => options(name) !== undefined),
    site: 'public',
    siteNames: ['--destination', '-d', 'publishDir', 'publishdir'],
    hostNames: ['--baseURL', '-b', ...BASE_URL],
    call: /(?:^|[\s/])hugo(?!\s+[a-z]|\S)/,
    // Without this flag, Hugo leaves pages that were deleted, or are drafts now.
    build: ['hugo', '--cleanDestinationDir'],
  },
  {
    name: 'Jekyll',
    configs: namesOf('_config', [...YAML, 'toml']),
    site: '_site',
    siteNames: ['--destination', '-d', 'destination'],
    hostNames: ['url'],
    pathNames: ['--baseurl', '-b', 'baseurl'],
    call: /\bjekyll b(?:uild)?\b/,
    build: ['bundle', 'exec', 'jekyll', 'build'],
  },
  makeMkDocs('Zensical', ['zensical.toml']),
  makeMkDocs('ProperDocs', namesOf('properdocs', YAML)),
  makeMkDocs('MkDocs', namesOf('mkdocs', YAML)),
  makeSphinx('', '_build/html'),
  // The layout of sphinx-quickstart with separate source and build folders.
  makeSphinx('source/', '../build/html'),
];
