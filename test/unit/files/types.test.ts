/** Media types by extension, which are those of `mime`. */

import mime from 'mime';
import { expect, test } from 'vitest';
import { TYPE_TABLES } from '../../../src/files/type-tables.js';
import { loadTypes } from '../../../src/files/types.js';

const EXTENSIONS = TYPE_TABLES.flatMap((table) => Object.values(table).flat());

test('every extension has the type that mime gives to it', async () => {
  const typeOf = await loadTypes();
  expect(EXTENSIONS.length).toBeGreaterThan(1000);
  for (const extension of EXTENSIONS) {
    for (const path of [`a.${extension}`, `a/b.c.${extension.toUpperCase()}`]) {
      expect(typeOf(path), path).toBe(mime.getType(`/${path}`) ?? undefined);
    }
  }
});

test.each([
  ...['html', '.html', 'a/.html', 'a\\.html', 'a..html', 'a.', 'a.html/b', 'a.html\\b'],
  ...['a.x\n.html', 'a.html\n', '..html', ''],
])('a name may have no extension: %j', async (path) => {
  const typeOf = await loadTypes();
  expect(typeOf(path)).toBe(mime.getType(`/${path}`) ?? undefined);
});
