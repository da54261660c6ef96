/** Copies that are carried by hand, in ZIP files, to machines that ask nobody. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import JSZip from 'jszip';
import { describe, expect, test } from 'vitest';
import type { MirrorReport } from '../../../src/index.js';
import { BEGIN } from '../../support/git.js';
import { copy, readCopy, startSource, write } from '../../support/mirror.js';
import { serve } from '../../support/server.js';
import { callCli, makeFolder, readTree } from '../../support/site.js';

/** Moments of publications, in seconds after the first, as they are written. */
const momentAt = (seconds: number) => new Date(1000 * (BEGIN + seconds)).toISOString().replace('.000', '');

/** A Source, a copy with network, and a place for parcels. */
async function startCarrying(config: Parameters<typeof startSource>[0] = {}) {
  let isServed = true;
  const source = await startSource(config, (_, response) => {
    if (isServed) return false;
    response.destroy();
    return true;
  });
  const [here, stick] = [makeFolder(), makeFolder()];
  return {
    ...source,
    here,
    pack: (name: string, more: Parameters<typeof copy>[2] = {}) =>
      copy(source.url, here, { parcel: join(stick, name), ...more }),
    at: (name: string) => join(stick, name),
    /** Applies a parcel, while nobody answers. */
    async apply(name: string, folder: string, more: Parameters<typeof copy>[2] = {}): Promise<MirrorReport> {
      isServed = false;
      return copy(join(stick, name), folder, more).finally(() => {
        isServed = true;
      });
    },
  };
}

/** All but the memory. */
const readReplica = (folder: string) =>
  Object.fromEntries(
    Object.entries(readTree(folder)).filter(([path]) => !path.startsWith('.resync-mirror/')),
  );

const unzip = async (file: string) => JSZip.loadAsync(readFileSync(file));

describe('a whole parcel', () => {
  test('makes a copy where there is no network, in which nothing is new for the Source', async () => {
    const source = await startCarrying();
    await source.publish(0, { 'index.html': 'home', 'a.txt': 'one', 'b/ä ö.txt': 'two' });
    const packed = await source.pack('site.zip');
    expect(packed).toMatchObject({ inSync: true, packed: { files: [source.at('site.zip')], resources: 3 } });
    const folder = makeFolder();
    const report = await source.apply('site.zip', folder);
    expect(report).toMatchObject({
      inSync: true,
      created: 3,
      requests: 0,
      unasked: 3,
      source: source.url,
      at: packed.at,
      parcel: { file: source.at('site.zip'), until: packed.packed?.until, isOlder: false },
    });
    expect(readCopy(folder)).toEqual(source.listed());
    expect(await copy(source.url, folder)).toMatchObject({
      inSync: true,
      created: 0,
      updated: 0,
      deleted: 0,
    });
  });

  test('brings an older copy up to date, and changes nothing when it is applied again', async () => {
    const source = await startCarrying();
    await source.publish(0, { 'a.txt': 'one', 'b.txt': 'two', 'c.txt': 'three' });
    const folder = makeFolder();
    await copy(source.url, folder);
    await source.publish(60, { 'a.txt': 'four', 'b.txt': undefined, 'd.txt': 'five' });
    await source.pack('site.zip');
    expect(await source.apply('site.zip', folder)).toMatchObject({
      inSync: true,
      created: 1,
      updated: 1,
      deleted: 1,
    });
    expect(readCopy(folder)).toEqual(source.listed());
    for (let round = 0; round < 2; round++) {
      const again = await source.apply('site.zip', folder);
      expect(again).toMatchObject({
        inSync: true,
        created: 0,
        updated: 0,
        deleted: 0,
        parcel: { isOlder: false },
      });
    }
  });

  test('is a dump of the standard, which names its Source, and has the same bytes each time', async () => {
    const source = await startCarrying();
    await source.publish(0, { 'a.txt': 'one', 'b.txt': 'two' });
    await source.pack('site.zip');
    await source.pack('other.zip');
    expect(readFileSync(source.at('site.zip'))).toEqual(readFileSync(source.at('other.zip')));
    const zip = await unzip(source.at('site.zip'));
    const manifest = await zip.file('manifest.xml')?.async('string');
    expect(manifest).toContain('capability="resourcedump-manifest"');
    expect(manifest).toContain(`<rs:ln rel="via" href="${source.url}"/>`);
    expect(await zip.file('resources/a.txt')?.async('string')).toBe('one');
    expect(await zip.file('documents/resourcesync/resourcelist.xml')?.async('string')).toBe(
      source.read('resourcesync/resourcelist.xml'),
    );
  });

  test('is packed with a few requests more, which the report counts', async () => {
    let asked = 0;
    const source = await startSource({}, () => {
      asked++;
      return false;
    });
    await source.publish(0, { 'a.txt': 'a', 'b.txt': 'b' });
    const [folder, parcel] = [makeFolder(), join(makeFolder(), 'site.zip')];
    await copy(source.url, folder);
    asked = 0;
    const report = await copy(source.url, folder, { parcel });
    expect(report.requests).toBe(asked);
    expect(asked).toBeLessThan(12);
  });

  test('is packed from a copy that was carried itself', async () => {
    const source = await startCarrying();
    await source.publish(0, { 'a.txt': 'one', 'b.txt': 'two' });
    await source.pack('site.zip');
    const [second, third] = [makeFolder(), makeFolder()];
    await source.apply('site.zip', second, { parcel: source.at('further.zip') });
    expect(await source.apply('further.zip', third)).toMatchObject({ inSync: true, created: 2 });
    expect(readFileSync(source.at('further.zip'))).toEqual(readFileSync(source.at('site.zip')));
  });
});

describe('a parcel of what has changed', () => {
  /** Publishes four times, and leaves a copy of the first. */
  async function startLate(config: Parameters<typeof startSource>[0] = {}) {
    const source = await startCarrying(config);
    const folder = makeFolder();
    await source.publish(0, { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'same.txt': 'same' });
    await copy(source.url, folder);
    await source.publish(60, { 'a.txt': 'a1', 'b.txt': undefined });
    await source.pack('to-60.zip', { since: momentAt(0) });
    await source.publish(120, { 'a.txt': 'a2', 'd.txt': 'd' });
    await source.pack('from-60.zip', { since: momentAt(60) });
    return { ...source, folder };
  }

  test('has that and the lists, and brings a copy up to date', async () => {
    const { pack, at, apply, folder, listed } = await startLate();
    const { packed } = await pack('news.zip', { since: momentAt(0) });
    expect(packed).toMatchObject({ from: momentAt(0), until: momentAt(120), resources: 2 });
    const zip = await unzip(at('news.zip'));
    const names = Object.keys(zip.files).filter((name) => name.startsWith('resources/'));
    expect(names).toEqual(['resources/a.txt', 'resources/d.txt']);
    const manifest = await zip.file('manifest.xml')?.async('string');
    expect(manifest).toContain('capability="changedump-manifest"');
    expect(manifest).toMatch(/b\.txt<\/loc><rs:md change="deleted" datetime="[^"]+"\/>/);
    const report = await apply('news.zip', folder);
    expect(report).toMatchObject({ inSync: true, created: 1, updated: 1, deleted: 1, at: momentAt(120) });
    expect(report.sets).toMatchObject([{ way: 'changes' }]);
    expect(readCopy(folder)).toEqual(listed());
  });

  test('leads on from the one before, and nothing is lost where they come again or in another order', async () => {
    const { apply, folder, listed } = await startLate();
    const before = readTree(folder);
    await expect(apply('from-60.zip', folder)).rejects.toMatchObject({ code: 'parcel-refused' });
    expect(readTree(folder)).toEqual(before);
    expect(await apply('to-60.zip', folder)).toMatchObject({ inSync: true, updated: 1, deleted: 1 });
    expect(await apply('to-60.zip', folder)).toMatchObject({
      inSync: true,
      updated: 0,
      parcel: { isOlder: false },
    });
    expect(await apply('from-60.zip', folder)).toMatchObject({ inSync: true, created: 1, updated: 1 });
    const after = readTree(folder);
    expect(await apply('to-60.zip', folder)).toMatchObject({
      inSync: true,
      updated: 0,
      parcel: { isOlder: true },
    });
    expect(readTree(folder)).toEqual(after);
    expect(readCopy(folder)).toEqual(listed());
  });

  test('is told to be older with status 0, and which one is needed with status 1', async () => {
    const { at, url, apply, folder } = await startLate();
    const gap = await callCli(['mirror', at('from-60.zip'), folder]);
    expect(gap).toMatchObject({ status: 1, stdout: '' });
    expect(gap.stderr).toContain(
      `has what changed since ${momentAt(60)}, and ${folder} is of ${momentAt(0)}.`,
    );
    expect(gap.stderr).toContain(`mirror ${url} <folder> --parcel <file.zip> --since ${momentAt(0)}`);
    await apply('to-60.zip', folder);
    await apply('from-60.zip', folder);
    const older = await callCli(['mirror', at('to-60.zip'), folder]);
    expect(older).toMatchObject({ status: 0, stderr: '' });
    expect(older.stdout).toContain(
      `Nothing to do: ${at('to-60.zip')} is of ${momentAt(60)}, and the copy of ${momentAt(120)} already.`,
    );
    const none = await callCli(['mirror', at('to-60.zip'), makeFolder()]);
    expect(none).toMatchObject({ status: 1, stdout: '' });
    expect(none.stderr).toContain('holds no whole copy');
  });

  test('may begin at any moment: that of the last change before it counts', async () => {
    const { pack, apply, folder, listed } = await startLate();
    expect((await pack('news.zip', { since: momentAt(59) })).packed).toMatchObject({ from: momentAt(0) });
    expect(await apply('news.zip', folder)).toMatchObject({ inSync: true, created: 1 });
    expect(readCopy(folder)).toEqual(listed());
    expect((await pack('none.zip', { since: '2100-01-01' })).packed).toMatchObject({
      from: momentAt(120),
      resources: 0,
    });
    expect(await apply('none.zip', folder)).toMatchObject({ inSync: true, updated: 0 });
  });

  test('is refused where neither changes nor archives reach back, which names the earliest', async () => {
    const day = 86_400;
    const source = await startCarrying({ changes: { window: 1 } });
    for (const [index, text] of ['a', 'b', 'c', 'd'].entries())
      await source.publish(index * day, { 'a.txt': text });
    const args = ['mirror', source.url, source.here, '--parcel', source.at('news.zip'), '--since'];
    const run = await callCli([...args, momentAt(0)]);
    expect(run).toMatchObject({ status: 1, stdout: '' });
    const [, earliest = ''] = /begin at (\S+Z)\. Give --since/.exec(run.stderr) ?? [];
    expect(run.stderr).toContain('No parcel was written');
    expect(existsSync(source.at('news.zip'))).toBe(false);
    expect(readCopy(source.here)).toEqual(source.listed());
    expect(await callCli([...args, earliest])).toMatchObject({ status: 0 });
  });

  test('reaches back as far as archives', async () => {
    const day = 86_400;
    const source = await startCarrying({ changes: { window: 1 }, archives: { period: 'day' } });
    const folder = makeFolder();
    await source.publish(0, { 'a.txt': '0', 'b.txt': '0' });
    await copy(source.url, folder);
    for (let index = 1; index < 5; index++) await source.publish(index * day, { 'a.txt': `${index}` });
    expect((await source.pack('news.zip', { since: momentAt(0) })).packed).toMatchObject({ resources: 1 });
    const report = await source.apply('news.zip', folder);
    expect(report).toMatchObject({ inSync: true, updated: 1, sets: [{ way: 'changes' }] });
    expect(readCopy(folder)).toEqual(source.listed());
  });

  test('is of all sets, of which some change seldom', async () => {
    const sets = [
      { name: 'pages', include: ['*.html'] },
      { name: 'texts', include: ['*.txt'] },
    ];
    const source = await startCarrying({ sets });
    const folder = makeFolder();
    await source.publish(0, { 'a.html': 'a', 'a.txt': 'a' });
    await copy(source.url, folder);
    await source.publish(60, { 'a.txt': 'b' });
    await source.publish(120, { 'a.txt': 'c' });
    const since = (await copy(source.url, folder)).at ?? '';
    await source.publish(180, { 'a.txt': 'd', 'b.txt': 'd' });
    await source.pack('news.zip', { since });
    expect(await source.apply('news.zip', folder)).toMatchObject({ inSync: true, created: 1, updated: 1 });
    expect(readCopy(folder)).toEqual(source.listed());
    await source.publish(240, { 'a.html': 'b' });
    await source.pack('news.zip', { since: momentAt(180) });
    expect(await source.apply('news.zip', folder)).toMatchObject({ inSync: true, updated: 1 });
    expect(readCopy(folder)).toEqual(source.listed());
  });
});

describe('a parcel of a Source of another program', () => {
  const listOf = (capability: string, head: string, rows: readonly string[]) =>
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="${capability}" ${head}/>${rows.join('')}</urlset>`;
  const row = (url: string, md: string) => `<url><loc>${url}</loc><rs:md ${md}/></url>`;

  /** Lists without checksums, from a Capability List on. */
  async function startForeign() {
    const site = makeFolder();
    const url = await serve(site);
    const put = (day: number, files: Readonly<Record<string, string>>, changes: readonly string[]) => {
      for (const [path, text] of Object.entries(files)) write(site, path, text);
      const at = `2026-01-0${day}T00:00:00Z`;
      const listed = ['a.txt', 'b.txt'].map((path) => row(`${url}${path}`, 'length="1"'));
      write(site, 'resources.xml', listOf('resourcelist', `at="${at}"`, listed));
      write(site, 'changes.xml', listOf('changelist', 'from="2026-01-01T00:00:00Z"', changes));
    };
    const change = (path: string, day: number) =>
      row(`${url}${path}`, `change="updated" datetime="2026-01-0${day}T00:00:00Z" length="1"`);
    const capabilities = [
      row(`${url}resources.xml`, 'capability="resourcelist"'),
      row(`${url}changes.xml`, 'capability="changelist"'),
    ];
    write(site, 'capabilities.xml', listOf('capabilitylist', '', capabilities));
    return { source: `${url}capabilities.xml`, put, change };
  }

  test('has files without a checksum that changed', async () => {
    const { source, put, change } = await startForeign();
    const [here, folder, parcel] = [makeFolder(), makeFolder(), join(makeFolder(), 'site.zip')];
    put(1, { 'a.txt': 'a', 'b.txt': 'b' }, []);
    expect(await copy(source, here, { parcel })).toMatchObject({ inSync: true, packed: { resources: 2 } });
    expect(await copy(parcel, folder)).toMatchObject({ inSync: true, created: 2, unverified: 2 });
    put(2, { 'a.txt': 'A' }, [change('a.txt', 2)]);
    const since = '2026-01-01T00:00:00Z';
    expect(await copy(source, here, { parcel, since })).toMatchObject({
      packed: { resources: 1, from: since },
    });
    expect(await copy(parcel, folder)).toMatchObject({ inSync: true, updated: 1 });
    expect(readCopy(folder)).toEqual({ 'a.txt': 'A', 'b.txt': 'b' });
  });

  test('is not written where its lists say no moment', async () => {
    const site = makeFolder();
    const url = await serve(site);
    write(
      site,
      'sitemap.xml',
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${url}a.txt</loc></url></urlset>`,
    );
    write(site, 'a.txt', 'a');
    const parcel = join(makeFolder(), 'site.zip');
    await expect(copy(url, makeFolder(), { parcel })).rejects.toThrow('do not say of which moment they are');
    expect(existsSync(parcel)).toBe(false);
  });
});

test('of a Source that has nothing but dumps, a parcel has their packages', async () => {
  const source = await startCarrying({ dumps: true });
  const publish = async (seconds: number, files: Record<string, string | undefined>) => {
    await source.publish(seconds, files);
    const list = 'resourcesync/capabilitylist.xml';
    const without = source.read(list).replace(/\n.*capability="(?:resource|change)list".*/g, '');
    expect(without).toContain('capability="changedump"');
    write(source.site, list, without);
  };
  await publish(0, { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  const folder = makeFolder();
  await source.pack('site.zip');
  expect(await source.apply('site.zip', folder)).toMatchObject({ inSync: true, created: 3 });
  await publish(60, { 'a.txt': 'd', 'b.txt': undefined });
  expect((await source.pack('news.zip', { since: momentAt(0) })).packed).toMatchObject({ resources: 1 });
  expect(await source.apply('news.zip', folder)).toMatchObject({ inSync: true, updated: 1, deleted: 1 });
  expect(readCopy(folder)).toEqual(source.listed());
});

test('a replica is packed with its documents, and made by a parcel', async () => {
  const source = await startCarrying({ dumps: true });
  await source.publish(0, { 'a.txt': 'a', 'b.txt': 'b' });
  const folder = makeFolder();
  await source.pack('site.zip', { documents: true });
  expect(await source.apply('site.zip', folder, { documents: true })).toMatchObject({ inSync: true });
  expect(readReplica(folder)).toEqual(readTree(source.site));
  await source.publish(60, { 'a.txt': 'c' });
  await source.pack('news.zip', { documents: true, since: momentAt(0) });
  expect(await source.apply('news.zip', folder, { documents: true })).toMatchObject({ inSync: true });
  expect(readReplica(folder)).toEqual(readTree(source.site));
});

describe('the command', () => {
  test('packs, applies, and says whom it trusts', async () => {
    const source = await startCarrying();
    await source.publish(0, { 'index.html': 'home', 'a.txt': 'one' });
    const [file, folder] = [source.at('site.zip'), makeFolder()];
    const packed = await callCli(['mirror', source.url, source.here, '--parcel', file]);
    expect(packed).toMatchObject({ status: 0, stderr: '' });
    expect(packed.stdout).toMatch(/^Packed {2}all of \S+Z, 2 files, [\d.]+ kB: \/.*site\.zip$/m);
    const applied = await callCli(['mirror', file, folder]);
    expect(applied).toMatchObject({ status: 0, stderr: '' });
    expect(applied.stdout).toContain(
      `Trusted  ${file}, in place of ${source.url}: nothing but that parcel says that it has what was published.`,
    );
    expect(applied.stdout).toMatch(/^In sync after .*: 0 requests, 0 B, 2 files needed none\.$/m);
    expect(readCopy(folder)).toEqual(source.listed());
  });

  test.each([
    [['--since', '2026-01-05'], '--since needs --parcel'],
    [['--parcel', 'x.zip', '--dry-run'], '--dry-run writes no --parcel'],
    [['--parcel', 'x.tar'], 'a file such as site.zip'],
    [['--parcel', 'x-1-of-2.zip'], 'a file such as site.zip'],
    [['--parcel', 'x.zip', '--follow'], '--follow listens to a site'],
    [['--parcel', 'x.zip', '--since', 'monday'], 'a date and time'],
  ])('refuses %j', async (flags, told) => {
    const run = await callCli(['mirror', 'https://example.org/', makeFolder(), ...flags]);
    expect(run).toMatchObject({ status: 2, stdout: '' });
    expect(run.stderr).toContain(told);
    expect(existsSync('x.zip')).toBe(false);
  });
});
