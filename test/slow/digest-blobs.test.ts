/** Digesting bytes that git keeps, many and few. */

import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startBlobDigester } from '../../src/history/git/digest-blobs.js';
import { openRepository } from '../../src/history/git/repository.js';
import { git, makeRepository } from '../support/git.js';

const PAGE = '<!DOCTYPE html><meta name="robots" content="noindex">';

/** The odd ones are pages that say `noindex`. */
const MANY = Array.from({ length: 300 }, (_, index) =>
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
  const { digests, noindex } = await digest(keep(contents), contents);

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

test('of what is missing, the first is told', async () => {
  const folder = keep(MANY);
  for (const index of [290, 240, 200]) rmSync(fileOf(folder, MANY[index]));
  await expect(digest(folder, MANY)).rejects.toThrow(
    /lost the bytes of 200\.html as it is in commit of the test/,
  );
});
