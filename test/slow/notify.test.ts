/** Telling search engines of very many pages. */

import { expect, test } from 'vitest';
import { notify } from '../../src/tell/index.js';
import { startSource } from '../support/mirror.js';
import { startTaker } from '../support/websub.js';

const KEY = 'b6a5d7e4-0123456789';

// docs/notification.md: "at most 10,000 in a request".
test('more pages than one request may hold go in several', async () => {
  const engine = await startTaker();
  const source = await startSource({ urls: 'clean', sitemap: true });
  const many = Object.fromEntries(Array.from({ length: 10_002 }, (_, index) => [`p/${index}.html`, '']));
  await source.publish(0, { ...many, 'index.html': 'home', [`${KEY}.txt`]: KEY });
  await source.publish(60, Object.fromEntries(Object.keys(many).map((path) => [path, undefined])));
  const { told } = await notify({ source: source.url, indexnow: KEY, indexnowEndpoint: engine.url });
  expect(told.map(({ urls }) => urls)).toEqual([10_000, 2]);
  expect(engine.seen.map(({ body }) => JSON.parse(body).urlList.length)).toEqual([10_000, 2]);
});
