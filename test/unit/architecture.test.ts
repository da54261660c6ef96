/** The rules about who may import whom, and what the package exports. */

import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { Plugin } from 'vite';
import type { UserConfig } from 'vitepress';
import { expect, expectTypeOf, test } from 'vitest';
import type astro from '../../adapters/astro.js';
import type vite from '../../adapters/vite.js';
import type { describeVitePress } from '../../adapters/vite.js';
import * as publicSurface from '../../src/index.js';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));
const adapters = readdirSync(new URL('../../adapters/', import.meta.url)).map(
  (file) => `../adapters/${file}`,
);

function importsOf(file: string): string[] {
  const text = readFileSync(source + file, 'utf8');
  return [...text.matchAll(/(?:from|import)[ (]'([^']+)'/g)].map(([, specifier]) => specifier ?? '');
}

/** Nothing else may know of these; the audit takes the clock from `describe.ts`. */
const TOP = ['cli/main.ts', 'index.ts', 'watch.ts', 'describe.ts', 'audit/audit.ts'];
/** Word what a run and an audit return; only the command line uses them. */
const WORDING = ['words/describe.ts', 'words/audit.ts'];
const PURE = files.filter((file) =>
  /^(?:plan\/|resourcesync\/|paths\/|history\/from-live\.ts$|audit\/(?:checks|agreement)\.ts$|audit\/rules\/)/.test(
    file,
  ),
);

test('the walk sees the files and their imports', () => {
  expect(PURE).toContain('resourcesync/serialize.ts');
  expect(importsOf('describe.ts')).toContain('./site/scan.js');
});

test.each(PURE)('%s is pure: it imports no node: module', (file) => {
  expect(importsOf(file).filter((specifier) => specifier.startsWith('node:'))).toEqual([]);
});

test.each(files.filter((file) => file.startsWith('resourcesync/')))(
  '%s imports nothing outside resourcesync/ but its XML library',
  (file) => {
    for (const specifier of importsOf(file)) expect(specifier).toMatch(/^\.\/[a-z]+\.js$|^saxes$/);
  },
);

test.each(files.filter((file) => ![...TOP, ...WORDING].includes(file)))(
  '%s does not import what stands above it',
  (file) => {
    const imported = importsOf(file).map((specifier) => posix.join(posix.dirname(file), specifier));
    for (const top of TOP) expect(imported).not.toContain(top.replace('.ts', '.js'));
  },
);

test.each(adapters)('%s needs no framework, and nothing imports it but adapters', (file) => {
  for (const specifier of importsOf(file)) expect(specifier).toMatch(/^(?:node:|\.\/run\.js$|\.\.\/src\/)/);
  for (const other of files) expect(importsOf(other).join()).not.toContain('adapters/');
});

test('what adapters return is what frameworks take', () => {
  expectTypeOf<ReturnType<typeof astro>>().toExtend<AstroIntegration>();
  expectTypeOf<ReturnType<typeof vite>>().toExtend<Plugin>();
  expectTypeOf<ReturnType<typeof describeVitePress>>().toExtend<NonNullable<UserConfig['buildEnd']>>();
});

test.each([...files.filter((file) => !['cli/main.ts', ...WORDING].includes(file)), ...adapters])(
  '%s prints nothing',
  (file) => {
    expect(readFileSync(source + file, 'utf8')).not.toMatch(/console\.|process\.(stdout|stderr|exit)/);
  },
);

test('only describe.ts asks the clock for the date', () => {
  const askers = files.filter((file) =>
    /new Date\((Math\.floor\()?(Date\.now|\))/.test(readFileSync(source + file, 'utf8')),
  );
  expect(askers).toEqual(['describe.ts']);
});

test('the package exports just this', () => {
  expect(Object.keys(publicSurface).sort()).toEqual([
    'ResyncError',
    'audit',
    'defineConfig',
    'describe',
    'watch',
  ]);
});
