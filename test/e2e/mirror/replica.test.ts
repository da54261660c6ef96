/** A copy with all that the builder of a Source wrote, which is served in place of it. */

import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AuditReport, audit, type MirrorConfig } from '../../../src/index.js';
import { copy, readCopy, servedFiles, startSource, write } from '../../support/mirror.js';
import { serve } from '../../support/server.js';
import { callCli, makeFolder, readTree } from '../../support/site.js';

const DAY = 86_400;
const html = (text: string) => `<!doctype html><html lang="en"><title>T</title><p>${text}</p></html>`;
const FIRST = {
  'index.html': html('home'),
  'a.html': html('one'),
  'b/data.json':
    '{"one":1,"long":"so that a patch is shorter than all of it, which it would not be otherwise"}',
  'robots.txt': 'User-agent: *\nAllow: /\nSitemap: https://published.example/sitemap.xml\n',
};
const ALL = {
  dumps: true,
  archives: true,
  versions: true,
  page: true,
  feed: true,
  sitemap: true,
} as const;

/** A Source with all that there is to be kept. */
async function startRich(url = 'https://published.example/') {
  const source = await startSource({ url, ...ALL });
  await source.publish(0, FIRST);
  const mirrorTo = (folder: string, more: Partial<MirrorConfig> = {}) =>
    copy(url, folder, { servedAt: source.url, documents: true, ...more });
  return { ...source, published: url, mirrorTo };
}

describe('a copy with all documents', () => {
  test('has each file of the Source, at its place, after each publication', async () => {
    const source = await startRich();
    const folder = makeFolder();
    expect(await source.mirrorTo(folder)).toMatchObject({ inSync: true, displaced: [] });
    expect(servedFiles(folder)).toEqual(servedFiles(source.site));
    const changes = [
      { 'a.html': html('two') },
      { 'b/data.json': FIRST['b/data.json'].replace('1', '2'), 'c/index.html': html('new') },
      { 'a.html': undefined },
    ];
    for (const [index, files] of changes.entries()) {
      await source.publish((1 + index) * 40 * DAY, files);
      expect(await source.mirrorTo(folder)).toMatchObject({ inSync: true });
      expect(servedFiles(folder)).toEqual(servedFiles(source.site));
    }
    expect(readdirSync(join(folder, 'resourcesync/archives')).length).toBeGreaterThan(1);
    expect(await source.mirrorTo(folder)).toMatchObject({
      inSync: true,
      sets: [{ way: 'unchanged' }],
      updated: 0,
    });
  });

  test('is a replica: an audit finds in it what it finds in the Source, and mirrors of mirrors equal it', async () => {
    const source = await startRich();
    await source.publish(40 * DAY, { 'a.html': html('two') });
    const [first, second] = [makeFolder(), makeFolder()];
    await source.mirrorTo(first);
    const http = { attempts: 1 };
    const auditAt = (servedAt: string) => audit({ source: source.published, servedAt, http });
    const [of, ofSource] = [await auditAt(await serve(first)), await auditAt(source.url)];
    expect(of.findings).toEqual(ofSource.findings);
    expect(of.findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
    const middle = await serve(first);
    expect(await source.mirrorTo(second, { servedAt: middle })).toMatchObject({ inSync: true });
    expect(servedFiles(second)).toEqual(servedFiles(source.site));
    await source.publish(50 * DAY, { 'a.html': html('three'), 'd.html': html('four') });
    await source.mirrorTo(first);
    expect(await source.mirrorTo(second, { servedAt: middle })).toMatchObject({ inSync: true });
    expect(servedFiles(second)).toEqual(servedFiles(source.site));
    const last = makeFolder();
    expect(await copy(source.published, last, { servedAt: await serve(second), from: 'dump' })).toMatchObject(
      {
        inSync: true,
      },
    );
    const { 'sitemap.xml': _, ...listed } = source.listed();
    expect(readCopy(last)).toEqual(listed);
  });

  test('takes what the Source drops away, and all at once where they are wanted no more', async () => {
    const source = await startRich();
    const folder = makeFolder();
    await source.mirrorTo(folder);
    rmSync(join(source.site, 'resourcesync/resourcedump.xml'));
    const path = 'resourcesync/capabilitylist.xml';
    write(source.site, path, source.read(path).replace(/<url>[^\n]*resourcedump\.xml[^\n]*\n/, ''));
    for (const name of readdirSync(join(source.site, 'resourcesync')))
      if (name.startsWith('resourcedump-')) rmSync(join(source.site, 'resourcesync', name));
    expect(await source.mirrorTo(folder)).toMatchObject({ inSync: true });
    expect(servedFiles(folder)).toEqual(servedFiles(source.site));
    const lists = await source.mirrorTo(folder, { documents: 'lists' });
    expect(lists).toMatchObject({ inSync: true, stopped: false });
    expect(
      Object.keys(servedFiles(folder)).filter((one) => /dump|archive|versions|timemaps/.test(one)),
    ).toEqual([]);
    expect(existsSync(join(folder, 'resourcesync/changelist.xml'))).toBe(true);
    // More than `maxDelete` allows of resources.
    expect(await source.mirrorTo(folder, { documents: false, maxDelete: 0 })).toMatchObject({ inSync: true });
    expect(readTree(folder)).toMatchObject(FIRST);
    expect(Object.keys(servedFiles(folder)).sort()).toEqual(Object.keys(FIRST).sort());
  });

  // docs/audit.md: "No site can hide its own missing files with it."
  test('without packages and the past says so, to an audit of the copy and to nobody else', async () => {
    const source = await startRich();
    await source.publish(40 * DAY, { 'a.html': html('two') });
    const [first, second, full] = [makeFolder(), makeFolder(), makeFolder()];
    const mark = 'resourcesync/replica.txt';
    expect(await source.mirrorTo(first, { documents: 'lists' })).toMatchObject({ inSync: true });
    const servedAt = await serve(first);
    expect(await source.mirrorTo(second, { documents: 'lists', servedAt })).toMatchObject({ inSync: true });
    expect(servedFiles(second)).toEqual(servedFiles(first));
    expect(await source.mirrorTo(second, { documents: 'lists', servedAt })).toMatchObject({ updated: 0 });
    const http = { attempts: 1 };
    const list = ({ findings }: AuditReport) =>
      findings.flatMap(({ severity, code }) => (severity === 'note' ? [] : [`${severity} ${code}`]));
    const web = await callCli(['audit', source.published, '--served-at', await serve(second)]);
    expect(web).toMatchObject({ status: 0, stdout: expect.stringContaining('not-in-replica') });
    expect(list(await audit({ source: second, url: source.published }))).toEqual(['warning not-in-replica']);
    // Who wants all is told that it is not there.
    expect(await source.mirrorTo(full, { servedAt })).toMatchObject({ inSync: false });
    expect(existsSync(join(full, mark))).toBe(false);
    await source.mirrorTo(first);
    expect(servedFiles(first)).toEqual(servedFiles(source.site));

    // A Source that has the mark.
    cpSync(join(second, mark), join(source.site, mark));
    rmSync(join(source.site, 'resourcesync/resourcedump.xml'));
    expect(list(await audit({ source: source.site, url: source.published }))).toContain(
      'error document-unreachable',
    );
    // What every copy has is missed as before.
    rmSync(join(second, 'resourcesync/changelist.xml'));
    expect(list(await audit({ source: source.published, servedAt: await serve(second), http }))).toContain(
      'error document-unreachable',
    );
  });

  test('tells the next program of resources only', async () => {
    const source = await startRich();
    const [folder, changes] = [makeFolder(), join(makeFolder(), 'changes.ndjson')];
    const run = (more: Partial<MirrorConfig> = {}) => source.mirrorTo(folder, { changes, ...more });
    await run();
    await source.publish(60, { 'a.html': html('two') });
    await run();
    await run({ documents: false });
    const told = readFileSync(changes, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(told.map(({ change, path }) => `${change} ${path}`).sort()).toEqual(
      [...Object.keys(FIRST).map((path) => `created ${path}`), 'updated a.html'].sort(),
    );
  });

  test('costs no request without the flag, and none more where nothing changed', async () => {
    let asked: string[] = [];
    const source = await startSource({ ...ALL }, (path) => {
      asked.push(path);
      return false;
    });
    await source.publish(0, FIRST);
    const runs: (readonly [Partial<MirrorConfig>, string[]])[] = [];
    const [plain, replica] = [makeFolder(), makeFolder()];
    for (const [folder, more] of [
      [plain, {}],
      [plain, {}],
      [replica, { documents: true }],
      [replica, { documents: true }],
    ] as const) {
      asked = [];
      await copy(source.url, folder, more);
      runs.push([more, asked.sort()]);
    }
    expect(runs[0]?.[1].filter((path) => /versions|timemap|atom|dump/.test(path))).toEqual([]);
    expect(runs[3]?.[1]).toEqual(runs[1]?.[1]);
  });
});

// docs/mirror.md: "gets another name, and the report says so"
describe('a resource where a document belongs', () => {
  const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
  const NAMES =
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
  const list = (capability: string, head: string, rows: string) =>
    `${XML}<urlset ${NAMES}><rs:md capability="${capability}" ${head}/>${rows}</urlset>`;

  async function startClash() {
    const site = makeFolder();
    const url = await serve(site, (path, response) => {
      if (path !== '/Lists/ALL.xml') return false;
      response.end('a resource');
      return true;
    });
    write(site, 'a.txt', 'one');
    write(
      site,
      '.well-known/resourcesync',
      list(
        'description',
        '',
        `<url><loc>${url}capabilitylist.xml</loc><rs:md capability="capabilitylist"/></url>`,
      ),
    );
    write(
      site,
      'capabilitylist.xml',
      list(
        'capabilitylist',
        '',
        `<url><loc>${url}lists/all.xml</loc><rs:md capability="resourcelist"/></url>`,
      ),
    );
    write(
      site,
      'lists/all.xml',
      list(
        'resourcelist',
        'at="2026-01-01T00:00:00Z"',
        [
          ['Lists/ALL.xml', 'a resource'],
          ['a.txt', 'one'],
        ]
          .map(
            ([path, text = '']) =>
              `<url><loc>${url}${path}</loc><rs:md hash="md5:${createHash('md5').update(text).digest('hex')}" length="${text.length}"/></url>`,
          )
          .join(''),
      ),
    );
    return { site, url };
  }

  test.each([false, true])('loses its name, which is told (copied before: %s)', async (isBefore) => {
    const { site, url } = await startClash();
    const folder = makeFolder();
    if (isBefore) {
      await copy(url, folder);
      expect(readTree(folder)['Lists/ALL.xml']).toBe('a resource');
    }
    const { stdout, stderr } = await callCli(['mirror', url, folder, '--documents']);
    expect(stderr).toBe('');
    expect(stdout).toContain(
      `1 file has another name now, because a document has theirs, such as that of ${url}Lists/ALL.xml.`,
    );
    const files = readCopy(folder);
    expect(files['lists/all.xml']).toBe(readFileSync(join(site, 'lists/all.xml'), 'utf8'));
    expect(Object.keys(files).filter((path) => files[path] === 'a resource')).toEqual([
      expect.stringMatching(/^~[\da-f]{24}\.xml$/),
    ]);
    expect(await copy(url, folder, { documents: true })).toMatchObject({ inSync: true, displaced: [] });
    expect(await copy(url, folder, { documents: true, verify: true })).toMatchObject({
      inSync: true,
      updated: 0,
    });
  });

  test('of yours is not overwritten', async () => {
    const { url } = await startClash();
    const folder = makeFolder();
    write(folder, 'capabilitylist.xml', 'mine');
    const report = await copy(url, folder, { documents: true });
    expect(report).toMatchObject({
      inSync: false,
      failed: [{ reason: 'in-the-way', uri: `${url}capabilitylist.xml` }],
    });
    expect(readTree(folder)['capabilitylist.xml']).toBe('mine');
  });
});

test('one set alone is no replica', async () => {
  const run = await callCli(['mirror', 'https://example.org/', 'copy', '--documents', '--set', 'texts']);
  expect(run).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--documents does not go with --set'),
  });
});

test('a document that cannot be had now leaves all as it is', async () => {
  let isBroken = false;
  const source = await startSource({ ...ALL }, (path, response) => {
    if (!isBroken || !path.includes('resourcelist-archive')) return false;
    response.writeHead(500).end();
    return true;
  });
  await source.publish(0, { ...FIRST, 'robots.txt': `Sitemap: ${source.url}sitemap.xml\n` });
  await source.publish(40 * DAY, { 'a.html': html('two') });
  const folder = makeFolder();
  const run = () => copy(source.url, folder, { documents: true, attempts: 1 });
  await run();
  const before = makeFolder();
  cpSync(folder, before, { recursive: true });
  isBroken = true;
  await source.publish(80 * DAY, { 'a.html': html('three'), 'b/data.json': undefined });
  expect(await run()).toMatchObject({ inSync: false, failed: [{ reason: 'unread' }], deleted: 0 });
  for (const path of Object.keys(servedFiles(before))) expect(existsSync(join(folder, path))).toBe(true);
  isBroken = false;
  expect(await run()).toMatchObject({ inSync: true });
  expect(servedFiles(folder)).toEqual(servedFiles(source.site));
});
