/** Small sites of eight generators, with the menus, sidebars and footers that their themes make. */

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ROOT } from '../../support/documentation.js';
import { buildOnDay, makeProject, type Tool } from '../../support/frameworks.js';
import { makeSite, requireProgram, runProgram } from '../../support/site.js';
import { KIT } from '../../support/vite-project.js';

export type Files = Readonly<Record<string, string>>;
/** An edit: in a file, one text becomes another. */
export type Edit = readonly [path: string, from: string, to: string];

export interface Generator {
  readonly name: string;
  /** @param url of the site, with a slash at its end */
  readonly makeFiles: (url: string) => Files;
  readonly makeProject: (files: Files) => string;
  /** Builds a project, so many days later. */
  readonly build: (project: string, day: number) => Promise<unknown>;
  /** The folder that it writes, relative to the project. */
  readonly output: string;
  readonly urls?: 'clean';
  /** Its builds take long: page, sentence and footer change in one of them. */
  readonly isSlow?: true;
  /** The number of pages at first. */
  readonly pages: number;
  readonly added: {
    readonly files: Files;
    readonly page: string;
    /** Pages whose main text names the new one, and where. */
    readonly named: Readonly<Record<string, string>>;
  };
  /** Dates of its own sitemap that stay: of texts that are older than what is known. */
  readonly kept?: Readonly<Record<string, string>>;
  readonly sentence: { readonly edit: Edit; readonly page: string };
  /** In the footer, a year; and pages whose main text has it, too. */
  readonly footer: { readonly edit: Edit; readonly named: Readonly<Record<string, string>> };
}

const WORDS = ['one', 'two', 'three', 'four', 'five', 'six'] as const;
const SENTENCE = 'The tide turns at noon.';

/** A page of six, in Markdown. */
const textOf = (word: string) => `This is note ${word}. ${word === 'two' ? SENTENCE : 'It is short.'}\n`;

/** Pages with a title in their front matter. */
const makePages = (make: (word: string, index: number) => readonly [path: string, text: string]): Files =>
  Object.fromEntries(WORDS.map(make));

const titled = (title: string, text: string, more = '') => `---\ntitle: ${title}\n${more}---\n\n${text}`;

const edited = (path: string): Edit => [path, SENTENCE, 'The tide turns at one.'];

/** A project of packages that are installed with us. */
const packaged = (tool: Tool, packages: readonly string[]) => ({
  makeProject: (files: Files) => makeProject(packages, files),
  build: (project: string, day: number) => buildOnDay(tool, project, day),
});

/** Runs lines in a shell that believes the day that it is told; Hugo has a flag for that. */
export async function runLines(lines: readonly string[], project: string, day = 0): Promise<void> {
  const faketime = requireProgram('faketime', 'faketime');
  const clock = new Date(Date.now() + day * 86_400_000).toISOString();
  const script = `hugo() { command hugo --clock ${clock} "$@"; }\n${lines.join('\n')}`;
  const args = ['-f', `+${day}d`, 'bash', '-euo', 'pipefail', '-c', script];
  const env = { LC_ALL: 'C.UTF-8' };
  const { status, stdout, stderr } = await runProgram(faketime, args, { cwd: project, env });
  expect(status, stdout + stderr).toBe(0);
}

const programmed = (line: string) => ({
  makeProject: (files: Files) => makeSite(files),
  build: (project: string, day: number) => runLines([line], project, day),
});

export const starlight: Generator = {
  name: 'Starlight',
  isSlow: true,
  // The compiler of Astro takes files of packages only in a folder that project and packages have in common.
  makeProject: (files) => {
    const project = mkdtempSync(join(ROOT, '.tmp/starlight-'));
    onTestFinished(() => rmSync(project, { recursive: true }));
    return makeProject(['astro', '@astrojs/starlight'], files, { project });
  },
  build: (project, day) => buildOnDay('astro', project, day),
  output: 'dist',
  pages: 8,
  makeFiles: (url) => ({
    'astro.config.mjs': `import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';
export default defineConfig({
  site: '${url}',
  image: { service: passthroughImageService() },
  integrations: [starlight({
    title: 'Notes',
    pagefind: false,
    expressiveCode: false,
    sidebar: ['about', { label: 'Guide', autogenerate: { directory: 'guide' } }],
    components: { Footer: './src/Footer.astro' },
  })],
});`,
    'src/Footer.astro': `---
import Default from '@astrojs/starlight/components/Footer.astro';
---
<Default><slot /></Default><footer>© 2025</footer>`,
    'src/content.config.ts': `import { docsLoader } from '@astrojs/starlight/loaders';
import { docsSchema } from '@astrojs/starlight/schema';
import { defineCollection } from 'astro:content';
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };`,
    'src/content/docs/index.md': titled('Home', 'Welcome.\n'),
    'src/content/docs/about.md': titled('About', 'Us.\n'),
    ...makePages((word) => [`src/content/docs/guide/${word}.md`, titled(`Note ${word}`, textOf(word))]),
  }),
  added: {
    files: { 'src/content/docs/guide/seven.md': titled('Note seven', textOf('seven')) },
    page: 'guide/seven/',
    named: {},
  },
  sentence: { edit: edited('src/content/docs/guide/two.md'), page: 'guide/two/' },
  footer: { edit: ['src/Footer.astro', '2025', '2026'], named: {} },
};

export const vitepress: Generator = {
  name: 'VitePress',
  isSlow: true,
  ...packaged('vitepress', ['vitepress', 'vue']),
  output: '.vitepress/dist',
  pages: 8,
  makeFiles: (url) => ({
    '.vitepress/config.js': `import { readdirSync } from 'node:fs';
const guide = readdirSync('guide').sort().map((name) => name.replace('.md', ''));
export default {
  title: 'Notes',
  sitemap: { hostname: '${url}' },
  themeConfig: {
    nav: [{ text: 'About', link: '/about' }],
    sidebar: [{ text: 'Guide', items: guide.map((text) => ({ text, link: '/guide/' + text })) }],
    footer: { copyright: '© 2025, ' + guide.length + ' notes' },
  },
};`,
    'index.md': '# Home\n\nWelcome.\n',
    'about.md': '# About\n\nUs.\n',
    ...makePages((word) => [`guide/${word}.md`, `# Note ${word}\n\n${textOf(word)}`]),
  }),
  added: {
    files: { 'guide/seven.md': `# Note seven\n\n${textOf('seven')}` },
    page: 'guide/seven.html',
    named: {},
  },
  sentence: { edit: edited('guide/two.md'), page: 'guide/two.html' },
  footer: { edit: ['.vitepress/config.js', '2025', '2026'], named: {} },
};

export const docusaurus: Generator = {
  name: 'Docusaurus',
  isSlow: true,
  makeProject: (files) =>
    makeProject(
      [
        ...['core', 'faster', 'theme-classic', 'plugin-content-docs'].map((name) => `@docusaurus/${name}`),
        '@mdx-js/react',
        'react',
        'react-dom',
      ],
      // Without a type: in modules that are said to be ES modules, its server finds none of its pages.
      { ...files, 'package.json': '{ "private": true }' },
    ),
  build: (project, day) => {
    const script = join(project, 'node_modules/@docusaurus/core/bin/docusaurus.mjs');
    return buildOnDay([process.execPath, script], project, day);
  },
  output: 'build',
  urls: 'clean',
  pages: 8,
  makeFiles: (url) => ({
    'docusaurus.config.js': `export default {
  title: 'Notes',
  url: '${url.slice(0, -1)}',
  baseUrl: '/',
  trailingSlash: false,
  future: { v4: true, faster: true },
  plugins: [['@docusaurus/plugin-content-docs', { routeBasePath: '/' }]],
  themes: ['@docusaurus/theme-classic'],
  themeConfig: {
    navbar: { title: 'Notes', items: [{ to: '/about', label: 'About' }] },
    footer: { copyright: '© 2025' },
  },
};`,
    'docs/index.md': titled('Home', 'Welcome.\n', 'slug: /\n'),
    'docs/about.md': titled('About', 'Us.\n'),
    ...makePages((word) => [`docs/guide/${word}.md`, titled(`Note ${word}`, textOf(word))]),
  }),
  added: {
    files: { 'docs/guide/seven.md': titled('Note seven', textOf('seven')) },
    page: 'guide/seven',
    named: {},
  },
  sentence: { edit: edited('docs/guide/two.md'), page: 'guide/two' },
  footer: { edit: ['docusaurus.config.js', '2025', '2026'], named: {} },
};

/** Posts with a day each, and a tag. */
const makePosts = (folder: string, front: string, dated: boolean): Files =>
  makePages((word, index) => {
    const day = `2023-0${index + 1}-01`;
    const more = `date: ${day}\ntags: [${index % 2 === 0 ? 'odd' : 'even'}]\n${front}`;
    return [`${folder}/${dated ? `${day}-` : ''}${word}.md`, titled(`Note ${word}`, textOf(word), more)];
  });
const SEVENTH = titled('Note seven', textOf('seven'), 'date: 2023-07-01\ntags: [odd]\n');

export const eleventy: Generator = {
  name: 'Eleventy',
  ...packaged('eleventy', ['@11ty/eleventy']),
  output: '_site',
  pages: 12,
  makeFiles: (url) => ({
    'eleventy.config.js': `export default (config) => {
  config.addShortcode('builtAt', () => new Date().toISOString());
  config.addCollection('posts', (api) => api.getFilteredByGlob('blog/*.md'));
  config.addCollection('tagNames', (api) => [...new Set(api.getFilteredByGlob('blog/*.md').flatMap(({ data }) => data.tags))].sort());
};`,
    '_includes/base.njk': `<!doctype html><html lang="en"><head><title>{{ title }}</title></head><body><!-- {{ page.url }}, {% builtAt %} -->
<header><a href="/">Notes</a><nav><ul><li><a href="/blog/">Archive</a></li><li><a href="/about/">About</a></li></ul></nav></header>
<main id="skip">{{ content | safe }}</main>
<footer>© 2025, {{ collections.posts.length }} posts</footer></body></html>`,
    '_includes/post.njk': `---
layout: base.njk
---
<h1>{{ title }}</h1>
<ul class="post-metadata"><li>{{ page.date.toISOString().slice(0, 10) }}</li>{% for tag in tags %}<li><a href="/tags/{{ tag }}/">{{ tag }}</a></li>{% endfor %}</ul>
{{ content | safe }}
{%- set previous = collections.posts | getPreviousCollectionItem %}{% set next = collections.posts | getNextCollectionItem %}
<ul class="links-nextprev">
{%- if previous %}<li>← Previous: <a href="{{ previous.url }}">{{ previous.data.title }}</a></li>{% endif %}
{%- if next %}<li>Next: <a href="{{ next.url }}">{{ next.data.title }}</a> →</li>{% endif %}
</ul>`,
    '_includes/list.njk': `<ol reversed>{% for post in list | reverse %}<li><a href="{{ post.url }}">{{ post.data.title }}</a></li>{% endfor %}</ol>`,
    'index.njk': `---
layout: base.njk
title: Home
---
<h1>Latest 3 posts</h1>{% set list = collections.posts.slice(-3) %}{% include "list.njk" %}`,
    'blog.njk': `---
layout: base.njk
title: Archive
permalink: /blog/
---
<h1>Archive</h1>{% set list = collections.posts %}{% include "list.njk" %}`,
    'tags.njk': `---
layout: base.njk
title: Tags
---
<h1>Tags</h1><ul>{% for tag in collections.tagNames %}<li><a href="/tags/{{ tag }}/">{{ tag }}</a></li>{% endfor %}</ul>`,
    'tag.njk': `---
layout: base.njk
pagination: { data: collections.tagNames, size: 1, alias: tag, addAllPagesToCollections: true }
permalink: /tags/{{ tag }}/
eleventyComputed: { title: "Tagged {{ tag }}" }
---
<h1>{{ title }}</h1>{% set list = collections[tag] %}{% include "list.njk" %}`,
    'about.md': titled('About', 'Us.\n', 'layout: base.njk\n'),
    ...makePosts('blog', 'layout: post.njk\n', false),
    'sitemap.njk': `---
permalink: /sitemap.xml
eleventyExcludeFromCollections: true
---
<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{%- for one in collections.all %}
  <url>
    <loc>${url.slice(0, -1)}{{ one.url }}</loc>
    <lastmod>{{ one.date.toISOString() }}</lastmod>
  </url>
{%- endfor %}
</urlset>
`,
  }),
  added: {
    files: { 'blog/seven.md': SEVENTH.replace('date:', 'layout: post.njk\ndate:') },
    page: 'blog/seven/',
    named: {
      '': 'the latest posts',
      'blog/': 'the archive',
      'tags/odd/': 'the tag',
      'blog/six/': 'ul.links-nextprev: a list in <main>, not <nav>',
    },
  },
  sentence: { edit: edited('blog/two.md'), page: 'blog/two/' },
  footer: { edit: ['_includes/base.njk', '2025', '2026'], named: {} },
};

export const sveltekit: Generator = {
  name: 'SvelteKit',
  isSlow: true,
  ...packaged('vite', KIT),
  output: 'build',
  urls: 'clean',
  pages: 8,
  makeFiles: () => ({
    'svelte.config.js': `import adapter from '@sveltejs/adapter-static';
export default { kit: { adapter: adapter() } };`,
    'vite.config.js': `import { sveltekit } from '@sveltejs/kit/vite';
export default { plugins: [sveltekit()] };`,
    'src/app.html':
      '<!doctype html><html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
    'src/routes/+layout.js': 'export const prerender = true;',
    'src/routes/+layout.svelte': `<script>
  let { children } = $props();
  const guide = Object.keys(import.meta.glob('./guide/*/+page.svelte')).map((path) => path.slice(1, -13));
</script>
<header><nav><a href="/">Home</a><a href="/about">About</a>{#each guide as path}<a href={path}>{path}</a>{/each}</nav></header>
<main>{@render children()}</main>
<footer>© 2025, {guide.length} notes</footer>`,
    'src/routes/+page.svelte': '<svelte:head><title>Home</title></svelte:head><h1>Home</h1>',
    'src/routes/about/+page.svelte': '<svelte:head><title>About</title></svelte:head><h1>About</h1>',
    ...makePages((word) => [
      `src/routes/guide/${word}/+page.svelte`,
      `<svelte:head><title>Note ${word}</title></svelte:head><h1>Note ${word}</h1><p>${textOf(word)}</p>`,
    ]),
  }),
  added: {
    files: { 'src/routes/guide/seven/+page.svelte': '<h1>Note seven</h1>' },
    page: 'guide/seven',
    named: {},
  },
  sentence: { edit: edited('src/routes/guide/two/+page.svelte'), page: 'guide/two' },
  footer: { edit: ['src/routes/+layout.svelte', '2025', '2026'], named: {} },
};

export const hugo: Generator = {
  name: 'Hugo',
  ...programmed('hugo'),
  output: 'public',
  pages: 13,
  makeFiles: (url) => ({
    'hugo.toml': `baseURL = '${url}'\ntitle = 'Notes'\n`,
    'layouts/_default/baseof.html': `<!doctype html><html lang="en"><head><title>{{ .Title }}</title><link rel="canonical" href="{{ .Permalink }}"></head><body>
<header><a href="{{ "/" | relURL }}">{{ site.Title }}</a></header>
<nav class="sidebar">{{ range site.RegularPages }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}</nav>
<main>{{ block "main" . }}{{ end }}</main>
<footer>© 2025, {{ len site.RegularPages }} pages</footer></body></html>`,
    'layouts/_default/single.html': '{{ define "main" }}<h1>{{ .Title }}</h1>{{ .Content }}{{ end }}',
    'layouts/_default/list.html':
      '{{ define "main" }}<h1>{{ .Title }}</h1>{{ range .Pages }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}{{ end }}',
    'layouts/index.html':
      '{{ define "main" }}<h1>Latest</h1>{{ range first 3 site.RegularPages.ByDate.Reverse }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}{{ end }}',
    'content/about.md': titled('About', 'Us.\n'),
    ...makePosts('content/notes', '', false),
  }),
  added: {
    files: { 'content/notes/seven.md': SEVENTH },
    page: 'notes/seven/',
    named: {
      '': 'the latest notes',
      'notes/': 'the section',
      'tags/odd/': 'the tag',
      'tags/': 'the tags, of which the last used is first',
    },
  },
  kept: {
    '/notes/one/': '2023-01-01T00:00:00+00:00',
    '/notes/three/': '2023-03-01T00:00:00+00:00',
    '/notes/five/': '2023-05-01T00:00:00+00:00',
  },
  sentence: { edit: edited('content/notes/two.md'), page: 'notes/two/' },
  footer: { edit: ['layouts/_default/baseof.html', '2025', '2026'], named: {} },
};

export const mkdocs: Generator = {
  name: 'MkDocs',
  ...programmed('mkdocs build'),
  output: 'site',
  pages: 8,
  makeFiles: (url) => ({
    'mkdocs.yml': `site_name: Notes\nsite_url: ${url}\ncopyright: © 2025\n`,
    'docs/index.md': '# Home\n\nWelcome.\n',
    'docs/about.md': '# About\n\nUs.\n',
    ...makePages((word) => [`docs/guide/${word}.md`, `# Note ${word}\n\n${textOf(word)}`]),
  }),
  added: {
    files: { 'docs/guide/seven.md': `# Note seven\n\n${textOf('seven')}` },
    page: 'guide/seven/',
    named: {},
  },
  sentence: { edit: edited('docs/guide/two.md'), page: 'guide/two/' },
  footer: { edit: ['mkdocs.yml', '2025', '2026'], named: {} },
};

export const jekyll: Generator = {
  name: 'Jekyll',
  ...programmed('jekyll build'),
  output: '_site',
  pages: 8,
  makeFiles: (url) => ({
    '_config.yml': `title: Notes\ndescription: Since 2025\nurl: ${url.slice(0, -1)}\ntheme: minima\nplugins: [jekyll-feed, jekyll-sitemap]\n`,
    'index.md': '---\nlayout: home\n---\n',
    'about.md': titled('About', 'Us.\n', 'layout: page\n'),
    ...makePosts('_posts', 'layout: post\n', true),
  }),
  added: {
    files: { '_posts/2023-07-01-seven.md': SEVENTH.replace('date:', 'layout: post\ndate:') },
    page: '2023/07/01/seven.html',
    named: { '': 'the posts' },
  },
  sentence: { edit: edited('_posts/2023-02-01-two.md'), page: '2023/02/01/two.html' },
  footer: {
    edit: ['_config.yml', '2025', '2026'],
    named: { '': '<title>, which ends with the description' },
  },
};

export const GENERATORS = [
  starlight,
  vitepress,
  docusaurus,
  eleventy,
  sveltekit,
  hugo,
  mkdocs,
  jekyll,
] as const;
