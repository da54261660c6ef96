/** An audit of what nginx sends, compressing whatever may be compressed. */

import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDescribedSite, URL_OF_SITE } from '../support/described.js';
import { runCli } from '../support/site.js';
import { startNginx } from './programs/nginx.js';

const HTTP = `gzip on; gzip_types *; gzip_min_length 1; gzip_proxied any;
  types { text/html html; application/xml xml; application/zip zip; } default_type application/xml;`;

test('a site behind gzip is clean, and a page that is changed there is seen', async () => {
  const site = await makeDescribedSite();
  const port = await startNginx(site, 'index index.html;', HTTP);
  const source = `http://127.0.0.1:${port}/`;

  const encoding = await new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip' };
    get(`${source}resourcesync/changelist.xml`, { headers }, (response) => {
      response.resume();
      resolve(response.headers['content-encoding']);
    }).on('error', reject);
  });
  expect(encoding).toBe('gzip');

  const clean = await runCli(['audit', URL_OF_SITE, '--served-at', source, '--strict']);
  expect(clean).toMatchObject({ status: 0, stderr: '' });
  expect(clean.stdout).toContain('nothing found');

  // The host injects a script.
  writeFileSync(join(site, 'index.html'), '<h1>State 8</h1><script src="/beacon.js"></script>');
  const args = ['audit', URL_OF_SITE, '--served-at', source];
  const changed = await runCli(args);
  expect(changed.status).toBe(1);
  expect(changed.stdout).toContain('hash-differs');
});
