/** The plugin in the real Vite. */

import { expect, test } from 'vitest';
import { expectShown } from '../../support/documentation.js';
import { build, expectSameAsCli, readExamples, tellListed } from '../../support/frameworks.js';
import { countRuns, makeSource, SITE_URL, siteOf } from '../../support/vite-project.js';

test('the page of the documentation, as served and as by the command line', async () => {
  const project = makeSource(readExamples('docs/vite.md'));

  const output = await build('vite', project);

  expect(output).toMatch(/^\[resync-static\] Listed 4 resources, [\d.]+ k?B$/m);
  expectShown(output, 'docs/vite.md');
  expect(output).toContain('[resync-static] No Change List was written: ');
  expect(countRuns(output)).toBe(1);
  expect(tellListed(siteOf(project), SITE_URL)).toEqual([
    '',
    'assets/index-*.css',
    'assets/index-*.js',
    'robots.txt',
  ]);
  await expectSameAsCli(siteOf(project), '--url', SITE_URL);
});
