/** The laws of versions, over random histories: what each entry promises is there, under a name that means nothing else. */

import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UserConfig } from '../../../src/config/options.js';
import type { UrlStyle } from '../../../src/paths/urls.js';
import { type ClosedLists, checkClosed, describeAt, readDocuments, SITE_URL } from '../../support/changes.js';
import { cloneOf, commitFiles, gitText, makeRepository, readCommit } from '../../support/git.js';
import { checkLaw, fewer } from '../../support/seed.js';
import { makeSite } from '../../support/site.js';
import {
  checkLinked,
  listVersionFiles,
  readInventory,
  readLinked,
  readTimeMap,
  serveAll,
} from '../../support/versions.js';

const DAY = 86_400;
const JSONS = [60, 61, 62].map((count) => JSON.stringify(Array.from({ length: count }, (_, id) => ({ id }))));
/** Files that meet under one URL, a file and a folder of one name, and names that need escaping. */
const NAMES = ['a.html', 'a/index.html', 'x', 'x/y', 'é ü.txt', 'data.json', 'more/data.json'];

interface Step {
  readonly files: readonly (string | undefined)[];
  readonly seconds: number;
  readonly window: number;
  readonly withdraws: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  files: fc.tuple(
    ...NAMES.map((name) =>
      fc.option(name.endsWith('.json') ? fc.constantFrom(...JSONS) : fc.constantFrom('one', 'two', ''), {
        nil: undefined,
        freq: 3,
      }),
    ),
  ),
  seconds: fc.constantFrom(10, 60, DAY, 3 * DAY, 40 * DAY),
  window: fc.constantFrom(36_500, 36_500, 30, 2),
  withdraws: fc.boolean(),
});

const shape = fc.record({
  urls: fc.constantFrom<UrlStyle>('directory', 'bare', 'file'),
  period: fc.constantFrom<'day' | 'month' | undefined>(undefined, 'day', 'month'),
  sets: fc.boolean(),
});

/** What is built in a step: no two files with one URL, no file where a folder is, and never nothing. */
function filesOf({ files }: Step): Record<string, string> {
  const built = NAMES.flatMap((name, index) => (files[index] === undefined ? [] : [[name, files[index]]]));
  const tree: Record<string, string> = { 'index.html': 'home', ...Object.fromEntries(built) };
  if ('a.html' in tree) delete tree['a/index.html'];
  if ('x' in tree) delete tree['x/y'];
  return tree;
}

/** The rules for URLs, written down once more. */
function urlOf(path: string, style: UrlStyle): string {
  const served =
    style === 'file'
      ? path
      : style === 'directory'
        ? path.replace(/(^|\/)index\.html$/, '$1')
        : path.replace(/(^|\/)index\.html$/, '').replace(/\.html$/, '');
  return SITE_URL + served.split('/').map(encodeURIComponent).join('/');
}

/** What each commit of a site had at each URL, from its whole tree, by its moment. */
function readStates(repository: string, style: UrlStyle): Map<number, Map<string, string>> {
  const log = gitText(repository, 'log', '--first-parent', '--format=%H %ct', 'HEAD').split('\n');
  return new Map(
    log.map((line) => {
      const [id = '', seconds] = line.split(' ');
      const files = Object.entries(readCommit(repository, id)).filter(([path]) => !/resourcesync/.test(path));
      const state = files.map(([path, bytes]): [string, string] => [
        urlOf(path.replace(/^dist\//, ''), style),
        bytes,
      ]);
      return [Number(seconds) * 1000, new Map(state)];
    }),
  );
}

function clear(site: string): void {
  for (const name of readdirSync(site)) {
    if (name !== 'resourcesync' && name !== '.well-known') rmSync(join(site, name), { recursive: true });
  }
}

test('each version has the bytes of its moment, no link dies, and a name never gets other bytes', async () => {
  await checkLaw(
    'versions',
    fc.asyncProperty(
      fc.array(step, { minLength: 2, maxLength: 7 }),
      shape,
      async (steps, { urls, period, sets }) => {
        const repository = makeRepository();
        const site = join(repository, 'dist');
        const names = new Map<string, string>();
        const configOf = ({ window, withdraws }: Step): Partial<UserConfig> => ({
          ...{ history: 'HEAD:dist', urls, hash: ['sha-256'] },
          versions: true,
          withdraw: withdraws ? ['more/**'] : [],
          changes: { window, ...(period !== undefined && { period }) },
          ...(sets && { sets: [{ name: 'all' }, { name: 'some', exclude: ['x/**'] }] }),
        });
        const former: ClosedLists = { options: '', lists: {} };
        let seconds = 0;
        commitFiles(repository, 0, { 'dist/index.html': 'home' });
        for (const current of steps) {
          seconds += current.seconds;
          clear(site);
          const files = filesOf(current);
          makeSite(files, site);
          await describeAt(seconds, { ...configOf(current), site });
          const states = readStates(repository, urls);
          const pending = new Map(Object.entries(files).map(([path, text]) => [urlOf(path, urls), text]));
          checkMoments(site, urls, current, {
            stateOf: (moment) => states.get(moment) ?? pending,
            moments: [...states.keys()],
          });
          checkClosed(site, former, `${current.withdraws}`);
          for (const [path, digest] of Object.entries(listVersionFiles(site))) {
            if (path.includes('/timemaps/')) continue;
            expect(names.get(path) ?? digest).toBe(digest);
            names.set(path, digest);
          }
          commitFiles(repository, seconds, {});
          seconds += 1;
        }
        // Another machine, that has nothing of before, says the same.
        const last = steps.at(-1);
        if (last === undefined) return;
        const other = join(cloneOf(repository), 'dist');
        for (const folder of ['resourcesync', '.well-known'])
          rmSync(join(other, folder), { recursive: true, force: true });
        for (const folder of [site, other]) await describeAt(seconds, { ...configOf(last), site: folder });
        expect(readDocuments(other)).toEqual(readDocuments(site));
        rmSync(repository, { recursive: true, force: true });
      },
    ),
    fewer(20, 3),
  );
});

type State = ReadonlyMap<string, string>;

/** Whether a file of this name, or a folder, ever had the same bytes: not both can have a version. */
function hasRival(uri: string, bytes: string | undefined, states: readonly State[]): boolean {
  return states.some((state) =>
    [...state].some(
      ([other, held]) => held === bytes && (other.startsWith(`${uri}/`) || uri.startsWith(`${other}/`)),
    ),
  );
}

/** Every change against the state of its moment. */
function checkMoments(
  site: string,
  urls: UrlStyle,
  { withdraws }: Step,
  { stateOf, moments }: { stateOf: (moment: number) => State; moments: readonly number[] },
): void {
  const served = serveAll(site, SITE_URL, urls);
  const states = [...moments, Number.POSITIVE_INFINITY].map(stateOf);
  const changes = readLinked(site, SITE_URL);
  checkLinked(changes, served);
  expect(readInventory(site)).toEqual(listVersionFiles(site));
  for (const { uri, md, memento, timemap } of changes) {
    const isWithdrawn = withdraws && uri.includes('/more/');
    if (md['change'] === 'deleted' || isWithdrawn) {
      expect([memento, timemap]).toEqual([undefined, undefined]);
      continue;
    }
    const state = stateOf(Date.parse(md['datetime'] ?? '')).get(uri);
    if (memento === undefined && hasRival(uri, state, states)) continue;
    const bytes = served.get(memento?.['href'] ?? '');
    expect(bytes?.toString('latin1'), `${uri} ${md['datetime']}`).toBe(
      state === undefined ? undefined : Buffer.from(state, 'latin1').toString('latin1'),
    );
    expect(
      createHash('sha256')
        .update(bytes ?? '')
        .digest('hex'),
    ).toBe(md['hash']?.replace('sha-256:', ''));
  }
  const timeMaps = new Map(
    changes.flatMap(({ uri, timemap }) => (timemap === undefined ? [] : [[uri, timemap]])),
  );
  for (const [uri, address] of timeMaps) {
    const mementos = readTimeMap(uri, `${served.get(address)}`);
    const own = changes.filter((change) => change.uri === uri);
    const linked = own.flatMap(({ memento }) => memento?.['href'] ?? []);
    expect(new Set(mementos.map(({ href }) => href))).toEqual(new Set(linked));
  }
}
