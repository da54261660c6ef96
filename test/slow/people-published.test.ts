/** The page and the feed of a site whose history the live site keeps: what was told is told again. */

import { expect, test } from 'vitest';
import type { UserConfig } from '../../src/config/options.js';
import { type Host, publishLive, startHost } from '../support/host.js';
import { pageOf, readFeed, readPage } from '../support/people.js';
import { makeFolder, readTree } from '../support/site.js';

const DAY = 86_400;

/** Publishes states, each of which says the same when it is built and described once more. */
function startPublishing(host: Host, config: Partial<UserConfig>) {
  const all = { urls: 'file', page: true, feed: true, ...config } as const;
  return {
    async publish(day: number, files: Record<string, string>) {
      const { site } = await publishLive(host, day * DAY, files, all);
      const again = await publishLive(host, (day + 1) * DAY, files, all);
      expect(readTree(again.site)).toEqual(readTree(site));
      return site;
    },
  };
}

test('what was quoted is carried on by pages.json, as long as the page says it', async () => {
  const host = await startHost(makeFolder());
  const { publish } = startPublishing(host, {});
  const a = (text: string) => pageOf('A', text);
  const quotes = (site: string) => readPage(site).match(/(?<=<q>)[^<]*/g) ?? [];
  await publish(0, { 'index.html': pageOf('Home', 'Welcome'), 'a.html': a('One') });
  await publish(2, { 'index.html': pageOf('Home', 'Welcome'), 'a.html': a('A &lt;b> &amp; “two”') });
  const site = await publish(4, {
    'index.html': pageOf('Home', 'Hello'),
    'a.html': a('A &lt;b> &amp; “two”'),
  });
  expect(quotes(site)).toEqual(['Hello', 'A &lt;b&gt; &amp; “two”']);
  const later = await publish(6, { 'index.html': pageOf('Home', 'Hello'), 'a.html': a('Three') });
  expect(quotes(later)).toEqual(['Three', 'Hello']);
  const none = startPublishing(host, { page: { excerpts: false } });
  const quiet = await none.publish(8, { 'index.html': pageOf('Home', 'Bye'), 'a.html': a('Three') });
  expect(quotes(quiet)).toEqual([]);
  const again = startPublishing(host, {});
  const last = await again.publish(10, { 'index.html': pageOf('Home', 'Hi'), 'a.html': a('Four') });
  expect(quotes(last)).toEqual(['Four', 'Hi']);
});

// docs/people.md: "Until `pages.json` is live, the feed shows only pages that were created or deleted."
test('a feed that is switched on later begins with what the Change List tells', async () => {
  const host = await startHost(makeFolder());
  const before = startPublishing(host, { page: false, feed: false });
  await before.publish(0, { 'index.html': pageOf('Home', 'Welcome'), 'a.html': pageOf('A', 'One') });
  await before.publish(2, { 'index.html': pageOf('Home', 'Welcome'), 'a.html': pageOf('A', 'Two') });
  await before.publish(4, { 'index.html': pageOf('Home', 'Day 4') });
  const after = startPublishing(host, {});
  const site = await after.publish(6, { 'index.html': pageOf('Home', 'Day 6') });
  expect(readFeed(site).entries.map(({ title }) => title)).toEqual(['Deleted: /a.html']);
});
