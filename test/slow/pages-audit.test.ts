/** An audit looks at `pages.json` on the web. slow/combinations shows that it finds nothing wrong in sound sites. */

import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { audit } from '../../src/audit/index.js';
import type { UserConfig } from '../../src/config/options.js';
import { PAGES_BYTES } from '../../src/standard/pages.js';
import { describeAt } from '../support/changes.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { publishLive, startHost } from '../support/host.js';
import { pageOf } from '../support/people.js';
import { makeFolder } from '../support/site.js';

const DAY = 86_400;
const ALL = { sitemap: true, feed: true, page: true } as const;
const PAGES = 'resourcesync/pages.json';

const linked = (text: string, head = '') =>
  pageOf(
    `${text} &amp; more`,
    `${text} <a href="#a">a</a> <a href="/b/">b</a> <a href="../index.html">up</a> <img src="/x.0a1b2c3d.png">`,
    head,
  );

const STATES: readonly Readonly<Record<string, string | undefined>>[] = [
  {
    'index.html': linked('Home'),
    'b/index.html': linked('B'),
    'c/d.html': linked('Größe'),
    'hidden.html': linked('Hidden', '<meta name="robots" content="noindex">'),
    'x.0a1b2c3d.png': 'x',
  },
  { 'new.html': linked('New'), 'gone.html': linked('Gone') },
  { 'b/index.html': linked('B, edited'), 'gone.html': undefined, 'c/d.html': `${linked('Größe')}<!-- -->` },
  { 'new.html': linked('New, edited') },
  { 'gone.html': linked('Back') },
];

/** Expects that an audit of a folder, and of what is served, finds no error and no warning. */
async function expectSound(site: string, url: string): Promise<void> {
  for (const source of [site, url]) {
    const { findings, resources } = await audit({ source });
    expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
    expect(resources.checked).toBeGreaterThan(0);
  }
}

test.each<[string, Partial<UserConfig>]>([
  ['all changes', {}],
  ['a short Change List', { changes: { window: 2 } }],
])('with a history that the live site keeps, and %s', async (_, config) => {
  const host = await startHost(makeFolder());
  let files: Record<string, string | undefined> = {};
  for (const [step, more] of [...STATES, {}, {}].entries()) {
    files = { ...files, ...more };
    const present = Object.entries(files).flatMap(([path, text]) =>
      text === undefined ? [] : [[path, text]],
    );
    const withdraw = step === 5 ? { withdraw: ['c/d.html'] } : {};
    const options = { urls: 'file', ...ALL, ...config, ...withdraw } as const;
    const { site } = await publishLive(host, step * DAY, Object.fromEntries(present), options);
    await expectSound(site, host.url);
  }
});

describe('on the web', () => {
  async function serveHistory(change: (text: string) => string) {
    const folder = makeRepository();
    for (const [step, files] of STATES.entries()) {
      const inSite = Object.entries(files).map(([path, text]) => [`site/${path}`, text]);
      commitFiles(folder, step * DAY, Object.fromEntries(inSite));
    }
    const site = join(folder, 'site');
    const host = await startHost(site);
    await describeAt(10 * DAY, { site, url: host.url, urls: 'file', ...ALL });
    const file = join(site, PAGES);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    return host;
  }
  const told = async (source: string, config = {}) =>
    (await audit({ source, ...config })).findings.flatMap(({ code, findings }) =>
      code.startsWith('pages-') ? findings.map(({ found }) => [code, found]) : [],
    );

  test('a file that is missing, longer than it may be, or older than the lists is found', async () => {
    const host = await serveHistory((text) => text);
    const answers: Record<string, (response: ServerResponse) => void> = {
      missing: (response) => response.writeHead(404).end(),
      long: (response) => response.end(Buffer.alloc(PAGES_BYTES + 1)),
    };
    const found = [];
    for (const answer of Object.values(answers)) {
      host.intercept = ({ url }, response) => {
        if (url?.endsWith(PAGES) !== true) return false;
        answer(response);
        return true;
      };
      found.push(...(await told(host.url)));
    }
    expect(found).toEqual([
      ['pages-unreadable', 'status 404'],
      ['pages-unreadable', expect.stringContaining(`${PAGES_BYTES}`)],
    ]);
    const old = await serveHistory((text) => text.replace('"at":"2023-11', '"at":"2023-10'));
    expect(await told(old.url)).toEqual([
      ['pages-of-other-publication', expect.stringMatching(/^at 2023-10/)],
    ]);
  });

  test('the texts of those pages are compared whose bytes are, in whichever coding they come', async () => {
    const change = (text: string) => text.replace(/"text":"\w+"/g, '"text":"0123456789abcdef"');
    const host = await serveHistory(change);
    host.intercept = ({ url = '' }, response) => {
      if (!url.endsWith('new.html')) return false;
      const bytes = gzipSync(readFileSync(join(host.folder, url)));
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes);
      return true;
    };
    expect(await told(host.url)).toHaveLength(5);
    expect(await told(host.url, { sample: 2 })).not.toHaveLength(5);
    host.intercept = () => false;
    // Texts that were read by another rule are not compared.
    const other = await serveHistory((text) => change(text).replace('"rule":1', '"rule":2'));
    expect(await told(other.url)).toEqual([]);
  });
});
