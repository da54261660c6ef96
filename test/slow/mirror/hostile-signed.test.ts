/** A hostile mirror of a signed Source, in some two hundred ways, each time twice: nothing that it made up is believed. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describe } from '../../../src/index.js';
import { resolveMirror } from '../../../src/mirror/config.js';
import { mirrorSource } from '../../../src/mirror/mirror.js';
import type { MirrorReport } from '../../../src/mirror/report.js';
import { commitFiles, makeRepository } from '../../support/git.js';
import { type Loot, WAYS } from '../../support/hostile-mirror.js';
import { placeCopy, readCopy } from '../../support/mirror.js';
import { some } from '../../support/seed.js';
import { readState, signState, startStateHost } from '../../support/signed.js';
import { makeSigner } from '../../support/signing.js';
import { makeFolder } from '../../support/site.js';

const ONE = { 'index.html': 'home', 'a.txt': 'a', 'b.txt': 'b', 'c/index.html': 'c' };
const TWO = { 'index.html': 'home again', 'a.txt': 'another a', 'new.txt': 'new' };

async function publish(url: string, publications: readonly Readonly<Record<string, string>>[]) {
  const repository = makeRepository();
  const site = join(repository, 'site');
  const states: Map<string, Buffer>[] = [];
  for (const [index, files] of publications.entries()) {
    commitFiles(
      repository,
      60 * index,
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`site/${path}`, text])),
    );
    await describe({ site, url, history: 'HEAD:site' });
    states.push(readState(site));
  }
  return states;
}

/** A Resource List that a copy need not have. */
const HELD_BACK =
  /^(?:no the|the) Resource List(?: answered with status 500| of the publication before)?, for a copy$/;

/** What is never answered whole is waited for, and asked for again. */
const SILENT = /^sums that say they have 1 GB$/;

/** What each URL may stand for in a copy. */
const isHonest = ([path, text]: [string, string]) =>
  text === (ONE as Record<string, string>)[path] || text === (TWO as Record<string, string>)[path];

test(`${WAYS.length} ways to lie`, async () => {
  expect(WAYS.length).toBeGreaterThanOrEqual(200);
  expect(new Set(WAYS.map(([name]) => name)).size).toBe(WAYS.length);
  const publisher = makeSigner();
  const host = await startStateHost();
  const { url } = host;
  const [one, plain] = await publish(url, [ONE, TWO]);
  const [sister] = await publish('https://example.com/', [{ ...ONE, 'a.txt': 'of the sister' }]);
  const [below] = await publish(`${url}b/`, [{ ...ONE, 'a.txt': 'of the one below' }]);
  if (!one || !plain || !sister || !below) throw new Error('nothing was published');
  const loot: Loot = {
    url,
    plain,
    publisher,
    one: signState(one, url, publisher),
    two: signState(plain, url, publisher),
    sister: signState(sister, 'https://example.com/', publisher),
    below: signState(below, `${url}b/`, publisher),
  };
  const copy = (folder: string, timeout = 5000) =>
    mirrorSource(
      resolveMirror({
        source: url,
        folder,
        attempts: 1,
        timeout,
        trust: [publisher.line],
        from: 'list',
      }),
      { clock: { sleep: async () => undefined } },
    );
  const former = makeFolder();
  host.state = loot.one;
  expect(await copy(former)).toMatchObject({ inSync: true, created: 4 });
  host.state = loot.two;
  const right = join(makeFolder(), 'copy');
  placeCopy(former, right);
  expect(await copy(right)).toMatchObject({ inSync: true, updated: 2, created: 1 });
  const published = JSON.stringify(readCopy(right));
  const accepted: string[] = [];
  for (const [name, make] of some(WAYS, 8)) {
    for (const isNew of [false, true]) {
      const folder = join(makeFolder(), 'copy');
      if (!isNew) placeCopy(former, folder);
      host.state = make(loot);
      const what = `${name}, ${isNew ? 'for a new copy' : 'for a copy'}`;
      const outcome = await copy(folder, SILENT.test(name) ? 1000 : 5000).then(
        (report) => report,
        (error: Error) => error,
      );
      const words = isError(outcome) ? outcome.message : tell(outcome);
      const files = Object.entries(isNew && isError(outcome) ? {} : readCopy(folder));
      // Changes lead to the second publication without the list that is held back: then all of it is right.
      const isRight =
        !isError(outcome) && HELD_BACK.test(what) && JSON.stringify(readCopy(folder)) === published;
      if ((words.length < 10 && !isRight) || !files.every(isHonest)) accepted.push(`${what}: ${words}`);
      if (isError(outcome)) {
        expect(outcome, what).toMatchObject({ name: 'ResyncError' });
        expect(outcome.message, what).toMatch(/\n.*(?:Nothing was changed|run again|Ask|To copy)/);
        if (!isNew) expect(Object.fromEntries(files), what).toEqual(readCopy(former));
      }
    }
  }
  expect(accepted).toEqual([]);
});

const isError = (outcome: MirrorReport | Error): outcome is Error => outcome instanceof Error;

/** Why a copy is not in sync; nothing where it says that it is. */
const tell = ({ inSync, failed, outstanding }: MirrorReport) =>
  inSync
    ? ''
    : [...failed, ...outstanding].map(({ uri, reason, found }) => `${uri}: ${reason}, ${found}`).join('; ');
