/** The hook in the real VitePress. */

import { expect, test } from 'vitest';
import { build, expectSameAsCli, readExamples, tellListed } from '../../support/frameworks.js';
import { bookOf, countRuns, isPage, makeBook, SITE_URL } from '../../support/vite-project.js';

test('VitePress, as the documentation says, and as by the command line', async () => {
  const project = makeBook(readExamples('docs/vite.md')['.vitepress/config.js'] ?? '');

  // Without bundles for browsers, which take half of the time: `slow/adapters/vite.test.ts` has a book with them.
  expect(countRuns(await build('vitepress', project, ['build', '--mpa']))).toBe(1);

  expect(tellListed(bookOf(project), SITE_URL).filter(isPage)).toEqual([
    '',
    'about.html',
    'guide/',
    'hashmap.json',
    'package.json',
    'robots.txt',
    'sitemap.xml',
    'vp-icons.css',
  ]);
  await expectSameAsCli(bookOf(project), '--url', SITE_URL);
});
