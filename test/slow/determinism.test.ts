/** Same site, same options, same moment: the same bytes, wherever and however often. */

import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFiles, FILES, readDescribed } from '../support/deterministic.js';
import { makeRandom, shuffle } from '../support/random.js';
import { callCli, configured } from '../support/site.js';

describe('the documents are the same', () => {
  let reference: Promise<Record<string, string>> | undefined;
  const expectSame = async (documents: Record<string, string>) => {
    reference ??= readDescribed(createFiles(FILES), { TZ: 'UTC', LC_ALL: 'C' });
    expect(documents).toEqual(await reference);
  };

  test.each([
    { TZ: 'Pacific/Kiritimati', LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' },
    { TZ: 'America/St_Johns', LC_ALL: 'tr_TR.UTF-8' },
    { UV_THREADPOOL_SIZE: '1' },
  ])('with %o', async (env) => {
    await expectSame(await readDescribed(createFiles(FILES), env));
  });

  test('in whatever order the files were created', async () => {
    const random = makeRandom();
    for (let round = 0; round < 3; round++) {
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
    expect(
      await callCli([site, '--url', 'http://other.example/', ...configured({ hash: ['sha-512'] })]),
    ).toMatchObject({
      status: 0,
    });
    await expectSame(await readDescribed(site));
  });

  // Windows has no umask.
  test.runIf(process.platform !== 'win32')('whatever the umask', async () => {
    const shell = ['bash', '-c', 'umask 077; exec "$@"', 'bash'];
    await expectSame(await readDescribed(createFiles(FILES), {}, shell));
  });
});
