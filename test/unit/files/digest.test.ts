/** Digests of many files, from one read each. */

import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createDigester, type Digester } from '../../../src/files/digest/digester.js';
import type { DigestName } from '../../../src/files/digest/kinds.js';
import {
  packSeen,
  seenContent,
  TEXT_ALONE,
  unpackRecord,
  type WantedFacts,
} from '../../../src/files/page/facts/seen.js';
import { readRecord } from '../../../src/files/page/record.js';
import { makeFolder, makeSite } from '../../support/site.js';

const NAMES: readonly DigestName[] = ['md5', 'sha-256', 'sha-512', 'git-sha1', 'git-sha256'];
let digester: Digester | undefined;
afterEach(() => digester?.close());

async function digest(root: string, paths: readonly string[], names = NAMES) {
  digester = createDigester(root, names);
  for (const path of paths) digester.add(path);
  return digester.finish();
}

function expected(content: Buffer): Record<string, string> {
  const blob = Buffer.concat([Buffer.from(`blob ${content.length}\0`), content]);
  const hex = (name: string, bytes: Buffer) => createHash(name).update(bytes).digest('hex');
  return {
    md5: hex('md5', content),
    'sha-256': hex('sha256', content),
    'sha-512': hex('sha512', content),
    'git-sha1': hex('sha1', blob),
    'git-sha256': hex('sha256', blob),
  };
}

describe('createDigester', () => {
  // Around the size of the buffer, where one read becomes several.
  test('digests files of any size', async () => {
    const sizes = [0, 1, 262_143, 262_144, 262_145, 524_288, 1_000_001];
    const files = sizes.map((size) => [`${size}.bin`, Buffer.alloc(size, 'resync')] as const);
    const site = makeSite(Object.fromEntries(files));
    const table = await digest(
      site,
      files.map(([path]) => path),
    );
    for (const [index, [, content]] of files.entries()) {
      expect(table.length(index)).toBe(content.length);
      expect(Object.fromEntries(NAMES.map((name) => [name, table.hex(index, name)]))).toEqual(
        expected(content),
      );
    }
  });

  test('keeps the order in which files were added, over many batches and threads', async () => {
    const paths = Array.from({ length: 2100 }, (_, index) => `ü${index}.txt`);
    const site = makeSite(Object.fromEntries(paths.map((path) => [path, path])));
    const table = await digest(site, paths, ['md5']);
    const found = paths.map((_, index) => table.hex(index, 'md5'));
    expect(found).toEqual(paths.map((path) => createHash('md5').update(path).digest('hex')));
    expect(digester?.progress()).toEqual({ done: 2100, total: 2100 });
  });

  test.each([3, 2100])('reads pages only if their content is not known, of %i files', async (count) => {
    const paths = Array.from({ length: count }, (_, index) => `${index}.html`);
    const site = makeSite(Object.fromEntries(paths.map((path) => [path, `<p>${path}`])));
    const wanted: WantedFacts = { wishes: TEXT_ALONE, url: 'https://example.org/', urls: 'file' };
    const see = (path: string, content: string) =>
      packSeen({ uri: wanted.url + path, content }, TEXT_ALONE, {
        facts: { noindex: false, lists: [], feed: false },
        record: { text: 'known', title: undefined, lang: undefined, isEncodingUnknown: false },
        links: [],
      });
    const contentOf = (text: string) => createHash('sha256').update(text).digest('hex');
    const known = new Map([
      ['0.html', see('0.html', contentOf('<p>0.html'))],
      ['1.html', see('1.html', contentOf('before'))],
    ]);
    digester = createDigester(site, ['sha-256'], wanted, false, (path) => known.get(path));
    for (const path of paths) digester.add(path);
    const table = await digester.finish();
    expect(table.seen(0)).toBe(known.get('0.html'));
    for (const [index, path] of [...paths.entries()].slice(1)) {
      const content = `<p>${path}`;
      const seen = table.seen(index) ?? '';
      expect(unpackRecord(seen)).toEqual(
        readRecord(Buffer.from(content), { uri: wanted.url + path, url: wanted.url }),
      );
      expect(seenContent(seen)).toBe(contentOf(content).slice(0, 32));
    }
  });

  test('digests a few large files, and names one of them that is gone', async () => {
    const content = Buffer.alloc(6 * 1024 * 1024);
    const site = makeSite({ 'a.bin': '', 'b.bin': '', 'c.bin': '' });
    for (const name of ['a.bin', 'b.bin', 'c.bin']) truncateSync(join(site, name), content.length);
    const table = await digest(site, ['c.bin', 'a.bin', 'b.bin'], ['md5']);
    const { md5 } = expected(content);
    for (const index of [0, 1, 2]) expect(table.hex(index, 'md5')).toBe(md5);
    await expect(digest(site, ['a.bin', 'gone.bin', 'b.bin', 'c.bin'], ['md5'])).rejects.toMatchObject({
      code: 'file-unreadable',
      message: expect.stringContaining('gone.bin (ENOENT)'),
    });
  });

  test('names every file that cannot be read, the first five in full', async () => {
    const paths = ['g', 'f', 'e', 'd', 'c', 'b'].map((name) => `${name}.txt`);
    await expect(digest(makeFolder(), paths)).rejects.toMatchObject({
      code: 'file-unreadable',
      message: expect.stringMatching(
        /^Cannot read 6 files of the site:\n {2}b\.txt \(ENOENT\)\n(.*\n){4} {2}and 1 more\n/,
      ),
    });
  });

  test.runIf(process.platform !== 'win32')(
    'never follows a link, nor takes a folder for a file',
    async () => {
      const site = makeSite({ 'a.txt': 'a' });
      mkdirSync(join(site, 'folder'));
      symlinkSync('a.txt', join(site, 'link'));
      await expect(digest(site, ['link'])).rejects.toThrow('link (ELOOP)');
      await expect(digest(site, ['folder'])).rejects.toThrow('folder (EFILETYPE)');
    },
  );
});
