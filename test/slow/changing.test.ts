/** Files that change while they are read, and sites that are not what they should be. */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readSource } from '../support/documents.js';
import { makeRandom } from '../support/random.js';
import { callCli, makeFolder, makeSite, readTree, runCli } from '../support/site.js';

const SITE_URL = 'https://example.org/';

const readDocuments = (site: string) =>
  ['.well-known', 'resourcesync'].map((folder) =>
    existsSync(join(site, folder)) ? readTree(join(site, folder)) : undefined,
  );

describe('a file that is being written', () => {
  const SIZE = 2_000_000;
  const PIECE = 500_000;
  const makeContent = (version: number) => Buffer.alloc(SIZE, `version ${version}\n`);

  /** Ways from one version to the next, each with the states that the file goes through. */
  const WAYS = {
    'replaced by rename': {
      step: `fs.writeFileSync(file + '.part', content); fs.renameSync(file + '.part', file);`,
      states: (version: number) => [makeContent(version)],
    },
    'written over': {
      step: `const open = fs.openSync(file, 'r+');
        for (let at = 0; at < ${SIZE}; at += ${PIECE}) fs.writeSync(open, content, at, ${PIECE}, at);
        fs.closeSync(open);`,
      states: (version: number) =>
        [0, 1, 2, 3].map((pieces) =>
          Buffer.concat([
            makeContent(version + 1).subarray(0, pieces * PIECE),
            makeContent(version).subarray(pieces * PIECE),
          ]),
        ),
    },
  };

  const makeProgram = (step: string) => `
    import fs from 'node:fs';
    const [file, pauses, seed] = process.argv.slice(1);
    let chance = Number(seed);
    for (let version = 1; ; version++) {
      const content = Buffer.alloc(${SIZE}, 'version ' + version + '\\n');
      ${step}
      fs.writeSync(1, version + '\\n');
      chance = (chance * 69069 + 1) % 2 ** 32;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, (pauses * chance) / 2 ** 32);
    }`;

  test.each(
    // Windows does not let a file be replaced while another process has it open.
    Object.entries(WAYS)
      .filter(([way]) => way !== 'replaced by rename' || process.platform !== 'win32')
      .flatMap(([way, { step, states }]) => [0, 100].map((pauses) => ({ way, step, states, pauses }))),
  )(
    'is listed as it was at one moment, or refused: $way, pauses up to $pauses ms',
    async ({ step, states, pauses }) => {
      const random = makeRandom();
      const site = makeSite({ 'index.html': 'home', 'changing.txt': makeContent(0) });
      const program = ['--input-type=module', '--eval', makeProgram(step)];
      const writer = spawn(
        process.execPath,
        [...program, join(site, 'changing.txt'), `${pauses}`, `${Math.floor(random() * 2 ** 32)}`],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      onTestFinished(async () => {
        if (writer.kill('SIGKILL')) await once(writer, 'exit');
      });
      let written = 0;
      writer.stdout.setEncoding('utf8').on('data', (text: string) => {
        written = Number(text.trimEnd().split('\n').at(-1));
      });
      await once(writer.stdout, 'data');

      for (let run = 0; run < 4; run++) {
        const first = written;
        const before = readDocuments(site);
        const { status, stderr } = await runCli([site, '--url', SITE_URL, '--exclude', '*.part']);
        if (status === 0) {
          const resources = readSource(site, SITE_URL).sets.flatMap((set) => set.resources);
          const { md } = resources.find(({ uri }) => uri.endsWith('changing.txt')) ?? {};
          const length = Number(md?.['length']);
          const isListed = (state: Buffer) =>
            state.length === length &&
            md?.['hash']?.includes(`md5:${createHash('md5').update(state).digest('hex')} `) === true;
          // The writer reported this version before the run ended; the version after it may be half written.
          await once(writer.stdout, 'data');
          const versions = Array.from({ length: written + 2 - first }, (_, index) => written + 1 - index);
          expect(versions.some((version) => states(version).some(isListed))).toBe(true);
        } else {
          expect({ status, stderr }).toEqual({
            status: 1,
            stderr: expect.stringMatching(
              /1 file of the site kept changing:\n {2}changing\.txt\n.*--exclude/,
            ),
          });
          expect(readDocuments(site)).toEqual(before);
        }
      }
    },
  );
});

describe('a site that cannot be described', () => {
  const long = (length: number) => 'x'.repeat(length);
  /** A path of several folders that makes a URL of so many characters. */
  const pathFor = (length: number) => {
    const rest = length - SITE_URL.length;
    return `${`${long(199)}/`.repeat(Math.floor((rest - 1) / 200))}${long(((rest - 1) % 200) + 1)}`;
  };

  test.each<{ what: string; make: () => string; says: RegExp }>([
    {
      what: 'an empty folder',
      make: () => makeFolder(),
      says: /is empty\. Is it the right folder\?\n.*Build/,
    },
    {
      what: 'a folder that holds only empty folders',
      make: () => makeSite({ 'a/b/.keep': '' }),
      says: /its one file is left out\. Is it the right folder\?/,
    },
    {
      what: 'a folder of which nothing is listed',
      make: () => makeSite({ '404.html': '', '.htaccess': '', CNAME: '' }),
      says: /all 3 files are left out\. Is it the right folder\?\n.*--include and --exclude/,
    },
    {
      what: 'a URL of 2,048 characters',
      make: () => makeSite({ 'index.html': '', [pathFor(2048)]: '' }),
      says: /The URL of x+.* has 2,048 characters; .* allows 2,047\.\n.*--exclude/,
    },
  ])('is an error that says what is wrong, and nothing is written: $what', async ({ make, says }) => {
    const site = make();
    const { status, stdout, stderr } = await callCli([site, '--url', SITE_URL]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(
      ['resourcesync', '.well-known', '.resync-static'].filter((name) => existsSync(join(site, name))),
    ).toEqual([]);
  });

  test('a URL of 2,047 characters is fine', async () => {
    const site = makeSite({ [pathFor(2047)]: '' });
    expect(await callCli([site, '--url', SITE_URL])).toMatchObject({ status: 0 });
    expect(readSource(site, SITE_URL).sets[0]?.resources[0]?.uri).toHaveLength(2047);
  });
});
