/** A described site with everything that there is: history, an index of both lists, dumps, archives. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from '../../src/index.js';
import { commitFiles, makeRepository } from './git.js';
import { readTree, writeTree } from './site.js';

export const URL_OF_SITE = 'https://example.org/';

/** Made once, by path. */
let made: Promise<Record<string, string>> | undefined;

/** Nine publications in three months. */
export async function makeDescribedSite(): Promise<string> {
  made ??= describeSite().then(readTree);
  return writeTree(await made);
}

async function describeSite(): Promise<string> {
  const folder = makeRepository();
  for (let step = 0; step < 9; step++) {
    const files: Record<string, string | undefined> = {
      'site/index.html': `<h1>State ${step}</h1>`,
      [`site/news/${step}.html`]: `News ${step}`,
    };
    if (step === 0) {
      files['site/about/index.html'] = 'About';
      for (let page = 0; page < 12; page++) files[`site/pages/${page}.html`] = `Page ${page}`;
    } else files[`site/pages/${step}.html`] = `Page ${step}, revised`;
    if (step > 4) files[`site/news/${step - 4}.html`] = undefined;
    commitFiles(folder, step * 10 * 86_400, files);
  }
  const site = join(folder, 'site');
  await describe({
    site,
    url: URL_OF_SITE,
    history: 'HEAD:site',
    describedby: 'about/',
    dumps: true,
    archives: true,
    changes: { window: 36_500, period: 'month' },
  });
  divideResourceList(site);
  return site;
}

/** Makes an index of two parts of the Resource List, as there is past 50,000 entries. */
function divideResourceList(site: string): void {
  const path = (name: string) => join(site, 'resourcesync', name);
  const lines = readFileSync(path('resourcelist.xml'), 'utf8').split('\n');
  const rows = lines.filter((line) => line.startsWith('  <url>'));
  const start = lines.slice(0, lines.indexOf(rows[0] ?? '')).join('\n');
  const url = `${URL_OF_SITE}resourcesync/`;
  const at = /at="([^"]+)"/.exec(start)?.[1] ?? '';
  const link = `\n  <rs:ln rel="index" href="${url}resourcelist.xml"/>\n  <rs:md`;
  const archives = /\n {2}<rs:ln rel="archives"[^>]*>/;
  const half = rows.length >> 1;
  const parts = [rows.slice(0, half), rows.slice(half)].map((some, index) => {
    const name = `resourcelist-000${index + 1}.xml`;
    writeFileSync(
      path(name),
      [start.replace(archives, '').replace('\n  <rs:md', link), ...some, '</urlset>\n'].join('\n'),
    );
    return `  <sitemap><loc>${url}${name}</loc><rs:md at="${at}"/></sitemap>`;
  });
  const whole = [start.replace('<urlset', '<sitemapindex'), ...parts, '</sitemapindex>\n'];
  writeFileSync(path('resourcelist.xml'), whole.join('\n'));
}
