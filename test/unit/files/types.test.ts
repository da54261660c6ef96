/** Media types by extension. */

import { expect, test } from 'vitest';
import { loadTypes } from '../../../src/files/types.js';

test.each([
  ...['html', '.html', 'a/.html', 'a\\.html', 'a.', 'a.html/b', 'a.html\\b', 'a.html\n', ''].map((path) => [
    path,
  ]),
  ...['a.html', 'a.b.HTML', 'a..html', 'a.x\n.html', '日本/語.html'].map((path) => [path, 'text/html']),
  ['a.webmanifest', 'application/manifest+json'],
])('%j has the type %s', async (path, type) => {
  const typeOf = await loadTypes();
  expect(typeOf(path)).toBe(type);
});
