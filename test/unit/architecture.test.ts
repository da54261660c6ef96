/** The rules about who may import whom, and what the package exports. */

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as publicSurface from '../../src/index.js';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));

function importsOf(file: string): string[] {
  const text = readFileSync(source + file, 'utf8');
  return [...text.matchAll(/(?:from|import)[ (]'([^']+)'/g)].map(([, specifier]) => specifier ?? '');
}

const TOP = ['cli.ts', 'index.ts', 'describe.ts'];
/** Words what `describe.ts` returns; only the command line uses it. */
const WORDING = 'report.ts';
const PURE = files.filter((file) => /^(history|plan|uri|select)\.ts$|^resourcesync\//.test(file));

test('the walk sees the files and their imports', () => {
  expect(PURE).toContain('resourcesync/serialize.ts');
  expect(importsOf('describe.ts')).toContain('./scan.js');
});

test.each(PURE)('%s is pure: it imports no node: module', (file) => {
  expect(importsOf(file).filter((specifier) => specifier.startsWith('node:'))).toEqual([]);
});

test.each(files.filter((file) => file.startsWith('resourcesync/')))(
  '%s imports nothing outside resourcesync/ but its XML library',
  (file) => {
    for (const specifier of importsOf(file)) expect(specifier).toMatch(/^\.\/[a-z]+\.js$|^xmlbuilder2$/);
  },
);

test.each(files.filter((file) => ![...TOP, WORDING].includes(file)))(
  '%s does not import what stands above it',
  (file) => {
    for (const top of TOP) expect(importsOf(file)).not.toContain(`./${top.replace('.ts', '.js')}`);
  },
);

test.each(files.filter((file) => !['cli.ts', WORDING].includes(file)))('%s prints nothing', (file) => {
  expect(readFileSync(source + file, 'utf8')).not.toMatch(/console\.|process\.(stdout|stderr|exit)/);
});

test('only describe.ts asks the clock for the date', () => {
  const askers = files.filter((file) =>
    /new Date\((Math\.floor\()?(Date\.now|\))/.test(readFileSync(source + file, 'utf8')),
  );
  expect(askers).toEqual(['describe.ts']);
});

test('the package exports just this', () => {
  expect(Object.keys(publicSurface).sort()).toEqual(['ResyncError', 'defineConfig', 'describe']);
});
