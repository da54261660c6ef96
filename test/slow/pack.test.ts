/** Packages: their metadata, their compression, and the files that they refuse. */

import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import JSZip from 'jszip';
import { describe, expect, test } from 'vitest';
import { type Entry, fromBufferPromise } from 'yauzl';
import { PACKAGE_COMMENT, type Packing } from '../../src/describe/dumps/job.js';
import { packPackage } from '../../src/describe/dumps/pack.js';
import { openRepository } from '../../src/history/git/repository.js';
import type { Bitstream } from '../../src/history/plan/packages.js';
import { expectResourceDump, unpack } from '../support/dumps.js';
import { gitText, makeRepository } from '../support/git.js';
import { describeDumps } from '../support/packing.js';
import { makeNoise, makeRandom } from '../support/random.js';
import { makeFolder, makeSite } from '../support/site.js';

const bytesOf = (content: string | Uint8Array) => Buffer.from(content as string);
const digest = (name: string, content: string | Uint8Array) =>
  createHash(name).update(bytesOf(content)).digest('hex');

function makeBitstream(name: string, content: string | Uint8Array, type?: string): Bitstream {
  const length = bytesOf(content).length;
  return { name, length, hash: `md5:${digest('md5', content)}`, type, source: { file: name } };
}

interface PackJob extends Packing {
  readonly target: string;
  readonly bitstreams: readonly Bitstream[];
}

/** A job for files of a site that has them. */
function makeJob(
  files: Readonly<Record<string, readonly [content: string | Uint8Array, type?: string | undefined]>>,
): PackJob {
  const contents = Object.entries(files).map(([path, [content]]) => [path, content] as const);
  const staging = makeFolder();
  return {
    target: join(staging, 'package.zip'),
    staging,
    url: 'https://example.org/',
    archives: false,
    bitstreams: Object.entries(files).map(([path, [content, type]]) => makeBitstream(path, content, type)),
    site: makeSite(Object.fromEntries(contents)),
    repository: undefined,
    hash: ['md5', 'sha-256'],
  };
}

const start = (job: PackJob) => packPackage(job.target, Buffer.from('<manifest/>'), job.bitstreams, job);

async function pack(job: PackJob): Promise<Buffer> {
  const packed = await start(job);
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
    expect(zip.toString('latin1').endsWith(PACKAGE_COMMENT)).toBe(true);
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
    ['SVG', '<svg/>', 'image/svg+xml', 'deflated'],
    ['WAVE', 'RIFF'.repeat(100), 'audio/wav', 'deflated'],
    ['PNG', 'png', 'image/png', 'stored'],
    ['an office document', 'pk', 'application/vnd.oasis.opendocument.text', 'stored'],
    ['noise, whatever its type', randomBytes(100_000), 'text/plain', 'stored'],
    ['noise in base64', randomBytes(50_000).toString('base64'), undefined, 'deflated'],
  ])('%s', async (_, content, type, expected) => {
    const [, entry] = await entriesOf(await pack(makeJob({ file: [content, type] })));
    expect(entry?.compressionMethod).toBe(expected === 'stored' ? 0 : 8);
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

describe('a package that cannot be made', () => {
  test('is refused when a file is not what was described', async () => {
    const job = makeJob({ 'a.txt': ['a'] });
    makeSite({ 'a.txt': 'b' }, job.site);
    await expect(start(job)).rejects.toMatchObject({
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
    const packing = start(job);
    await expect(packing).rejects.toMatchObject({ code: 'file-changing' });
  });

  test('is refused when git does not have a blob', async () => {
    const repository = await openRepository(makeRepository('--object-format=sha1'));
    const missing = { ...makeBitstream('a.txt', 'a'), source: { blob: '0'.repeat(39).concat('1') } };
    const job = { ...makeJob({}), repository, bitstreams: [missing] };
    await expect(start(job)).rejects.toMatchObject({
      name: 'ResyncError',
      code: 'git-failed',
    });
  });
});

test('a Resource Dump holds files of any length, read whole or in pieces, in packages that are put together in memory or not', async () => {
  const lengths = [1, 65_535, 65_536, 262_143, 262_144, 262_145, 1_000_000, 5_000_001];
  const files = Object.fromEntries(lengths.map((length) => [`${length}.bin`, randomBytes(length)]));
  const site = makeSite({
    ...files,
    'large.mp4': Buffer.alloc(66 << 20, 'moving pictures '),
    'large.html': Buffer.alloc(3 << 20, 'words '),
  });
  await describeDumps(0, site, { dumps: { maxBytes: 1 << 30 } });
  const [one] = await expectResourceDump(site);
  expect(one?.packages).toHaveLength(1);

  const report = await describeDumps(0, site);
  const [several] = await expectResourceDump(site);
  expect(
    several?.packages.map(({ entries }) => entries.map(({ listed }) => listed.uri.slice(20))),
  ).toContainEqual(['large.mp4']);
  expect(report.notices).toContainEqual(
    expect.objectContaining({
      code: 'packages-large',
      dump: 'resource-dump',
      count: 1,
      example: several?.packages.find(({ entries }) => entries[0]?.listed.uri.endsWith('mp4'))?.path,
    }),
  );
});
