/** Laws of paths and URLs. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodePath, makeUri, URL_STYLES } from '../../src/paths/urls.js';
import { checkLaw } from '../support/seed.js';

const segment = fc
  .oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary-ascii' }), fc.string({ unit: 'binary' }))
  .filter(
    (text) => text !== '' && text !== '.' && text !== '..' && !/[/\0]/.test(text) && text.isWellFormed(),
  );
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'));

test('a path can be read back from its URL, which is the same to a URL parser', async () => {
  await checkLaw(
    'path → URL → path',
    fc.property(path, (file) => {
      const encoded = encodePath(file);
      expect(encoded).toMatch(/^[\x21-\x7e]+$/);
      expect(encoded.split('/').map(decodeURIComponent).join('/')).toBe(file);
      const uri = `https://example.org/${encoded}`;
      expect(new URL(uri).href).toBe(uri);
    }),
    1000,
  );
});

test('two files share a URL only where a style says so', async () => {
  await checkLaw(
    'distinct paths',
    fc.property(path, path, fc.constantFrom(...URL_STYLES), (a, b, style) => {
      fc.pre(a !== b);
      const same = makeUri('https://example.org/', a, style) === makeUri('https://example.org/', b, style);
      if (same) expect([a, b].some((file) => file.endsWith('.html'))).toBe(true);
      if (style === 'file') expect(same).toBe(false);
    }),
    1000,
  );
});
