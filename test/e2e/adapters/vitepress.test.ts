/** The hook in the real VitePress. */

import { expect, test } from 'vitest';
import { build, expectSameAsCli, readExamples, tellListed } from '../../support/frameworks.js';
import { bookOf, countRuns, isPage, makeBook, SITE_URL } from '../../support/vite-project.js';

test('VitePress, as the documentation says, and as by the command line', async () => {
  const project = makeBook(readExamples('docs/vite.md')['.vitepress/config.js'] ?? '');

  expect(countRuns(await build('vitepress', project))).toBe(1);

  const listed = tellListed(bookOf(project), SITE_URL);
  expect(listed.filter(isPage)).toEqual([
    '',
    'about.html',
    'guide/',
    'hashmap.json',
    'robots.txt',
    'sitemap.xml',
    'vp-icons.css',
  ]);
  expect(listed).toContain('assets/app.*.js');
  await expectSameAsCli(bookOf(project), '--url', SITE_URL);
});
