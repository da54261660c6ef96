/** A scan that remembers finds what a scan finds that does not. */

import { existsSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolveConfig } from '../../src/config/resolve.js';
import type { SiteReader } from '../../src/site/scan/reader.js';
import { SiteMemory } from '../../src/site/scan/rescan.js';
import { scanSite } from '../../src/site/scan/scan.js';
import { CLOCK_STEP } from '../../src/site/scan/scanned-file.js';
import type { ScannedSite } from '../../src/site/scanned.js';
import { checkLaw, fewer } from '../support/seed.js';
import { makeFolder, makeSite } from '../support/site.js';

/** Few names, so that files and folders come and go under the same ones. */
const name = fc.constantFrom('a', 'b', 'c');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));

/** An edit of a site; the texts differ in nothing but their letters. */
const edit = fc.oneof(
  fc.record({ do: fc.constant('write' as const), path, text: fc.constantFrom('one', 'two', 'six') }),
  fc.record({ do: fc.constant('remove' as const), path }),
  fc.record({ do: fc.constant('move' as const), path, to: path }),
);
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

/** Every write shows in the time of its file, as if a day lay between any two. */
let day = 0;

/** Does it. */
function apply(site: string, edit: Edit): void {
  const source = join(site, edit.path);
  switch (edit.do) {
    case 'write': {
      makeRoom(site, edit.path);
      writeFileSync(source, edit.text);
      day += 1;
      utimesSync(source, day * 86_400, day * 86_400);
      break;
    }
    case 'remove':
      if (existsSync(source)) rmSync(source, { recursive: true });
      break;
    case 'move': {
      if (!existsSync(source)) return;
      const aside = `${site}.aside`;
      renameSync(source, aside);
      makeRoom(site, edit.to);
      renameSync(aside, join(site, edit.to));
    }
  }
}

/** Removes what is at a path, and makes the folders above it. */
function makeRoom(site: string, path: string): void {
  const segments = path.split('/');
  const steps = segments.map((_, index) => segments.slice(0, index + 1).join('/'));
  for (const step of steps) {
    const stats = statSync(join(site, step), { throwIfNoEntry: false });
    if (step === path || stats?.isFile()) rmSync(join(site, step), { recursive: true, force: true });
    if (step !== path) mkdirSync(join(site, step), { recursive: true });
  }
}

const scan = (site: string, reader?: SiteReader): Promise<ScannedSite> =>
  scanSite(site, resolveConfig({ site, url: 'https://example.org/' }), { blobName: 'git-sha1', reader });

/** All that a scan found, as plain data. */
function spellOut({ typeOf: _, typeAt, uriOf, resources, files, sets, ...rest }: ScannedSite) {
  return {
    ...rest,
    types: [...files].map((_file, place) => typeAt(place)),
    uris: [...files].map(({ path }) => uriOf(path)),
    resources: [...resources],
    files: [...files],
    sets: sets.map(({ holds: _, ...set }) => ({
      ...set,
      resources: [...set.resources],
      files: [...set.files],
    })),
  };
}

// A file that is new to the clock is read by each scan; only of others does a memory tell anything.
test.each([
  { what: 'a moment ago', readClock: Date.now },
  { what: 'long ago', readClock: () => Date.now() + CLOCK_STEP + 1 },
])('however the site was edited in between, $what by the clock', async ({ what, readClock }) => {
  await checkLaw(
    `memory of what was edited ${what}`,
    fc.asyncProperty(
      fc.array(fc.array(edit, { maxLength: 6 }), { minLength: 1, maxLength: 5 }),
      async (steps) => {
        const site = join(makeFolder(), 'site');
        makeSite({ 'index.html': 'home', 'a/a/a': 'one', 'a/b': 'two', 'b/c/a': 'six' }, site);
        const memory = new SiteMemory(readClock);
        let before: unknown;
        for (const edits of [[], ...steps]) {
          for (const one of edits) apply(site, one);
          const found = spellOut(await scan(site, memory));
          const expected = spellOut(await scan(site));
          expect(found).toEqual(expected);
          // Or the other way round, a file may have been written anew with the same bytes.
          expect(memory.hasChanged || isDeepStrictEqual(found.resources, before)).toBe(true);
          before = found.resources;
        }
      },
    ),
    fewer(100, 8),
  );
});
