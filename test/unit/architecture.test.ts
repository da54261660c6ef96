/** The rules about who may import whom, and what the package exports. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { Plugin } from 'vite';
import type { UserConfig } from 'vitepress';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type astro from '../../adapters/astro.js';
import type vite from '../../adapters/vite.js';
import type vitepress from '../../adapters/vitepress.js';

/** The rooms of `src/`, each with the rooms that it may import: docs/design.md says what each knows. */
const MATRIX: Readonly<Record<string, string>> = {
  base: '',
  standard: 'base',
  paths: 'base standard',
  files: 'base standard paths',
  config: 'base standard paths files',
  site: 'base standard paths files',
  source: 'base standard paths files',
  history: 'base standard paths files site source',
  diff: 'base standard paths files site source history',
  describe: 'base standard paths files config site source history diff',
  audit: 'base standard paths files source',
  mirror: 'base standard paths files source',
  tell: 'base standard paths files source',
  cli: 'base standard paths files config site source history diff describe audit mirror tell',
};
/** Rooms that may import types of `config`, which leave nothing when the code runs. */
const READ_OPTIONS = ['site', 'history', 'diff'];
/** What is decided without a disk, git or a clock. */
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
/** What is not, in such a folder: it runs the rest. */
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
];
const source = fileURLToPath(new URL('../../src/', import.meta.url));
const files = listSources(source, '');
const adapters = listSources(`${source}../adapters/`, '../adapters/');
const action = listSources(`${source}../action/`, '../action/').filter((file) => !file.includes('/dist/'));
const all = [...files, ...adapters, ...action];

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

const isIn = (file: string, rooms: readonly string[]) =>
  rooms.some((room) => file === `${room}.ts` || file.startsWith(`${room}/`));

/** The rooms that a file imports against the matrix, with those that it loads when it runs. */
function importedRooms(file: string): string[] {
  const room = roomOf(file);
  const allowed = [room, ...(MATRIX[room] ?? '').split(' ')];
  const types = new Set(
    READ_OPTIONS.includes(room)
      ? [...textOf(file).matchAll(/^(?:import|export) type [^;]*? from '([^']+)'/gm)].map(([, name]) => name)
      : [],
  );
  return specifiersOf(file)
    .filter((specifier) => specifier.startsWith('.') && !types.has(specifier))
    .map((specifier) => roomOf(posix.join(posix.dirname(file), specifier)))
    .filter((other) => !allowed.includes(other));
}

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
  expect(files).toContain('standard/xml/serialize.ts');
  expect(importsOf('describe/run/read.ts')).toContain('site/scan/scan.ts');
  expect(importsOf('history/read.ts')).toContain('history/from-git.ts');
  expect(all.flatMap(importsOf).filter((file) => !all.includes(file))).toEqual([]);
});

describe('folders', () => {
  test('a room imports only those that the matrix allows', () => {
    const outside = files
      .filter((file) => file !== 'index.ts')
      .flatMap((file) => importedRooms(file).map((room) => `${roomOf(file)} → ${room}`));
    expect([...new Set(outside)]).toEqual([]);
  });

  test('no room imports what stands on all of them', () => {
    const above = ['index', '../adapters', '../action'];
    const rooms = files.filter((file) => file !== 'index.ts');
    expect(rooms.filter((file) => importsOf(file).some((other) => above.includes(roomOf(other))))).toEqual(
      [],
    );
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

  test('those of src/ are the rooms', () => {
    expect([...new Set(files.map((file) => file.split('/')[0]))].sort()).toEqual(
      [...Object.keys(MATRIX), 'index.ts'].sort(),
    );
  });

  test.each(adapters)('%s needs no framework', (file) => {
    for (const specifier of specifiersOf(file))
      expect(specifier).toMatch(/^(?:node:|\.\/\w+\.js$|\.\.\/src\/)/);
  });
});

test('nothing is renamed on its way', () => {
  // What others call by a name that means more than one thing gets another one here.
  const renamed = all.flatMap((file) => [
    ...textOf(file).matchAll(/^(?:import|export) (?:type )?\{[^}]* as \w+[^}]*\} from '\..*$/gm),
  ]);
  expect(renamed.map(([line]) => line)).toEqual([]);
});

test('what adapters return is what frameworks take', () => {
  expectTypeOf<ReturnType<typeof astro>>().toExtend<AstroIntegration>();
  expectTypeOf<ReturnType<typeof vite>>().toExtend<Plugin>();
  expectTypeOf<ReturnType<typeof vitepress>>().toExtend<NonNullable<UserConfig['buildEnd']>>();
});

test.each(all.filter((file) => !isIn(file, ['cli', '../action'])))('%s prints nothing', (file) => {
  expect(textOf(file)).not.toMatch(/console\.|process\.(?:stdout|stderr|exit\()/);
});

test('only base/time.ts asks the clock for the date', () => {
  const askers = files.filter((file) => /new Date\((?:Math\.floor\()?(?:Date\.now|\))/.test(textOf(file)));
  expect(askers).toEqual(['base/time.ts']);
});

/** Every name that can be imported from the package, by its entry points: types after values. */
const PUBLIC: Readonly<Record<string, { file: string; values: string; types: string }>> = {
  '.': {
    file: 'index.ts',
    values: 'default ResyncError defineConfig describe diff readPage record watch',
    types: `ChangeCounts ChangeFrequency CommonPassage ComparedWith ContentKind DescribeOptions Details DiffOptions DiffReport Difference DifferenceGroup
      DocumentReport EditedFiles ErrorCode GroupReason HashAlgorithm HeadersHost Incomplete Interruption JoinedReport Link MovedDates Notice NoticeChoice
      NoticeCode NoticeSeverity Observer PackageReport PageText PerResource Progress RecordConfig RecordOptions RecordReport Report ReportedNotice Resource
      ResourceFacts SetConfig SkipReason SkippedFile Stage ToldChange ToldChanges UnlinkedReason Unreproducible UrlStyle UserConfig WatchEvent WatchOptions`,
  },
  './audit': {
    file: 'audit/index.ts',
    values: 'ResyncError audit',
    types: `AuditConfig AuditObserver AuditProgress AuditReport AuditedDocument CheckCode ErrorCode Extent Finding FindingGroup HttpLimits Severity UrlStyle`,
  },
  './channel': {
    file: 'tell/index.ts',
    values: 'ResyncError channel notify',
    types: `ChannelConfig ChannelEvent ChannelObserver ChannelOptions Clock ErrorCode HttpLimits Interruption NotifiedTarget NotifyConfig NotifyObserver
      NotifyOptions NotifyProgress NotifyReport ToldEvent`,
  },
  './mirror': {
    file: 'mirror/index.ts',
    values: 'ResyncError mirror',
    types: `CompareReason ContentKind ErrorCode MirrorChange MirrorConfig MirrorFailure MirrorObserver MirrorOptions MirrorProgress MirrorReport MirroredSet`,
  },
  './pages': { file: 'files/index.ts', values: 'readPage', types: 'PageText' },
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
  const built = (name: string, end: string) => `./dist/${name === '.' ? 'index' : name.slice(2)}${end}`;
  expect(exports).toEqual({
    ...Object.fromEntries(
      Object.keys(PUBLIC).map((name) => [name, { types: built(name, '.d.ts'), default: built(name, '.js') }]),
    ),
    './package.json': './package.json',
  });
});

test.each(Object.entries(PUBLIC))('%s exports just these names', async (_, { file, values, types }) => {
  const built = `${source}../.tmp/modules/src/${file.replace(/\.ts$/, '.js')}`;
  expect(Object.keys(await import(built)).sort()).toEqual(wordsOf(values));
  expect(typesOf(file)).toEqual(wordsOf(types));
});

test('docs/design.md names files that are there', () => {
  const text = readFileSync(`${source}../docs/design.md`, 'utf8');
  const named = [...text.matchAll(/`([a-z][\w-]*(?:\/[\w-]+)+\.(?:ts|mjs))`/g)].map(([, path]) => path);
  expect(named.length).toBeGreaterThan(40);
  expect(
    named.filter((path) => !existsSync(`${source}${path}`) && !existsSync(`${source}../${path}`)),
  ).toEqual([]);
});
