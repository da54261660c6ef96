/** The plugin in the real Eleventy. */

import { expect, test } from 'vitest';
import { expectShown } from '../../support/documentation.js';
import { LISTED, makeSource, SITE_URL, siteOf } from '../../support/eleventy-project.js';
import { build, expectSameAsCli, tellListed } from '../../support/frameworks.js';

test('the page of the documentation: pages, data and copied files, as by the command line', async () => {
  const project = makeSource();

  const output = await build('eleventy', project);

  expect(output).toMatch(/^\[resync-static\] Listed 7 resources, [\d.]+ k?B$/m);
  expectShown(output, 'docs/eleventy.md');
  expect(output).toContain('[resync-static] No Change List was written: ');
  expect(tellListed(siteOf(project), SITE_URL)).toEqual(LISTED);
  await expectSameAsCli(siteOf(project), '--url', SITE_URL);
});
