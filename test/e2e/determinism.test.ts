/** Same site, same options, same moment: the same bytes, wherever and however often. */

import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRandom, shuffle } from '../support/random.js';
import { CLI, makeFolder, makeSite, type RunOptions, readTree, runCli, runProgram } from '../support/site.js';

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
const FILES = WORDS.flatMap((word, index) => [
  `${word}${index}.txt`,
  `folder-${word}${index}/${WORDS.at(index - 1)}.html`,
  `folder-${word}${index}/${WORDS.at(index - 3)}.txt`,
]);

function createFiles(order: readonly string[]): string {
  const site = makeFolder();
  for (const path of order) {
    mkdirSync(dirname(join(site, path)), { recursive: true });
    writeFileSync(join(site, path), `This is ${path}.`);
  }
  return site;
}

async function readDescribed(site: string, env: RunOptions['env'] = {}, before: string[] = []) {
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

describe('the documents are the same', () => {
  let reference: Promise<Record<string, string>> | undefined;
  const expectSame = async (documents: Record<string, string>) => {
    reference ??= readDescribed(createFiles(FILES), { TZ: 'UTC', LC_ALL: 'C' });
    expect(documents).toEqual(await reference);
  };

  test.each([
    { TZ: 'Asia/Kolkata' },
    { TZ: 'America/St_Johns' },
    { TZ: 'Pacific/Kiritimati' },
    { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' },
    { LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' },
    { TZ: 'America/St_Johns', LC_ALL: 'tr_TR.UTF-8' },
    { UV_THREADPOOL_SIZE: '1' },
  ])('with %o', async (env) => {
    await expectSame(await readDescribed(createFiles(FILES), env));
  });

  test('in whatever order the files were created', async () => {
    const random = makeRandom();
    for (let round = 0; round < 5; round++) {
      await expectSame(await readDescribed(createFiles(shuffle(FILES, random))));
    }
  });

  test('with other times of modification', async () => {
    const random = makeRandom();
    const site = createFiles(FILES);
    for (const path of FILES) {
      const seconds = Math.floor(random() * 2_000_000_000);
      utimesSync(join(site, path), seconds, seconds);
    }
    await expectSame(await readDescribed(site));
  });

  test('when they are written over older ones', async () => {
    const site = createFiles(FILES);
    expect(await runCli([site, '--url', 'http://other.example/', '--hash', 'sha-512'])).toMatchObject({
      status: 0,
    });
    await expectSame(await readDescribed(site));
  });

  // Windows has no umask.
  test.runIf(process.platform !== 'win32')('whatever the umask', async () => {
    const shell = ['bash', '-c', 'umask 077; exec "$@"', 'bash'];
    await expectSame(await readDescribed(createFiles(FILES), {}, shell));
  });

  test('on one core as on several', async () => {
    const taskset = await runProgram('taskset', ['--version']).catch(() => ({ status: null }));
    // Not every system can bind a process to a core; where none can, the run is an ordinary one.
    const before = taskset.status === 0 ? ['taskset', '-c', '0'] : [];
    await expectSame(await readDescribed(createFiles(FILES), {}, before));
  });
});
