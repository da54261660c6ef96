/** The rules about who may import whom, and what the package exports. */

import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { Plugin } from 'vite';
import type { UserConfig } from 'vitepress';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type astro from '../../adapters/astro.js';
import type vite from '../../adapters/vite.js';
import type vitepress from '../../adapters/vitepress.js';

/** Folders, and files that stand alone, each above all that it imports: docs/design.md says what each knows. */
const LEVELS: readonly (readonly string[])[] = [
  ['text'],
  ['errors', 'notices'],
  ['time', 'globs', 'bell'],
  ['columns', 'held'],
  ['resourcesync'],
  ['digests', 'patches'],
  ['paths', 'web'],
  ['page'],
  ['plan', 'publish'],
  ['archives'],
  ['progress', 'config'],
  ['site'],
  ['history', 'discovery'],
  ['dumps'],
  ['archiving'],
  ['state'],
  ['versions'],
  ['diff'],
  ['init'],
  ['people'],
  ['audit'],
  ['mirror', 'join'],
  ['notify'],
  ['report', 'style'],
  ['run'],
  ['describe'],
  ['watch'],
  ['channel'],
  ['words'],
  ['index'],
  ['cli', '../adapters'],
];
/** What is decided without a disk, git or a clock. */
const PURE = [
  'columns',
  'resourcesync',
  'paths',
  'patches',
  'plan',
  'archives',
  'state',
  'versions',
  'words',
  'audit/rules',
  'diff',
  'init',
  'people',
  'mirror/names',
  'mirror/plan',
  'channel/plan',
];
/** What is not, in such a folder: it runs the rest. */
const RUNNERS = ['diff/run', 'init/run', 'people/run', 'versions/run'];
/** What a reader can take in: files in a folder, lines of a file, and of the median one. */
const MEASURES = { folder: 12, lines: 400, median: 130 };

const source = fileURLToPath(new URL('../../src/', import.meta.url));
const files = listSources(source, '');
const adapters = listSources(`${source}../adapters/`, '../adapters/');
const all = [...files, ...adapters];

function listSources(folder: string, prefix: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => prefix + file.replaceAll('\\', '/'))
    .filter((file) => /\.[tj]s$/.test(file))
    .sort();
}

const textOf = (file: string) => readFileSync(source + file, 'utf8');
const specifiersOf = (file: string) =>
  [...textOf(file).matchAll(/(?:from|import)[ (]'([^']+)'/g)].map(([, specifier]) => specifier ?? '');

/** The files of ours that a file imports, for types, too. */
function importsOf(file: string): string[] {
  return specifiersOf(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(file), specifier).replace('../src/', ''))
    .map((path) => all.find((one) => one.replace(/\.ts$/, '.js') === path) ?? path);
}

function roomOf(file: string): string {
  if (file.startsWith('../')) return file.split('/').slice(0, 2).join('/');
  return file.includes('/') ? (file.split('/')[0] ?? '') : file.replace(/\.ts$/, '');
}

const levelOf = (file: string) => LEVELS.findIndex((rooms) => rooms.includes(roomOf(file)));
const isIn = (file: string, rooms: readonly string[]) =>
  rooms.some((room) => file === `${room}.ts` || file.startsWith(`${room}/`));

/** The files along each way that leads back to where it began. */
function findCycles(): string[] {
  const cycles: string[] = [];
  const visited = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) cycles.push([...way.slice(way.indexOf(file)), file].join(' → '));
    if (visited.has(file)) return;
    visited.add(file);
    for (const next of importsOf(file)) visit(next, [...way, file]);
  };
  for (const file of all) visit(file, []);
  return cycles;
}

test('the walk sees the files and their imports', () => {
  expect(files).toContain('resourcesync/serialize.ts');
  expect(importsOf('describe.ts')).toContain('site/scan.ts');
  expect(importsOf('history/read.ts')).toContain('history/from-git.ts');
  expect(all.flatMap(importsOf).filter((file) => !all.includes(file))).toEqual([]);
});

describe('folders', () => {
  test.each(all)('%s imports nothing that stands above it', (file) => {
    expect(levelOf(file), `${file} has no place in LEVELS`).toBeGreaterThan(-1);
    const wrong = importsOf(file).filter(
      (other) => roomOf(other) !== roomOf(file) && levelOf(other) >= levelOf(file),
    );
    expect(wrong).toEqual([]);
  });

  test('there is no cycle', () => {
    expect(findCycles()).toEqual([]);
  });

  test.each(files.filter((file) => isIn(file, PURE) && !isIn(file, RUNNERS)))(
    '%s is pure: it imports no node: module',
    (file) => {
      expect(specifiersOf(file).filter((specifier) => specifier.startsWith('node:'))).toEqual([]);
    },
  );

  test.each(files.filter((file) => isIn(file, ['resourcesync'])))(
    '%s imports nothing outside resourcesync/ but its XML library',
    (file) => {
      for (const specifier of specifiersOf(file)) expect(specifier).toMatch(/^\.\/[a-z-]+\.js$|^saxes$/);
    },
  );

  test.each(adapters)('%s needs no framework', (file) => {
    for (const specifier of specifiersOf(file))
      expect(specifier).toMatch(/^(?:node:|\.\/\w+\.js$|\.\.\/src\/)/);
  });

  test('none is too full, and no file too long', () => {
    const lines = all.map((file) => textOf(file).split('\n').length).sort((a, b) => a - b);
    const folders = new Set(all.map((file) => posix.dirname(file)));
    const sizeOf = (folder: string) => all.filter((file) => posix.dirname(file) === folder).length;
    expect([...folders].filter((folder) => sizeOf(folder) > MEASURES.folder)).toEqual([]);
    expect(all.filter((file) => textOf(file).split('\n').length > MEASURES.lines)).toEqual([]);
    expect(lines[Math.floor(lines.length / 2)]).toBeLessThanOrEqual(MEASURES.median);
  });
});

test('what adapters return is what frameworks take', () => {
  expectTypeOf<ReturnType<typeof astro>>().toExtend<AstroIntegration>();
  expectTypeOf<ReturnType<typeof vite>>().toExtend<Plugin>();
  expectTypeOf<ReturnType<typeof vitepress>>().toExtend<NonNullable<UserConfig['buildEnd']>>();
});

test.each(all.filter((file) => !isIn(file, ['cli'])))('%s prints nothing', (file) => {
  expect(textOf(file)).not.toMatch(/console\.|process\.(?:stdout|stderr|exit\()/);
});

test('only time.ts asks the clock for the date', () => {
  const askers = files.filter((file) => /new Date\((?:Math\.floor\()?(?:Date\.now|\))/.test(textOf(file)));
  expect(askers).toEqual(['time.ts']);
});

/** Every name that can be imported from the package: types after values. */
const PUBLIC: Readonly<Record<string, { file: string; values: string; types: string }>> = {
  '.': {
    file: 'index.ts',
    values: 'ResyncError audit channel defineConfig describe diff mirror notify watch',
    types: `AuditConfig AuditObserver AuditProgress AuditReport AuditedDocument ChannelConfig ChannelEvent ChannelObserver ChannelOptions ToldEvent Clock ChangeCounts ChangeFrequency CheckCode
      ComparedWith ContentKind DiffOptions DiffReport Difference DifferenceGroup DocumentReport EditedFiles ErrorCode Extent Finding FindingGroup GroupReason HashAlgorithm HeadersHost HttpLimits Incomplete
      CompareReason Interruption LineCounts MirrorConfig MirrorFailure MirrorObserver MirrorProgress MirrorReport MirroredSet
      Link Notice NotifiedTarget NotifyConfig NotifyObserver NotifyOptions NotifyProgress NotifyReport NoticeChoice NoticeCode NoticeSeverity JoinedReport Observer PackageReport PerResource Progress Report ReportedNotice Resource ResourceFacts SetConfig Severity SkipReason
      DescribeOptions Details SkippedFile Stage ToldChange ToldChanges UnlinkedReason Unreproducible UrlStyle UserConfig WatchEvent WatchOptions`,
  },
  './astro': { file: '../adapters/astro.ts', values: 'default', types: 'AdapterOptions AstroIntegration' },
  './eleventy': {
    file: '../adapters/eleventy.ts',
    values: 'default',
    types: 'AdapterOptions EleventyConfig',
  },
  './vite': {
    file: '../adapters/vite.ts',
    values: 'default describeVitePress',
    types: 'AdapterOptions VitePlugin VitePressConfig',
  },
  './vitepress': {
    file: '../adapters/vitepress.ts',
    values: 'default',
    types: 'AdapterOptions VitePressConfig',
  },
};
const wordsOf = (text: string) =>
  text
    .split(/\s+/)
    .filter((word) => word !== '')
    .sort();

/** The names of types that a file exports, of its own and of others. */
function typesOf(file: string): string[] {
  const text = textOf(file);
  const own = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name ?? '');
  const listed = [...text.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, all, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && (all !== undefined || name.startsWith('type ')))
      .map((name) => name.replace('type ', '')),
  );
  return [...own, ...listed].sort();
}

test('the package has just these entry points', () => {
  const { exports } = JSON.parse(readFileSync(`${source}../package.json`, 'utf8'));
  const built = (file: string, end: string) => `./${posix.join('dist/src', file).replace(/\.ts$/, end)}`;
  expect(exports).toEqual({
    ...Object.fromEntries(
      Object.entries(PUBLIC).map(([name, { file }]) => [
        name,
        { types: built(file, '.d.ts'), default: built(file, '.js') },
      ]),
    ),
    './package.json': './package.json',
  });
});

test.each(Object.entries(PUBLIC))('%s exports just these names', async (_, { file, values, types }) => {
  expect(Object.keys(await import(source + file)).sort()).toEqual(wordsOf(values));
  expect(typesOf(file)).toEqual(wordsOf(types));
});
