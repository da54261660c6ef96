import { expect, test } from 'vitest';
import { chooseSaidPages } from '../../../src/paths/said-urls.js';

interface Page {
  readonly uri: string;
}

const makePages = (count: number): Page[] =>
  Array.from({ length: count }, (_, index) => ({ uri: `https://example.org/${index}.html` }));

const choose = (pages: readonly Page[], isPage: (uri: string) => boolean = () => true) =>
  chooseSaidPages(
    pages.map(({ uri }) => uri),
    (place) => pages.slice(place, place + 1).find(({ uri }) => isPage(uri)),
  );

test('few pages are all chosen', () => {
  for (const count of [0, 1, 50]) expect(choose(makePages(count))).toEqual(makePages(count));
});

test('of many, 50 are chosen, in their order, whatever stands between them', () => {
  const pages = makePages(20_000);
  const chosen = choose(pages);
  expect(chosen.length).toBe(50);
  expect(chosen).toEqual(pages.filter((page) => chosen.includes(page)));
  // A page that is missing cannot keep another one out.
  const some = pages.filter((page, index) => index % 3 === 0 || chosen.includes(page));
  expect(choose(some)).toEqual(chosen);
  // Nor can what is no page.
  const uris = new Set(some.map(({ uri }) => uri));
  expect(choose(pages, (uri) => uris.has(uri))).toEqual(chosen);
});

test('pages that are told apart by nothing are chosen as they come', () => {
  const pages = Array.from({ length: 5000 }, (_, index) => ({ uri: 'https://example.org/', index }));
  expect(choose(pages)).toEqual(pages.slice(0, 50));
});
