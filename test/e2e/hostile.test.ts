/** Names and entries of a file system that lie in wait for a program that walks it. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readSource } from '../support/documents.js';
import { HOSTILE_NAMES, makeHostileSite } from '../support/hostile.js';
import { callCli, handOver, makeFolder, makeSite, ORDINARY_USER, readTree, runCli } from '../support/site.js';

const URL_OF_SITE = 'https://example.org/a%20path/';
const POSIX = process.platform !== 'win32';

const describeArgs = (site: string, ...more: string[]) => [site, '--url', URL_OF_SITE, '--json', ...more];

const decode = (uri: string) => uri.slice(URL_OF_SITE.length).split('/').map(decodeURIComponent).join('/');

const digest = (algorithm: string, bytes: Uint8Array) => createHash(algorithm).update(bytes).digest('hex');

/** The digests and lengths in the Resource Lists, by URL. */
function readListed(site: string): Map<string, { hash: string | undefined; length: string | undefined }> {
  const resources = readSource(site, URL_OF_SITE).sets.flatMap((set) => set.resources);
  return new Map(resources.map(({ uri, md }) => [uri, { hash: md['hash'], length: md['length'] }]));
}

function expectNothingWritten(site: string): void {
  const own = ['.well-known', 'resourcesync', '.resync-static'];
  expect(own.filter((name) => existsSync(join(site, name)))).toEqual([]);
}

describe('a folder that a link replaces while the site is read', () => {
  test.each([
    ['the folder above it was listed', 0],
    ['it was listed', 40],
  ] as const)('is refused, after %s, among %i others', async (after, others) => {
    const site = makeSite({ 'index.html': 'home', 'docs/page.html': 'mine' });
    for (let index = 0; index < others; index++) makeSite({ [`${index}/page.html`]: 'mine' }, site);
    const elsewhere = makeSite({ 'page.html': 'a secret', 'secret.html': 'a secret' });
    const folder = join(site, 'docs');
    const hook = new URL('../support/swap-folder.mjs', import.meta.url).href;
    const env = {
      NODE_OPTIONS: `--import=${hook}`,
      SWAP_FOLDER: folder,
      SWAP_TARGET: elsewhere,
      SWAP_AFTER: after === 'it was listed' ? folder : site,
    };
    const { status, stderr } = await runCli(describeArgs(site), { env });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining(`${folder} became a symbolic link while it was read`),
    });
    expectNothingWritten(site);
  });
});

describe('hostile names', () => {
  test.each([
    { style: 'directory', toPath: (served: string) => served.replace(/\/$/, '/index.html') },
    { style: 'file', toPath: (served: string) => served },
  ])(
    'are listed with URLs that lead back to the files, and with their bytes (--urls $style)',
    async ({ style, toPath }) => {
      const { site, paths } = makeHostileSite();

      const { status, stdout, stderr } = await callCli(describeArgs(site, '--urls', style));

      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({ resources: paths.length, skipped: {} });
      const listed = readListed(site);
      expect([...listed.keys()].map((uri) => toPath(decode(uri))).sort()).toEqual([...paths].sort());
      for (const [uri, { hash, length }] of listed) {
        const bytes = readFileSync(join(site, toPath(decode(uri))));
        expect({ uri, hash, length }).toEqual({
          uri,
          hash: `md5:${digest('md5', bytes)} sha-256:${digest('sha256', bytes)}`,
          length: String(bytes.length),
        });
      }
    },
  );

  test('need no escaping as the name of the site', async () => {
    const parent = makeFolder();
    for (const name of HOSTILE_NAMES) {
      const site = makeSite({ 'index.html': 'home' }, join(parent, name));
      const { status, stderr } = await callCli(describeArgs(`./${name}`), { cwd: parent });
      expect({ name, status, stderr }).toEqual({ name, status: 0, stderr: '' });
      expect([...readListed(site).keys()]).toEqual([URL_OF_SITE]);
    }
  });
});

// Other systems refuse to create such names.
describe.runIf(process.platform === 'linux')('names that are not UTF-8', () => {
  const NAMES = {
    'Latin-1': { bytes: [0x63, 0x61, 0x66, 0xe9], shown: 'caf\ufffd' },
    'a truncated sequence': { bytes: [0x62, 0xe2, 0x82], shown: 'b\ufffd' },
    'an encoded surrogate': { bytes: [0x62, 0xed, 0xa0, 0x80], shown: 'b\ufffd\ufffd\ufffd' },
    'an overlong slash': { bytes: [0x62, 0xc0, 0xaf], shown: 'b\ufffd\ufffd' },
  };
  const bytePath = (site: string, bytes: readonly number[], ...rest: string[]) =>
    Buffer.concat([
      Buffer.from(`${site}/`),
      Buffer.from(bytes),
      ...rest.map((name) => Buffer.from(`/${name}`)),
    ]);
  const withFile = (bytes: readonly number[]) => {
    const site = makeSite({ 'index.html': 'home' });
    writeFileSync(bytePath(site, bytes), 'not to be named');
    return site;
  };
  const withFolder = (bytes: readonly number[]) => {
    const site = makeSite({ 'index.html': 'home' });
    mkdirSync(bytePath(site, bytes));
    writeFileSync(bytePath(site, bytes, 'inside.txt'), 'not to be named');
    return site;
  };

  test.each(
    Object.entries(NAMES).flatMap(([what, { bytes, shown }]) => [
      { what, kind: 'file', make: () => withFile(bytes), shown },
      { what, kind: 'folder', make: () => withFolder(bytes), shown },
    ]),
  )(
    'are refused and shown, and nothing is written: $what as the name of a $kind',
    async ({ make, shown }) => {
      const site = make();
      const { status, stderr, stdout } = await callCli(describeArgs(site));
      expect(status).toBe(1);
      expect(JSON.parse(stdout)).toEqual({
        error: { code: 'name-not-unicode', message: expect.any(String) },
      });
      expect(stderr).toContain(JSON.stringify(shown));
      expect(stderr).toMatch(/Rename .*--exclude/);
      expectNothingWritten(site);
    },
  );

  test.each([
    { kind: 'file', make: withFile },
    { kind: 'folder', make: withFolder },
  ])('can be left out with --exclude, as the refusal says: a $kind', async ({ make }) => {
    const site = make(NAMES['Latin-1'].bytes);
    const { status, stdout, stderr } = await callCli(describeArgs(site, '--exclude', 'caf*'));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ resources: 1 });
  });

  test.each([
    { kind: 'file', make: withFile, twin: 'caf\ufffd' },
    { kind: 'folder with files', make: withFolder, twin: 'caf\ufffd/other.txt' },
    { kind: 'folder of which nothing is listed', make: withFolder, twin: 'caf\ufffd/.other' },
  ])('are not mixed up with a $kind that has a replacement character in its name', async ({ make, twin }) => {
    const site = makeSite({ [twin]: 'named right' }, make(NAMES['Latin-1'].bytes));
    const { status, stderr } = await callCli(describeArgs(site));
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('not valid Unicode') });
    expectNothingWritten(site);
  });
});

describe.runIf(POSIX)('links, FIFOs and sockets', () => {
  // Creating symbolic links takes a privilege on Windows.
  test('are counted as skipped, never followed, never waited for', async () => {
    const outside = makeSite({ 'secret.txt': 'secret', 'folder/secret.txt': 'secret' });
    const site = makeSite({ 'index.html': 'home', 'folder/page.html': 'page' });
    const links = {
      'file-inside': 'index.html',
      'folder-inside': 'folder',
      'file-outside': join(outside, 'secret.txt'),
      'folder-outside': join(outside, 'folder'),
      'folder/up': '..',
      'folder/device.txt': '/dev/zero',
      dangling: 'nowhere',
      loop: 'loop',
      'loop-of-two-a': 'loop-of-two-b',
      'loop-of-two-b': 'loop-of-two-a',
      root: '/',
    };
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(site, path));
    execFileSync('mkfifo', [join(site, 'fifo.txt')]);
    const server = createServer().listen(join(site, 'socket'));
    onTestFinished(() => void server.close());

    const { status, stdout, stderr } = await runCli(describeArgs(site));

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      resources: 2,
      skipped: { 'symbolic-link': Object.keys(links).length, 'special-file': 2 },
    });
    expect([...readListed(site).keys()].map(decode)).toEqual(['', 'folder/page.html']);
  });

  test('are not listed when --include names them either', async () => {
    const outside = makeSite({ 'secret.txt': 'secret' });
    const site = makeSite({ 'index.html': 'home' });
    symlinkSync(join(outside, 'secret.txt'), join(site, '.secret.txt'));
    execFileSync('mkfifo', [join(site, '.fifo')]);
    const args = describeArgs(site, '--include', '.secret.txt', '--include', '.fifo');
    const { status, stdout } = await callCli(args);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ resources: 1 });
  });

  test('are not opened where one of our documents belongs', async () => {
    const site = makeSite({ 'index.html': 'home' });
    mkdirSync(join(site, 'resourcesync'));
    const fifo = join(site, 'resourcesync/capabilitylist.xml');
    execFileSync('mkfifo', [fifo]);
    const { status, stderr } = await callCli(describeArgs(site));
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(fifo) });
  });

  test('may be the way to the site itself', async () => {
    const site = makeSite({ 'index.html': 'home' });
    const link = join(makeFolder(), 'link');
    symlinkSync(site, link);
    const { status } = await callCli(describeArgs(link));
    expect(status).toBe(0);
    expect([...readListed(site).keys()]).toEqual([URL_OF_SITE]);
  });
});

// Windows keeps its permissions elsewhere; chmod cannot take them away.
describe.runIf(POSIX)('what cannot be read', () => {
  test('is an error that names it, and the former documents stay', async () => {
    const site = handOver(makeSite({ 'index.html': 'home', 'private/file.txt': 'private' }));
    expect(await runCli(describeArgs(site), ORDINARY_USER)).toMatchObject({ status: 0 });
    writeFileSync(join(site, 'index.html'), 'changed');
    const before = readTree(site);
    for (const { path, names = path, args = [] } of [
      { path: 'private/file.txt' },
      // A folder that is left out has to be looked into: what is included may lie in it.
      { path: 'private', names: join(site, 'private'), args: ['--exclude', 'private'] },
      { path: '', names: site },
    ]) {
      chmodSync(join(site, path), 0);
      const { status, stdout, stderr } = await runCli(describeArgs(site, ...args), ORDINARY_USER);
      chmodSync(join(site, path), 0o755);
      expect({ path, status }).toEqual({ path, status: 1 });
      expect(JSON.parse(stdout)).toEqual({ error: { code: 'file-unreadable', message: expect.any(String) } });
      expect(stderr).toContain(names);
      expect(stderr).toMatch(/EACCES|permission/);
      expect(readTree(site)).toEqual(before);
    }
  });

  test('is no error where --exclude leaves the file out', async () => {
    const site = handOver(makeSite({ 'index.html': 'home', 'private.txt': 'private' }));
    chmodSync(join(site, 'private.txt'), 0);
    const { status } = await runCli(describeArgs(site, '--exclude', 'private.txt'), ORDINARY_USER);
    expect(status).toBe(0);
  });
});
