/** Conventions that hold in all files: pure folders, printing, the clock, frameworks, and the files that docs/design.md names. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { Plugin } from 'vite';
import type { UserConfig } from 'vitepress';
import { expect, expectTypeOf, test } from 'vitest';
import type astro from '../../adapters/astro.js';
import type vite from '../../adapters/vite.js';
import type vitepress from '../../adapters/vitepress.js';

/** Folders whose files import no module of Node: they need no disk, git or clock. */
const PURE = [
  'base/columns',
  'base/text',
  'standard',
  'paths',
  'files/page/text',
  'history/archives',
  'history/plan',
  'diff',
  'describe/plan',
  'describe/past/versions',
  'describe/people',
  'source/rules',
  'mirror/names',
  'mirror/plan',
  'tell/channel/plan',
  'cli/words',
  'cli/init',
];
/** Exceptions in these folders. */
const RUNNERS = [
  'standard/digests',
  'standard/signature',
  'paths/hold',
  'paths/held',
  'diff/run',
  'describe/past/versions/run',
  'describe/people/run',
  'cli/init/run',
  'cli/init/command',
  'cli/init/lists',
];
const source = fileURLToPath(new URL('../../src/', import.meta.url));
const files = [...listSources('', source), ...listSources('../adapters/', `${source}../adapters/`)];

function listSources(prefix: string, folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => prefix + file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'));
}

const textOf = (file: string) => readFileSync(source + file, 'utf8');
const isIn = (file: string, folders: readonly string[]) =>
  folders.some((folder) => file === `${folder}.ts` || file.startsWith(`${folder}/`));

test('pure folders import no module of Node', () => {
  const pure = files.filter((file) => isIn(file, PURE) && !isIn(file, RUNNERS));
  expect(pure).toContain('history/plan/derive.ts');
  expect(pure.filter((file) => /(?:from|import)[ (]'node:/.test(textOf(file)))).toEqual([]);
});

test('only the command line prints', () => {
  const printing = files.filter((file) => /console\.|process\.(?:stdout|stderr|exit\()/.test(textOf(file)));
  expect(printing.filter((file) => !isIn(file, ['cli']))).toEqual([]);
});

test('only base/time.ts asks the clock for the date', () => {
  const askers = files.filter((file) => /new Date\((?:Math\.floor\()?(?:Date\.now|\))/.test(textOf(file)));
  expect(askers).toEqual(['base/time.ts']);
});

test('adapters import no framework, and return what frameworks take', () => {
  const specifiers = files
    .filter((file) => file.startsWith('../adapters/'))
    .flatMap((file) => [...textOf(file).matchAll(/(?:from|import)[ (]'([^']+)'/g)].map(([, name]) => name));
  expect(specifiers.filter((name) => !/^(?:node:|\.\/\w+\.js$|\.\.\/src\/)/.test(name ?? ''))).toEqual([]);
  expectTypeOf<ReturnType<typeof astro>>().toExtend<AstroIntegration>();
  expectTypeOf<ReturnType<typeof vite>>().toExtend<Plugin>();
  expectTypeOf<ReturnType<typeof vitepress>>().toExtend<NonNullable<UserConfig['buildEnd']>>();
});

test('docs/design.md and docs/decisions.md name files that are there', () => {
  const text = ['design', 'decisions']
    .map((page) => readFileSync(`${source}../docs/${page}.md`, 'utf8'))
    .join('');
  const named = [...text.matchAll(/`([a-z][\w-]*(?:\/[\w-]+)+\.(?:ts|mjs))`/g)].map(([, path]) => path);
  expect(named.length).toBeGreaterThan(40);
  expect(
    named.filter((path) => !existsSync(`${source}${path}`) && !existsSync(`${source}../${path}`)),
  ).toEqual([]);
});
