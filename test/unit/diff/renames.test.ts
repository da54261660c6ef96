/** Which assets are told as renamed, and from what. */

import { expect, test } from 'vitest';
import type { ChangedResource } from '../../../src/diff/model.js';
import { findRenames } from '../../../src/diff/run/compare-past.js';

function change(
  kind: ChangedResource['change'],
  path: string,
  length = 100,
  digest?: string,
): ChangedResource {
  const type = path.endsWith('.html') ? 'text/html' : path.endsWith('.js') ? 'text/javascript' : undefined;
  return { change: kind, uri: `https://example.org/${path}`, path, type, length, digest };
}

const created = (path: string, length?: number, digest?: string) => change('created', path, length, digest);
const deleted = (path: string, length?: number, digest?: string) => change('deleted', path, length, digest);

function tell(changes: readonly ChangedResource[]): string[] {
  return findRenames(changes).map((found) =>
    found.change === 'renamed' ? `${found.fromPath} → ${found.path}` : `${found.change} ${found.path}`,
  );
}

test.each([
  [
    'one asset',
    [created('assets/index-Kq9B3xZd.js'), deleted('assets/index-B3xKq9Zd.js')],
    ['assets/index-B3xKq9Zd.js → assets/index-Kq9B3xZd.js'],
  ],
  [
    'another name',
    [created('assets/main-Kq9B3xZd.js'), deleted('assets/index-B3xKq9Zd.js')],
    ['created assets/main-Kq9B3xZd.js', 'deleted assets/index-B3xKq9Zd.js'],
  ],
  [
    'another folder',
    [created('a/index-Kq9B3xZd.js'), deleted('b/index-B3xKq9Zd.js')],
    ['created a/index-Kq9B3xZd.js', 'deleted b/index-B3xKq9Zd.js'],
  ],
  ['no hash', [created('a/two.js'), deleted('a/one.js')], ['created a/two.js', 'deleted a/one.js']],
  [
    'words in camel case',
    [created('a/index-YourPane.js'), deleted('a/index-MyButton.js')],
    ['created a/index-YourPane.js', 'deleted a/index-MyButton.js'],
  ],
  [
    'dates',
    [created('a/report-20261121.pdf'), deleted('a/report-20251121.pdf')],
    ['created a/report-20261121.pdf', 'deleted a/report-20251121.pdf'],
  ],
  [
    'a hash of letters after one with digits',
    [created('a/index-BxKqZdPw.js'), deleted('a/index-B3xKq9Zd.js')],
    ['a/index-B3xKq9Zd.js → a/index-BxKqZdPw.js'],
  ],
  [
    'pages',
    [created('a-B3xKq9Zd.html'), deleted('a-Kq9B3xZd.html')],
    ['created a-B3xKq9Zd.html', 'deleted a-Kq9B3xZd.html'],
  ],
  [
    'several: those of one digest first, then by length',
    [
      created('chunk-5Q7XKJ2A.js', 900),
      created('chunk-5Q7XKJ2B.js', 100),
      created('chunk-5Q7XKJ2C.js', 500, 'same'),
      deleted('chunk-4A7XKJ2A.js', 110),
      deleted('chunk-4A7XKJ2B.js', 501, 'same'),
      deleted('chunk-4A7XKJ2C.js', 880),
    ],
    [
      'chunk-4A7XKJ2C.js → chunk-5Q7XKJ2A.js',
      'chunk-4A7XKJ2A.js → chunk-5Q7XKJ2B.js',
      'chunk-4A7XKJ2B.js → chunk-5Q7XKJ2C.js',
    ],
  ],
  [
    'more than there were',
    [created('chunk-5Q7XKJ2A.js', 1), created('chunk-5Q7XKJ2B.js', 2), deleted('chunk-4A7XKJ2A.js', 1)],
    ['chunk-4A7XKJ2A.js → chunk-5Q7XKJ2A.js', 'created chunk-5Q7XKJ2B.js'],
  ],
  [
    'names that are hashes only, several',
    [
      created('4f3c2b1a4f3c2b1a.png', 1),
      created('4f3c2b1a4f3c2b1b.png', 2, 'same'),
      deleted('0f3c2b1a4f3c2b1a.png', 1),
      deleted('0f3c2b1a4f3c2b1b.png', 9, 'same'),
      deleted('0f3c2b1a4f3c2b1c.png', 3),
    ],
    [
      'created 4f3c2b1a4f3c2b1a.png',
      '0f3c2b1a4f3c2b1b.png → 4f3c2b1a4f3c2b1b.png',
      'deleted 0f3c2b1a4f3c2b1a.png',
      'deleted 0f3c2b1a4f3c2b1c.png',
    ],
  ],
  [
    'names that are hashes only, one',
    [created('4f3c2b1a4f3c2b1a.png'), deleted('0f3c2b1a4f3c2b1a.png')],
    ['0f3c2b1a4f3c2b1a.png → 4f3c2b1a4f3c2b1a.png'],
  ],
  [
    'a folder of the build',
    [
      created('_next/static/aB3xKq9Zd_-aB3xKq9Zd0/_buildManifest.js'),
      deleted('_next/static/zB3xKq9Zd_-aB3xKq9Zd1/_buildManifest.js'),
    ],
    [
      '_next/static/zB3xKq9Zd_-aB3xKq9Zd1/_buildManifest.js → _next/static/aB3xKq9Zd_-aB3xKq9Zd0/_buildManifest.js',
    ],
  ],
  ['updated ones stay', [change('updated', 'a-B3xKq9Zd.js')], ['updated a-B3xKq9Zd.js']],
])('%s', (_, changes, told) => {
  expect(tell(changes)).toEqual(told);
});

test('what is told does not depend on the order', () => {
  const changes = Array.from({ length: 30 }, (_, index) => [
    created(`chunk-5Q7XKJ${10 + index}.js`, index % 4),
    deleted(`chunk-4A7XKJ${10 + index}.js`, index % 5),
  ]).flat();
  expect(tell(changes.toReversed()).sort()).toEqual(tell(changes).sort());
});
