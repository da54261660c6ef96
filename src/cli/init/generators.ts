/** The generators that `init` knows: how each is recognised, where it writes, and how its pages are addressed. */

import type { UrlStyle } from '../../paths/urls.js';
import type { PluginPlace } from './edit/config.js';
import { isOff, isOn, readValue } from './plan/values.js';

export interface Generator {
  readonly name: string;
  /** Packages that say that it is used. */
  readonly packages: readonly string[];
  /** Its configuration files; the first that exists counts. */
  readonly configs: readonly string[];
  /** What a configuration of this name has to hold, where the name alone does not tell. */
  readonly mark?: RegExp;
  /** The folder that it writes; relative to the folder of the project. */
  readonly site: string;
  /** Options of the configuration that name another one. */
  readonly siteOptions: readonly string[];
  /** The style of URLs, read from the configuration. */
  readonly urls: (config: string) => UrlStyle;
  /** Options that hold the address of the host, and the path below it. */
  readonly urlOptions: { readonly host: readonly string[]; readonly path?: string };
  /** Our plugin for it. */
  readonly plugin?: {
    readonly module: string;
    readonly place: PluginPlace;
    /** A configuration with nothing else in it, for projects that have none. */
    readonly fresh: (options: string) => string;
    /** Its name without the extension. */
    readonly file: string;
    /** What the plugin reads by itself. */
    readonly knows: { readonly urls: boolean; readonly url: boolean };
  };
  /** Scripts of `package.json` that build the site, before `build`. */
  readonly scripts?: readonly string[];
  /** The command that builds, where no script does. */
  readonly build: readonly string[];
  /** What changes pages that nobody edited: what a project without it holds, and what ends it (docs/reproducible.md). */
  readonly noise?: { readonly cured: RegExp; readonly seen?: RegExp; readonly cure: string };
}

const always =
  (style: UrlStyle): Generator['urls'] =>
  () =>
    style;

const scriptNames = (name: string, extensions: readonly string[]) =>
  extensions.map((extension) => `${name}.${extension}`);

const MODULES = ['js', 'mjs', 'ts', 'mts'];

const ASTRO: Omit<Generator, 'name' | 'packages'> = {
  configs: scriptNames('astro.config', ['mjs', 'js', 'ts', 'mts', 'cjs']),
  site: 'dist',
  siteOptions: ['outDir'],
  urls: (config) => {
    const slash = readValue(config, 'trailingSlash');
    if (slash === 'never') return 'bare';
    const format = readValue(config, 'format');
    return slash === 'always' || format === undefined || format === 'directory' ? 'directory' : 'clean';
  },
  urlOptions: { host: ['site'], path: 'base' },
  plugin: {
    module: 'resync-static/astro',
    place: { kind: 'list', option: 'integrations' },
    fresh: (options) =>
      `import { defineConfig } from 'astro/config';\nimport resyncStatic from 'resync-static/astro';\n\nexport default defineConfig({\n  integrations: [resyncStatic(${options})],\n});\n`,
    file: 'astro.config',
    knows: { urls: true, url: true },
  },
  build: ['npx', 'astro', 'build'],
};

/** The first that matches counts: a framework stands before what it is made with. */
export const GENERATORS: readonly Generator[] = [
  { name: 'Starlight', packages: ['@astrojs/starlight'], ...ASTRO },
  { name: 'Astro', packages: ['astro'], ...ASTRO },
  {
    name: 'SvelteKit',
    packages: ['@sveltejs/kit'],
    // New projects have their options in the configuration of Vite.
    configs: [...scriptNames('svelte.config', ['js', 'mjs', 'ts']), ...scriptNames('vite.config', MODULES)],
    site: 'build',
    siteOptions: ['pages'],
    urls: always('clean'),
    urlOptions: { host: [] },
    build: ['npx', 'vite', 'build'],
    noise: {
      cured: /\bversion\s*:/,
      cure: 'Each build of SvelteKit changes every page, because it writes its time into them. To end that, add to its options (kit, or those of sveltekit()): version: { name: process.env.npm_package_version }',
    },
  },
  {
    name: 'VitePress',
    packages: ['vitepress'],
    configs: ['', 'docs/'].flatMap((root) => scriptNames(`${root}.vitepress/config`, MODULES)),
    site: '.vitepress/dist',
    siteOptions: [],
    urls: (config) => (isOn(config, 'cleanUrls') ? 'clean' : 'directory'),
    urlOptions: { host: ['hostname'], path: 'base' },
    plugin: {
      module: 'resync-static/vitepress',
      place: { kind: 'option', option: 'buildEnd' },
      fresh: (options) =>
        `import { defineConfig } from 'vitepress';\nimport resyncStatic from 'resync-static/vitepress';\n\nexport default defineConfig({\n  buildEnd: resyncStatic(${options}),\n});\n`,
      file: '.vitepress/config',
      knows: { urls: true, url: true },
    },
    scripts: ['docs:build'],
    build: ['npx', 'vitepress', 'build'],
    noise: {
      cured: /\bmetaChunk\b/,
      cure: 'One edit changes every page of VitePress, because each holds the hashes of all. What ends that: docs/reproducible.md#vitepress',
    },
  },
  {
    name: 'Docusaurus',
    packages: ['@docusaurus/core'],
    configs: scriptNames('docusaurus.config', ['js', 'ts', 'mjs', 'cjs']),
    site: 'build',
    siteOptions: [],
    // Without the option, its sitemap and its canonical links name /blog, and it writes blog/index.html.
    urls: (config) => {
      if (isOn(config, 'trailingSlash')) return 'directory';
      return isOff(config, 'trailingSlash') ? 'clean' : 'bare';
    },
    urlOptions: { host: ['url'], path: 'baseUrl' },
    build: ['npx', 'docusaurus', 'build'],
    noise: {
      cured: /\bdocusaurus clear\b|DOCUSAURUS_NO_PERSISTENT_CACHE/,
      cure: 'A build of Docusaurus with the cache of the build before changes every page. To end that, build with: docusaurus clear && docusaurus build',
    },
  },
  {
    name: 'Next.js',
    packages: ['next'],
    configs: scriptNames('next.config', ['js', 'mjs', 'ts', 'cjs']),
    site: 'out',
    siteOptions: ['distDir'],
    urls: (config) => (isOn(config, 'trailingSlash') ? 'directory' : 'clean'),
    urlOptions: { host: [] },
    build: ['npx', 'next', 'build'],
    noise: {
      cured: /\bgenerateBuildId\b/,
      cure: 'Each build of Next.js changes every page, because it writes a random id into them. What ends that: docs/reproducible.md#next',
    },
  },
  {
    name: 'Nuxt',
    packages: ['nuxt'],
    configs: scriptNames('nuxt.config', MODULES),
    site: '.output/public',
    siteOptions: [],
    urls: always('directory'),
    urlOptions: { host: [] },
    scripts: ['generate'],
    build: ['npx', 'nuxt', 'generate'],
    noise: {
      cured: /\bbuildId\b/,
      cure: 'Each build of Nuxt changes every page, because it writes a random id and its time into them. What ends that: docs/reproducible.md#nuxt',
    },
  },
  {
    name: 'Gatsby',
    packages: ['gatsby'],
    configs: scriptNames('gatsby-config', [...MODULES, 'cjs']),
    site: 'public',
    siteOptions: [],
    urls: always('directory'),
    urlOptions: { host: ['siteUrl'] },
    build: ['npx', 'gatsby', 'build'],
  },
  {
    name: 'Eleventy',
    packages: ['@11ty/eleventy'],
    configs: ['.eleventy.js', ...scriptNames('eleventy.config', ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'])],
    site: '_site',
    siteOptions: ['output', 'setOutputDirectory'],
    urls: always('directory'),
    urlOptions: { host: [], path: 'pathPrefix' },
    plugin: {
      module: 'resync-static/eleventy',
      place: { kind: 'call' },
      fresh: (options) =>
        `import resyncStatic from 'resync-static/eleventy';\n\nexport default function (eleventyConfig) {\n  eleventyConfig.addPlugin(resyncStatic, ${options});\n}\n`,
      file: 'eleventy.config',
      knows: { urls: false, url: false },
    },
    build: ['npx', '@11ty/eleventy'],
  },
  {
    name: 'Vite',
    packages: ['vite'],
    configs: scriptNames('vite.config', [...MODULES, 'cjs', 'cts']),
    site: 'dist',
    siteOptions: ['outDir'],
    urls: always('directory'),
    urlOptions: { host: [], path: 'base' },
    plugin: {
      module: 'resync-static/vite',
      place: { kind: 'list', option: 'plugins' },
      fresh: (options) =>
        `import { defineConfig } from 'vite';\nimport resyncStatic from 'resync-static/vite';\n\nexport default defineConfig({\n  plugins: [resyncStatic(${options})],\n});\n`,
      file: 'vite.config',
      knows: { urls: false, url: false },
    },
    build: ['npx', 'vite', 'build'],
  },
  {
    name: 'Hugo',
    packages: [],
    configs: ['hugo.toml', 'hugo.yaml', 'hugo.yml', 'hugo.json', 'config.toml', 'config.yaml'],
    mark: /baseURL/i,
    site: 'public',
    siteOptions: ['publishDir'],
    urls: always('directory'),
    urlOptions: { host: ['baseURL', 'baseurl'] },
    build: ['hugo'],
  },
  {
    name: 'Jekyll',
    packages: [],
    configs: ['_config.yml', '_config.yaml', '_config.toml'],
    site: '_site',
    siteOptions: ['destination'],
    urls: always('directory'),
    urlOptions: { host: ['url'], path: 'baseurl' },
    build: ['bundle', 'exec', 'jekyll', 'build'],
    noise: {
      cured: /_time\.yml/,
      seen: /jekyll-feed/,
      cure: 'jekyll-feed writes the time of the build into feed.xml. What ends that: docs/reproducible.md#jekyll',
    },
  },
  {
    name: 'MkDocs',
    packages: [],
    configs: ['mkdocs.yml', 'mkdocs.yaml'],
    site: 'site',
    siteOptions: ['site_dir'],
    // Without folders for pages, links and sitemap name index.html.
    urls: (config) => (isOff(config, 'use_directory_urls') ? 'file' : 'directory'),
    urlOptions: { host: ['site_url'] },
    build: ['mkdocs', 'build'],
    noise: {
      cured: /SOURCE_DATE_EPOCH/,
      cure: 'MkDocs writes the time of the build into the start page and the sitemap. To end that, build with: SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) mkdocs build',
    },
  },
  {
    name: 'Sphinx',
    packages: [],
    configs: ['conf.py', 'docs/conf.py', 'source/conf.py', 'docs/source/conf.py'],
    mark: /^\s*(?:html_theme|extensions|project)\s*=/m,
    site: '_build/html',
    siteOptions: [],
    // Its links name index.html.
    urls: always('file'),
    urlOptions: { host: ['html_baseurl'] },
    build: ['make', 'html'],
    noise: {
      cured: /SOURCE_DATE_EPOCH/,
      seen: /html_last_updated_fmt/,
      cure: 'html_last_updated_fmt writes the time of the build into every page. What ends that: docs/reproducible.md#sphinx',
    },
  },
];
