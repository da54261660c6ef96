/** Servers that fail, Sources that change meanwhile or mean harm, and folders in which something is in the way. */

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copy, readCopy, startSource, write } from '../../support/mirror.js';
import { makeRandom } from '../../support/random.js';
import { serve } from '../../support/server.js';
import { makeFolder, makeSite, readTree } from '../../support/site.js';

const files = (count: number, text: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f/${index}.txt`, `${text} ${index}`]));

/** Fails in one of many ways. */
function fail(response: ServerResponse, bytes: Buffer, way: number): void {
  switch (way % 5) {
    case 0:
      response.writeHead(500).end();
      return;
    case 1:
      response.writeHead(503, { 'retry-after': '0' }).end();
      return;
    case 2:
      response.destroy();
      return;
    case 3:
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
      return;
    default:
      response.writeHead(200).end(Buffer.from(bytes.map((byte) => byte ^ 1)));
  }
}

test('pages that always fail hold up no other page, although their host is given up for files', async () => {
  const source = await startSource({}, (path, response) => {
    const isBroken = path.startsWith('/broken/');
    if (isBroken) response.writeHead(500).end();
    return isBroken;
  });
  const broken = Array.from({ length: 15 }, (_, index) => [`broken/${index}.txt`, 'x'] as const);
  await source.publish(0, { ...files(5, 'one'), ...Object.fromEntries(broken) });
  const folder = makeFolder();
  const { created, failed } = await copy(source.url, folder);
  expect({ created, failed: failed.length }).toEqual({ created: 5, failed: 15 });
  expect(new Set(failed.map(({ found }) => found))).toEqual(new Set(['status 500']));
  expect(Object.keys(readCopy(folder))).toHaveLength(5);
});

test('files in more codings than are decoded fail, and do not occupy the connections', async () => {
  const source = await startSource({}, (path, response) => {
    const isCoded = path.startsWith('/coded/');
    if (isCoded) response.writeHead(200, { 'content-encoding': 'gzip,'.repeat(5) }).end('x'.repeat(100_000));
    return isCoded;
  });
  const coded = Array.from({ length: 5 }, (_, index) => [`coded/${index}.txt`, 'x'] as const);
  await source.publish(0, { ...files(5, 'one'), ...Object.fromEntries(coded) });
  const { created, failed } = await copy(source.url, makeFolder(), { concurrency: 1, maxTime: 20 });
  expect({ created, failed: failed.map(({ found }) => found) }).toEqual({
    created: 5,
    failed: Array(5).fill(expect.stringContaining('has 5 content codings')),
  });
});

describe('a server that fails a fifth of all requests', () => {
  test('is copied within a few runs, and never is a wrong byte in place', async () => {
    const random = makeRandom();
    let fails = false;
    const source = await startSource({}, (path, response) => {
      const name = path.endsWith('/') ? `${path}index.html` : path;
      if (!fails || random() > 0.2 || !existsSync(join(source.site, name))) return false;
      const bytes = readFileSync(join(source.site, name));
      fail(response, bytes, Math.floor(random() * 5));
      return true;
    });
    const folder = makeFolder();
    const states: Record<string, string>[] = [];
    for (const [step, text] of ['one', 'two'].entries()) {
      await source.publish(step * 60, files(25, text));
      states.push(source.listed());
      fails = true;
      let isIn = false;
      for (let run = 0; run < 6 && !isIn; run++) {
        isIn = await copy(source.url, folder, { timeout: 2000 }).then(
          ({ inSync }) => inSync,
          (error) => {
            expect(error).toMatchObject({ code: 'source-unreadable' });
            return false;
          },
        );
        for (const [path, bytes] of Object.entries(readCopy(folder)))
          expect(states.map((state) => state[path])).toContain(bytes);
      }
      fails = false;
      expect(isIn).toBe(true);
      expect(readCopy(folder)).toEqual(source.listed());
    }
  });
});

// docs/copies.md: "the folder holds everything that the site listed at one moment".
test('a Source that is deployed anew while it is copied is never a mixture that is called in sync', async () => {
  let count = Number.POSITIVE_INFINITY;
  const [first, next] = [makeFolder(), makeFolder()];
  const deploy = (folder: string) => {
    rmSync(source.site, { recursive: true });
    cpSync(folder, source.site, { recursive: true });
  };
  const source = await startSource({}, () => {
    if (--count === 0) deploy(next);
    return false;
  });
  await source.publish(0, files(12, 'one'));
  cpSync(source.site, first, { recursive: true });
  const one = source.listed();
  await source.publish(60, { ...files(6, 'two'), 'f/11.txt': undefined, 'f/12.txt': 'new' });
  cpSync(source.site, next, { recursive: true });
  const two = source.listed();
  for (let after = 1; after <= 24; after += 5) {
    deploy(first);
    const folder = makeFolder();
    count = after;
    const report = await copy(source.url, folder, { concurrency: 2 });
    if (report.inSync) expect([one, two], `after ${after}`).toContainEqual(readCopy(folder));
    expect(await copy(source.url, folder)).toMatchObject({ inSync: true });
    expect(readCopy(folder)).toEqual(source.listed());
  }
});

const XML =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="resourcelist" at="2026-01-01T00:00:00Z"/>';
const listOf = (uris: readonly string[]) =>
  `${XML}${uris.map((uri) => `<url><loc>${uri.replaceAll('&', '&amp;')}</loc></url>`).join('')}</urlset>`;

// SECURITY.md: "Links are not followed, and files that an earlier run did not put there are neither replaced nor deleted".
test('links and folders in the way are never followed or removed', async () => {
  const source = await startSource();
  await source.publish(0, { 'a/x.txt': 'x', 'b.txt': 'b', 'c.txt': 'c', 'd.txt': 'd' });
  const [folder, outside] = [makeFolder(), makeSite({ 'x.txt': 'theirs', 'b.txt': 'theirs' })];
  symlinkSync(outside, join(folder, 'a'));
  symlinkSync(join(outside, 'b.txt'), join(folder, 'b.txt'));
  mkdirSync(join(folder, 'c.txt'));
  const report = await copy(source.url, folder);
  expect(report).toMatchObject({ inSync: false, created: 1 });
  expect(report.failed.map(({ path, reason }) => [path, reason]).sort()).toEqual([
    ['a/x.txt', 'in-the-way'],
    ['b.txt', 'in-the-way'],
    ['c.txt', 'in-the-way'],
  ]);
  expect(readTree(outside)).toEqual({ 'b.txt': 'theirs', 'x.txt': 'theirs' });
  // A folder of ours that somebody has moved away and linked: nothing below it is touched.
  for (const path of ['a', 'b.txt', 'c.txt']) rmSync(join(folder, path), { recursive: true });
  expect(await copy(source.url, folder)).toMatchObject({ inSync: true });
  rmSync(join(folder, 'a'), { recursive: true });
  symlinkSync(outside, join(folder, 'a'));
  await source.publish(60, { 'a/x.txt': undefined });
  await copy(source.url, folder);
  expect(readTree(outside)).toEqual({ 'b.txt': 'theirs', 'x.txt': 'theirs' });
});

test('a file of the user that comes while a run is under way is not replaced', async () => {
  const source = await startSource({}, (path) => {
    if (path === '/b.txt') write(folder, 'a/mine.txt', 'mine');
    return false;
  });
  const folder = makeFolder();
  await source.publish(0, { 'a/kept.txt': 'a' });
  await copy(source.url, folder);
  await source.publish(60, { 'a/mine.txt': 'theirs', 'b.txt': 'b' });
  for (let run = 0; run < 2; run++) {
    await expect(copy(source.url, folder, { concurrency: 1 })).rejects.toMatchObject({
      code: 'not-ours',
      message: expect.stringContaining(`${join(folder, 'a/mine.txt')} is a file that is not ours`),
    });
    expect(readCopy(folder)).toMatchObject({ 'a/mine.txt': 'mine' });
  }
  rmSync(join(folder, 'a/mine.txt'));
  expect(await copy(source.url, folder)).toMatchObject({ inSync: true });
  expect(readCopy(folder)).toEqual(source.listed());
});

// docs/copies.md: "Files come only from the server that you named," SECURITY.md: "Your `--header` values go only to the origin that you named".
describe('other servers', () => {
  const startTwo = async () => {
    const asked: { path: string; token: string | undefined }[] = [];
    const note = (path: string, _: ServerResponse, request: { headers: Record<string, unknown> }) => {
      asked.push({ path, token: request.headers['x-token'] as string | undefined });
      return false;
    };
    const other = await serve(makeSite({ 'x.txt': 'x', 'y.txt': 'y' }), note as never);
    const site = makeSite({ 'a.txt': 'a' });
    const url = await serve(site, (path, response, request) => {
      if (request.headers['x-token'] !== 'secret') response.writeHead(401).end();
      else if (path === '/redirected.txt') response.writeHead(302, { location: `${other}y.txt` }).end();
      else return false;
      return true;
    });
    write(site, 'list.xml', listOf([`${url}a.txt`, `${url}redirected.txt`, `${other}x.txt`]));
    return { url, other, asked, site };
  };

  test('are not asked unless they are allowed, by redirects neither', async () => {
    const { url, asked } = await startTwo();
    const folder = makeFolder();
    const report = await copy(`${url}list.xml`, folder, { headers: ['X-Token: secret'] });
    expect(report).toMatchObject({ created: 1, elsewhere: 1, failed: [{ path: 'redirected.txt' }] });
    expect(asked).toEqual([]);
  });

  test('are asked once they are allowed, although the list is as it was', async () => {
    const { url, other, site } = await startTwo();
    write(site, 'list.xml', listOf([`${url}a.txt`, `${other}x.txt`]));
    const folder = makeFolder();
    const headers = ['X-Token: secret'];
    const first = await copy(`${url}list.xml`, folder, { headers });
    expect(first).toMatchObject({ inSync: true, created: 1, elsewhere: 1 });
    const allow = [new URL(other).origin];
    const more = await copy(`${url}list.xml`, folder, { headers, allow });
    expect(more).toMatchObject({ inSync: true, created: 1, elsewhere: 0, sets: [{ reason: 'origins' }] });
    const again = await copy(`${url}list.xml`, folder, { headers, allow });
    expect(again).toMatchObject({ inSync: true, created: 0, unchanged: 2 });
  });

  test('leave nothing to copy where all is there: that is a failure, which names what would help', async () => {
    const { url, other, site } = await startTwo();
    write(site, 'list.xml', listOf([`${other}x.txt`, `${other}y.txt`]));
    const folder = makeFolder();
    const headers = ['X-Token: secret'];
    const origin = new URL(other).origin;
    const failed = [{ uri: `${url}list.xml`, reason: 'elsewhere', found: `--allow ${origin}` }];
    for (const dryRun of [true, false, false]) {
      const report = await copy(`${url}list.xml`, folder, { headers, dryRun });
      expect(report).toMatchObject({ inSync: false, created: 0, elsewhere: 2, failed });
    }
    expect(await copy(`${url}list.xml`, folder, { headers, allow: [origin] })).toMatchObject({
      inSync: true,
      created: 2,
      elsewhere: 0,
    });
    // A copied file is not deleted because its server is no longer allowed.
    write(site, 'list.xml', listOf([`${other}x.txt`]));
    const again = await copy(`${url}list.xml`, folder, { headers, maxDelete: '100%' });
    expect(again).toMatchObject({ inSync: false, deleted: 0, failed });
    expect(Object.keys(readCopy(folder))).toHaveLength(2);
  });

  // docs/copies.md: "Your `--header` values go only to the server that you named, also after a redirect"
  test('never get the token', async () => {
    const { url, other, asked } = await startTwo();
    const folder = makeFolder();
    const allow = [new URL(other).origin];
    const report = await copy(`${url}list.xml`, folder, { headers: ['X-Token: secret'], allow });
    expect(report).toMatchObject({ inSync: true, created: 3 });
    expect(asked.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: '/robots.txt', token: undefined },
      { path: '/x.txt', token: undefined },
      { path: '/y.txt', token: undefined },
    ]);
    const host = new URL(other).host.replace(':', '_');
    expect(readCopy(folder)).toEqual({ 'a.txt': 'a', 'redirected.txt': 'y', [`${host}/x.txt`]: 'x' });
    expect(JSON.stringify(readTree(folder))).not.toContain('secret');
  });
});
