/** No URL leads out of a mirror's folder, and no two URLs to one file. */

import { posix } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PathChooser } from '../../src/mirror/names/taken.js';
import { checkLaw, fewer } from '../support/seed.js';

const BASES = ['https://example.org/', 'https://example.org/repo/'];
const PIECES = [
  ...'.. . %2e%2e %2E. %252e%252e %c0%ae ..%2f %5c \\ %00 / // ? # : c: con NUL.txt .git .GIT'.split(' '),
  ...'%EF%BC%8E %E2%80%8D a A b.html ~ ~1 %20 .resync-mirror .well-known %C3%A9 e%CC%81'.split(' '),
  ...['index.html', 'repo', 'é', '%', ' ', 'x'.repeat(300)],
];
const uriOf = fc
  .tuple(
    fc.constantFrom(...BASES, 'http://127.0.0.1:8080/', 'https://é.example/'),
    fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 4 })), {
      maxLength: 8,
    }),
  )
  .map(([base, pieces]) => base + pieces.join(''))
  .filter((uri) => URL.canParse(uri));

test('every URL has a file of its own below the folder', async () => {
  const law = fc.property(
    fc.constantFrom(...BASES),
    fc.uniqueArray(uriOf, { maxLength: 12, selector: (uri) => new URL(uri).href }),
    fc.constantFrom(undefined, 'text/html'),
    (base, uris, type) => {
      const chooser = new PathChooser(base, []);
      const names = uris.map((uri) => chooser.choose(uri, type));
      for (const name of names) {
        expect(posix.normalize(name)).toBe(name);
        expect(name).not.toMatch(/^\/|\\|\0|(?:^|\/)\.\.?(?:\/|$)|^[a-z]:/i);
        expect(Buffer.byteLength(name)).toBeLessThan(1000);
        for (const segment of name.split('/')) {
          expect(Buffer.byteLength(segment)).toBeLessThan(256);
          const seen = segment.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
          if (segment !== '.well-known') expect(seen).toMatch(/^[^.]/);
          expect(seen).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
        }
      }
      const folded = names.map((name) => name.normalize('NFC').toUpperCase());
      expect(new Set(folded).size).toBe(names.length);
      // No file is where another needs a folder.
      for (const name of folded) expect(folded.some((other) => other.startsWith(`${name}/`))).toBe(false);
    },
  );
  await checkLaw('names in a mirror', law, fewer(3000, 200));
});
