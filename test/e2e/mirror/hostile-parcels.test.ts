/** Parcels that are damaged, or that somebody made to do harm: told, and nothing is lost. */

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import JSZip from 'jszip';
import { describe, expect, test } from 'vitest';
import { type MirrorConfig, ResyncError } from '../../../src/index.js';
import { resolveMirror } from '../../../src/mirror/config.js';
import { mirrorSource } from '../../../src/mirror/mirror.js';
import { BEGIN } from '../../support/git.js';
import { copy, placeCopy, readCopy, startSource } from '../../support/mirror.js';
import { makeRandom } from '../../support/random.js';
import { stride } from '../../support/seed.js';
import { callCli, makeFolder, makeForFile, readTree } from '../../support/site.js';

const momentAt = (seconds: number) => new Date(1000 * (BEGIN + seconds)).toISOString().replace('.000', '');

const FIRST = { 'index.html': 'home', 'a.txt': 'a', 'b/b.txt': 'b', 'c.txt': 'c', 'd.txt': 'd' };
const NEXT = { 'index.html': 'new home', 'a.txt': 'a1', 'b/b.txt': undefined, 'e.txt': 'e' };

/** A copy of the first publication, and parcels of the second: the whole, and what is new. */
async function carry() {
  const source = await startSource();
  const [origin, here, stick] = [makeFolder(), makeFolder(), makeFolder()];
  await source.publish(0, FIRST);
  await copy(source.url, origin);
  const before = readCopy(origin);
  await source.publish(60, NEXT);
  const [whole, news] = [join(stick, 'whole.zip'), join(stick, 'news.zip')];
  await copy(source.url, here, { parcel: whole });
  await copy(source.url, here, { parcel: news, since: momentAt(0) });
  return { ...source, origin, here, stick, whole, news, before, after: source.listed() };
}

/** The same with a place for a bad parcel, and what is done with one. */
function damage({ origin, whole, news, before, after, ...carried }: Awaited<ReturnType<typeof carry>>) {
  const bad = join(makeFolder(), 'bad.zip');
  const makeCopy = () => {
    const folder = join(makeFolder(), 'in/copy');
    mkdirSync(dirname(folder));
    placeCopy(origin, folder);
    return folder;
  };
  return {
    ...carried,
    before,
    after,
    files: { whole, news, bad },
    makeCopy,
    /** Applies a bad parcel, then a right one. Nothing is lost by the first, and the second heals. */
    async expectHarmless(file = bad, more: Partial<MirrorConfig> = {}) {
      const folder = makeCopy();
      const outcome = await copy(file, folder, more).catch((error: unknown) => error);
      const found = readCopy(folder);
      for (const [path, text] of Object.entries(found))
        expect([before[path], after[path]], path).toContain(text);
      const isRight = !(outcome instanceof Error) && (outcome as { inSync: boolean }).inSync;
      if (!isRight) for (const path of Object.keys(before)) expect(found, path).toHaveProperty([path]);
      expect(readdirSync(dirname(folder))).toEqual(['copy']);
      expect(readdirSync(dirname(dirname(folder)))).toEqual(['in']);
      expect(await copy(news, folder)).toMatchObject({ inSync: true });
      expect(readCopy(folder)).toEqual(after);
      return outcome;
    },
    async edit(edit: (zip: JSZip, manifest: string) => unknown, from = whole) {
      const zip = await JSZip.loadAsync(readFileSync(from));
      const text = (await zip.file('manifest.xml')?.async('string')) ?? '';
      const manifest = edit(zip, text);
      if (typeof manifest === 'string') zip.file('manifest.xml', manifest);
      writeFileSync(
        bad,
        await zip.generateAsync({ type: 'nodebuffer', platform: 'UNIX', compression: 'DEFLATE' }),
      );
    },
  };
}

const carried = makeForFile(carry);

/** For tests that change bad parcels alone. */
const damageCarried = () => damage(carried());
/** For tests that publish, or pack. */
const startCarried = async () => damage(await carry());

const REFUSED = { code: 'parcel-refused' };

test('a parcel that is cut anywhere is refused, and nothing is changed', async () => {
  const { files, expectHarmless } = damageCarried();
  const bytes = readFileSync(files.whole);
  for (const length of [0, 1, 21, 22, 1000, bytes.length >> 1, bytes.length - 300, bytes.length - 1]) {
    writeFileSync(files.bad, bytes.subarray(0, length));
    const error = await expectHarmless();
    expect(error, `${length}`).toMatchObject(REFUSED);
    expect((error as Error).message).toContain('Nothing was changed. Bring it again');
  }
});

test('a bit that is flipped anywhere does no harm', async () => {
  const { files, expectHarmless } = damageCarried();
  const random = makeRandom();
  for (let round = 0; round < 30; round += stride(3)) {
    const bytes = readFileSync(round % 2 === 0 ? files.whole : files.news);
    const place = Math.floor(random() * bytes.length);
    bytes[place] = (bytes[place] ?? 0) ^ (1 << (round % 8));
    writeFileSync(files.bad, bytes);
    const outcome = await expectHarmless();
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ResyncError);
  }
});

test.each([
  ['text', (file: string) => writeFileSync(file, 'no parcel')],
  ['a folder', (file: string) => mkdirSync(file)],
  ['nothing', () => undefined],
  ['a link to nothing', (file: string) => symlinkSync('nowhere', file)],
  ['a pipe', (file: string) => void execFileSync('mkfifo', [file])],
])('%s is no parcel', async (_, make) => {
  const { files, expectHarmless } = damageCarried();
  make(files.bad);
  expect(await expectHarmless()).toMatchObject(REFUSED);
});

const replace = (from: RegExp | string, to: string) => (_: JSZip, manifest: string) => {
  const text = manifest.replace(from, to);
  expect(text).not.toBe(manifest);
  return text;
};

test.each([
  ['no manifest', (zip: JSZip) => void zip.remove('manifest.xml')],
  ['no text in it', () => ''],
  ['a page in its place', () => '<!doctype html>'],
  ['no Source', replace(/<rs:ln rel="via"[^>]*>/, '')],
  ['a Source that is no place', replace(/rel="via" href="[^"]*"/, 'rel="via" href="javascript:0"')],
  ['a Source with a password', replace(/rel="via" href="http:\/\//, 'rel="via" href="http://a:b@')],
  ['another Source', replace(/rel="via" href="[^"]*"/, 'rel="via" href="https://other.example/"')],
  ['no moment', replace(/ at="[^"]*"/, '')],
  ['another kind', replace('"resourcedump-manifest"', '"resourcelist"')],
  ['no end', replace('</urlset>', '')],
] as const)('a parcel with %s is refused', async (_, change) => {
  const { edit, expectHarmless } = damageCarried();
  await edit(change);
  expect(await expectHarmless()).toMatchObject(REFUSED);
});

test('a parcel that is not that of its Source says of which it is', async () => {
  const [one, two] = [damageCarried(), await startCarried()];
  const error = await one.expectHarmless(two.files.whole);
  expect((error as Error).message).toContain(`is a parcel of ${two.url}, and `);
  expect((error as Error).message).toContain(`a copy of ${one.url}`);
});

describe('what is wrong in it is told by its URL', () => {
  test.each([
    ['bytes that are others', (zip: JSZip) => void zip.file('resources/a.txt', 'A1'), 'different'],
    [
      'bytes that are many',
      (zip: JSZip) => void zip.file('resources/a.txt', Buffer.alloc(3_000_000)),
      'different',
    ],
    ['a file that is missing', (zip: JSZip) => void zip.remove('resources/a.txt'), 'missing'],
    [
      'a name above it',
      (zip: JSZip, manifest: string) => {
        zip.remove('resources/a.txt').file('../../evil.txt', 'a1');
        return manifest.replace('/resources/a.txt', '/../../evil.txt');
      },
      'missing',
    ],
    [
      'a name from the root',
      (zip: JSZip, manifest: string) => {
        zip.remove('resources/a.txt').file('//tmp/evil.txt', 'a1');
        return manifest.replace('/resources/a.txt', '//tmp/evil.txt');
      },
      'missing',
    ],
    [
      'a link',
      (zip: JSZip) => void zip.file('resources/a.txt', '/etc/passwd', { unixPermissions: 0o120777 }),
      'missing',
    ],
  ] as const)('%s', async (_, change, reason) => {
    const { edit, expectHarmless, url } = damageCarried();
    await edit(change);
    expect(await expectHarmless()).toMatchObject({
      inSync: false,
      deleted: 0,
      failed: [{ uri: `${url}a.txt`, path: 'a.txt', reason }],
    });
  });

  test('a document that is missing, or not what it was', async () => {
    const { edit, expectHarmless } = damageCarried();
    for (const path of [
      'resourcesync/capabilitylist.xml',
      'resourcesync/resourcelist.xml',
      'resourcesync/changelist.xml',
    ]) {
      await edit((zip) => void zip.remove(`documents/${path}`));
      const outcome = await expectHarmless();
      if (path.includes('capabilitylist')) expect(outcome).toMatchObject({ code: 'source-unreadable' });
      await edit((zip) => void zip.file(`documents/${path}`, '<urlset/>'));
      await expectHarmless();
    }
  });
});

test('a bomb is refused before it is unpacked, or ends the run at its bound', async () => {
  const { edit, expectHarmless } = damageCarried();
  await edit((zip) => void zip.file('bomb', Buffer.alloc(100_000_000)));
  expect(await expectHarmless()).toMatchObject(REFUSED);
  await edit((zip) => void zip.file('resources/a.txt', Buffer.alloc(10_000_000)));
  expect(await expectHarmless(undefined, { maxBytes: 5000 })).toMatchObject({ code: 'bound-reached' });
  await edit((zip) => void zip.file('documents/resourcesync/changelist.xml', Buffer.alloc(60_000_000, ' ')));
  await expectHarmless();
}, 60_000);

describe('lies about its moments', () => {
  test('what is missing is found before anything is done', async () => {
    const { edit, files, publish, url, here, makeCopy, listed } = await startCarried();
    const folder = makeCopy();
    await publish(120, { 'd.txt': 'd2' });
    await copy(url, here, { parcel: files.news, since: momentAt(60) });
    await edit(replace(/ from="[^"]*"/, ` from="${momentAt(0)}"`), files.news);
    const before = readTree(folder);
    await expect(copy(files.bad, folder)).rejects.toMatchObject(REFUSED);
    expect(readTree(folder)).toEqual(before);
    await copy(url, here, { parcel: files.news, since: momentAt(0) });
    expect(await copy(files.news, folder)).toMatchObject({ inSync: true });
    expect(readCopy(folder)).toEqual(listed());
  });

  test('an older one that says that it is newer takes nothing back', async () => {
    const { edit, files, publish, url, makeCopy, listed } = await startCarried();
    const folder = makeCopy();
    await publish(120, { 'd.txt': 'd2', 'a.txt': undefined });
    await copy(url, folder);
    const before = readTree(folder);
    await edit(replace(/ at="[^"]*"/, ` at="${momentAt(9000)}"`));
    expect(await copy(files.bad, folder)).toMatchObject({ inSync: true, parcel: { isOlder: true } });
    expect(readTree(folder)).toEqual(before);
    expect(readCopy(folder)).toEqual(listed());
  });
});

test('a run on a parcel that deletes more than it may deletes nothing', async () => {
  const { url, publish, files, here, makeCopy } = await startCarried();
  await publish(120, { 'a.txt': undefined, 'c.txt': undefined, 'd.txt': undefined, 'e.txt': undefined });
  await copy(url, here, { parcel: files.whole, maxDelete: '100%' });
  const folder = makeCopy();
  const run = await callCli(['mirror', files.whole, folder]);
  expect(run).toMatchObject({ status: 3 });
  expect(run.stdout).toContain('Nothing was deleted');
  expect(Object.keys(readCopy(folder))).toHaveLength(5);
  expect(await copy(files.whole, folder, { maxDelete: '100%' })).toMatchObject({ inSync: true, deleted: 4 });
});

test('names that differ only in case, odd names and files of others are as from the web', async () => {
  const source = await startSource();
  await source.publish(0, {
    'A.txt': 'A',
    'a.txt': 'a',
    'con.txt': 'device',
    'é.txt': 'composed',
    [`${'e\u0301'}.txt`]: 'not composed',
    '.hidden/x': 'x',
    'mine.txt': 'theirs',
    [`${'x'.repeat(200)}/${'y'.repeat(200)}.txt`]: 'long',
  });
  const [here, web, stick] = [makeFolder(), makeFolder(), join(makeFolder(), 'site.zip')];
  await copy(source.url, here, { parcel: stick });
  await copy(source.url, web);
  const folder = makeFolder();
  writeFileSync(join(folder, 'mine.txt'), 'mine');
  expect(await copy(stick, folder)).toMatchObject({ inSync: false, failed: [{ reason: 'in-the-way' }] });
  expect(readCopy(folder)).toEqual({ ...readCopy(web), 'mine.txt': 'mine' });
});

describe('no parcel is written', () => {
  test('over a file that is none', async () => {
    const { url, here, files } = await startCarried();
    writeFileSync(files.bad, 'mine');
    await expect(copy(url, here, { parcel: files.bad })).rejects.toMatchObject({ code: 'not-ours' });
    expect(readFileSync(files.bad, 'utf8')).toBe('mine');
    expect(await copy(url, here)).toMatchObject({ inSync: true });
  });

  test('of a copy that is not in sync, and the former one stays', async () => {
    const { url, files, publish } = await startCarried();
    const former = readFileSync(files.whole);
    await publish(120, { 'd.txt': 'd2' });
    const folder = makeFolder();
    writeFileSync(join(folder, 'd.txt'), 'mine');
    const run = await callCli(['mirror', url, folder, '--parcel', files.whole]);
    expect(run).toMatchObject({ status: 1 });
    expect(run.stderr).toContain('No parcel was written: the copy is not in sync.');
    expect(readFileSync(files.whole)).toEqual(former);
  });

  test('of a file that was changed in the copy, until it is mended', async () => {
    const { url, here, files, after } = await startCarried();
    writeFileSync(join(here, 'c.txt'), 'C');
    const former = readFileSync(files.whole);
    await expect(copy(url, here, { parcel: files.whole })).rejects.toThrow('Run again with --verify');
    expect(readFileSync(files.whole)).toEqual(former);
    expect(await copy(url, here, { parcel: files.whole, verify: true })).toMatchObject({ inSync: true });
    const folder = makeFolder();
    await copy(files.whole, folder);
    expect(readCopy(folder)).toEqual(after);
  });

  test('where the Source changes while it is packed', async () => {
    let later: Record<string, string> | undefined;
    let isLater = false;
    const source = await startSource({}, (path, response) => {
      if (path === '/a.txt') isLater = true;
      const text = isLater && path !== '/a.txt' ? later?.[path.slice(1)] : undefined;
      if (text !== undefined) response.end(text);
      return text !== undefined;
    });
    await source.publish(0, { 'a.txt': 'a' });
    const first = readTree(source.site);
    await source.publish(60, { 'a.txt': 'b' });
    later = readTree(source.site);
    for (const [path, text] of Object.entries(first)) writeFileSync(join(source.site, path), text);
    const [folder, parcel] = [makeFolder(), join(makeFolder(), 'site.zip')];
    await expect(copy(source.url, folder, { parcel })).rejects.toThrow(
      'The Source has changed just now. Run again.',
    );
    expect(existsSync(parcel)).toBe(false);
    for (const [path, text] of Object.entries(later)) writeFileSync(join(source.site, path), text);
    expect(await copy(source.url, folder, { parcel })).toMatchObject({
      inSync: true,
      packed: { resources: 1 },
    });
  });
});

describe('parts', () => {
  /** Parts of few bytes, of a copy with network. */
  async function packParts(mostPacked = { bytes: 20_000, entries: 50_000 }) {
    const carried = await startCarried();
    const resolved = resolveMirror({
      source: carried.url,
      folder: carried.here,
      parcel: carried.files.whole,
    });
    const report = await mirrorSource({ ...resolved, mostPacked });
    return { ...carried, parts: report.packed?.files ?? [] };
  }

  test.each([
    { bytes: 20_000, entries: 50_000 },
    { bytes: 1_000_000, entries: 3 },
  ])('hold what does not go into one file, and all are applied together: %j', async (most) => {
    const { parts, stick, expectHarmless } = await packParts(most);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts).toEqual(parts.map((_, index) => join(stick, `whole-${index + 1}-of-${parts.length}.zip`)));
    for (const part of parts) expect(await expectHarmless(part)).toMatchObject({ inSync: true });
  });

  test('one that is missing, or of another parcel, is told', async () => {
    const { parts, url, here, publish, makeCopy, files, before } = await packParts();
    const [first = '', second = ''] = parts;
    const bytes = readFileSync(second);
    await publish(120, { 'd.txt': 'd2' });
    const resolved = resolveMirror({ source: url, folder: here, parcel: files.whole });
    const mostPacked = { bytes: 20_000, entries: 50_000 };
    const { packed } = await mirrorSource({ ...resolved, mostPacked });
    expect(packed?.files).toEqual(parts);
    const newer = readFileSync(second);
    writeFileSync(second, bytes);
    const folder = makeCopy();
    await expect(copy(first, folder)).rejects.toThrow('its parts are not of one parcel');
    truncateSync(second);
    await expect(copy(first, folder)).rejects.toMatchObject(REFUSED);
    expect(readCopy(folder)).toEqual(before);
    writeFileSync(second, newer);
    expect(await copy(second, folder)).toMatchObject({ inSync: true });
  });

  test('a file that goes into none is told', async () => {
    await expect(packParts({ bytes: 4099, entries: 50_000 })).rejects.toThrow(
      'more bytes than a ZIP file can hold',
    );
  });
});
