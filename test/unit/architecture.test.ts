/** The rules about who may import whom, and what the package exports. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { parseAst } from 'rolldown/parseAst';
import type { Plugin } from 'vite';
import type { UserConfig } from 'vitepress';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type astro from '../../adapters/astro.js';
import type vite from '../../adapters/vite.js';
import type vitepress from '../../adapters/vitepress.js';

/** The rooms of `src/`, each above all that it imports: docs/design.md says what each knows. */
const ROOMS = [
  'base',
  'standard',
  'paths',
  'config',
  'site',
  'source',
  'history',
  'diff',
  'describe',
  'audit',
  'mirror',
  'tell',
  'cli',
] as const;
/** What stands on all rooms: who wires them into other programs, and what the package is known by. */
const LEVELS: readonly (readonly string[])[] = [
  ...ROOMS.map((room) => [room]),
  ['../adapters', '../action'],
  ['index'],
];
/** What is decided without a disk, git or a clock. */
const PURE = [
  'base/columns',
  'base/text',
  'standard',
  'paths',
  'site/page/text',
  'history/archives',
  'history/plan',
  'diff',
  'describe/plan',
  'describe/past/versions',
  'describe/people',
  'audit/rules',
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
/**
 * What a reader can take in: files and folders side by side in a folder, in `src/` itself, lines of a file, and of the median
 * one; files on the longest way along imports, those of types included; files that only one other imports.
 */
const MEASURES = { folder: 12, rooms: 14, lines: 400, median: 130, chain: 17, alone: 70 };

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
  expect(files).toContain('standard/xml/serialize.ts');
  expect(importsOf('describe/describe.ts')).toContain('site/scan/scan.ts');
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

  test('those of src/ are the rooms', () => {
    expect([...new Set(files.map((file) => file.split('/')[0]))].sort()).toEqual(
      [...ROOMS, 'index.ts'].sort(),
    );
  });

  test.each(adapters)('%s needs no framework', (file) => {
    for (const specifier of specifiersOf(file))
      expect(specifier).toMatch(/^(?:node:|\.\/\w+\.js$|\.\.\/src\/)/);
  });

  test('none is too full, and no file too long', () => {
    const lines = all.map((file) => textOf(file).split('\n').length).sort((a, b) => a - b);
    const entries = new Map<string, Set<string>>();
    for (const file of all) {
      for (let entry = file; entry !== '.' && entry !== '..'; entry = posix.dirname(entry)) {
        const folder = posix.dirname(entry);
        entries.set(folder, (entries.get(folder) ?? new Set()).add(entry));
      }
    }
    const most = (folder: string) => (folder === '.' ? MEASURES.rooms : MEASURES.folder);
    expect([...entries].filter(([folder, inside]) => inside.size > most(folder))).toEqual([]);
    expect(all.filter((file) => textOf(file).split('\n').length > MEASURES.lines)).toEqual([]);
    expect(lines[Math.floor(lines.length / 2)]).toBeLessThanOrEqual(MEASURES.median);
  });

  test('no way along imports is too long', () => {
    const ways = new Map<string, readonly string[]>();
    const follow = (file: string): readonly string[] => {
      const known = ways.get(file);
      if (known !== undefined) return known;
      const longest = importsOf(file)
        .map(follow)
        .reduce((one, other) => (other.length > one.length ? other : one), []);
      const way = [file, ...longest];
      ways.set(file, way);
      return way;
    };
    expect(all.map(follow).filter((way) => way.length > MEASURES.chain)).toEqual([]);
  });

  test('few files are read by one other alone', () => {
    const importers = all.flatMap((file) => [...new Set(importsOf(file))]);
    const alone = files.filter((file) => importers.filter((imported) => imported === file).length === 1);
    expect(alone.length).toBeLessThanOrEqual(MEASURES.alone);
  });
});

test('a name that is exported means one thing', () => {
  const homes = new Map<string, Set<string>>();
  for (const file of files)
    for (const name of exportsOf(file)) homes.set(name, (homes.get(name) ?? new Set()).add(file));
  const doubles = [...homes]
    .filter(([, places]) => places.size > 1)
    .map(([name, places]) => [name, ...places]);
  expect(doubles).toEqual([]);
});

test('nothing is renamed on its way', () => {
  // What others call by a name that means more than one thing gets another one here.
  const renamed = all.flatMap((file) => [
    ...textOf(file).matchAll(/^(?:import|export) (?:type )?\{[^}]* as \w+[^}]*\} from '\..*$/gm),
  ]);
  expect(renamed.map(([line]) => line)).toEqual([]);
});

/** The names that a file declares and exports: overloads, and a type and a value of one name, once. */
function exportsOf(file: string): Set<string> {
  const { body } = parseAst(textOf(file), { lang: 'ts' });
  return new Set(
    body.flatMap((statement) => {
      if (statement.type !== 'ExportNamedDeclaration' || statement.declaration === null) return [];
      const { declaration } = statement;
      if (declaration.type === 'VariableDeclaration')
        return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
      return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : [];
    }),
  );
}

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

/** Every name that can be imported from the package: types after values. */
const PUBLIC: Readonly<Record<string, { file: string; values: string; types: string }>> = {
  '.': {
    file: 'index.ts',
    values:
      'default ResyncError audit channel defineConfig describe diff mirror notify readPage record watch',
    types: `AuditConfig AuditObserver AuditProgress AuditReport AuditedDocument ChannelConfig ChannelEvent ChannelObserver ChannelOptions ToldEvent Clock ChangeCounts ChangeFrequency CheckCode
      ComparedWith ContentKind DiffOptions DiffReport Difference DifferenceGroup DocumentReport EditedFiles ErrorCode Extent Finding FindingGroup GroupReason HashAlgorithm HeadersHost HttpLimits Incomplete
      CompareReason HandedChanges Interruption LineCounts MirrorChange MirrorConfig MirrorFailure MirrorObserver MirrorOptions MirrorProgress MirrorReport MirroredSet MovedDates
      Link Notice NotifiedTarget NotifyConfig NotifyObserver NotifyOptions NotifyProgress NotifyReport NoticeChoice NoticeCode NoticeSeverity JoinedReport Observer PackageReport PageText PerResource Progress RecordConfig RecordOptions RecordReport Report ReportedNotice Resource ResourceFacts SetConfig Severity SkipReason
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
  const built = (file: string, end: string) => `./dist/${posix.basename(file, '.ts')}${end}`;
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

test('docs/design.md names files that are there', () => {
  const text = readFileSync(`${source}../docs/design.md`, 'utf8');
  const named = [...text.matchAll(/`([a-z][\w-]*(?:\/[\w-]+)+\.(?:ts|mjs))`/g)].map(([, path]) => path);
  expect(named.length).toBeGreaterThan(40);
  expect(
    named.filter((path) => !existsSync(`${source}${path}`) && !existsSync(`${source}../${path}`)),
  ).toEqual([]);
});
