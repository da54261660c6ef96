/** The configuration of docs/discovery.md, in nginx: who asks too often is told what to do, and a mirror does it. */

import { expect, test } from 'vitest';
import { describe as describeSite } from '../../src/index.js';
import { mirror } from '../../src/mirror/index.js';
import { readBlocks } from '../support/documentation.js';
import { readCopy } from '../support/mirror.js';
import { makeFolder, makeSite } from '../support/site.js';
import { startNginx } from './programs/nginx.js';

const PAGES = Object.fromEntries(Array.from({ length: 40 }, (_, page) => [`${page}.html`, `page ${page}`]));

test('a server that limits requests tells of the packages, is copied whole, and has no limit for these', async () => {
  const [block = ''] = readBlocks('docs/discovery.md', 'nginx');
  // The same, only sooner.
  const quick = block
    .replace('rate=4r/s', 'rate=20r/s')
    .replace('burst=40', 'burst=5')
    .replace('Retry-After 10', 'Retry-After 1');
  const [, http = '', level = '', location = ''] =
    /^(.*?)server \{(.*?)location \/ \{(.*)\}\s*\}\s*$/s.exec(quick) ?? [];
  const site = makeSite(PAGES);
  const url = `http://127.0.0.1:${await startNginx(site, location, `${http}${level}limit_req_log_level info;`)}/`;
  await describeSite({ site, url, urls: 'file', history: 'none', dumps: true });

  const folder = makeFolder();
  const report = await mirror({ source: url, folder, from: 'list' });
  expect(report).toMatchObject({ inSync: true, created: 40, pauses: [{ reason: 'busy' }] });
  expect(readCopy(folder)).toEqual(PAGES);
  const packed = await mirror({ source: url, folder: makeFolder(), from: 'dump' });
  expect(packed).toMatchObject({ inSync: true, created: 40, pauses: [] });

  const answers = await Promise.all(Object.keys(PAGES).map((path) => fetch(url + path)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.headers.get('retry-after')).toBe('1');
  expect(await refused[0]?.text()).toContain('npx resync-static mirror https://example.org/ ./copy\n');
});
