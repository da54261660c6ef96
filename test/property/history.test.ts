/** The laws of change events, over random histories in real repositories. */

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describe } from '../../src/describe/index.js';
import { applyChanges, hashesOf, lineOf, moment } from '../support/changes.js';
import { readSource } from '../support/documents.js';
import { makeRepository } from '../support/git.js';
import {
  arbitrarySteps,
  compareStates,
  makeHistory,
  readStates,
  URL_BASE,
  writableFrom,
} from '../support/histories.js';
import { checkLaw, fewer } from '../support/seed.js';
import { makeSite } from '../support/site.js';

/** Files that meet under one URL, files that are left out, and names that need quoting. */
const NAMES = [
  'index.html',
  'a.html',
  'a/index.html',
  'b/index.html',
  'b.html',
  'c.css',
  'x-draft.html',
  '404.html',
  'é ü.txt',
  'tab\there.txt',
  'line\nbreak "quoted" \\.txt',
  'd/e/f.txt',
  '.well-known/g.txt',
];
const FORBIDDEN_ON_WINDOWS = /[\t\n"\\]/;
const names = process.platform === 'win32' ? NAMES.filter((name) => !FORBIDDEN_ON_WINDOWS.test(name)) : NAMES;

const edit = fc.record({
  name: fc.constantFrom(...names),
  content: fc.option(fc.constantFrom('one', 'two', 'three'), { nil: undefined, freq: 3 }),
});

/** The rules of the contract, written a second time for this site alone. */
function urlOf(path: string): string | undefined {
  if (path === '404.html' || path.startsWith('x-')) return undefined;
  const served = path.replace(/(^|\/)index\.html$/, '').replace(/\.html$/, '');
  return URL_BASE + served.split('/').map(encodeURIComponent).join('/');
}

test('the Change List leads from the baseline to the Resource List, and says what every tree says', async () => {
  await checkLaw(
    'history',
    fc.asyncProperty(arbitrarySteps(edit), fc.boolean(), async (steps, edited) => {
      const repository = makeRepository();
      const tree = makeHistory(repository, steps);
      const site = join(repository, 'the site');
      mkdirSync(site);
      makeSite(edited ? { 'c.css': 'something else', 'new.txt': 'new' } : writableFrom(tree, urlOf), site);
      const config = {
        site,
        url: URL_BASE,
        urls: 'bare',
        hash: ['md5'],
        exclude: ['x-*'],
        changes: { window: 36_500 },
      } as const;
      const report = await describe({ ...config, history: 'main:the site' });

      const source = readSource(site, URL_BASE);
      const present = hashesOf(source);
      const changes = source.sets[0]?.changes ?? [];
      const states = readStates(repository, urlOf);
      const known = states.some(({ state }) => state.size > 0);
      // A pending state is one more publication, of this run.
      const { base, lines } = compareStates([
        ...states,
        { seconds: Date.parse(report.at) / 1000, state: present },
      ]);
      expect(changes.map(lineOf)).toEqual(known ? lines : []);
      expect(applyChanges(known ? base : present, changes)).toEqual(present);
      const datetimes = changes.map(({ md }) => md['datetime'] ?? '');
      expect(datetimes).toEqual([...datetimes].sort());
      expect([moment(source, 'from') ?? '', ...datetimes, moment(source, 'at') ?? ''].sort().at(-1)).toBe(
        report.at,
      );
      rmSync(repository, { recursive: true, force: true });
    }),
    fewer(60, 8),
  );
});
