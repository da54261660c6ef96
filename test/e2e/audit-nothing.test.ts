/** Audits that could check nothing, or not begin: none of them passes. */

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AuditReport } from '../../src/audit/index.js';
import { makeDescribedSite, URL_OF_SITE } from '../support/described.js';
import { startHost } from '../support/host.js';
import { callCli, makeFolder, makeSite } from '../support/site.js';

const DESCRIPTION = '.well-known/resourcesync';
const CAPABILITIES = 'resourcesync/capabilitylist.xml';

const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const listOf = (head: string, body: string) => `<urlset ${NAMESPACES}>${head}${body}</urlset>`;
const upTo = (path: string) => `<rs:ln rel="up" href="${URL_OF_SITE}${path}"/>`;
const capability = (uri: string, name: string) => `<url><loc>${uri}</loc><rs:md capability="${name}"/></url>`;

/** A Source with one list, of these URLs. */
function makeSource(locs: readonly string[], files: Readonly<Record<string, string | Buffer>> = {}): string {
  const rows = locs.map((loc) => `<url><loc>${loc}</loc><rs:md hash="md5:${'0'.repeat(32)}"/></url>`);
  return makeSite({
    [DESCRIPTION]: listOf(
      '<rs:md capability="description"/>',
      capability(`${URL_OF_SITE}${CAPABILITIES}`, 'capabilitylist'),
    ),
    [CAPABILITIES]: listOf(
      `${upTo(DESCRIPTION)}<rs:md capability="capabilitylist"/>`,
      capability(`${URL_OF_SITE}resourcesync/resourcelist.xml`, 'resourcelist'),
    ),
    'resourcesync/resourcelist.xml': listOf(
      `${upTo(CAPABILITIES)}<rs:md capability="resourcelist" at="2026-01-01T00:00:00Z"/>`,
      rows.join(''),
    ),
    ...files,
  });
}

function edit(site: string, file: string, from: string | RegExp, to: string): void {
  const text = readFileSync(join(site, file), 'utf8');
  const edited = text.replace(from, to);
  expect(edited).not.toBe(text);
  writeFileSync(join(site, file), edited);
}

async function runAudit(...args: string[]) {
  const { status, stdout, stderr } = await callCli(['audit', ...args, '--json']);
  expect(stderr).toBe('');
  const report: AuditReport = JSON.parse(stdout);
  return { status, report, codes: report.findings.map(({ code }) => code) };
}

describe('a Source Description whose only Capability List has a wrong address', () => {
  test('is at the URL that the Capability List names, and the address is an error', async () => {
    const site = await makeDescribedSite();
    edit(site, DESCRIPTION, 'capabilitylist.xml', 'capabilities.xml');
    const { status, report } = await runAudit(site);
    expect(status).toBe(1);
    expect(report).toMatchObject({ description: `${URL_OF_SITE}${DESCRIPTION}`, resources: { checked: 0 } });
    expect(report.findings[0]).toMatchObject({
      code: 'document-unreachable',
      severity: 'error',
      findings: [{ document: `${URL_OF_SITE}resourcesync/capabilities.xml`, found: 'no such file' }],
    });
  });

  test('asks for --url where nothing else tells', async () => {
    const site = await makeDescribedSite();
    edit(site, DESCRIPTION, 'capabilitylist.xml', 'capabilities.xml');
    for (const file of readdirSync(join(site, 'resourcesync')))
      rmSync(join(site, 'resourcesync', file), { recursive: true });
    const run = await callCli(['audit', site]);
    expect(run).toMatchObject({ status: 2, stdout: '' });
    expect(run.stderr).toMatch(/Nothing in .* says at which URL it is served.*\n.*--url/);
    const told = await runAudit(site, '--url', URL_OF_SITE);
    expect(told).toMatchObject({ status: 1, report: { errors: 1 } });
    expect(told.codes).toContain('document-unreachable');
  });

  test.each([
    ['the Capability List says another host', CAPABILITIES, 'href="https://example.org/.well'],
    ['the Source Description says another host', DESCRIPTION, '<loc>https://example.org/resourcesync'],
  ])('asks for --url where %s', async (_, file, place) => {
    const site = await makeDescribedSite();
    edit(site, file, place, place.replace('https://example.org', 'http://localhost:8080'));
    const run = await callCli(['audit', site]);
    expect(run).toMatchObject({ status: 2, stdout: '' });
    expect(run.stderr).toContain('do not agree');
    expect(run.stderr).toContain('http://localhost:8080/');
    expect(run.stderr).toContain('https://example.org/');
    expect(run.stderr).toContain('--url');
    expect(await runAudit(site, '--url', URL_OF_SITE)).toMatchObject({ status: 1 });
  });
});

test('a list that is outside of the folder cannot be reached, and that is an error', async () => {
  const site = makeSource([]);
  const elsewhere = 'https://elsewhere.example/list.xml';
  edit(site, CAPABILITIES, `${URL_OF_SITE}resourcesync/resourcelist.xml`, elsewhere);
  const { status, report } = await runAudit(site, '--url', URL_OF_SITE);
  expect(status).toBe(1);
  expect(report.findings[0]).toMatchObject({
    code: 'document-unreachable',
    findings: [{ document: elsewhere, found: `not below ${URL_OF_SITE}` }],
  });
});

test('a Capability List that is outside of the folder is of another build, and alone it is no pass', async () => {
  const site = makeSource([]);
  const elsewhere = 'https://elsewhere.example/list.xml';
  edit(site, DESCRIPTION, `${URL_OF_SITE}${CAPABILITIES}`, elsewhere);
  const { status, report } = await runAudit(site, '--url', URL_OF_SITE);
  expect(status).toBe(1);
  expect(report.findings[0]).toMatchObject({ code: 'nothing-checked', severity: 'error' });
  expect(report.findings.find(({ code }) => code === 'not-checked')?.findings).toMatchObject([
    { entry: elsewhere },
  ]);
});

describe('nothing is checked', () => {
  test('where all resources are elsewhere: that is an error', async () => {
    const site = makeSource(['https://cdn.example.net/a', 'https://cdn.example.net/b']);
    const { status, report } = await runAudit(site);
    expect(status).toBe(1);
    expect(report.findings[0]).toMatchObject({
      code: 'nothing-checked',
      severity: 'error',
      findings: [{ found: '0 of 2 resources' }],
    });
  });

  test('where a server has us look where we do not: that is an error', async () => {
    const site = makeSource(['http://127.0.0.2:9/a']);
    const host = await startHost(site);
    const { status, codes } = await runAudit(URL_OF_SITE, '--served-at', host.url);
    expect(status).toBe(1);
    expect(codes).toEqual(expect.arrayContaining(['nothing-checked', 'fetch-refused']));
  });

  test('where no list is named: that is an error', async () => {
    const site = makeSource([]);
    edit(site, CAPABILITIES, /<url>.*<\/url>/, '');
    const { status, report } = await runAudit(site);
    expect(status).toBe(1);
    expect(report.findings[0]).toMatchObject({
      code: 'list-missing',
      findings: [{ document: expect.stringContaining('capabilitylist.xml') }],
    });
  });

  test('where lists are empty: that is right', async () => {
    expect(await runAudit(makeSource([]))).toMatchObject({ status: 0, report: { errors: 0, warnings: 0 } });
  });

  test('where nothing was asked for: that is right', async () => {
    const site = await makeDescribedSite();
    const { status, report } = await runAudit(site, '--since', '2100-01-01T00:00:00Z');
    expect(status).toBe(0);
    expect(report).toMatchObject({ errors: 0, resources: { listed: 19, checked: 0 } });
  });
});

describe('a Source Description that is there, but', () => {
  const sitemap = listOf('', `<url><loc>${URL_OF_SITE}</loc></url>`);
  const otherKind = listOf(
    `${upTo(CAPABILITIES)}<rs:md capability="resourcelist" at="2026-01-01T00:00:00Z"/>`,
    '',
  );
  const ROWS: [what: string, content: string | Buffer, code: string, found: RegExp][] = [
    ['is empty', '', 'document-not-well-formed', /root/],
    ['is not well-formed', '<urlset', 'document-not-well-formed', /./],
    ['is not UTF-8', Buffer.from([0x3c, 0xff, 0xfe]), 'document-not-utf-8', /./],
    ['is an HTML page', '<!doctype html><title>Home</title>', 'document-not-a-sitemap', /HTML page/],
    ['is a page without a doctype', '<html><p>Home</html>', 'document-not-a-sitemap', /HTML page/],
    ['is a plain Sitemap', sitemap, 'capability-missing', /^$/],
    ['is of another kind', otherKind, 'document-of-other-kind', /resourcelist/],
  ];

  test.each(ROWS)(
    '%s, is not told as missing, in a folder and on the web',
    async (_, content, code, found) => {
      const site = makeSource([], { [DESCRIPTION]: content });
      const host = await startHost(makeSite({ 'index.html': 'Home', [DESCRIPTION]: content }));
      for (const [url, ...args] of [
        [URL_OF_SITE, site],
        [URL_OF_SITE, site, '--url', URL_OF_SITE],
        [host.url, host.url],
      ]) {
        const { status, report, codes } = await runAudit(...args);
        expect(status).toBe(1);
        expect(codes).toContain(code);
        expect(codes).not.toContain('description-missing');
        const [first] = report.findings.find((one) => one.code === code)?.findings ?? [];
        expect(first?.document).toBe(`${url}${DESCRIPTION}`);
        expect(first?.found ?? '').toMatch(found);
      }
    },
  );

  test('cannot be read, in a folder where nothing tells its URL, is told of by its place', async () => {
    const site = makeSite({ 'index.html': 'Home', [DESCRIPTION]: '<html>' });
    const { status, report } = await runAudit(site);
    expect(status).toBe(1);
    expect(report.findings).toMatchObject([{ code: 'document-not-a-sitemap' }]);
    expect(report.findings[0]?.findings[0]?.document).toMatch(/^file:\/\/\/.*\/\.well-known\/resourcesync$/);
  });

  test('a server fails to give, is not told as missing', async () => {
    const host = await startHost(makeSite({ 'index.html': 'Home' }));
    host.intercept = ({ url }, response) => {
      if (url?.includes('.well-known') !== true) return false;
      response.writeHead(500).end();
      return true;
    };
    const { status, codes } = await runAudit(host.url);
    expect(status).toBe(1);
    expect(codes).toEqual(['document-unreachable']);
  });
});

test('a folder without one has none, whatever else is in it', async () => {
  const { status, codes } = await runAudit(makeFolder());
  expect(status).toBe(1);
  expect(codes).toEqual(['description-missing']);
});

test('of Capability Lists alone, the first ten megabytes tell the URL of the folder', async () => {
  const lists = Array.from({ length: 12 }, (_, index) => {
    const path = `resourcesync/set-${String.fromCharCode(97 + index)}/capabilitylist.xml`;
    const [url, up] =
      index < 10 ? [URL_OF_SITE, 'https://a.example/'] : ['https://b.example/', 'https://c.example/'];
    const head = `<rs:ln rel="up" href="${up}${DESCRIPTION}"/><rs:md capability="capabilitylist"/>`;
    return [path, listOf(head + ' '.repeat(950_000), capability(url + path, 'resourcelist'))] as const;
  });
  const { report } = await runAudit(makeSite(Object.fromEntries(lists)));
  expect(report.description).toBe(URL_OF_SITE + lists[0]?.[0]);
  expect(report.findings.find(({ code }) => code === 'not-checked')?.findings).toMatchObject([
    { entry: `https://a.example/${DESCRIPTION}` },
  ]);
});
