import { expect, test } from 'vitest';
import { choosePages } from '../../../src/paths/said-urls.js';

const makePages = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ uri: `https://example.org/${index}.html` }));

test('few pages are all chosen', () => {
  for (const count of [0, 1, 50]) expect(choosePages(makePages(count))).toEqual(makePages(count));
});

test('of many, 50 are chosen, in their order, whatever stands between them', () => {
  const pages = makePages(20_000);
  const chosen = choosePages(pages);
  expect(chosen.length).toBe(50);
  expect(chosen).toEqual(pages.filter((page) => chosen.includes(page)));
  // What is left out cannot keep another one out.
  const some = pages.filter((page, index) => index % 3 === 0 || chosen.includes(page));
  expect(choosePages(some)).toEqual(chosen);
});

test('pages that are told apart by nothing are chosen as they come', () => {
  const pages = Array.from({ length: 5000 }, (_, index) => ({ uri: 'https://example.org/', index }));
  expect(choosePages(pages)).toEqual(pages.slice(0, 50));
});
