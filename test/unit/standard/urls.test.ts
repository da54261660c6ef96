/** Valid URLs, however often the question is asked. */

import { expect, test } from 'vitest';
import { isUrl } from '../../../src/base/url.js';

test.each<[string, string?]>([
  ['https://example.org/'],
  ['https://é.example/'],
  ['https://ā.example/é'],
  ['a.html', 'https://example.org/'],
  ['a.html', 'https://é.example/'],
  ['https://é.example/', 'https://example.org/'],
])('%s from %s is one, also once the question is compiled', (text, base) => {
  let refusals = 0;
  for (let count = 0; count < 30_000; count++) if (!isUrl(text, base)) refusals++;
  expect(refusals).toBe(0);
});

test.each<[string, string?]>([['a.html'], ['é'], ['https://'], ['https://[é]/'], ['é', 'a.html']])(
  '%s from %s is none',
  (text, base) => {
    expect(isUrl(text, base)).toBe(false);
  },
);
