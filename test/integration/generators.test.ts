/** Generators that need no npm: the recipe of each page works, lists the site's own URLs, and writes the same every day. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCommands } from '../support/documentation.js';
import { tellListed } from '../support/frameworks.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { callCli, readTree, requireProgram } from '../support/site.js';
import { compareTwoDays } from '../support/two-days.js';
import * as generators from './programs/generators.js';

const SITE_URL = 'https://example.org/';

interface Generator {
  readonly page: string;
  readonly program: readonly [name: string, debianPackages: string];
  readonly files: generators.Files;
}

const hugo: Generator = {
  page: 'docs/hugo.md',
  program: ['hugo', 'hugo'],
  files: generators.hugo.makeFiles(SITE_URL),
};
const jekyll: Generator = {
  page: 'docs/jekyll.md',
  program: ['jekyll', 'jekyll jekyll-theme-minima ruby-jekyll-feed ruby-jekyll-sitemap'],
  files: generators.jekyll.makeFiles(SITE_URL),
};
const mkdocs: Generator = {
  page: 'docs/mkdocs.md',
  program: ['mkdocs', 'mkdocs'],
  files: generators.mkdocs.makeFiles(SITE_URL),
};
const sphinx: Generator = {
  page: 'docs/sphinx.md',
  program: ['sphinx-build', 'python3-sphinx'],
  files: {
    'source/conf.py': `project = 'Site'\nhtml_baseurl = '${SITE_URL}'\n`,
    'source/index.rst': 'Home\n====\n\n.. toctree::\n\n   about\n   guide/index\n',
    'source/about.rst': 'About\n=====\n\nUs.\n',
    'source/guide/index.rst': 'Guide\n=====\n\nStart with :doc:`/about`.\n',
  },
};

/** The lines that build, and the arguments of the line that describes. */
function readRecipe({ page, program }: Generator) {
  requireProgram(...program);
  const lines = readCommands(page);
  const [, site = '', ...args] = lines.at(-1)?.split(' ').slice(1) ?? [];
  return { lines: lines.slice(0, -1), site, args };
}

/** All that a site says of its own URLs: links and canonicals of its pages, and its sitemap. */
function readOwnUrls(site: string, listed: readonly string[]): string[] {
  const tree = readTree(site);
  const pages = listed.flatMap((name) => {
    const path = [name, `${name}.html`, `${name}index.html`].find((file) => file in tree) ?? '';
    return path.endsWith('.html') ? [{ uri: SITE_URL + name, html: tree[path] ?? '' }] : [];
  });
  const linked = pages.flatMap(({ uri, html }) =>
    [...html.matchAll(/<(?:a|link rel="canonical")(?: [^>]*)? href="([^"#]+)/g)].map(
      ([, href = '']) => new URL(href, uri).href,
    ),
  );
  const mapped = [...(tree['sitemap.xml'] ?? '').matchAll(/<loc>([^<]+)/g)].map(([, loc = '']) => loc);
  const own = [...linked, ...mapped].filter((uri) => uri.startsWith(SITE_URL));
  return [...new Set(own)].map((uri) => uri.slice(SITE_URL.length)).sort();
}

/** Adds a line to a file of a generator. */
const adding = ({ files }: Generator, name: string, line: string): generators.Files => ({
  [name]: `${files[name]}${line}\n`,
});

test.each<
  [name: string, generator: Generator, more: generators.Files, urls: string | undefined, about: string]
>([
  ['Hugo', hugo, {}, undefined, 'about/'],
  ['Hugo', hugo, adding(hugo, 'hugo.toml', 'uglyURLs = true'), undefined, 'about.html'],
  ['Jekyll', jekyll, {}, undefined, 'about.html'],
  ['Jekyll', jekyll, adding(jekyll, '_config.yml', 'permalink: pretty'), undefined, 'about/'],
  ['Jekyll', jekyll, adding(jekyll, '_config.yml', 'permalink: /:title'), 'clean', 'about'],
  ['MkDocs', mkdocs, {}, undefined, 'about/'],
  ['MkDocs', mkdocs, adding(mkdocs, 'mkdocs.yml', 'use_directory_urls: false'), 'file', 'about.html'],
  ['Sphinx', sphinx, {}, 'file', 'about.html'],
])(
  '%s as its page says, %#: every URL that the site uses is listed, and the same is built on two days',
  async (_, generator, more, urls, about) => {
    const { lines, site, args } = readRecipe(generator);
    const shown = args.includes('--urls') ? args.slice(0, args.indexOf('--urls')) : args;
    const style = urls === undefined ? [] : ['--urls', urls];
    let project = '';
    if (Object.keys(more).length === 0) {
      expect([...shown, ...style]).toEqual(args);
      const build = (folder: string, day: number) => {
        project = folder;
        return generators.runLines(lines, folder, day);
      };
      expect(await compareTwoDays({ files: generator.files, output: site, build })).toEqual([]);
    } else {
      project = makeRepository();
      commitFiles(project, 0, { ...generator.files, ...more });
      await generators.runLines(lines, project);
    }
    expect(await callCli([site, ...shown, ...style], { cwd: project })).toMatchObject({ status: 0 });

    const listed = tellListed(join(project, site), SITE_URL);
    expect(listed).toContain(about);
    const own = readOwnUrls(join(project, site), listed);
    expect(own).toContain(about);
    expect(own.filter((uri) => !listed.includes(uri))).toEqual([]);
  },
);

// docs/reproducible.md: "nothing; with `html_last_updated_fmt`, every page", and `SOURCE_DATE_EPOCH` ends it.
test.each<[before: string, changed: string[]]>([
  ['', ['updated about.html', 'updated guide/index.html', 'updated index.html']],
  ['SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) ', []],
])('Sphinx with html_last_updated_fmt, built by "%ssphinx-build", changes %j', async (before, changed) => {
  const { lines, site } = readRecipe(sphinx);
  const dated = adding(
    sphinx,
    'source/conf.py',
    "html_theme = 'classic'\nhtml_last_updated_fmt = '%Y-%m-%d'",
  );
  const told = await compareTwoDays({
    files: { ...sphinx.files, ...dated },
    output: site,
    build: (project, day) =>
      generators.runLines(
        lines.map((line) => `${before}${line}`),
        project,
        day,
      ),
  });
  // Its own pages, such as the index, say it, too.
  expect(told.filter((line) => !/(?:genindex|search)\.html$/.test(line))).toEqual(changed);
});

test('Sphinx with the builder dirhtml: every link is listed without --urls', async () => {
  const { lines, site } = readRecipe(sphinx);
  const project = makeRepository();
  commitFiles(project, 0, { ...sphinx.files, ...adding(sphinx, 'source/conf.py', "html_baseurl = ''") });
  await generators.runLines(
    lines.map((line) => line.replace('-b html', '-b dirhtml')),
    project,
  );
  expect(await callCli([site, '--url', SITE_URL], { cwd: project })).toMatchObject({ status: 0 });
  const listed = tellListed(join(project, site), SITE_URL);
  const own = readOwnUrls(join(project, site), listed);
  expect(own).toEqual(expect.arrayContaining(['about/', 'guide/']));
  expect(own.filter((uri) => !listed.includes(uri))).toEqual([]);
});
