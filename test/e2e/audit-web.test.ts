/** Auditing over HTTP, from servers that behave and from servers that do not. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AuditReport, audit } from '../../src/audit/index.js';
import { describe as describeSite } from '../../src/index.js';
import { at, BROKEN_SERVERS, BROKEN_STARTS, PAGE, SILENT_SERVERS } from '../conformance/broken/servers.js';
import { makeDescribedSite, URL_OF_SITE } from '../support/described.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { type Answer, serve } from '../support/server.js';
import { callCli, makeFolder, makeForFile, makeSite } from '../support/site.js';

/** A server that answers does so in time, however busy the machine is; one that does not is not waited for as long. */
const http = { timeout: 20_000, attempts: 2, connections: 2 };
const impatient = { ...http, timeout: 2000, attempts: 1 };

const codesOf = ({ findings }: AuditReport) => findings.map(({ code }) => code);

/** Three publications in as many months, a list for each that changed something, and dumps. */
const small = makeForFile(async () => {
  const folder = makeRepository();
  const pages = { 'site/pages/3.html': 'Page 3', 'site/pages/4.html': 'Page 4' };
  commitFiles(folder, 0, { 'site/index.html': 'Home', 'site/about/index.html': 'About', ...pages });
  commitFiles(folder, 20 * 86_400, { 'site/pages/4.html': 'Page 4, revised' });
  commitFiles(folder, 50 * 86_400, { 'site/pages/3.html': 'Page 3, revised' });
  const changes = { window: 36_500, period: 'month' } as const;
  const site = join(folder, 'site');
  await describeSite({ site, url: URL_OF_SITE, describedby: 'about/', dumps: true, changes });
  return site;
});

const auditServed = async (answer?: Answer, limits = http): Promise<AuditReport> =>
  audit({ source: URL_OF_SITE, servedAt: await serve(small(), answer), http: limits });

test('what is served as it is listed has no findings, packages and all', async () => {
  const servedAt = await serve(await makeDescribedSite());
  const report = await audit({ source: URL_OF_SITE, servedAt, http });
  expect(report).toMatchObject({
    description: `${URL_OF_SITE}.well-known/resourcesync`,
    findings: [],
    resources: { listed: 19, checked: 19 },
    packages: { listed: 9, checked: 9 },
  });
  expect(report.documents.length).toBe(29);
});

describe('a server', () => {
  const faults = [
    ...BROKEN_SERVERS.map((server) => [...server, http] as const),
    ...SILENT_SERVERS.map((server) => [...server, impatient] as const),
  ];
  test.each(faults)('%s', async (_, answer, codes, found, limits) => {
    const report = await auditServed(answer, limits);
    const { findings } = report;
    expect(codesOf(report)).toEqual(expect.arrayContaining([...codes]));
    // Without one of its lists, a set does not agree with its dump; nothing else may be found.
    const consequences = /change-only-in-dump|changed-but-not-listed|lastmod-without-change|interval-gap/;
    expect(codesOf(report).filter((code) => !consequences.test(code) && !codes.includes(code))).toEqual([]);
    const told = findings.flatMap((group) =>
      codes.includes(group.code) ? group.findings.map((one) => one.found ?? '') : [],
    );
    if (found !== undefined) expect(told.join('\n')).toMatch(found);
  });

  test.each([408, 429, 502, 503, 522])('that is busy is asked again: status %i', async (status) => {
    const asked: string[] = [];
    const report = await auditServed((path, response) => {
      asked.push(path);
      const first = asked.filter((one) => one === path).length === 1;
      if (path === PAGE && first) response.writeHead(status, { 'retry-after': '0' }).end();
      else if (path === '/pages/4.html' && first) response.destroy();
      else return false;
      return true;
    });
    expect(report.findings).toEqual([]);
    // Once more for what its head says.
    expect(asked.filter((path) => path === PAGE).length).toBe(3);
  });

  test.each([
    ['that speaks no TLS where it should', (url: string) => url.replace('http:', 'https:'), /SSL|TLS|EPROTO/],
    ['that is not there', () => 'http://127.0.0.1:9/', /ECONNREFUSED/],
    ['that nobody knows', () => 'http://nobody.invalid/', /nobody\.invalid/],
  ])('%s', async (_, sourceOf, found) => {
    const { findings } = await audit({ source: sourceOf(await serve(makeFolder())), http });
    expect(findings).toMatchObject([{ code: 'document-unreachable', count: 1 }]);
    expect(findings[0]?.findings[0]?.found).toMatch(found);
  });

  test('that fails again and again is left alone', async () => {
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`${index}.txt`, 'x']));
    const site = makeSite(files);
    await describeSite({ site, url: URL_OF_SITE, history: 'none' });
    let asked = 0;
    const answer: Answer = (path, response) => {
      if (!path.endsWith('.txt')) return false;
      asked++;
      response.writeHead(500).end();
      return true;
    };
    const { findings } = await audit({ source: URL_OF_SITE, servedAt: await serve(site, answer), http });
    expect(findings[0]).toMatchObject({ code: 'fetch-failed', count: 60 });
    expect(findings[0]?.findings.map(({ found }) => found).join()).toContain('has failed 20 times in a row');
    expect(asked).toBeLessThan(25);
  });

  test('is asked for no more than a few things at a time', async () => {
    let open = 0;
    let most = 0;
    await auditServed((_, response) => {
      most = Math.max(most, ++open);
      response.on('close', () => open--);
      return false;
    });
    expect(most).toBeLessThanOrEqual(http.connections);
  });
});

describe('where to begin', () => {
  const capabilityList = (base: string) => `${base}resourcesync/capabilitylist.xml`;

  /** A Source that knows its own address, without anything at the well-known place. */
  async function serveHidden(page: string, headers: Record<string, string> = {}): Promise<string> {
    const files: Record<string, string> = {};
    const folder = makeFolder();
    const base = await serve(folder, (path, response) => {
      if (path === '/page.html')
        for (const [name, value] of Object.entries(headers))
          response.setHeader(name, value.replaceAll('BASE/', base));
      if (path !== '/page.html') return false;
      response.setHeader('content-type', 'text/html').end(page.replaceAll('BASE/', base));
      return true;
    });
    const ns =
      'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
    const link = (rel: string, to: string) => `<rs:ln rel="${rel}" href="${base}${to}"/>`;
    files['source.xml'] =
      `<urlset ${ns}>${link('describedby', 'page.html')}<rs:md capability="description"/><url><loc>${capabilityList(base)}</loc><rs:md capability="capabilitylist"/></url></urlset>`;
    files['resourcesync/capabilitylist.xml'] =
      `<urlset ${ns}>${link('up', 'source.xml')}<rs:md capability="capabilitylist"/><url><loc>${base}list.xml</loc><rs:md capability="resourcelist"/></url></urlset>`;
    files['list.xml'] =
      `<urlset ${ns}>${link('up', 'resourcesync/capabilitylist.xml')}<rs:md capability="resourcelist" at="2026-01-01T00:00:00Z"/><url><loc>${base}page.html</loc><rs:md length="${page.replaceAll('BASE/', base).length}" type="text/html"/></url></urlset>`;
    files['stray.xml'] = files['list.xml'];
    files['robots.txt'] = `User-agent: *\nSitemap: ${base}list.xml\n`;
    files['other.html'] = page.replaceAll('BASE/', base);
    makeSite(files, folder);
    return base;
  }

  test.each(BROKEN_STARTS)('%s', async (_, start, page, headers, codes) => {
    const base = await serveHidden(page, headers);
    const report = await audit({ source: base + start, http });
    expect(report.description).toBe(`${base}source.xml`);
    expect(codesOf(report).sort()).toEqual([...codes].sort());
  });

  test.each(['', '?from=mail', '#top'])('nothing of the kind, asked as ./%s', async (rest) => {
    const base = await serve(makeSite({ 'index.html': 'Hello' }));
    const { findings } = await audit({ source: base + rest, http });
    const document = `${base}.well-known/resourcesync`;
    expect(findings).toMatchObject([{ code: 'description-missing', findings: [{ document }] }]);
  });
});

test('a font has a type under the name of before, too (RFC 8081)', async () => {
  const types = {
    'a.woff': 'application/font-woff',
    'a.woff2': 'application/font-woff2',
    'a.txt': 'text/css',
  };
  const site = makeSite(Object.fromEntries(Object.keys(types).map((path) => [path, path])));
  await describeSite({ site, url: URL_OF_SITE, history: 'none' });
  const servedAt = await serve(site, (path, response) => {
    const type = Object.entries(types).find(([name]) => path === `/${name}`)?.[1];
    if (type !== undefined) response.setHeader('content-type', type).end(path.slice(1));
    return type !== undefined;
  });
  const { findings } = await audit({ source: URL_OF_SITE, servedAt, http });
  const differing = findings.filter(({ code }) => code === 'type-differs');
  expect(differing.flatMap((group) => group.findings.map(({ entry }) => entry))).toEqual([
    `${URL_OF_SITE}a.txt`,
  ]);
});

describe('a preview', () => {
  test('offers the very flag with which it is checked', async () => {
    const site = await makeDescribedSite();
    const preview = await serve(site);
    const refused = await callCli(['audit', preview]);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toContain(`The documents at ${preview} describe ${URL_OF_SITE}\n`);
    const [, offered = ''] = /served here: resync-static (.*)\n/.exec(refused.stderr) ?? [];
    expect(offered).toBe(`audit ${URL_OF_SITE} --served-at ${preview}`);
    const { status, stdout } = await callCli([...offered.split(' '), '--strict']);
    expect(stdout).toContain(`, from ${URL_OF_SITE}.well-known/resourcesync, served at ${preview}\n`);
    expect({ status, verdict: stdout.split(': ').at(-1) }).toEqual({
      status: 0,
      verdict: 'nothing found.\n',
    });
  });

  test('of a site under a path, and of one of its documents', async () => {
    const site = makeSite({ 'index.html': 'a', 'b/index.html': 'b' });
    const url = 'https://me.example/repo/';
    await describeSite({ site, url, history: 'none' });
    const servedAt = await serve(site);
    const under = await audit({ source: url, servedAt, http });
    expect(under).toMatchObject({ errors: 0, source: url, resources: { listed: 2, checked: 2 } });
    const served = await serve(makeSite({}), (path, response) => {
      const name = path.replace(/^\/repo\//, '');
      const file = join(site, name.endsWith('/') || name === '' ? `${name}index.html` : name);
      if (name === path || !existsSync(file)) return false;
      response.end(readFileSync(file));
      return true;
    });
    const document = await audit({
      source: `${url}resourcesync/capabilitylist.xml`,
      servedAt: served,
      http,
    });
    expect(document).toMatchObject({ errors: 0, resources: { listed: 2, checked: 2 } });
  });

  test('tells of everything by the URL at which it is published', async () => {
    const report = await auditServed(
      at(PAGE, (response) => response.writeHead(302, { location: '/index.html' }).end()),
    );
    expect(JSON.stringify(report.findings)).not.toContain('127.0.0.1');
    expect(codesOf(report)).toContain('redirected');
  });

  test('no host on the way may lead into this network: only the one that is named is in it', async () => {
    const inside = await serve(makeSite({ 'secret.txt': 's' }));
    const report = await auditServed(
      at(PAGE, (response) => response.writeHead(302, { location: `${inside}secret.txt` }).end()),
    );
    expect(codesOf(report)).toContain('fetch-refused');
  });
});
