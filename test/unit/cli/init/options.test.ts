/** Options that `init` reads from configurations, and whether they are certain. */

import { describe, expect, test } from 'vitest';
import {
  type OptionValue,
  readOptions,
  readPluginOptions,
  UNKNOWN,
} from '../../../../src/cli/init/options.js';
import { findProject } from '../../../../src/cli/init/project.js';
import { type Files, makeFacts, makeManifest } from '../../../support/init.js';

test.each<[file: string, text: string, option: string, said: OptionValue]>([
  ['a.js', `export default { site: 'a', x: { site: 'b' } }`, 'site', 'a'],
  ['a.js', `export default { x: [y({ site: 'b' })] }`, 'site', undefined],
  ['a.js', `export default { x: [y({ site: 'b' })] }`, 'x.y().site', 'b'],
  ['a.js', `export default { x: y({ site: 'b' }) }`, 'x().site', 'b'],
  ['a.js', `export default { x: y(z) }`, 'x().site', UNKNOWN],
  ['a.ts', `const c: C = { site: 'a' };\nexport default c satisfies C`, 'site', 'a'],
  ['a.js', `const site = 'a';\nexport default defineConfig({ site })`, 'site', 'a'],
  ['a.js', `export default { site: process.env.SITE }`, 'site', UNKNOWN],
  ['a.js', `export default { site: process.env.SITE ?? 'a' }`, 'site', UNKNOWN],
  ['a.js', `export default { site: CI ? 'a' : 'b' }`, 'site', UNKNOWN],
  ['a.js', `export default { ...base, site: 'a' }`, 'site', 'a'],
  ['a.js', `export const site = 'a';`, 'site', 'a'],
  ['a.js', `export const site = 'a';`, 'base', undefined],
  ['a.js', `export default { x: y() }`, 'x().site', undefined],
  ['a.js', `export default { site: 'a', ...base }`, 'site', UNKNOWN],
  ['a.js', `export default { ...base }`, 'site', UNKNOWN],
  ['a.js', `export default { build: make() }`, 'build.outDir', UNKNOWN],
  ['a.js', `export default make({ site: 'a' })`, 'site', UNKNOWN],
  ['a.js', `// site: 'a'\nexport default { on: true }`, 'site', undefined],
  ['a.js', `export default {`, 'site', UNKNOWN],
  ['a.cjs', `module.exports = { url: 'a' }`, 'url', 'a'],
  [
    'a.js',
    `export const config = { dir: { output: 'www' } };\nexport default function (c) {}`,
    'config.dir.output',
    'www',
  ],
  ['a.js', `export default function (c) { c.setOutputDirectory('www'); }`, 'setOutputDirectory()', 'www'],
  ['a.js', `export default (c) => { if (x) c.setOutputDirectory('b'); }`, 'setOutputDirectory()', UNKNOWN],
  [
    'a.js',
    `export default (c) => { if (x) return {}; return { dir: { output: 'b' } }; }`,
    'dir.output',
    UNKNOWN,
  ],
  ['a.json', `{ "a": { "b": true }, "b": "c" } // end`, 'b', 'c'],
  ['a.json', `{ "a"`, 'b', UNKNOWN],
  ['a.yml', `x:\n  url: b\nurl: a # note\n`, 'url', 'a'],
  ['a.yml', `x:\n  url: b\n`, 'url', undefined],
  ['a.yml', `"url" : 'https://a.dev' # x\n`, 'url', 'https://a.dev'],
  ['a.yml', `x: |\n  url: b\nurl: !ENV [SITE, a]\n`, 'url', UNKNOWN],
  ['a.yml', `url: *host\n`, 'url', UNKNOWN],
  ['a.yml', `INHERIT: base.yml\nname: x\n`, 'url', UNKNOWN],
  ['a.yml', `{ url: a }\n`, 'url', UNKNOWN],
  ['a.yml', `on: yes\n---\nurl: a\n`, 'url', undefined],
  ['a.toml', `x = """\nurl = "b"\n"""\nurl = 'a' # x\n[y]\nurl = "c"\n`, 'url', 'a'],
  ['a.toml', `[y]\nurl = "c"\n[[y.z]]\nurl = "d"`, 'url', undefined],
  ['a.toml', `[y]\nurl = "c"\n`, 'y.url', 'c'],
  ['a.toml', `y.url = "c"\n`, 'url', undefined],
  ['conf.py', `def f():\n  url = 'b'\nurl = "a"\n`, 'url', 'a'],
  ['conf.py', `url = os.environ.get("A", "b")\n`, 'url', UNKNOWN],
])('%s with %j: %s', (file, text, option, said) => {
  expect(readOptions(file, text)(option)).toEqual(said);
});

test.each([
  [`plugins: [resyncStatic(options)]`, 'clean'],
  [`plugins: [['resync-static/nuxt', options]]`, 'clean'],
  [`plugins: [resyncStatic()]`, undefined],
  [`plugins: [resyncStatic(make())]`, UNKNOWN],
])('options of our plugin in %s', (config, said) => {
  const text = `const options = { urls: 'clean' };\nexport default { ${config} };`;
  expect(readPluginOptions(text)('urls')).toEqual(said);
});

describe('where a site is written, and published', () => {
  const find = (files: Files) => {
    const { site, isSiteSure, url } = findProject(makeFacts(files));
    return { site, isSiteSure, url: url?.url, isPlaceholder: url?.isPlaceholder };
  };
  const scripts = (packages: string[], build: string, more: object = {}) => ({
    'package.json': makeManifest(packages, { build, ...more }),
  });
  const vite = (config: string) => ({ ...scripts(['vite'], 'vite build'), 'vite.config.js': config });
  const astro = (config: string) => ({ ...scripts(['astro'], 'astro build'), 'astro.config.mjs': config });

  test.each<[what: string, files: Files, site: string, isSure?: boolean]>([
    ['a flag', scripts(['@docusaurus/core'], 'docusaurus build --out-dir www'), 'www'],
    ['a flag with =', scripts(['astro'], 'tsc && astro build --outDir=./www/ && up'), 'www'],
    [
      'a flag of another script',
      scripts(['vite'], 'npm run pages', { pages: 'vite build --outDir www' }),
      'www',
    ],
    ['a flag of another program', scripts(['vite'], 'tsc --outDir lib && vite build'), 'dist'],
    ['a flag that a shell works out', scripts(['vite'], 'vite build --outDir $OUT'), 'dist', false],
    ['another configuration', scripts(['vite'], 'vite build --config other.js'), 'dist', false],
    ['another folder', scripts(['vite'], 'vite build web'), 'dist', false],
    ['the command of a host', { 'hugo.toml': '', 'netlify.toml': '[build]\ncommand = "hugo -d www"' }, 'www'],
    [
      'output.dir of Vite',
      vite(`export default { build: { outDir: 'a', rollupOptions: { output: { dir: 'b' } } } }`),
      'b',
    ],
    ['the root of Vite', vite(`export default { root: 'src', build: { outDir: '../www' } }`), 'www'],
    [
      'outDir of a book',
      { ...scripts(['vitepress'], 'x'), 'docs/.vitepress/config.ts': `export default { outDir: '../www' }` },
      'www',
    ],
    [
      'a flag of a book, which counts from where the command runs',
      {
        ...scripts(['vitepress'], 'vitepress build docs --outDir www'),
        'docs/.vitepress/config.ts': 'export default {}',
      },
      'www',
    ],
    ['a configuration that cannot be read', astro('export default make()'), 'dist', false],
    [
      'Hexo, which has a file of Jekyll',
      { ...scripts(['hexo'], 'x'), '_config.yml': 'public_dir: www' },
      'www',
    ],
  ])('%s', (_, files, site, isSure = true) => {
    expect(find(files)).toMatchObject({ site, isSiteSure: isSure });
  });

  test.each<[what: string, files: Files, url: string | undefined, isPlaceholder?: boolean]>([
    [
      'a placeholder',
      { 'mkdocs.yml': 'site_url: https://a.example.net/b/' },
      'https://a.example.net/b/',
      true,
    ],
    ['an address that is worked out', astro(`export default { site: x ?? 'https://a.dev' }`), undefined],
    ['an address', { 'mkdocs.yml': 'site_url: https://birds.dev/b/' }, 'https://birds.dev/b/'],
    ['Hugo, in any capitals', { 'hugo.toml': 'baseurl = "https://birds.dev"' }, 'https://birds.dev/'],
    [
      'Hugo, production before the rest',
      {
        'config/_default/hugo.toml': 'baseURL = "https://a.dev/"',
        'config/production/hugo.toml': 'baseURL = "https://b.dev/"',
      },
      'https://b.dev/',
    ],
    [
      'a flag of Hugo',
      { 'hugo.toml': 'baseURL = "https://a.dev"', ...scripts([], 'hugo -b https://b.dev') },
      'https://b.dev/',
    ],
    [
      'a path without slashes',
      astro(`export default { site: 'https://a.dev', base: 'docs' }`),
      'https://a.dev/docs/',
    ],
    [
      'a path that is worked out',
      astro(`export default { site: 'https://a.dev', base: x || '/docs' }`),
      undefined,
    ],
  ])('%s', (_, files, url, isPlaceholder = false) => {
    expect(find(files)).toMatchObject(url === undefined ? { url } : { url, isPlaceholder });
  });
});
