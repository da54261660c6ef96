/** `describe --rows`: what is listed of rows, what is said of odd ones, and what is refused. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readSource } from '../support/documents.js';
import { BUCKET_URL, describeRows, makeCsv } from '../support/rows.js';
import { CLI, callCli, configured, makeFolder, makeSite, readTree } from '../support/site.js';

const MD5 = '900150983cd24fb0d6963f7d28e17f72';
const SHA256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

const listsOf = (folder: string) => readSource(join(folder, 'lists'), BUCKET_URL).sets[0];
const keysOf = (folder: string) =>
  listsOf(folder)?.resources.map(({ uri }) => decodeURIComponent(uri.slice(BUCKET_URL.length)));

/** Changes as `change key datetime`. */
const changesOf = (folder: string) =>
  listsOf(folder)?.changes.map(
    ({ uri, md }) => `${md['change']} ${uri.slice(BUCKET_URL.length)} ${md['datetime']}`,
  );

describe('a row is listed', () => {
  test.each([
    [
      'with all facts',
      `key,length,md5,sha256,type,modified\na,3,${MD5},${SHA256},text/plain,2026-11-20T10:15:00Z\n`,
    ],
    [
      'with digests in Base64',
      `key,length,md5,sha256,type,modified\na,3,${base64(MD5)},${base64(SHA256)},text/plain,2026-11-20T10:15:00Z`,
    ],
    [
      'with digests in capitals',
      `key,length,md5,sha256,type,modified\na,3,${MD5.toUpperCase()},${SHA256},text/plain,2026-11-20T10:15:00Z`,
    ],
    [
      'with columns in any order, and CRLF',
      `modified,type,sha256,md5,length,key\r\n2026-11-20 10:15:00.999,text/plain,${SHA256},${MD5},3,a\r\n`,
    ],
    [
      'with quotes, blank lines and a byte order mark',
      `\ufeff"key","length","md5","sha256","type","modified"\n\n"a","3","${MD5}","${SHA256}","text/plain; charset=utf-8","2026-11-20 11:15:00+01"\n`,
    ],
    [
      'with a time of BigQuery',
      `key,length,md5,sha256,type,modified\na,3,${MD5},${SHA256},text/plain,2026-11-20 10:15:00.5 UTC`,
    ],
  ])('%s', async (_, csv) => {
    const folder = makeFolder();
    const { status, stderr } = await describeRows(folder, csv);
    expect([status, stderr]).toEqual([0, '']);
    expect(
      readFileSync(join(folder, 'lists/resourcesync/resourcelist.xml'), 'utf8').split('\n').slice(4),
    ).toEqual([
      '  <rs:md capability="resourcelist" at="2026-11-20T10:15:00Z"/>',
      `  <url><loc>${BUCKET_URL}a</loc><lastmod>2026-11-20T10:15:00Z</lastmod><rs:md hash="md5:${MD5} sha-256:${SHA256}" length="3" type="text/plain"/></url>`,
      '</urlset>',
      '',
    ]);
  });
});

test('a key may have any bytes that a URL can say', async () => {
  const keys = [
    '\n\r\t"',
    ' ',
    '%41',
    '/a',
    '//',
    'a"",',
    "a'&<>",
    'a//b',
    'a/',
    'a?b#c',
    'back\\slash',
    'é',
    '\u{1f600}',
  ];
  const folder = makeFolder();
  const rows = keys.map((key) => ({ key })).sort((a, b) => Buffer.from(a.key).compare(Buffer.from(b.key)));
  const { stderr } = await describeRows(folder, makeCsv(['key'], rows), ['--at', '2026-11-20T10:15:00Z']);
  expect(stderr).toBe('');
  expect(keysOf(folder)?.sort()).toEqual([...keys].sort());
});

test('what is odd is told and counted, and all else is listed', async () => {
  const folder = makeFolder();
  const keys = [
    '',
    '.',
    'a',
    'a',
    'a',
    'b/../c',
    'b/..d',
    'c/.',
    'resourcesync/resourcelist.xml',
    'x'.repeat(2048),
    Buffer.from([0x7a, 0xff]),
  ];
  const rows = keys.map((key) => ({ key, type: key === 'b/..d' ? 'a\u001bb' : '', etag: '' }));
  const { stdout } = await describeRows(folder, makeCsv(['key', 'type', 'etag'], rows), [
    '--at',
    '2026-11-20T10:15:00Z',
    '--json',
  ]);
  const { notices, skipped } = JSON.parse(stdout);
  const told = notices.map(({ code, what, count, line }: Record<string, unknown>) => [
    code,
    what,
    count,
    line,
  ]);
  expect(told.sort()).toEqual([
    ['columns-unread', undefined, undefined, undefined],
    ['rows-odd', 'dot-segment', 3, 3],
    ['rows-odd', 'no-key', 1, 2],
    ['rows-odd', 'no-media-type', 1, 8],
    ['rows-odd', 'not-utf8', 1, 12],
    ['rows-odd', 'repeated', 2, 5],
    ['rows-odd', 'too-long', 1, 11],
  ]);
  expect(skipped).toEqual({ 'own-document': 1 });
  expect(keysOf(folder)).toEqual(['a', 'b/..d']);
});

test('a long type is read in time that grows with its length', async () => {
  const folder = makeFolder();
  const rows = `key,type,modified\na,${' '.repeat(2e5)}x,2026-11-20T10:15:00Z\n`;
  expect((await describeRows(folder, rows)).stderr).toMatch(/1 row with a type that is no media type/);
});

describe('nothing is published where', () => {
  test.each([
    ['rows are not sorted', 'key\nb\na\n', /line 3: the key a comes after b.*ORDER BY key/s],
    ['there is no key', 'name,length\na,1\n', /line 1: the header has no column key, but name, length/],
    ['there is nothing', '', /line 1: the header has no column key, but nothing/],
    ['a column is there twice', 'key,key\n', /two columns key/],
    ['a row has too few fields', 'key,length\na\n', /line 2: the row has 1 field, and the header has 2/],
    ['quotes are not closed', 'key\n"a\n', /line 2: the input ends within quotes/],
    ['a quote is in the middle', 'key\na"b"\n', /line 2: a quote stands in the middle of field 1/],
    [
      'a digest is an ETag of parts',
      `key,md5\na,${MD5}-3\n`,
      /line 2: md5 is 9001.*-3, but must be an MD5 digest.*uploaded in parts/,
    ],
    ['keys are long', `key\n${'b'.repeat(9e5)}\na\n`, /^.*the key a comes after b{200}…, so/],
    [
      'a digest of another kind holds XML',
      `key,md5\na,"! x:${'""/><x/>'.padEnd(35, 'y')}"\n`,
      /line 2: md5 is ! x:"\/><x\/>y*, but must be an MD5 digest/,
    ],
    ['a length is none', 'key,length\na,1.5\n', /line 2: length is 1\.5/],
    ['a day does not exist', 'key,modified\na,2026-02-30T00:00:00Z\n', /line 2: modified is 2026-02-30/],
    ['nobody knows when', 'key\na\n', /No row of today.csv says when.*--at/s],
    ['a row has no end', `key\n"${'x'.repeat(3 << 20)}`, /line 2: a row of more than 1048576 bytes/],
    [
      'the input is cut off',
      gzipSync('key,modified\na,2026-11-20T10:15:00Z\n').subarray(0, -9),
      /damaged or cut off/,
    ],
    [
      'a member of gzip comes after zeros, where decompressors stop',
      Buffer.concat([gzipSync('key,modified\n'), Buffer.alloc(512), gzipSync('a,2026-11-20T10:15:00Z\n')]),
      /damaged or cut off/,
    ],
    [
      'a member of gzip comes after so many zeros that no decompressor asks for it',
      Buffer.concat([
        gzipSync('key,modified\n'),
        Buffer.alloc(1 << 20),
        gzipSync('a,2026-11-20T10:15:00Z\n'),
      ]),
      /damaged or cut off/,
    ],
  ])('%s', async (_, csv, message) => {
    const folder = makeFolder();
    const { status, stderr } = await describeRows(folder, csv);
    expect(stderr).toMatch(message);
    expect([status, readTree(join(folder, 'lists'))]).toEqual([1, {}]);
  });
});

describe('changes', () => {
  const today = (day: number, ...rows: string[]) =>
    `key,length,md5,modified\n${rows.map((row) => `${row}\n`).join('')}zz,1,,2026-11-0${day}T00:00:00Z\n`;

  /** Describes one day after another, each with the rows of the day before; returns what is published in the end. */
  async function describeDays(days: readonly string[], args: readonly string[] = ['--state', 'state']) {
    const folder = makeFolder();
    for (const [day, csv] of days.entries()) {
      const { status, stderr } = await describeRows(folder, csv, [
        ...(day === 0 ? [] : ['--before', 'before.csv']),
        ...args,
      ]);
      expect([status, stderr]).toEqual([0, '']);
      writeFileSync(join(folder, 'before.csv'), csv);
    }
    return folder;
  }

  test('are what was created, updated and deleted', async () => {
    const other = MD5.replace('9', '8');
    const folder = await describeDays([
      today(
        1,
        `a,1,${MD5},`,
        'b,1,,',
        'c,1,,2026-10-01T00:00:00Z',
        `d,1,${MD5},2026-10-01T00:00:00Z`,
        'e,1,,',
      ),
      today(
        2,
        `a,1,${other},`,
        'b,2,,',
        'c,1,,2026-10-02T00:00:00Z',
        `d,1,${MD5},2026-10-02T00:00:00Z`,
        'f,1,,',
      ),
    ]);
    const moment = '2026-11-02T00:00:00Z';
    expect(changesOf(folder)).toEqual([
      `updated a ${moment}`,
      `updated b ${moment}`,
      `updated c ${moment}`,
      `deleted e ${moment}`,
      `created f ${moment}`,
      `updated zz ${moment}`,
    ]);
    expect(listsOf(folder)?.changeList?.children[1]?.attributes).toEqual({
      capability: 'changelist',
      from: '2026-11-01T00:00:00Z',
    });
  });

  test('of former days are kept by the state, as long as the window reaches', async () => {
    const days = [1, 2, 3, 4].map((day) => today(day));
    const window = configured({ changes: { window: 2 } });
    expect(changesOf(await describeDays(days))).toEqual([
      'updated zz 2026-11-02T00:00:00Z',
      'updated zz 2026-11-03T00:00:00Z',
      'updated zz 2026-11-04T00:00:00Z',
    ]);
    const recent = await describeDays(days, ['--state', 'state', ...window]);
    expect(changesOf(recent)).toEqual(['updated zz 2026-11-03T00:00:00Z', 'updated zz 2026-11-04T00:00:00Z']);
    expect(readFileSync(join(recent, 'state'), 'utf8')).not.toContain('\n2026-11-02');
    expect(changesOf(await describeDays(days, []))).toEqual(['updated zz 2026-11-04T00:00:00Z']);
  });

  test('continue a state that ends with the rows of before, and no other', async () => {
    const folder = await describeDays([today(1), today(2)]);
    writeFileSync(join(folder, 'other.csv'), today(1));
    const before = readTree(folder);
    const refuse = async (message: RegExp, csv: string, args: readonly string[]) => {
      const { status, stderr } = await describeRows(folder, csv, ['--state', 'state', ...args]);
      expect([status, stderr]).toEqual([expect.any(Number), expect.stringMatching(message)]);
      expect(status).not.toBe(0);
      expect({ ...readTree(folder), 'today.csv': '' }).toEqual({ ...before, 'today.csv': '' });
    };
    await refuse(/Name them with --before/, today(3), []);
    await refuse(/other rows than the publication of 2026-11-02T00:00:00Z/, today(3), [
      '--before',
      'other.csv',
    ]);
    await refuse(/not after that of the one before.*--at/s, today(2, 'a,,,'), ['--before', 'before.csv']);
    await refuse(/is of https:.*and not of/, today(3), [
      '--before',
      'before.csv',
      '--url',
      'https://other.example.org/',
    ]);
    await refuse(/modified later/, today(3), ['--before', 'before.csv', '--at', '2026-11-02T12:00:00Z']);
    for (const damage of [
      (text: string) => text.slice(0, -4),
      (text: string) => text.replace('zz', '"'),
      () => 'x',
    ]) {
      writeFileSync(join(folder, 'state'), damage(before['state'] ?? ''));
      const { stderr } = await describeRows(folder, today(3), ['--state', 'state', '--before', 'before.csv']);
      expect(stderr).toMatch(/is no state of resync-static, or is damaged/);
    }
  });

  test('that are none may be published at the same moment again', async () => {
    const folder = await describeDays([today(1), today(1)]);
    expect(changesOf(folder)).toEqual([]);
  });
});

test('options that need files are refused by name', async () => {
  const folder = makeSite({ 'today.csv': 'key\n' });
  const options = configured({
    sitemap: true,
    sums: true,
    sets: [{ name: 'a', include: ['x'] }],
    changes: { period: 'day' },
  });
  const flags = ['--page', '--dumps', '--urls', 'clean', '--record', '--exclude', 'x', '--before', '-'];
  const { status, stderr } = await callCli(['site', '--rows', '-', ...flags, ...options], { cwd: folder });
  expect(stderr).toContain('--into is missing. Give the folder to write the lists into');
  const words = stderr
    .split('\n')
    .slice(1, -1)
    .map((line) => line.trim().split(' ').slice(0, 4).join(' '));
  expect([status, words.sort()]).toEqual([
    2,
    [
      '--dumps needs the files',
      '--exclude needs the files',
      '--into is missing. Give',
      '--page needs the files',
      '--record needs the files',
      '--rows and --before cannot',
      '--rows describes a bucket,',
      '--url is missing. Give',
      '--urls must be file',
      'changes.period needs the files',
      'sets.include needs the files',
      'sitemap needs the files',
      'sums needs the files',
    ],
  ]);
});

test('flags of rows need rows, and are for no other command', async () => {
  const { stderr } = await callCli(['dist', '--url', BUCKET_URL, '--state', 'x', '--into', 'y']);
  expect(stderr).toMatch(/--into goes with --rows.*--state goes with --rows/s);
  expect((await callCli(['watch', 'dist', '--rows', 'x'])).stderr).toMatch(
    /--rows is not an option of watch/,
  );
});

test('nothing is written into a folder that holds what is not ours', async () => {
  const folder = makeSite({ 'lists/index.html': 'x' });
  const { status, stderr } = await describeRows(folder, 'key\na\n', ['--at', '2026-11-20T10:15:00Z']);
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/holds index\.html, which is none of the documents/),
  ]);
  expect(Object.keys(readTree(folder))).toEqual(['lists/index.html', 'today.csv']);
});

test('--into is a folder, and --state a file', async () => {
  const folder = makeSite({ 'today.csv': 'key\na\n', 'd/x': '' });
  const run = (...args: string[]) =>
    callCli(['--rows', 'today.csv', '--url', BUCKET_URL, '--at', '2026-11-20T10:15:00Z', ...args], {
      cwd: folder,
    });
  expect((await run('--into', 'today.csv')).stderr).toMatch(
    /today\.csv is a file\.\nName a folder with --into/,
  );
  expect((await run('--into', 'd/x/lists')).stderr).toMatch(/Cannot write .*lists: .*Nothing was published/s);
  expect((await run('--into', 'lists', '--state', 'd')).stderr).toMatch(/The state d is no file/);
  expect(Object.keys(readTree(folder))).toEqual(['d/x', 'today.csv']);
});

describe('an error ends the run while an engine still writes', () => {
  const start = (cwd: string, ...args: string[]) =>
    spawn(process.execPath, [CLI, '--url', BUCKET_URL, '--into', 'lists', ...args], {
      cwd,
      stdio: ['pipe', 'ignore', 'ignore'],
    });

  test('to standard input', async () => {
    const child = start(makeFolder(), '--rows', '-');
    child.stdin.write('key\nb\na\n');
    expect(await once(child, 'exit')).toEqual([1, null]);
  });

  test.each([
    ['plain', Buffer.from('key,length\nb,1\n')],
    ['gzip', gzipSync(`key,length\n${'b,1\n'.repeat(1000)}`).subarray(0, -8)],
  ])('to a named pipe, in %s', async (_, rows) => {
    const folder = makeSite({ 'before.csv': 'name\n' });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const child = start(folder, '--rows', 'pipe', '--before', 'before.csv');
    const engine = await open(join(folder, 'pipe'), 'w');
    await engine.write(rows);
    expect(await once(child, 'exit')).toEqual([1, null]);
    await engine.close();
  });
});

test('a part of a Source writes its own lists only', async () => {
  const folder = makeFolder();
  const options = configured({
    source: 'https://example.org/',
    sets: [{ name: 'north', describedby: 'about' }],
  });
  const { stderr } = await describeRows(folder, 'key,modified\na,2026-11-20T10:15:00Z\n', options);
  expect(stderr).toBe('');
  expect(Object.keys(readTree(join(folder, 'lists')))).toEqual([
    'resourcesync/north/capabilitylist.xml',
    'resourcesync/north/resourcelist.xml',
  ]);
  const written = readFileSync(join(folder, 'lists/resourcesync/north/capabilitylist.xml'), 'utf8');
  expect(written).toContain('rel="up" href="https://example.org/.well-known/resourcesync"');
});

test('gzip is read, of several members and with a block filled up with zeros, too', async () => {
  const folder = makeFolder();
  const members = ['key,modified\na,2026-11-20', 'T10:15:00Z\nb,2026-11-20T10:15:00Z\n'].map((text) =>
    gzipSync(text),
  );
  // More zeros than decompressors ask for are no end of the input.
  for (const zeros of [512, 1_000_000]) {
    expect((await describeRows(folder, Buffer.concat([...members, Buffer.alloc(zeros)]))).status).toBe(0);
    expect(keysOf(folder)).toEqual(['a', 'b']);
  }
});

test('lists of more than 50,000 entries are divided, and agree', async () => {
  const folder = makeFolder();
  const csv = (from: number, to: number) =>
    `key,modified\n${Array.from({ length: to - from }, (_, index) => `${100_000 + from + index},2026-11-01T00:00:00Z\n`).join('')}`;
  const lists = join(folder, 'lists/resourcesync');
  const read = (name: string) => readFileSync(join(lists, name), 'utf8');
  const count = (name: string) => read(name).split('<url>').length - 1;
  const days = [csv(0, 50_002), csv(50_001, 50_002), csv(50_001, 50_003)];
  for (const [day, rows] of days.entries()) {
    const before = day === 0 ? [] : ['--before', 'before.csv'];
    const at = `2026-11-0${day + 2}T00:00:00Z`;
    const { stderr } = await describeRows(folder, rows, ['--state', 'state', '--at', at, ...before]);
    expect(stderr).toBe('');
    writeFileSync(join(folder, 'before.csv'), rows);
    if (day > 0) continue;
    expect(['resourcelist-0001.xml', 'resourcelist-0002.xml'].map(count)).toEqual([50_000, 2]);
  }
  expect(count('resourcelist.xml')).toBe(2);
  expect(read('changelist.xml').match(/from=.*(?=\/><\/sitemap>)/g)).toEqual([
    'from="2026-11-02T00:00:00Z" until="2026-11-03T00:00:00Z"',
    'from="2026-11-03T00:00:00Z"',
  ]);
  const names = readdirSync(lists).filter((name) => name.startsWith('changelist-'));
  expect(names.map(count)).toEqual([50_000, 2]);
  const { stdout } = await callCli(['audit', 'lists', '--json', '--sample', '1'], { cwd: folder });
  const codes = JSON.parse(stdout).findings.map(({ code }: { code: string }) => code);
  // Nobody has the objects here, nor a document about them, nor their digests.
  expect(codes.sort()).toEqual(['describedby-missing', 'hash-missing', 'resource-missing']);
});
