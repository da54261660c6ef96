/** What stands in a package beside the bytes, how it is compressed, and what is refused. */

import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import JSZip from 'jszip';
import { describe, expect, test } from 'vitest';
import { type Entry, fromBufferPromise } from 'yauzl';
import type { PackJob } from '../../src/describe/dumps/job.js';
import { packPackages } from '../../src/describe/dumps/pack.js';
import { listPackage } from '../../src/describe/dumps/reuse.js';
import { openRepository } from '../../src/history/git/repository.js';
import type { Bitstream } from '../../src/history/plan/packages.js';
import { unpack } from '../support/dumps.js';
import { gitText, makeRepository } from '../support/git.js';
import { makeNoise, makeRandom } from '../support/random.js';
import { fewer } from '../support/seed.js';
import { makeFolder, makeSite } from '../support/site.js';

const bytesOf = (content: string | Uint8Array) => Buffer.from(content as string);
const digest = (name: string, content: string | Uint8Array) =>
  createHash(name).update(bytesOf(content)).digest('hex');

function makeBitstream(name: string, content: string | Uint8Array, type?: string): Bitstream {
  const length = bytesOf(content).length;
  return { name, length, hash: `md5:${digest('md5', content)}`, type, source: { file: name } };
}

/** A job for files of a site that has them. */
function makeJob(
  files: Readonly<Record<string, readonly [content: string | Uint8Array, type?: string | undefined]>>,
): PackJob {
  const contents = Object.entries(files).map(([path, [content]]) => [path, content] as const);
  const work = makeSite({ 'manifest.xml': '<manifest/>' });
  return {
    target: join(work, 'package.zip'),
    manifest: join(work, 'manifest.xml'),
    bitstreams: Object.entries(files).map(([path, [content, type]]) => makeBitstream(path, content, type)),
    site: makeSite(Object.fromEntries(contents)),
    repository: undefined,
    former: [],
    comment: 'whose it is',
    hash: ['md5', 'sha-256'],
  };
}

async function pack(job: PackJob): Promise<Buffer> {
  const [packed] = await packPackages([job], () => undefined);
  const zip = readFileSync(job.target);
  expect(packed).toEqual({
    length: zip.length,
    hash: `md5:${digest('md5', zip)} sha-256:${digest('sha256', zip)}`,
  });
  return zip;
}

async function entriesOf(zip: Buffer): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of (await fromBufferPromise(zip)).eachEntry()) entries.push(entry);
  return entries;
}

const LARGE = Buffer.alloc(65 << 20, 'so large that it is streamed, ');
/** Several packages with this in one of them are written in threads. */
const MUCH = { 'much.bin': [Buffer.alloc(2 << 20, 'much'), 'image/png'] } as const;

describe('a package', () => {
  test.each<[string, Parameters<typeof makeJob>[0]]>([
    ['put together in memory', {}],
    ['streamed', { 'z.mp4': [LARGE, 'video/mp4'] }],
  ])('has its manifest first, the files, nothing else, and no trace of here and now: %s', async (_, more) => {
    const job = makeJob({ 'a/b/c.txt': ['c'], 'empty.txt': [''], 'ü/日本語.txt': ['wide'], ...more });
    const zip = await pack(job);

    const entries = await entriesOf(zip);
    expect(entries.map(({ fileName }) => fileName)).toEqual([
      'manifest.xml',
      'a/b/c.txt',
      'empty.txt',
      'ü/日本語.txt',
      ...Object.keys(more),
    ]);
    for (const entry of entries) {
      expect({
        date: entry.lastModFileDate,
        time: entry.lastModFileTime,
        mode: entry.externalFileAttributes >>> 16,
        madeBy: entry.versionMadeBy >>> 8,
        comment: entry.fileComment,
      }).toEqual({ date: (1 << 5) | 1, time: 0, mode: 0o100_644, madeBy: 3, comment: '' });
    }
    expect(zip.toString('latin1', zip.length - 11)).toBe('whose it is');
    const files = await unpack(zip);
    const otherReader = await JSZip.loadAsync(zip, { checkCRC32: true });
    expect(Object.keys(otherReader.files)).toEqual([...files.keys()]);
    for (const { name } of job.bitstreams) {
      expect(files.get(name) === readFileSync(join(job.site, name), 'latin1')).toBe(true);
    }
    const again = await pack({ ...job, target: join(makeFolder(), 'again.zip') });
    // Not toEqual, which looks at every byte.
    expect(again.equals(zip)).toBe(true);
  });

  test.each<[string, string | Uint8Array, string | undefined, 'stored' | 'deflated']>([
    ['text', 'text', 'text/plain', 'deflated'],
    ['what has no type', 'text', undefined, 'deflated'],
    ['SVG', '<svg/>', 'image/svg+xml', 'deflated'],
    ['WebAssembly', '\0asm'.repeat(100), 'application/wasm', 'deflated'],
    ['WAVE', 'RIFF'.repeat(100), 'audio/wav', 'deflated'],
    ['PNG', 'png', 'image/png', 'stored'],
    ['video', 'mp4', 'video/mp4', 'stored'],
    ['WOFF2', 'woff2', 'font/woff2', 'stored'],
    ['an office document', 'pk', 'application/vnd.oasis.opendocument.text', 'stored'],
    ['noise, whatever its type', randomBytes(100_000), 'text/plain', 'stored'],
    ['a little noise', randomBytes(2000), undefined, 'stored'],
    ['hexadecimal noise', randomBytes(50_000).toString('hex'), undefined, 'deflated'],
    ['noise in base64', randomBytes(50_000).toString('base64'), undefined, 'deflated'],
    ['machine code', readFileSync(process.execPath).subarray(1 << 20, 2 << 20), undefined, 'deflated'],
  ])('%s', async (_, content, type, expected) => {
    const [, entry] = await entriesOf(await pack(makeJob({ file: [content, type] })));
    expect(entry?.compressionMethod).toBe(expected === 'stored' ? 0 : 8);
  });

  test('holds blobs of every length around the pieces in which they come, some of them twice', async () => {
    const folder = makeRepository();
    const repository = await openRepository(folder);
    const lengths = [0, 1, 65_535, 65_536, 262_090, 262_143, 262_144, 262_145, 524_288, 3_000_000];
    // Different ones before each of them move the borders between the pieces.
    const contents = [...lengths, ...lengths, ...lengths].flatMap((length, index) => [
      randomBytes(97 * index),
      randomBytes(length),
    ]);
    const twice = [...contents, ...contents.slice(0, 5)];
    const nameOf = (index: number) => `${index}`.padStart(3, '0');
    const files = Object.fromEntries(twice.map((content, index) => [nameOf(index), content]));
    makeSite(files, folder);
    const blobs = gitText(folder, 'hash-object', '-w', ...Object.keys(files).sort()).split('\n');
    const bitstreams = twice.map((content, index): Bitstream => {
      return { ...makeBitstream(nameOf(index), content), source: { blob: blobs[index] ?? '' } };
    });
    const zip = await pack({ ...makeJob({}), repository, bitstreams });
    const packed = await unpack(zip);
    for (const [index, content] of twice.entries()) {
      expect(packed.get(nameOf(index)) === content.toString('latin1')).toBe(true);
    }
  });
});

describe('a package for which former ones are at hand', () => {
  type Content = Parameters<typeof makeJob>[0][string];

  /** Packs files twice, with and without help; what comes of it is the same. */
  async function packBoth(files: Parameters<typeof makeJob>[0], former: readonly string[]) {
    const job = makeJob(files);
    const alone = await pack(job);
    const helped = await pack({ ...job, former, target: `${job.target}.helped` });
    expect(helped.equals(alone)).toBe(true);
    return alone;
  }

  async function packFormer(files: Parameters<typeof makeJob>[0], comment?: string): Promise<string> {
    const job = makeJob(files);
    await pack({ ...job, ...(comment !== undefined && { comment }) });
    return job.target;
  }

  const FILES: Readonly<Record<string, Content>> = {
    'empty.txt': [''],
    'noise.bin': [randomBytes(5000)],
    'page.html': ['<p>'.repeat(3000), 'text/html'],
    'photo.jpg': ['not a photo', 'image/jpeg'],
    'ü/日本語.txt': ['wide'],
  };

  test('is the same whatever was edited in between', async () => {
    const random = makeRandom();
    const upTo = (number: number) => Math.floor(random() * number);
    const makeContent = (): Content => [
      [Buffer.alloc(upTo(2000), `text ${upTo(9)} `), makeNoise(upTo(9000), random), ''][upTo(3)] ?? '',
      [undefined, 'text/html', 'image/png'][upTo(3)],
    ];
    const byName = (files: Readonly<Record<string, Content>>) =>
      Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
    let files: Record<string, Content> = {};
    const former: string[] = [];
    for (let run = 0; run < fewer(30, 8); run++) {
      for (let edit = upTo(8); edit >= 0; edit--) {
        const name = `${['a', 'ä', 'b/c'][upTo(3)]}-${upTo(12)}.txt`;
        if (random() < 0.3) delete files[name];
        else if (random() < 0.2) files[name] = [files[name]?.[0] ?? '', 'font/woff2'];
        else files[name] = makeContent();
      }
      files = byName(files);
      await packBoth(files, former.slice(-3));
      former.push(await packFormer(files));
    }
  });

  test('takes what did not change from them, and does not read it again', async () => {
    const former = await packFormer(FILES);
    const job = makeJob({ ...FILES, 'page.html': ['another'] });
    for (const path of ['noise.bin', 'photo.jpg', 'ü/日本語.txt']) rmSync(join(job.site, path));
    const files = await unpack(await pack({ ...job, former: [former] }));
    expect(files.get('photo.jpg')).toBe('not a photo');
    expect(files.get('page.html')).toBe('another');
  });

  test('takes nothing that is damaged, wherever the damage is', async () => {
    const files: Record<string, Content> = { 'a.txt': ['aaaaaaaaaaaa'], 'b.jpg': ['b', 'image/jpeg'] };
    const whole = readFileSync(await packFormer(files));
    const job = makeJob({ ...files, 'c.txt': ['new'] });
    const alone = await pack(job);
    const damaged = join(makeFolder(), 'damaged.zip');
    const packAgain = async (bytes: Buffer) => {
      writeFileSync(damaged, bytes);
      return pack({ ...job, former: [damaged], target: join(makeFolder(), 'package.zip') });
    };
    const differing = new Set<number>();
    // Each byte is as good as any other; the thorough run takes all of them.
    const step = fewer(1, 7);
    const first = Math.floor(makeRandom()() * step);
    for (let position = first; position < whole.length; position += step) {
      expect((await packAgain(whole.subarray(0, position))).equals(alone)).toBe(true);
      for (const flip of [0x01, 0x80]) {
        const bytes = Buffer.from(whole);
        bytes[position] = (bytes[position] ?? 0) ^ flip;
        const again = await packAgain(bytes);
        if (!again.equals(alone)) differing.add(position);
        expect(await unpack(again)).toEqual(await unpack(alone));
      }
    }
    // Some bits at the end of what is compressed mean nothing.
    const end = whole.indexOf('PK', whole.indexOf('a.txt')) - 1;
    expect([...differing].filter((position) => position !== end)).toEqual([]);
  });

  test.each<[string, Parameters<typeof packFormer>]>([
    ['of somebody else', [FILES, 'somebody else']],
    ['of other files', [{ 'other.txt': ['other'] }]],
  ])('takes nothing from one %s', async (_, former) => {
    await packBoth(FILES, [await packFormer(...former)]);
  });

  test('takes nothing from one that was streamed, and lists nothing of it', async () => {
    const large = await packFormer({ ...FILES, 'z.mp4': [LARGE, 'video/mp4'] });
    await packBoth(FILES, [large]);
    expect(listPackage(large, 'whose it is')).toEqual([]);
  });

  test('lists what can be taken', async () => {
    expect(listPackage(await packFormer(FILES), 'whose it is')).toEqual([
      'manifest.xml',
      ...Object.keys(FILES),
    ]);
    expect(listPackage(await packFormer(FILES), 'somebody else')).toEqual([]);
  });
});

test('a file that is packed in pieces gives the same bytes as its blob, which comes in other pieces', async () => {
  const content = Buffer.alloc(33 << 20, makeNoise(9973, makeRandom()));
  const fromFile = makeJob({ 'large.txt': [content, 'text/plain'] });
  const folder = makeRepository();
  const blob = gitText(folder, 'hash-object', '-w', join(fromFile.site, 'large.txt'));
  const [bitstream] = fromFile.bitstreams as [Bitstream];
  const fromGit = {
    ...fromFile,
    target: `${fromFile.target}.git`,
    repository: await openRepository(folder),
    bitstreams: [{ ...bitstream, source: { blob } }],
  };
  const zip = await pack(fromFile);
  expect((await pack(fromGit)).equals(zip)).toBe(true);
  expect((await unpack(zip)).get('large.txt') === content.toString('latin1')).toBe(true);
});

describe('several packages', () => {
  test.each([
    ['little', {}],
    ['much', MUCH],
  ])('are as those that are written alone: %s', async (_, more) => {
    const jobs = [makeJob({ 'a.txt': ['a'], ...more }), makeJob({ 'b.bin': [Buffer.alloc(300_000, 'b')] })];
    await packPackages(jobs, () => undefined);
    for (const job of jobs) {
      const alone = await pack({ ...job, target: `${job.target}.2` });
      expect(alone.equals(readFileSync(job.target))).toBe(true);
    }
  });

  test('are none of none', async () => expect(await packPackages([], () => undefined)).toEqual([]));
});

describe.each([
  ['alone', 1],
  ['in a thread', 3],
])('a package that is written %s', (_, count) => {
  const jobsWith = (job: PackJob) => [
    job,
    ...Array.from({ length: count - 1 }, () => makeJob({ 'b.txt': ['b'], ...MUCH })),
  ];

  test('is refused when a file is not what was described', async () => {
    const job = makeJob({ 'a.txt': ['a'] });
    makeSite({ 'a.txt': 'b' }, job.site);
    await expect(packPackages(jobsWith(job), () => undefined)).rejects.toMatchObject({
      name: 'ResyncError',
      code: 'file-changing',
      message: expect.stringMatching(
        /a\.txt is no longer what was described, and cannot be packed as a\.txt\.\nRun again/,
      ),
    });
  });

  test.each([
    ['a pipe', (file: string) => void execFileSync('mkfifo', [file])],
    ['a link', (file: string) => symlinkSync(join(makeSite({ 'a.txt': 'a' }), 'a.txt'), file)],
  ])('is refused when %s stands in the place of a file', async (_, make) => {
    const job = makeJob({ 'a.txt': ['a'] });
    rmSync(join(job.site, 'a.txt'));
    make(join(job.site, 'a.txt'));
    const packing = packPackages(jobsWith(job), () => undefined);
    await expect(packing).rejects.toMatchObject({ code: 'file-changing' });
  });

  test('is refused when git does not have a blob', async () => {
    const repository = await openRepository(makeRepository('--object-format=sha1'));
    const missing = { ...makeBitstream('a.txt', 'a'), source: { blob: '0'.repeat(39).concat('1') } };
    const job = { ...makeJob({}), repository, bitstreams: [missing] };
    await expect(packPackages(jobsWith(job), () => undefined)).rejects.toMatchObject({
      name: 'ResyncError',
      code: 'git-failed',
    });
  });

  test('is a system error when it cannot be written', async () => {
    const job = { ...makeJob({ 'a.txt': ['a'] }), target: join(makeFolder(), 'missing', 'package.zip') };
    await expect(packPackages(jobsWith(job), () => undefined)).rejects.toMatchObject({
      code: 'ENOENT',
      path: job.target,
    });
    expect(existsSync(job.target)).toBe(false);
  });
});
