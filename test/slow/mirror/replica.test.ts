/** A copy with all that the builder of a Source wrote, which is served in place of it. */

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { audit } from '../../../src/audit/index.js';
import type { UserConfig } from '../../../src/index.js';
import { resolveMirror } from '../../../src/mirror/config.js';
import type { MirrorConfig } from '../../../src/mirror/index.js';
import { mirrorSource } from '../../../src/mirror/mirror.js';
import { renderSums } from '../../../src/standard/sums.js';
import { startHandMade } from '../../support/lists.js';
import { copy, readCopy, servedFiles, startSource, write } from '../../support/mirror.js';
import { serve } from '../../support/server.js';
import { SUMS, sha256 } from '../../support/signed.js';
import { callCli, makeFolder, makeForFile, readTree } from '../../support/site.js';

const DAY = 86_400;
const html = (text: string) => `<!doctype html><html lang="en"><title>T</title><p>${text}</p></html>`;
const FIRST = {
  'index.html': html('home'),
  'a.html': html('one'),
  'b/data.json': '{"one":1}',
  'robots.txt': 'User-agent: *\nAllow: /\nSitemap: https://published.example/sitemap.xml\n',
};
const ALL = {
  dumps: true,
  archives: true,
  versions: true,
  page: true,
  feed: true,
  sitemap: true,
  sums: true,
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
    expect(await source.mirrorTo(folder)).toMatchObject({ inSync: true });
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

  // docs/mirror.md: "Any static host can then serve the folder"
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
    await source.publish(60, {}, { dumps: false, page: false });
    expect(existsSync(join(source.site, 'resourcesync/resourcedump.xml'))).toBe(false);
    expect(await source.mirrorTo(folder)).toMatchObject({ inSync: true });
    expect(servedFiles(folder)).toEqual(servedFiles(source.site));
    // More than `maxDelete` allows of resources.
    expect(await source.mirrorTo(folder, { documents: false, maxDelete: 0 })).toMatchObject({ inSync: true });
    expect(readTree(folder)).toMatchObject(FIRST);
    expect(Object.keys(servedFiles(folder)).sort()).toEqual(Object.keys(FIRST).sort());
  });
});

describe('a resource where a document belongs', () => {
  async function startClash(seen: (path: string) => void = () => undefined) {
    const { site, url, lists, put } = await startHandMade({
      answer(path, response) {
        seen(path);
        if (path !== '/Lists/ALL.xml') return false;
        response.end('a resource');
        return true;
      },
    });
    const links = `<rs:ln rel="up" href="${url}.well-known/resourcesync"/><rs:ln rel="related" type="text/plain" href="${url}${SUMS}"/>`;
    put({
      'a.txt': 'one',
      '.well-known/resourcesync': lists
        .capabilities({ 'capabilitylist.xml': 'capabilitylist' })
        .replace('"capabilitylist"', '"description"'),
      'capabilitylist.xml': lists
        .capabilities({ 'lists/all.xml': 'resourcelist' })
        .replace('<url>', `${links}<url>`),
      'lists/all.xml': lists.resources(0, { 'Lists/ALL.xml': 'a resource', 'a.txt': 'one' }),
    });
    const paths = ['.well-known/resourcesync', 'capabilitylist.xml', 'lists/all.xml'];
    const writeSums = () => {
      const digests = new Map(paths.map((path) => [path, sha256(readFileSync(join(site, path)))]));
      write(site, SUMS, renderSums({ digests, signers: new Map() }));
    };
    writeSums();
    return { site, url, writeSums };
  }

  test('loses its name', async () => {
    const { site, url } = await startClash();
    const folder = makeFolder();
    const { status, stderr } = await callCli(['mirror', url, folder, '--documents']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const files = readCopy(folder);
    expect(files['lists/all.xml']).toBe(readFileSync(join(site, 'lists/all.xml'), 'utf8'));
    expect(Object.keys(files).filter((path) => files[path] === 'a resource')).toEqual([
      expect.stringMatching(/^~[\da-f]{24}\.xml$/),
    ]);
    expect(await copy(url, folder, { documents: true })).toMatchObject({ inSync: true });
    expect(await copy(url, folder, { documents: true, verify: true })).toMatchObject({
      inSync: true,
      updated: 0,
    });
  });

  test('asks for a new folder if it was copied before', async () => {
    const { url } = await startClash();
    const folder = makeFolder();
    await copy(url, folder);
    const before = readCopy(folder);
    const { status, stderr } = await callCli(['mirror', url, folder, '--documents']);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining(`The file of ${url}Lists/ALL.xml is at Lists/ALL.xml`),
    });
    expect(readCopy(folder)).toEqual(before);
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

test('a version whose listed length is no number is copied by its digest', async () => {
  const { site, url, lists, put } = await startHandMade();
  const links = `<rs:ln rel="up" href="${url}.well-known/resourcesync"/><rs:ln rel="related" type="text/plain" href="${url}${SUMS}"/>`;
  const version = `<rs:ln rel="memento" href="${url}old/a.txt" hash="sha-256:${sha256(Buffer.from('one'))}" length="three"/>`;
  put({
    'a.txt': 'two',
    'old/a.txt': 'one',
    '.well-known/resourcesync': lists
      .capabilities({ 'capabilitylist.xml': 'capabilitylist' })
      .replace('"capabilitylist"', '"description"'),
    'capabilitylist.xml': lists
      .capabilities({ 'list.xml': 'resourcelist', 'changes.xml': 'changelist' })
      .replace('<url>', `${links}<url>`),
    'list.xml': lists.resources(1, { 'a.txt': 'two' }),
    'changes.xml': lists
      .changes(0, [{ path: 'a.txt', text: 'two', change: 'updated', at: 1 }])
      .replace('</url>', `${version}</url>`),
  });
  const paths = ['.well-known/resourcesync', 'capabilitylist.xml', 'list.xml', 'changes.xml'];
  const digests = new Map(paths.map((path) => [path, sha256(readFileSync(join(site, path)))]));
  write(site, SUMS, renderSums({ digests, signers: new Map() }));
  const folder = makeFolder();
  expect(await copy(url, folder, { documents: true })).toMatchObject({ inSync: true });
  expect(readCopy(folder)['old/a.txt']).toBe('one');
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
  expect(await run()).toMatchObject({
    inSync: false,
    failed: [{ reason: 'unread' }, { reason: 'unread' }],
    deleted: 0,
  });
  for (const path of Object.keys(servedFiles(before))) expect(existsSync(join(folder, path))).toBe(true);
  isBroken = false;
  expect(await run()).toMatchObject({ inSync: true });
  expect(servedFiles(folder)).toEqual(servedFiles(source.site));
});

describe('the sums say what a copy with all documents has', () => {
  const run = (url: string, folder: string, more: Partial<MirrorConfig> = {}) =>
    copy(url, folder, { documents: true, attempts: 1, ...more });
  const publishedTwice = makeForFile(async () => {
    const source = await startSource({ ...ALL });
    await source.publish(0, FIRST);
    await source.publish(40 * DAY, { 'a.html': html('two') });
    return source;
  });

  test.each<[string, Partial<UserConfig>]>([
    ['of a Source without sums', { sums: false }],
    ['of a site with nothing but a Sitemap', { sums: false, page: false }],
  ])('%s there is no such copy', async (how, options) => {
    const source = await startSource({ ...ALL, ...options });
    await source.publish(0, FIRST);
    if (how.includes('Sitemap'))
      for (const path of ['.well-known', 'resourcesync'])
        rmSync(join(source.site, path), { recursive: true });
    const folder = join(makeFolder(), 'copy');
    const { status, stderr } = await callCli(['mirror', source.url, folder, '--documents']);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/(?:capabilitylist\.xml|robots\.txt) names no SHA256SUMS/),
    });
    expect(existsSync(folder)).toBe(false);
  });

  // docs/mirror.md: "The site must have sums"
  test('a joined set without sums is refused by name, and copied without the flag', async () => {
    const source = await startSource({ sums: true });
    const texts = { name: 'texts', include: ['**/*.txt'] };
    await source.publish(0, { ...FIRST, 'a.txt': 'a' }, { source: source.url, sets: [texts], sums: false });
    const joined = { name: 'texts', capabilityList: `${source.url}resourcesync/texts/capabilitylist.xml` };
    await source.publish(1, {}, { sets: [{ name: 'pages', include: ['**/*.html'] }, joined] });
    await expect(run(source.url, makeFolder())).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringContaining('resourcesync/texts/capabilitylist.xml names no SHA256SUMS'),
    });
    expect(await copy(source.url, makeFolder())).toMatchObject({ inSync: true });
    expect(
      (await audit({ source: source.url })).findings.filter(({ severity }) => severity === 'error'),
    ).toEqual([]);
  });

  test.each([
    ['a list', 'resourcesync/changelist.xml', /differs from its SHA256SUMS/],
    ['a TimeMap', 'resourcesync/timemaps/a.html.txt', /differs from its SHA256SUMS/],
    ['the sums', SUMS, /SHA256SUMS is malformed/],
  ])('%s that is another one is refused, and nothing is changed', async (_, path, message) => {
    const source = publishedTwice();
    const right = source.read(path);
    write(source.site, path, `${right} \n`);
    onTestFinished(() => write(source.site, path, right));
    const folder = makeFolder();
    const config = resolveMirror({ source: source.url, folder, documents: true });
    await expect(mirrorSource(config, { clock: { sleep: async () => undefined } })).rejects.toThrow(message);
    expect(readCopy(folder)).toEqual({});
  });
});

describe('describe with sums: true', () => {
  test('names all documents, the same each time, and sha256sum finds them right', async () => {
    const source = await startSource({ ...ALL });
    await source.publish(0, FIRST);
    const before = source.read(SUMS);
    expect(before).toMatch(/^# moment 2023-11-14T22:13:20Z\n/);
    const check = spawnSync('sha256sum', ['--quiet', '--strict', '-c', SUMS], {
      cwd: source.site,
      encoding: 'utf8',
    });
    expect(check).toMatchObject({ status: 0, stdout: '', stderr: '' });
    const own = Object.keys(servedFiles(source.site)).filter((path) =>
      /^(?:resourcesync|\.well-known)\//.test(path),
    );
    const bytes = own.filter((path) => /\.zip$|\/versions\/|SHA256SUMS/.test(path));
    expect(bytes.length).toBeGreaterThan(1);
    for (const path of own)
      expect([path, before.includes(`  ${path}\n`)]).toEqual([path, !bytes.includes(path)]);
    await source.publish(60, {});
    expect(source.read(SUMS)).toBe(before);
    expect(existsSync(join(source.site, `${SUMS}.sig`))).toBe(false);
    const { findings } = await audit({ source: source.url });
    expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
  });
});
