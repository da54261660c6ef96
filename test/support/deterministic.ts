/** A site that is described the same wherever and however often. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { CLI, makeFolder, makeSite, type RunOptions, readTree, runProgram } from './site.js';

const CONFIG = `export default {
  url: 'https://example.org/',
  describedby: 'about.html',
  sets: [{ name: 'texts', include: ['**/*.txt'] }, { name: 'all' }],
  changefreq: { '**/*.html': 'weekly' },
  links: ({ path }) => path.endsWith('.html')
    ? [{ rel: 'alternate', href: '/alternate', modified: new Date('2026-03-29T01:30:00Z') }]
    : undefined,
};`;

// Words that sort differently in C, German and Turkish, upper and lower case, and numbers in and out of order.
const WORDS = 'a A B b ä z Z é I i İ ı 10 9 010 - _ ~ ß ss straße İzmir izmir'.split(' ');
/** The files of a site whose names sort in many ways. */
export const FILES = WORDS.flatMap((word, index) => [
  `${word}${index}.txt`,
  `folder-${word}${index}/${WORDS.at(index - 1)}.html`,
  `folder-${word}${index}/${WORDS.at(index - 3)}.txt`,
]);

/** Makes the site by creating its files in an order. */
export function createFiles(order: readonly string[]): string {
  const site = makeFolder();
  for (const path of order) {
    mkdirSync(dirname(join(site, path)), { recursive: true });
    writeFileSync(join(site, path), `This is ${path}.`);
  }
  return site;
}

/** Describes a site at a fixed moment, by the command line after another command, and returns the documents. */
export async function readDescribed(site: string, env: RunOptions['env'] = {}, before: string[] = []) {
  const config = join(makeSite({ 'resync-static.config.mjs': CONFIG }), 'resync-static.config.mjs');
  const [program = '', ...args] = [...before, process.execPath, CLI, site, '--config', config, '--json'];
  const result = await runProgram(program, args, { env: { SOURCE_DATE_EPOCH: '1774747800', ...env } });
  expect(result).toMatchObject({ status: 0, stderr: expect.not.stringContaining('Error') });
  const documents = Object.entries(readTree(site)).filter(([path]) =>
    /(?:^|\/)resourcesync(?:\/|$)/.test(path),
  );
  expect(documents).toHaveLength(5);
  return Object.fromEntries(documents);
}
