/** Rows of buckets, as an engine writes them, and runs over them. */

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callCli } from './site.js';

export const BUCKET_URL = 'https://data.example.org/';

/** A row by its columns; a key may be bytes. */
export type RowValues = Readonly<Record<string, string | number | Buffer | undefined>>;

/** Writes CSV with a header, each field in quotes; in the order of the rows. */
export function makeCsv(columns: readonly string[], rows: readonly RowValues[]): Buffer {
  const quote = (value: string | number | Buffer = '') => {
    const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value));
    return Buffer.from(`"${bytes.toString('latin1').replaceAll('"', '""')}"`, 'latin1');
  };
  const lines = rows.map((row) => columns.flatMap((column) => [quote(row[column]), Buffer.from(',')]));
  return Buffer.concat([
    Buffer.from(`${columns.join(',')}\n`),
    ...lines.flatMap((line) => [...line.slice(0, -1), Buffer.from('\n')]),
  ]);
}

/** The rows of files by path, in the order of the bytes of their keys. */
export function listRows(
  files: Readonly<Record<string, string>>,
  modified: (path: string) => string,
): RowValues[] {
  const digest = (name: string, text: string) => createHash(name).update(text).digest('hex');
  const rows = Object.entries(files).map(([key, text]) => ({
    key,
    length: Buffer.byteLength(text),
    md5: digest('md5', text),
    sha256: digest('sha256', text),
    modified: modified(key),
  }));
  return rows.sort((a, b) => Buffer.from(a.key).compare(Buffer.from(b.key)));
}

/** Runs `describe --rows` in a folder, on `today.csv`, into `lists`. */
export function describeRows(folder: string, csv: string | Uint8Array, args: readonly string[] = []) {
  writeFileSync(join(folder, 'today.csv'), csv);
  const all = ['--rows', 'today.csv', '--url', BUCKET_URL, '--into', 'lists', ...args];
  return callCli(all, { cwd: folder });
}
