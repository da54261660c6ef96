/** Which assets are told as renamed, and from what. */

import { expect, test } from 'vitest';
import type { ChangedResource } from '../../../src/diff/model.js';
import { findRenames } from '../../../src/diff/run/compare-past.js';

/** A change such as `+a.js`, `~a.js` or `-a.js`, with its length where it counts: `+a.js:5`. */
function change(text: string): ChangedResource {
  const [path = '', length = '100'] = text.slice(1).split(':');
  const type = path.endsWith('.html') ? 'text/html' : path.endsWith('.js') ? 'text/javascript' : undefined;
  const kind = text.startsWith('+') ? 'created' : text.startsWith('-') ? 'deleted' : 'updated';
  return { change: kind, uri: `https://example.org/${path}`, path, type, length: Number(length) };
}

/** Renames as `from → to`, and the kinds of all other changes. */
const tell = (changes: readonly string[]) =>
  findRenames(changes.map(change)).map((found) =>
    found.change === 'renamed' ? `${found.fromPath} → ${found.path}` : found.change,
  );

test.each<[what: string, changes: string, renamed: string[]]>([
  [
    'one asset',
    '+assets/index-Kq9B3xZd.js -assets/index-B3xKq9Zd.js',
    ['assets/index-B3xKq9Zd.js → assets/index-Kq9B3xZd.js'],
  ],
  ['another name', '+assets/main-Kq9B3xZd.js -assets/index-B3xKq9Zd.js', ['created', 'deleted']],
  ['another folder', '+a/index-Kq9B3xZd.js -b/index-B3xKq9Zd.js', ['created', 'deleted']],
  ['no hash', '+a/two.js -a/one.js', ['created', 'deleted']],
  ['words in camel case', '+a/index-YourPane.js -a/index-MyButton.js', ['created', 'deleted']],
  ['dates', '+a/report-20261121.pdf -a/report-20251121.pdf', ['created', 'deleted']],
  [
    'a hash of letters after one with digits',
    '+a/index-BxKqZdPw.js -a/index-B3xKq9Zd.js',
    ['a/index-B3xKq9Zd.js → a/index-BxKqZdPw.js'],
  ],
  ['pages', '+a-B3xKq9Zd.html -a-Kq9B3xZd.html', ['created', 'deleted']],
  [
    'several: in the order of their lengths',
    '+c-5Q7XKJ2A.js:900 +c-5Q7XKJ2B.js:100 -c-4A7XKJ2A.js:110 -c-4A7XKJ2C.js:880',
    ['c-4A7XKJ2C.js → c-5Q7XKJ2A.js', 'c-4A7XKJ2A.js → c-5Q7XKJ2B.js'],
  ],
  [
    'more than there were',
    '+c-5Q7XKJ2A.js:1 +c-5Q7XKJ2B.js:2 -c-4A7XKJ2A.js:1',
    ['c-4A7XKJ2A.js → c-5Q7XKJ2A.js', 'created'],
  ],
  [
    'names that are hashes only, several',
    '+4f3c2b1a4f3c2b1a.png:1 -0f3c2b1a4f3c2b1a.png:1 -0f3c2b1a4f3c2b1c.png:3',
    ['created', 'deleted', 'deleted'],
  ],
  [
    'names that are hashes only, one',
    '+4f3c2b1a4f3c2b1a.png -0f3c2b1a4f3c2b1a.png',
    ['0f3c2b1a4f3c2b1a.png → 4f3c2b1a4f3c2b1a.png'],
  ],
  [
    'a folder of the build',
    '+_next/aB3xKq9Zd_-aB3xKq9Zd0/_buildManifest.js -_next/zB3xKq9Zd_-aB3xKq9Zd1/_buildManifest.js',
    ['_next/zB3xKq9Zd_-aB3xKq9Zd1/_buildManifest.js → _next/aB3xKq9Zd_-aB3xKq9Zd0/_buildManifest.js'],
  ],
  ['updated ones stay', '~a-B3xKq9Zd.js', ['updated']],
])('%s', (_, changes, renamed) => {
  expect(tell(changes.split(' '))).toEqual(renamed);
});

test('what is told does not depend on the order', () => {
  const changes = Array.from({ length: 30 }, (_, index) => [
    `+chunk-5Q7XKJ${10 + index}.js:${index % 4}`,
    `-chunk-4A7XKJ${10 + index}.js:${index % 5}`,
  ]).flat();
  expect(tell(changes.toReversed()).sort()).toEqual(tell(changes).sort());
});
