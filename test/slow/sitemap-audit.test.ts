/** An audit looks at the dates that we set. test/conformance/broken has the sitemaps that we wrote. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { audit } from '../../src/audit/index.js';
import { describeAt } from '../support/changes.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { startHost } from '../support/host.js';
import { pageOf } from '../support/people.js';

const DAY = 86_400;

/** A site with three publications, that is served. */
async function makeServed(files: Readonly<Record<string, string>> = {}) {
  const folder = makeRepository();
  const host = await startHost(join(folder, 'site'));
  const made = Object.entries(files).map(([path, text]) => [
    `site/${path}`,
    text.replaceAll('URL', host.url),
  ]);
  commitFiles(folder, 0, {
    'site/index.html': pageOf('Home', 'one'),
    'site/hidden.html': pageOf('Hidden', 'x', '<meta name="robots" content="noindex">'),
    'site/elsewhere.html': pageOf('Copy', 'x', `<link rel="canonical" href="${host.url}index.html">`),
    'site/moved.html': pageOf('Moved', 'x', '<meta http-equiv="refresh" content="0; url=/">'),
    ...Object.fromEntries(made),
  });
  commitFiles(folder, DAY, { 'site/new.html': pageOf('New', 'new'), 'site/gone.html': 'gone' });
  commitFiles(folder, 2 * DAY, { 'site/index.html': pageOf('Home', 'two'), 'site/gone.html': undefined });
  const config = { site: join(folder, 'site'), url: host.url, urls: 'file', sitemap: true } as const;
  await describeAt(3 * DAY, config);
  const edit = (change: (text: string) => string) => {
    const file = join(folder, 'site/sitemap.xml');
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  };
  return { host, edit, site: join(folder, 'site') };
}

const tell = async (source: string, url: string) =>
  (await audit({ source })).findings
    .filter(({ code }) => code.startsWith('sitemap-'))
    .flatMap(({ code, findings }) =>
      findings.map(({ entry = '', found }) => [code, entry.replace(url, '/'), found ?? '']),
    );

describe.each(['folder', 'web'] as const)('in an audit of a %s', (kind) => {
  test('one that is right is right', async () => {
    const { host, site } = await makeServed();
    expect(await audit({ source: kind === 'web' ? host.url : site })).toMatchObject({
      errors: 0,
      warnings: 0,
    });
  });

  test('one of a generator may leave pages out, and says days', async () => {
    const { host, site, edit } = await makeServed({
      'sitemap.xml':
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>URLindex.html</loc><lastmod>2026-01-01</lastmod></url></urlset>',
    });
    const source = kind === 'web' ? host.url : site;
    expect(await tell(source, host.url)).toEqual([]);
    edit((text) => text.replace('2023-11-16', '2023-11-17'));
    expect(await tell(source, host.url)).toEqual([
      ['sitemap-date-wrong', '/index.html', 'lastmod 2023-11-17'],
    ]);
    // Older than the Change List, so that only `pages.json` contradicts it.
    edit((text) => text.replace('2023-11-17', '1969-07-20'));
    expect(await tell(source, host.url)).toEqual([
      ['sitemap-date-differs', '/index.html', 'lastmod 1969-07-20'],
    ]);
    // Without our comment, nobody said that the dates are right.
    edit((text) => text.replace(/<!--.*-->/, ''));
    expect(await tell(source, host.url)).toEqual([]);
  });
});

test('a Source of others is asked for no sitemap', async () => {
  const { host, site } = await makeServed();
  const file = join(site, '.well-known/resourcesync');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/<!--.*-->/, ''));
  await audit({ source: host.url });
  expect(host.asked.filter((path) => path.includes('sitemap'))).toEqual([]);
});
