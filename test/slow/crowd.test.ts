/** Runs that meet hundreds of times. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeSite, runProgram } from '../support/site.js';
import { expectDone, readDocuments, SITE_URL } from './publishing.js';

test('runs wait for each other hundreds of times without a failure', async () => {
  const site = makeSite({ 'index.html': 'home' });
  const index = new URL('../../dist/index.js', import.meta.url).href;
  const loop = `
    import { describe } from ${JSON.stringify(index)};
    for (let run = 0; run < 40; run++) {
      const hash = [['md5', 'sha-256', 'sha-512'][(run + process.pid) % 3]];
      await describe({ site: process.argv[1], url: ${JSON.stringify(SITE_URL)}, hash });
    }`;
  const results = await Promise.all(
    Array.from({ length: 4 }, () =>
      runProgram(process.execPath, ['--input-type=module', '--eval', loop, site]),
    ),
  );
  results.forEach(expectDone);
  readDocuments(site);
  expect(existsSync(join(site, '.resync-static'))).toBe(false);
});
