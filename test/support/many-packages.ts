/** A history that makes many packages, the same wherever it is described. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readDocuments } from './changes.js';
import { expectResourceDump } from './dumps.js';
import { BEGIN, commitFiles, makeRepository } from './git.js';
import { change, type Files, makeConfig } from './packing.js';
import { CLI, runProgram } from './site.js';

const files: Files = Object.fromEntries(
  Array.from({ length: 90 }, (_, index) => [
    `folder-${index % 7}/ü ${index}.html`,
    `<p>${'word '.repeat(index)}`,
  ]),
);
const sizes = {
  'noise.bin': Buffer.alloc(70_000, randomBytes(7001)),
  'photo.jpg': 'not a photo',
  'empty.txt': '',
};

/** Describes a history that makes many packages, by the command line after another command; returns the documents. */
export async function describeManyPackages(env: Record<string, string>, before: string[] = []) {
  const repository = makeRepository();
  change(join(repository, 'dist'), { ...files, ...sizes });
  commitFiles(repository, 0, {});
  commitFiles(repository, 100, { 'dist/folder-1/ü 1.html': 'changed', 'dist/empty.txt': undefined });
  commitFiles(repository, 200, { 'dist/folder-1/ü 1.html': 'changed again' });
  const site = join(repository, 'dist');
  const config = makeConfig({ dumps: { maxEntries: 25 } });
  const [program = '', ...args] = [...before, process.execPath, CLI, site, ...config, '--dumps', '--json'];
  const run = await runProgram(program, args, { env: { SOURCE_DATE_EPOCH: `${BEGIN + 1000}`, ...env } });
  expect(run).toMatchObject({ status: 0 });
  await expectResourceDump(site);
  return readDocuments(site);
}
