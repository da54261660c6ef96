/** `--verify` asks for everything, whatever a server says of versions. */

import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHandMade } from '../../support/lists.js';
import { copy, readCopy, startSource } from '../../support/mirror.js';
import { handOver, makeFolder, ORDINARY_USER, runCli } from '../../support/site.js';

const FILES = { 'a.html': '<p>one</p>', 'b.html': '<p>one</p>', 'docs/c.html': '<p>one</p>' };
const CHANGED = { 'a.html': '<p>one</p>', 'b.html': '<p>two</p>', 'docs/c.html': '<p>TWO</p>' };

// docs/copies.md: "that `ETag` changes with the bytes".
test.for<[what: string, validators: Record<string, string>]>([
  ['an ETag made of the length', { etag: '"10"', 'last-modified': 'Thu, 01 Jan 1970 00:00:01 GMT' }],
  ['a weak ETag that stays', { etag: 'W/"same"' }],
  ['a time alone', { 'last-modified': 'Thu, 01 Jan 1970 00:00:01 GMT' }],
])('finds files that changed behind %s', async ([, validators]) => {
  let conditions: string[] = [];
  let site = '';
  const source = await startHandMade({
    describe: () => '',
    answer: (path, response, { headers }) => {
      const said = headers['if-none-match'] ?? headers['if-modified-since'];
      if (said !== undefined) conditions.push(`${path}: ${said}`);
      if (!path.endsWith('.html')) return false;
      const isSame =
        headers['if-none-match'] === validators['etag'] &&
        (headers['if-modified-since'] ?? validators['last-modified']) === validators['last-modified'];
      const date = { date: new Date(1_800_000_000_000).toUTCString() };
      if (said !== undefined && isSame) response.writeHead(304, { ...date, ...validators }).end();
      else response.writeHead(200, { ...date, ...validators }).end(readFileSync(join(site, path)));
      return true;
    },
  });
  ({ site } = source);
  const { lists, put } = source;
  const publish = (at: number, files: Record<string, string>) =>
    put({ ...files, 'resourcelist.xml': lists.resources(at, files), 'changelist.xml': lists.changes(0, []) });
  publish(0, FILES);
  const folder = makeFolder();
  await copy(source.source, folder);
  publish(1, CHANGED);
  conditions = [];
  await copy(source.source, folder);
  expect(conditions.filter((one) => one.includes('.html'))).not.toEqual([]);
  expect(readCopy(folder)).toEqual(FILES);
  conditions = [];
  expect(await copy(source.source, folder, { verify: true })).toMatchObject({ inSync: true, updated: 2 });
  expect(conditions).toEqual([]);
  expect(readCopy(folder)).toEqual(CHANGED);
});

test('names a file that cannot be read', async () => {
  const source = await startSource();
  await source.publish(0, FILES);
  const folder = makeFolder();
  await copy(source.url, folder);
  chmodSync(join(folder, 'a.html'), 0o000);
  const { status, stderr } = await runCli(
    ['mirror', source.url, handOver(folder), '--verify'],
    ORDINARY_USER,
  );
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('Cannot read') });
  expect(stderr).toContain('a.html');
});
