/** Digesting so many bytes that several processes and threads share them. */

import { createHash } from 'node:crypto';
import { rmSync, symlinkSync, truncateSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startBlobDigester } from '../../src/history/git/digest-blobs.js';
import { openRepository } from '../../src/history/git/repository.js';
import { git, makeRepository } from '../support/git.js';
import { pageOf } from '../support/people.js';
import { makeSite } from '../support/site.js';

const PAGE = '<!DOCTYPE html><meta name="robots" content="noindex">';

/** So many that a thread is worth it; the odd ones are pages that say `noindex`. */
const MANY = Array.from({ length: 1600 }, (_, index) =>
  Buffer.alloc(12_000 + index, `${index % 2 === 1 ? PAGE : ''}${index} `),
);

/** None, one, all but one byte of a piece, a whole one, and several that do not come at once. */
const ODD = [0, 1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 3_000_000].map((length) =>
  Buffer.alloc(length, `${length} bytes `),
);

const hex = (algorithm: string, content: Buffer | string) =>
  createHash(algorithm).update(content).digest('hex');
const idOf = (content: Buffer) =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');

/** Each blob in a file of its own. */
function keep(contents: readonly Buffer[]): string {
  const folder = makeRepository('--object-format=sha1');
  const stream = contents.flatMap((content) => [`blob\ndata ${content.length}\n`, content, '\n']);
  const input = Buffer.concat(stream.map((part) => Buffer.from(part)));
  git(folder, ['-c', 'fastimport.unpackLimit=100000', 'fast-import', '--quiet'], input);
  return folder;
}

function fileOf(folder: string, content: Buffer | undefined): string {
  const id = idOf(content ?? Buffer.alloc(0));
  return join(folder, '.git/objects', id.slice(0, 2), id.slice(2));
}

async function digest(folder: string, contents: readonly Buffer[]) {
  const repository = await openRepository(folder);
  if (repository === undefined) throw new Error('there is no repository');
  const digester = await startBlobDigester(repository, ['md5', 'sha-256'], (id) => ({
    path: `${contents.findIndex((content) => idOf(content) === id)}.html`,
    commit: 'of the test',
  }));
  for (const content of contents)
    digester.add(idOf(content), { digest: true, judge: content.length < 15_000 });
  return await digester.finish();
}

test('many blobs, and large ones, are digested and judged as each of them would be', async () => {
  const contents = [...ODD, ...MANY];
  const load = vi.spyOn(process, 'getBuiltinModule');

  const { digests, noindex } = await digest(keep(contents), contents);

  const modules = load.mock.calls.map(([name]) => name);
  expect(modules.includes('node:worker_threads')).toBe(availableParallelism() > 1);
  const rows = (of: (content: Buffer) => unknown) =>
    new Map(contents.map((content) => [idOf(content), of(content)]));
  expect(digests).toEqual(
    rows((content) => ({
      length: content.length,
      hash: `md5:${hex('md5', content)} sha-256:${hex('sha256', content)}`,
    })),
  );
  const pages = contents.filter(({ length }) => length < 15_000);
  expect(noindex).toEqual(
    new Map(pages.map((content) => [idOf(content), content.includes('content="noindex"')])),
  );
});

test('of what is missing, the first is told, whoever meets it', async () => {
  const folder = keep(MANY);
  for (const index of [1590, 1400, 900]) rmSync(fileOf(folder, MANY[index]));
  await expect(digest(folder, MANY)).rejects.toThrow(
    /lost the bytes of 900\.html as it is in commit of the test/,
  );
});

test('so it is of what is damaged', async () => {
  const folder = keep(MANY);
  for (const index of [1590, 1400, 1100]) truncateSync(fileOf(folder, MANY[index]), 20);
  await expect(digest(folder, MANY)).rejects.toThrow(/bytes of 1100\.html as it is in commit of the test/);
});

test('nothing is started where nothing is asked for', async () => {
  const { digests, noindex } = await digest(makeRepository(), []);
  expect([...digests, ...noindex]).toEqual([]);
});

test('versions are compared with pages of the site as they are read, as far as a glance tells', async () => {
  const long = 'long '.repeat(60_000);
  const versions: Record<string, readonly [former: string, present: string | undefined]> = {
    'text.html': [pageOf('A', 'One'), pageOf('A', 'Two')],
    'markup.html': [pageOf('B', 'One'), pageOf('B', 'One', '<script src="/b.js"></script>')],
    'asset.html': [
      pageOf('C', '<a href="/a-B3xKq9Zd.css">A</a>'),
      pageOf('C', '<a href="/a-C4yLr0Ae.css">A</a>'),
    ],
    'odd.html': [
      pageOf('D', '<table><b title="One">A<table>'),
      pageOf('D', '<table><b title="Two">A<table>'),
    ],
    'same.html': [pageOf('E', 'One'), pageOf('E', 'One')],
    'gone.html': [pageOf('F', 'One'), undefined],
    'link.html': [pageOf('G', 'One'), undefined],
    'grown.html': [pageOf('H', 'One'), pageOf('H', long)],
    'shrunk.html': [pageOf('I', long), pageOf('I', 'One')],
  };
  const site = makeSite(
    Object.fromEntries(
      Object.entries(versions).flatMap(([path, [, page]]) => (page === undefined ? [] : [[path, page]])),
    ),
  );
  symlinkSync('text.html', join(site, 'link.html'));
  const formers = Object.values(versions).map(([former]) => Buffer.from(former));
  const repository = await openRepository(keep(formers));
  if (repository === undefined) throw new Error('there is no repository');
  const digester = await startBlobDigester(repository, ['sha-256'], () => undefined, site);

  for (const [path, [former]] of Object.entries(versions))
    digester.add(idOf(Buffer.from(former)), { digest: false, judge: false, page: path });
  const { digests, texts } = await digester.finish();

  expect([...digests]).toEqual([]);
  const both = (path: string) => versions[path]?.map((page) => idOf(Buffer.from(page ?? ''))).join(' ');
  expect(await texts).toEqual(
    new Map([
      [both('text.html'), true],
      [both('markup.html'), false],
      [both('asset.html'), false],
    ]),
  );
});

test('what is only compared is not waited for, and can be given up', async () => {
  const pages = MANY.map((_, index) => Buffer.from(pageOf(`${index}`, `One ${'word '.repeat(3000)}`)));
  const repository = await openRepository(keep([...pages, ...MANY]));
  if (repository === undefined) throw new Error('there is no repository');
  const site = makeSite({ 'a.html': pageOf('A', 'Two') });
  const start = () => startBlobDigester(repository, ['md5'], () => undefined, site);
  const [digester, other] = [await start(), await start()];
  for (const one of [digester, other]) {
    for (const page of pages) one.add(idOf(page), { digest: false, judge: false, page: 'a.html' });
    for (const content of MANY) one.add(idOf(content));
  }

  const { digests, texts } = await digester.finish();
  expect(digests.size).toBe(MANY.length);
  expect((await texts).size).toBe(MANY.length);

  const given = await other.finish();
  other.close();
  expect(given.digests).toEqual(digests);
  expect((await given.texts).size).toBeLessThanOrEqual(MANY.length);
});

test.each(['lost', 'damaged'])(
  'a version that is %s fails nothing where it is only to be compared',
  async (what) => {
    const page = Buffer.from(pageOf('A', 'One'));
    const folder = keep([page, ...MANY]);
    if (what === 'lost') rmSync(fileOf(folder, page));
    else truncateSync(fileOf(folder, page), 20);
    const repository = await openRepository(folder);
    if (repository === undefined) throw new Error('there is no repository');
    const digester = await startBlobDigester(
      repository,
      ['md5'],
      () => undefined,
      makeSite({ 'a.html': 'A' }),
    );
    digester.add(idOf(page), { digest: false, judge: false, page: 'a.html' });
    for (const content of MANY) digester.add(idOf(content));

    const { texts, digests } = await digester.finish();

    expect((await texts).size).toBe(0);
    expect(digests.size).toBeLessThanOrEqual(MANY.length);
  },
);
