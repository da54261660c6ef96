/** The integration in the real Astro 5. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ASTRO_LISTED, ASTRO_STYLES } from '../../support/astro.js';
import { makeSource, SITE_URL, siteOf } from '../../support/astro-project.js';
import { expectShown } from '../../support/documentation.js';
import { build, expectSameAsCli, readExamples, tellListed } from '../../support/frameworks.js';

test('the page of the documentation: pages, endpoints, assets and public/, as by the command line', async () => {
  const project = makeSource(readExamples('docs/astro.md'));

  const output = await build('astro', project);

  expect(output).toMatch(/\[resync-static\] Listed \d+ resources, [\d.]+ k?B\n/);
  expectShown(output, 'docs/astro.md');
  expect(output).toMatch(/^\d\d:\d\d:\d\d \[resync-static\] No Change List was written: /m);
  expect(tellListed(siteOf(project), SITE_URL)).toEqual(ASTRO_LISTED);
  await expectSameAsCli(siteOf(project), '--url', SITE_URL);
});

test('the documentation tells the same of trailingSlash and build.format', () => {
  const page = readFileSync(new URL('../../../docs/astro.md', import.meta.url), 'utf8');
  const rows = ASTRO_STYLES.map(([slash, format, urls, about, guide]) =>
    [
      '',
      ` \`${slash}\` `,
      slash === 'never' ? ' any ' : ` \`${format}\` `,
      ` \`/${about}\` `,
      ` \`/${guide}\` `,
      ` \`${urls}\` `,
      '',
    ].join('|'),
  );
  for (const row of rows) expect(page).toContain(`\n${row}\n`);
});
