/** The statements of docs/buckets.md: DuckDB makes rows of inventories as stores write them, and these are described. */

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ROOT, readBlocks } from '../support/documentation.js';
import { readSource } from '../support/documents.js';
import { BUCKET_URL } from '../support/rows.js';
import { callCli, makeFolder } from '../support/site.js';

const MD5 = '900150983cd24fb0d6963f7d28e17f72';
const STATEMENTS = readBlocks('docs/buckets.md', 'sql');

/** Objects in an order that is none: key, bytes, ETag, whether in parts, encryption. */
const OBJECTS = [
  ['z/é+"x".txt', 3, MD5, false, 'SSE-S3'],
  ['a b,c.txt', 4, MD5, false, 'NOT-SSE'],
  ['line\nbreak', 5, MD5, false, 'SSE-KMS'],
  ['B', 6, `${MD5}-2`, true, 'SSE-S3'],
] as const;

const LISTED = [
  ['B', '6', undefined],
  ['a b,c.txt', '4', `md5:${MD5}`],
  ['line\nbreak', '5', undefined],
  ['z/é+"x".txt', '3', `md5:${MD5}`],
];

function query(folder: string, statement = ''): void {
  execFileSync(process.execPath, [join(ROOT, 'test/tools/duckdb.mjs')], { cwd: folder, input: statement });
}

/** Makes a folder with `inventory`, `report` and `journal` in it. */
function makeInventories(): string {
  const folder = makeFolder();
  for (const name of ['inventory', 'report', 'journal']) mkdirSync(join(folder, name));
  return folder;
}

async function describeToday(folder: string, args: readonly string[] = []) {
  const all = ['--rows', 'today.csv.gz', '--url', BUCKET_URL, '--into', 'lists', ...args];
  const { stderr } = await callCli(all, { cwd: folder });
  expect(stderr).toBe('');
  const [set] = readSource(join(folder, 'lists'), BUCKET_URL).sets;
  const name = (uri: string) => decodeURIComponent(uri.slice(BUCKET_URL.length));
  return {
    resources: set?.resources.map(({ uri, md }) => [name(uri), md['length'], md['hash']]),
    changes: set?.changes.map(({ uri, md }) => [md['change'], name(uri)]),
  };
}

const quote = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`;
const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));

test('S3 Inventory as CSV', async () => {
  const folder = makeInventories();
  const encode = (key: string) => encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/');
  const lines = OBJECTS.map(([key, size, etag, parts, encryption]) =>
    ['bucket', encode(key), size, '2026-11-20T10:15:00.000Z', etag, parts, encryption].map(quote).join(','),
  );
  writeFileSync(join(folder, 'inventory/data.csv.gz'), gzipSync(`${lines.join('\n')}\n`));
  query(folder, STATEMENTS[0]);
  expect((await describeToday(folder)).resources).toEqual(LISTED);
});

/** Writes Parquet with columns of S3. */
function writeParquet(
  folder: string,
  file: string,
  objects: readonly (readonly unknown[])[],
  names: string,
): void {
  const values = objects.map((object) => `(${object.map(literal).join(', ')})`).join(', ');
  query(
    folder,
    `COPY (SELECT *, TIMESTAMP '2026-11-20 10:15:00' AS last_modified_date FROM (VALUES ${values}) AS objects(${names})) TO '${file}' (FORMAT parquet)`,
  );
}

test('S3 Inventory as Parquet, and a journal table of S3 Metadata after it', async () => {
  const folder = makeInventories();
  const names = 'key, size, e_tag, is_multipart_uploaded, encryption_status';
  writeParquet(folder, 'inventory/data.parquet', OBJECTS, names);
  query(folder, STATEMENTS[1]);
  expect((await describeToday(folder)).resources).toEqual(LISTED);

  copyFileSync(join(folder, 'today.csv.gz'), join(folder, 'yesterday.csv.gz'));
  const records = [
    ['B', 6, MD5, false, 'SSE-S3', '2', 'DELETE'],
    ['B', 7, MD5, false, 'SSE-S3', '1', 'CREATE'],
    ['a b,c.txt', 8, MD5.replace('9', '8'), false, 'SSE-S3', '1', 'CREATE'],
    ['new', 9, MD5, false, 'SSE-S3', '1', 'CREATE'],
  ];
  const columns = 'key, size, e_tag, is_multipart, encryption_status, sequence_number, record_type';
  writeParquet(folder, 'journal/data.parquet', records, columns);
  query(folder, STATEMENTS[3]);
  const before = ['--before', 'yesterday.csv.gz', '--at', '2026-11-21T00:00:00Z'];
  expect((await describeToday(folder, before)).changes).toEqual([
    ['deleted', 'B'],
    ['updated', 'a b,c.txt'],
    ['created', 'new'],
  ]);
});

test('an inventory report of Google Cloud Storage', async () => {
  const folder = makeInventories();
  const lines = OBJECTS.map(([key, size, etag, parts]) =>
    [
      key,
      size,
      parts ? '' : Buffer.from(etag, 'hex').toString('base64'),
      'text/plain',
      '2026-11-20T10:15:00Z',
    ].map(quote),
  );
  const csv = [['name', 'size', 'md5Hash', 'contentType', 'updated'], ...lines].map(
    (line) => `${line.join(',')}\n`,
  );
  writeFileSync(join(folder, 'report/data.csv'), csv.join(''));
  query(folder, STATEMENTS[2]);
  expect((await describeToday(folder)).resources?.map(([key]) => key)).toEqual(LISTED.map(([key]) => key));
});
