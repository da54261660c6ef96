/** Gates of the architecture: who may import whom, and what the package exports. */

import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

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
/** Rooms with folders that still import each other both ways. */
const MUTUAL = ['describe', 'mirror', 'standard'];
const source = fileURLToPath(new URL('../../src/', import.meta.url));
const files = listSources(source, '');
const all = [
  ...files,
  ...listSources(`${source}../adapters/`, '../adapters/'),
  ...listSources(`${source}../action/`, '../action/').filter((file) => !file.includes('/dist/')),
];

function listSources(folder: string, prefix: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => prefix + file.replaceAll('\\', '/'))
    .filter((file) => /\.[tj]s$/.test(file))
    .sort();
}

const textOf = (file: string) => readFileSync(source + file, 'utf8');

interface Import {
  readonly file: string;
  readonly other: string;
  readonly isType: boolean;
}

const imports = all.flatMap((file): Import[] => {
  const text = textOf(file);
  const types = new Set(
    [...text.matchAll(/^(?:import|export) type [^;]*? from '([^']+)'/gm)].map(([, name]) => name),
  );
  return [...text.matchAll(/(?:from|import)[ (]'(\.[^']+)'/g)].map(([, specifier = '']) => {
    const path = posix.join(posix.dirname(file), specifier).replace('../src/', '');
    const other = all.find((one) => one.replace(/\.ts$/, '.js') === path) ?? path;
    return { file, other, isType: types.has(specifier) };
  });
});

/** `index.ts` is a room of its own, above all others. */
function roomOf(file: string): string {
  if (file.startsWith('../')) return file.split('/').slice(0, 2).join('/');
  return file.split('/')[0] ?? '';
}

function isAllowed({ file, other, isType }: Import): boolean {
  const [from, to] = [roomOf(file), roomOf(other)];
  if (from === to || MATRIX[from] === undefined) return true;
  return MATRIX[from].split(' ').includes(to) || (isType && to === 'config' && READ_OPTIONS.includes(from));
}

/** The files of each cycle, from one to itself. */
function findCycles(): string[] {
  const cycles: string[] = [];
  const visited = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) cycles.push([...way.slice(way.indexOf(file)), file].join(' → '));
    if (visited.has(file)) return;
    visited.add(file);
    for (const one of imports) if (one.file === file) visit(one.other, [...way, file]);
  };
  for (const file of all) visit(file, []);
  return cycles;
}

/** The two folders side by side in one room that an import connects, if it does. */
function siblingsOf({ file, other }: Import): { readonly from: string; readonly to: string } | undefined {
  const [from, to] = [file.split('/'), other.split('/')];
  const depth = from.findIndex((name, index) => name !== to[index]);
  if (depth < 1 || depth >= Math.min(from.length, to.length) - 1) return undefined;
  return { from: from.slice(0, depth + 1).join('/'), to: to.slice(0, depth + 1).join('/') };
}

test('the walk sees the files and their imports', () => {
  expect(files).toContain('standard/xml/serialize.ts');
  expect(imports).toContainEqual({ file: 'index.ts', other: 'diff/report.ts', isType: true });
  expect(imports.filter(({ other }) => !all.includes(other))).toEqual([]);
});

test('a room imports only those that the matrix allows', () => {
  expect([...new Set(files.map(roomOf))].sort()).toEqual([...Object.keys(MATRIX), 'index.ts'].sort());
  expect(imports.filter((one) => !isAllowed(one))).toEqual([]);
});

test('there is no cycle', () => {
  expect(findCycles()).toEqual([]);
});

test('folders inside a room do not import each other both ways', () => {
  const pairs = imports.flatMap((one) => siblingsOf(one) ?? []);
  const found = new Set(pairs.map(({ from, to }) => `${from} ↔ ${to}`));
  const mutual = pairs.filter(({ from, to }) => from < to && found.has(`${to} ↔ ${from}`));
  const names = new Set(mutual.map(({ from, to }) => `${from} ↔ ${to}`));
  expect([...names].filter((pair) => !MUTUAL.includes(roomOf(pair)))).toEqual([]);
});

/** Every name that can be imported from the package, by its entry points: types after values. */
const PUBLIC: Readonly<Record<string, { file: string; values: string; types: string }>> = {
  '.': {
    file: 'index.ts',
    values: 'default ResyncError defineConfig describe diff readPage record watch',
    types: `ChangeCounts ChangeFrequency CommonPassage ComparedWith ContentKind DescribeOptions Details DiffOptions DiffReport Difference DifferenceGroup
      DocumentReport EditedFiles ErrorCode GroupReason HashAlgorithm HeadersHost Incomplete Interruption JoinedReport Link MovedDates Notice NoticeChoice
      NoticeCode NoticeSeverity Observer PackageReport PageText PerResource Progress RecordConfig RecordOptions RecordReport Report ReportedNotice Resource
      ResourceFacts SetConfig SkipReason SkippedFile Stage ReportedChange ReportedChanges UnlinkedReason Unreproducible UrlStyle UserConfig WatchEvent WatchOptions`,
  },
  './audit': {
    file: 'audit/index.ts',
    values: 'ResyncError audit',
    types: `AuditConfig AuditObserver AuditProgress AuditReport AuditedDocument CheckCode ErrorCode Extent Finding FindingGroup HttpLimits Severity UrlStyle`,
  },
  './channel': {
    file: 'tell/index.ts',
    values: 'ResyncError channel notify',
    types: `ChannelConfig ChannelEvent ChannelObserver ChannelOptions Clock ErrorCode HttpLimits Interruption NotifiedEvent NotifiedTarget NotifyConfig NotifyObserver
      NotifyOptions NotifyProgress NotifyReport`,
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
  './docusaurus': {
    file: '../adapters/docusaurus.ts',
    values: 'default',
    types: 'AdapterOptions DocusaurusPlugin',
  },
  './nuxt': {
    file: '../adapters/nuxt.ts',
    values: 'default',
    types: 'AdapterOptions Nuxt',
  },
  './react-router': {
    file: '../adapters/react-router.ts',
    values: 'default',
    types: 'AdapterOptions ReactRouterBuild',
  },
  './sveltekit': {
    file: '../adapters/sveltekit.ts',
    values: 'default',
    types: 'AdapterOptions KitAdapter',
  },
  './vite': {
    file: '../adapters/vite.ts',
    values: 'default',
    types: 'AdapterOptions VitePlugin',
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
