/** Edits to configurations of frameworks: each result is a script that Babel parses, or nothing is changed. */

import { describe, expect, test } from 'vitest';
import {
  addPlugin,
  type Plugin,
  type PluginOptions,
  writeLines,
} from '../../../../src/cli/init/edit/config.js';

type PluginEdit = readonly [plugin: Plugin, options: PluginOptions];

const ELEVENTY: PluginEdit = [
  { module: 'resync-static/eleventy', kind: 'call', option: 'addPlugin' },
  { url: 'https://a.example/' },
];
const VITE: PluginEdit = [
  { module: 'resync-static/vite', kind: 'list', option: 'plugins' },
  { urls: 'clean' },
];
const VITEPRESS: PluginEdit = [{ module: 'resync-static/vitepress', kind: 'option', option: 'buildEnd' }, {}];

function expectText(text: string, plugin: PluginEdit, wanted: string): void {
  expect(addPlugin(text, ...plugin)).toBe(wanted);
}

describe('a statement in a function', () => {
  test('goes to its end, in the style of the file', () => {
    expectText(
      `import a from "a"\n\nexport default async function (config) {\n\tconfig.addPlugin(a) // first\n}\n`,
      ELEVENTY,
      `import a from "a"\nimport resyncStatic from "resync-static/eleventy"\n\nexport default async function (config) {\n\tconfig.addPlugin(a) // first\n\tconfig.addPlugin(resyncStatic, { url: "https://a.example/" })\n}\n`,
    );
  });

  test('goes before what is returned, in CommonJS, too', () => {
    expectText(
      `const a = require('a');\n\nmodule.exports = function (eleventyConfig) {\n  eleventyConfig.addPlugin(a);\n\n  return { dir: { output: 'dist' } };\n};\n`,
      ELEVENTY,
      `const a = require('a');\nconst { default: resyncStatic } = require('resync-static/eleventy');\n\nmodule.exports = function (eleventyConfig) {\n  eleventyConfig.addPlugin(a);\n\n  eleventyConfig.addPlugin(resyncStatic, { url: 'https://a.example/' });\n  return { dir: { output: 'dist' } };\n};\n`,
    );
  });

  test('is found by its name; a hashbang, a comment and a byte order mark stay first', () => {
    expectText(
      `\ufeff// @ts-check\n\n/** @param {any} config */\nconst configure = (config) => {};\nexport default configure;\n`,
      ELEVENTY,
      `\ufeff// @ts-check\nimport resyncStatic from 'resync-static/eleventy';\n\n/** @param {any} config */\nconst configure = (config) => {\n  config.addPlugin(resyncStatic, { url: 'https://a.example/' });\n};\nexport default configure;\n`,
    );
  });
});

describe('an item of a list', () => {
  test.each([
    ['an empty list', 'plugins: []', "plugins: [resyncStatic({ urls: 'clean' })]"],
    ['one line', 'plugins: [a()]', "plugins: [a(), resyncStatic({ urls: 'clean' })]"],
    ['a comma at the end', 'plugins: [a(),]', "plugins: [a(), resyncStatic({ urls: 'clean' })]"],
    [
      'several lines',
      'plugins: [\n    a(), // note, with commas\n  ],',
      "plugins: [\n    a(), // note, with commas\n    resyncStatic({ urls: 'clean' }),\n  ],",
    ],
    [
      'several lines without a comma at the end',
      'plugins: [\n    a(),\n    b({\n      c: [1]\n    }) // last\n  ]',
      "plugins: [\n    a(),\n    b({\n      c: [1]\n    }), // last\n    resyncStatic({ urls: 'clean' })\n  ]",
    ],
    [
      'one line with a comment behind',
      'plugins: [a(), // last\n]',
      "plugins: [a(), resyncStatic({ urls: 'clean' }) // last\n]",
    ],
    ['no such option', `base: '/a/'`, `base: '/a/', plugins: [resyncStatic({ urls: 'clean' })]`],
    [
      'no such option, in lines',
      `base: '/a/',\n  // the end\n`,
      `base: '/a/',\n  // the end\n  plugins: [resyncStatic({ urls: 'clean' })],\n`,
    ],
    ['nothing at all', '', " plugins: [resyncStatic({ urls: 'clean' })] "],
  ])('%s', (_, before, after) => {
    const isOpen = before.includes('\n') && !before.startsWith('plugins');
    const wrap = (body: string) => `export default {${isOpen ? '\n  ' : ''}${body}};\n`;
    expectText(wrap(before), VITE, `import resyncStatic from 'resync-static/vite';\n\n${wrap(after)}`);
  });

  test.each([
    ['defineConfig', (object: string) => `export default defineConfig(${object});\n`],
    ['a function', (object: string) => `export default defineConfig(({ mode }) => (${object}));\n`],
    ['a name', (object: string) => `const config: UserConfig = ${object};\nexport default config;\n`],
    ['satisfies', (object: string) => `export default ${object} satisfies UserConfig;\n`],
    [
      'a function that returns',
      (object: string) => `export default defineConfig(async () => {\n  return ${object};\n});\n`,
    ],
  ])('in TypeScript, by %s', (_, wrap) => {
    expectText(
      wrap('{ plugins: [a()] }'),
      VITE,
      `import resyncStatic from 'resync-static/vite';\n\n${wrap("{ plugins: [a(), resyncStatic({ urls: 'clean' })] }")}`,
    );
  });

  test('lines end as they did', () => {
    const text = `import a from 'a';\r\nexport default {\r\n  plugins: [\r\n    a(),\r\n  ],\r\n};\r\n`;
    expectText(
      text,
      VITE,
      `import a from 'a';\r\nimport resyncStatic from 'resync-static/vite';\r\nexport default {\r\n  plugins: [\r\n    a(),\r\n    resyncStatic({ urls: 'clean' }),\r\n  ],\r\n};\r\n`,
    );
  });
});

test('a function that is an option', () => {
  expectText(
    `import { defineConfig } from 'vitepress'\n\n// https://vitepress.dev\nexport default defineConfig({\n  title: "A",\n  themeConfig: {\n    nav: []\n  }\n})\n`,
    VITEPRESS,
    `import { defineConfig } from 'vitepress'\nimport resyncStatic from 'resync-static/vitepress'\n\n// https://vitepress.dev\nexport default defineConfig({\n  title: "A",\n  themeConfig: {\n    nav: []\n  },\n  buildEnd: resyncStatic()\n})\n`,
  );
});

const DOCUSAURUS: PluginEdit = [
  { module: 'resync-static/docusaurus', kind: 'name', option: 'plugins' },
  { page: true },
];
const SVELTEKIT: PluginEdit = [
  { module: 'resync-static/sveltekit', kind: 'wrap', option: 'adapter', owners: ['kit', 'sveltekit'] },
  { url: 'https://a.example/' },
];

describe('a name in a list', () => {
  test.each([
    ['no list', 'module.exports = {};', `module.exports = { plugins: [NAME] };`],
    ['a list', `export default { plugins: ['a'] };`, `export default { plugins: ['a', NAME] };`],
    [
      'a named configuration',
      'const config = {\n  title: "A",\n};\nexport default config;\n',
      'const config = {\n  title: "A",\n  plugins: [NAME],\n};\nexport default config;\n',
    ],
  ])('%s', (_, before, after) => {
    const mark = before.includes('"') ? '"' : "'";
    const name = `[${mark}resync-static/docusaurus${mark}, { page: true }]`;
    expectText(before, DOCUSAURUS, after.replace('NAME', name));
    expect(addPlugin(after.replace('NAME', name), ...DOCUSAURUS)).toBeUndefined();
  });

  test('without options, it is the name alone', () => {
    const plugin: PluginEdit = [DOCUSAURUS[0], {}];
    expectText('export default {};', plugin, `export default { plugins: ['resync-static/docusaurus'] };`);
  });
});

describe('a call around a value', () => {
  test.each([
    [
      'in a configuration of its own',
      `import adapter from '@sveltejs/adapter-static';\nIMPORT\n/** @type {any} */\nconst config = {\n\tkit: {\n\t\tadapter: <adapter()>\n\t}\n};\n\nexport default config;\n`,
    ],
    [
      'in that of Vite',
      `import adapter from '@sveltejs/adapter-static';\nIMPORT\nexport default defineConfig({ plugins: [tailwind(), sveltekit({ adapter: <adapter({ fallback: 'a.html' })> })] });\n`,
    ],
  ])('%s', (_, text) => {
    const line = `import resyncStatic from 'resync-static/sveltekit';\n`;
    expectText(
      text.replace('IMPORT\n', '').replace(/[<>]/g, ''),
      SVELTEKIT,
      text
        .replace('IMPORT\n', line)
        .replace('<', 'resyncStatic(')
        .replace('>', `, { url: 'https://a.example/' })`),
    );
  });
});

test.each<[plugin: PluginEdit, line: string]>([
  [ELEVENTY, `config.addPlugin(resyncStatic, { url: 'https://a.example/' });`],
  [VITE, `plugins: [resyncStatic({ urls: 'clean' })],`],
  [VITEPRESS, 'buildEnd: resyncStatic(),'],
  [SVELTEKIT, `adapter: resyncStatic(adapter(), { url: 'https://a.example/' }),`],
])('the lines to paste, %#', (plugin, line) => {
  expect(writeLines(...plugin, '')).toEqual([`import resyncStatic from '${plugin[0].module}';`, line]);
});

test('lines to paste into a configuration in CommonJS', () => {
  expect(writeLines(...ELEVENTY, 'module.exports = (config) => ({});')).toEqual([
    `const { default: resyncStatic } = require('resync-static/eleventy');`,
    `config.addPlugin(resyncStatic, { url: 'https://a.example/' });`,
  ]);
});

test('a line to paste that needs no import', () => {
  expect(writeLines(...DOCUSAURUS, '')).toEqual([`plugins: [['resync-static/docusaurus', { page: true }]],`]);
});

test.each<[what: string, text: string, plugin: PluginEdit]>([
  [
    'an adapter from elsewhere',
    `import { adapter } from './a.js';\nexport default { kit: { adapter } };`,
    SVELTEKIT,
  ],
  ['an adapter that depends', 'export default { kit: { adapter: a ? b() : c() } };', SVELTEKIT],
  ['no adapter', 'export default { kit: {} };', SVELTEKIT],
  [
    'an adapter of another plugin',
    'export default { plugins: [sveltekit(), serve({ adapter: a() })] };',
    SVELTEKIT,
  ],
  ['a script with a mistake', 'export default {', VITE],
  ['a name that is taken', 'const resyncStatic = 1;\nexport default {};', VITE],
  ['an object in place of a function', 'export default { a: 1 };', ELEVENTY],
  ['a function without a parameter', 'export default function () {}', ELEVENTY],
  ['a parameter that is taken apart', 'export default function ({ on }) {}', ELEVENTY],
  ['a function of another module', `import c from '../../init/c.js';\nexport default c;`, ELEVENTY],
  ['nothing exported', 'const a = 1;', VITE],
  ['a function around the object', 'export default withPlugins({ plugins: [] });', VITE],
  [
    'two objects',
    'export default defineConfig(({ command }) => { if (command) { return {}; } return {}; });',
    VITE,
  ],
  ['a list that is worked out', 'export default { plugins: [a].filter(Boolean) };', VITE],
  ['options from elsewhere', 'export default { ...base };', VITE],
  ['a function that is there', 'export default { buildEnd() {} };', VITEPRESS],
  ['CommonJS', 'module.exports = { plugins: [] };', VITE],
])('%s: the file is left as it is', (_, text, plugin) => {
  expect(addPlugin(text, ...plugin)).toBeUndefined();
});
