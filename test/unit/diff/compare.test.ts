/** The kinds, lines and groups of changes, and whether a build is reproducible. */

import { describe, expect, test } from 'vitest';
import { takeSample } from '../../../src/base/sample.js';
import { Comparer } from '../../../src/diff/compare.js';
import type { ChangedResource, Comparison } from '../../../src/diff/model.js';
import { areMostPagesUpdated, judgeBuild } from '../../../src/diff/reproducible.js';
import { findRenames } from '../../../src/diff/run/compare-past.js';
import { listNeededVersions } from '../../../src/files/page/kind.js';

const encode = (text: string) => new TextEncoder().encode(text);

function resource(
  path: string,
  { change = 'updated', type = 'text/html', length = 9 } = {},
): ChangedResource {
  return {
    change: change as ChangedResource['change'],
    uri: `https://example.org/${path}`,
    path,
    type: type === '' ? undefined : type,
    length,
  };
}

type Version = string | Uint8Array;

function compare(
  updated: readonly (readonly [path: string, before: Version, after: Version, type?: string])[],
): Comparison {
  const comparer = new Comparer('https://example.org/');
  const bytes = (version: Version) => (typeof version === 'string' ? encode(version) : version);
  for (const [path, before, after, type] of updated) {
    comparer.add(resource(path, { type }), { before: bytes(before), after: bytes(after) });
  }
  return comparer.finish();
}

const page = (body: string, head = '') =>
  `<!doctype html>\n<head>\n<title>T</title>\n${head}\n</head>\n<body>\n${body}\n</body>\n`;

describe('kinds', () => {
  test.each([
    ['text', page('<p>one</p>'), page('<p>two</p>'), 'text/html'],
    ['text', page('<a\nhref="/a">one</a>'), page('<a\nhref="/b">one</a>'), 'text/html'],
    ['text', page('a').replaceAll('\n', ''), page('b').replaceAll('\n', ''), 'text/html'],
    ['text', Uint8Array.of(0x61, 0xe9), Uint8Array.of(0x61, 0xe8), 'text/html'],
    ['layout', page('<nav>a</nav>one'), page('<nav>b</nav>one'), 'text/html'],
    ['markup', page('<p class="a">one</p>'), page('<p class="b">one</p>'), 'text/html'],
    ['markup', page('<!--\n one\n-->'), page('<!--\n two\n-->'), 'text/html'],
    ['markup', page('<script>\nlet a = 1;\n</script>'), page('<script>\nlet a = 2;\n</script>'), 'text/html'],
    ['markup', page('<p>a</p>'), page('<p>a</p>').replaceAll('\n', '\r\n'), 'text/html'],
    ['data', '{"a":1}', '{"a":2}', 'application/json'],
    ['data', '<feed/>', '<feed></feed>', 'application/atom+xml'],
    ['data', 'one', 'two', ''],
    ['markup', '<!doctype html><p id=a>', '<!doctype html><p id=b>', ''],
    ['binary', Uint8Array.of(0x1f, 0x8b, 8, 0), Uint8Array.of(0x1f, 0x8b, 8, 0, 1), ''],
    ['binary', 'one', 'two', 'application/gzip'],
    ['binary', 'one', Uint8Array.of(0, 1), 'text/plain'],
  ])('%s: %j to %j, %s', (kind, before, after, type) => {
    const { changes } = compare([['a', before, after, type]]);
    expect(changes.map((change) => change.kind)).toEqual([kind]);
    expect(changes[0]?.line === undefined).toBe(kind === 'binary');
  });
});

test('resources whose bytes are not known', () => {
  const comparer = new Comparer('https://example.org/');
  for (const change of ['created', 'updated', 'deleted']) {
    comparer.add(resource('a.html', { change }));
    comparer.add(resource('a.json', { change, type: 'application/json' }));
    comparer.add(resource('a.png', { change, type: 'image/png' }));
    comparer.add(resource('a', { change, type: '' }));
  }
  comparer.add(resource('b', { change: 'created', type: '' }), { after: encode('a') });
  comparer.add(resource('b', { change: 'deleted', type: '' }), { before: encode('<!doctype html>') });
  const { changes, groups, pages } = comparer.finish();
  const each = ['text', 'data', 'binary', 'binary'];
  expect(changes.map(({ kind }) => kind)).toEqual([...each, ...each, ...each, 'data', 'text']);
  expect(groups).toEqual([]);
  expect(pages).toEqual({ compared: 0, masked: 0, line: undefined, kind: undefined });
});

test.each([
  [{ change: 'updated' }, ['before', 'after']],
  [{ change: 'updated', type: '' }, ['before', 'after']],
  [{ change: 'updated', type: 'image/png' }, []],
  [{ change: 'updated', length: 20_000_000 }, []],
  [{ change: 'created' }, []],
  [{ change: 'created', type: '' }, ['after']],
  [{ change: 'deleted', type: '' }, ['before']],
])('of %j, %j are needed', (facts, versions) => {
  expect(listNeededVersions(resource('a', facts))).toEqual(versions);
});

describe('groups', () => {
  const built = (time: string, index: number) => page(`<p>page ${index}</p>\n<!-- built on ${time} -->`);

  test('pages that were only built again are one, whatever else they hold', () => {
    const { changes, groups, pages } = compare([
      ...Array.from(
        { length: 12 },
        (_, index) =>
          [`${index}`, built('2026-11-21T08:00:00Z', index), built('2026-12-01T21:16:05Z', index)] as const,
      ),
      ['about', page('<p>one</p>'), page('<p>two</p>\n<p>three</p>')],
    ]);
    expect(groups).toEqual([
      { id: 1, count: 12, line: '<!-- built on … -->', kind: 'markup', reason: 'masked' },
    ]);
    expect(changes[3]).toEqual({
      change: 'updated',
      uri: 'https://example.org/3',
      path: '3',
      kind: 'markup',
      length: 9,
      line: '<!-- built on … -->',
      group: 1,
    });
    expect(changes[12]).toMatchObject({ kind: 'text', line: '<p>two</p>' });
    expect(changes[12]).not.toHaveProperty('group');
    expect(pages).toEqual({ compared: 13, masked: 12, line: '<!-- built on … -->', kind: 'markup' });
  });

  test('pages without line breaks, too', () => {
    const flat = (time: string, index: number) => built(time, index).replaceAll('\n', '');
    const { groups } = compare([
      ['a', flat('2026-11-21T08:00:00Z', 1), flat('2026-12-01T21:16:05Z', 1)],
      ['b', flat('2026-11-21T08:00:00Z', 2), flat('2026-12-01T21:16:05Z', 2)],
    ]);
    expect(groups).toMatchObject([{ count: 2, line: '<!-- built on … -->', reason: 'masked' }]);
  });

  test('one page has more scripts than the other', () => {
    const scripts = (hashes: readonly string[]) =>
      page('', hashes.map((hash) => `<script src="/a/chunk-${hash}.js"></script>`).join('\n'));
    const { groups } = compare([
      ['a', scripts(['B3xKq9Zd']), scripts(['Kq9B3xZd'])],
      ['b', scripts(['B3xKq9Zd', 'B4xKq9Zd']), scripts(['Kq9B3xZd', 'Kq8B3xZd'])],
    ]);
    expect(groups).toMatchObject([{ count: 2, kind: 'markup', reason: 'masked' }]);
  });

  test('the same edit of many pages is a group, but no sign of a build that differs', () => {
    const edited = (index: number) =>
      [`${index}`, page(`<p>${index}</p>`), page(`<p>${index}</p>\n<a href="/new/">New</a>`)] as const;
    const { groups, pages } = compare([edited(1), edited(2)]);
    expect(groups).toEqual([
      { id: 1, count: 2, line: '<a href="/new/">New</a>', kind: 'text', reason: 'alike' },
    ]);
    expect(pages).toMatchObject({ compared: 2, masked: 0, line: undefined });
  });

  test('a piece that only moved is none either', () => {
    const moved = (index: number) =>
      [
        `${index}`,
        page(`<p>a</p>\n<p>b</p>\n<p>${index}</p>`),
        page(`<p>b</p>\n<p>a</p>\n<p>${index}</p>`),
      ] as const;
    expect(compare([moved(1), moved(2)]).groups).toMatchObject([{ count: 2, reason: 'alike' }]);
  });

  test('other texts have groups of their own, and the largest is first', () => {
    const feed = (path: string) =>
      [path, '<updated>2026</updated>', '<updated>2027</updated>', 'text/xml'] as const;
    const same = (path: string) => [path, '<updated>2026</updated>', '<updated>2027</updated>'] as const;
    const { groups } = compare([same('a'), same('b'), feed('c'), feed('d'), feed('e')]);
    expect(groups.map(({ id, count, kind }) => [id, count, kind])).toEqual([
      [1, 3, 'data'],
      [2, 2, 'text'],
    ]);
  });

  test('renamed assets of one folder', () => {
    const comparer = new Comparer('https://example.org/');
    const assets = findRenames([
      resource('assets/index-Kq9B3xZd.js', { change: 'created', type: 'text/javascript' }),
      resource('assets/index-B3xKq9Zd.js', { change: 'deleted', type: 'text/javascript' }),
      resource('assets/logo-Kq9B3xZd.png', { change: 'created', type: 'image/png' }),
      resource('assets/logo-B3xKq9Zd.png', { change: 'deleted', type: 'image/png' }),
      resource('other/logo-Kq9B3xZd.png', { change: 'created', type: 'image/png' }),
      resource('other/logo-B3xKq9Zd.png', { change: 'deleted', type: 'image/png' }),
    ]);
    for (const asset of assets) comparer.add(asset);
    const { changes, groups } = comparer.finish();
    expect(groups).toEqual([
      {
        id: 1,
        count: 2,
        line: '/assets/index-B3xKq9Zd.js → /assets/index-Kq9B3xZd.js',
        kind: 'data',
        reason: 'renamed',
      },
    ]);
    expect(changes.map(({ change, from, kind, group }) => [change, from, kind, group])).toEqual([
      ['renamed', 'https://example.org/assets/index-B3xKq9Zd.js', 'data', 1],
      ['renamed', 'https://example.org/assets/logo-B3xKq9Zd.png', 'binary', 1],
      ['renamed', 'https://example.org/other/logo-B3xKq9Zd.png', 'binary', undefined],
    ]);
  });

  test('a long line is told around what changed', () => {
    const long = (word: string, index: number) =>
      page(`<p>${'a '.repeat(500)}${word} ${'😀'.repeat(500)}${index}x</p>`);
    const [group] = compare([
      ['a', long('one', 1), long('two', 1)],
      ['b', long('one', 1), long('two', 1)],
    ]).groups;
    expect(group?.line).toMatch(/^… (?:a )+two 😀+ …$/u);
    expect(group?.line.length).toBeLessThan(130);
  });
});

test('two unrelated files of one line and 5 MB are compared', () => {
  const { changes } = compare([
    ['a.js', 'a1 '.repeat(1_700_000), 'b2 '.repeat(1_700_000), 'text/javascript'],
  ]);
  expect(changes).toMatchObject([{ kind: 'data', line: '' }]);
});

describe('a passage that most updated pages have in common', () => {
  const menu = (items: string, text: string) => page(`<div><p>${items}</p></div><h1>${text}</h1>`);
  const build = (count: number, change: (index: number) => readonly [before: string, after: string]) =>
    compare(Array.from({ length: count }, (_, index) => [`${index}`, ...change(index)])).passage;

  test('is told with its beginning, whether it came or went', () => {
    const grown = (index: number) => [menu('A', `${index}`), menu('A</p><p>New page', `${index}`)] as const;
    expect(build(5, grown)).toEqual({ change: 'came', pages: 5, compared: 5, text: 'New page' });
    const shrunk = (index: number) => [grown(index)[1], grown(index)[0]] as const;
    expect(build(5, shrunk)).toEqual({ change: 'went', pages: 5, compared: 5, text: 'New page' });
    const long = build(5, (index) => [menu('A', `${index}`), menu(`${'𝄞 '.repeat(99)}`, `${index}`)]);
    expect(long?.text).toMatch(/^(?:𝄞 )+…$/u);
  });

  test.each([
    ['four pages', 4, 4],
    ['half of the pages', 10, 5],
  ])('is not told of %s', (_, pages, alike) => {
    const change = (index: number) =>
      [menu('A', `${index}`), menu('A', index < alike ? 'the same' : `other ${index}`)] as const;
    expect(build(pages, change)).toBeUndefined();
    expect(build(Math.max(5, pages), (index) => change(index === alike ? 0 : index))).toMatchObject({
      pages: alike + 1,
    });
  });

  test('counts in the main text alone, and not where a passage only moved', () => {
    const footer = (index: number) =>
      [page(`<p>${index}</p><footer>2025</footer>`), page(`<p>${index}</p><footer>2026</footer>`)] as const;
    expect(build(9, footer)).toBeUndefined();
    expect(build(9, () => [page('<p>a</p><p>b</p>'), page('<p>b</p><p>a</p>')])).toBeUndefined();
  });
});

describe('whether a build is reproducible', () => {
  test.each([
    [3, 4, false],
    [3, 5, true],
    [2, 5, false],
    [5, 10, false],
    [6, 10, true],
    [0, 0, false],
  ])('%i updated of %i pages: worth asking: %s', (updated, pages, worth) => {
    expect(areMostPagesUpdated(updated, pages)).toBe(worth);
  });

  const line = '<!-- … -->';
  const sample = (compared: number, masked: number) => ({ compared, masked, line, kind: 'markup' as const });

  test.each([
    ['all', 10, 10, sample(10, 10), 10, true],
    ['all but a few', 10, 10, sample(10, 8), 8, true],
    ['all in a sample', 20_000, 20_000, sample(50, 49), 19_600, false],
    ['few pages', 4, 4, sample(4, 4), undefined, true],
    ['few updated', 5, 10, sample(5, 5), undefined, true],
    ['many edited', 10, 10, sample(10, 7), undefined, true],
    ['half of all', 6, 10, sample(6, 5), undefined, true],
    ['none compared', 10, 10, { ...sample(0, 0), line: undefined }, undefined, true],
  ])('%s', (_, updated, pages, pageSample, masked, exact) => {
    const verdict = judgeBuild({ updated, pages }, { pages: pageSample, files: sample(1, 0) }, undefined);
    expect(verdict).toEqual(
      masked === undefined ? undefined : { updated, pages, masked, exact, line, kind: 'markup' },
    );
  });

  test('a sample is spread, and always the same', () => {
    const numbers = Array.from({ length: 1003 }, (_, index) => index);
    const sampled = takeSample(numbers);
    expect(sampled).toHaveLength(50);
    expect(sampled).toEqual(takeSample(numbers));
    expect(sampled[0]).toBe(0);
    expect(sampled.at(-1)).toBeGreaterThan(950);
    expect(takeSample([1, 2])).toEqual([1, 2]);
  });
});
