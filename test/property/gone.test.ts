/** Whatever a site published and however it redirects: every address is told as git and a plain reading of the rules tell it. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diff } from '../../src/index.js';
import { findAnswers } from '../support/addresses.mjs';
import { commitFiles, makeRepository } from '../support/git.js';
import { pageOf } from '../support/people.js';
import { checkLaw, fewer } from '../support/seed.js';
import { makeSite } from '../support/site.js';

const SITE = 'https://example.org/';
const NAMES = ['a', 'b', 'c d', 'é', 'A', 'x/y', 'x/z'];
const paths = fc.constantFrom(...NAMES.flatMap((name) => [`${name}/index.html`, `${name}.html`]));
/** A page, or where it redirects. */
const contents = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('one', 'two', 'three').map((text) => pageOf(text, text)) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('/a/', '/b.html', '/x/y/', '/', 'https://other.example/')
      .map((target) => pageOf('Moved', '', `<meta http-equiv="refresh" content="0; url=${target}">`)),
  },
);
const states = fc.array(fc.dictionary(paths, contents, { maxKeys: 6 }), { minLength: 2, maxLength: 5 });
const froms = fc.constantFrom(
  '/a/',
  '/a',
  '/a.html',
  '/b/',
  '/b.html',
  '/x/*',
  '/x/y/',
  '/c%20d/',
  '/c%20d.html',
  '/%C3%A9/',
);
const targets = fc.constantFrom(
  '/a/',
  '/b/',
  '/b.html',
  '/x/y/',
  '/x/z.html',
  '/',
  '/none/',
  'https://other.example/',
  '/a/:splat',
);
const rules = fc.array(fc.tuple(froms, targets), { maxLength: 6 });

test('every address is there, redirected or gone, as an independent reading says', async () => {
  await checkLaw(
    'addresses',
    fc.asyncProperty(states, rules, async (history, lines) => {
      const folder = makeRepository();
      const site = join(folder, 'site');
      const put = (files: Readonly<Record<string, string>>) => {
        rmSync(site, { recursive: true, force: true });
        return Object.fromEntries(
          Object.entries({ 'index.html': pageOf('Home', 'home'), ...files }).map(([path, text]) => [
            `site/${path}`,
            text,
          ]),
        );
      };
      const past = history.slice(0, -1);
      for (const [day, files] of past.entries()) commitFiles(folder, day * 86_400, put(files));
      const redirects = lines.map(
        ([from, to]) => `${from} ${from.endsWith('*') ? to : to.replace(':splat', '')}\n`,
      );
      makeSite({ ...put(history.at(-1) ?? {}), 'site/_redirects': redirects.join('') }, folder);
      const { gone } = await diff({ site, url: SITE }, { gone: true });
      const list = (found: readonly { readonly uri: string }[] = []) => found.map(({ uri }) => uri);
      expect({
        there: gone?.there,
        redirected: list(gone?.redirected),
        nowhere: list(gone?.nowhere),
        gone: list(gone?.gone),
      }).toEqual(findAnswers(folder, 'HEAD', 'site', site, SITE));
      rmSync(folder, { recursive: true });
    }),
    fewer(100, 12),
  );
});
