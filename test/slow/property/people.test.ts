/** The laws of the feed, for a site whose history the live site keeps, and for snapshots of it in git. */

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UserConfig } from '../../../src/config/options.js';
import { describeAt } from '../../support/changes.js';
import { makeRepository } from '../../support/git.js';
import { startHost } from '../../support/host.js';
import { pageOf, readFeed } from '../../support/people.js';
import { checkLaw, fewer } from '../../support/seed.js';
import { makeFolder, makeSite } from '../../support/site.js';

const NAMES = ['a.html', 'b/index.html', 'é ü.html'];
const TITLES = ['One', '<b>Two</b> & ', '\u202eThree'];

/** A page in one state: its text, and a script that readers do not see. */
const page = fc.option(fc.record({ text: fc.constantFrom('x', 'y'), script: fc.constantFrom('1', '2') }), {
  nil: undefined,
});

const state = fc.record({ pages: fc.tuple(page, page, page), other: fc.constantFrom('1', '2') });

type State = typeof state extends fc.Arbitrary<infer T> ? T : never;

function filesOf({ pages, other }: State): Record<string, string> {
  const files: Record<string, string> = { 'index.html': pageOf('Home', 'Welcome'), 'other.css': other };
  for (const [index, one] of pages.entries()) {
    const title = TITLES[index]?.replaceAll('<', '&lt;') ?? '';
    if (one !== undefined) {
      files[NAMES[index] ?? ''] = pageOf(title, one.text, `<script src="/${one.script}.js"></script>`);
    }
  }
  return files;
}

/** The changes from one state to the next that readers see. */
function tellChanges(before: State, after: State): string[] {
  return NAMES.flatMap((name, index) => {
    const [was, is] = [before.pages[index], after.pages[index]];
    if (was === undefined && is === undefined) return [];
    if (was === undefined) return [`created ${name}`];
    if (is === undefined) return [`deleted ${name}`];
    return was.text !== is.text ? [`updated ${name}`] : [];
  });
}

const options = fc.record({
  limit: fc.constantFrom(1, 2, 5, 100),
  history: fc.constantFrom('published', 'snapshots'),
});

test('who polls sees each change once, and an unchanged run writes nothing', async () => {
  const host = await startHost(makeFolder());
  await checkLaw(
    'feed',
    fc.asyncProperty(
      fc.array(state, { minLength: 2, maxLength: 9 }),
      options,
      async (states, { limit, history }) => {
        const folder = makeRepository();
        host.folder = join(folder, 'nothing');
        const config: Partial<UserConfig> = {
          url: host.url,
          urls: 'file',
          history: history === 'published' ? history : 'snapshots:site',
          record: history !== 'published',
          page: true,
          // Three pages change at once at most; with one entry, all of them would be one.
          feed: { limit: Math.max(3, limit) },
        };
        const seen = new Set<string>();
        for (const [index, current] of states.entries()) {
          const site = join(folder, `${index}`);
          mkdirSync(site);
          makeSite(filesOf(current), site);
          await describeAt(index * 1000, { site, ...config });
          host.folder = site;
          const { entries, gone } = readFeed(site);
          const former = states[index - 1];
          const news = entries.filter(({ id }) => !seen.has(id));
          expect(
            news.map(({ change, uri }) => `${change} ${decodeURI(uri.slice(host.url.length))}`).sort(),
          ).toEqual(former === undefined ? [] : tellChanges(former, current).sort());
          for (const id of gone) expect(seen).toContain(id);
          for (const { id } of entries) {
            expect(gone).not.toContain(id);
            seen.add(id);
          }

          const again = await describeAt(index * 1000 + 500, { site, ...config });
          expect(again.documents.filter(({ changed }) => changed)).toEqual([]);
        }
        rmSync(folder, { recursive: true });
      },
    ),
    fewer(20, 6),
  );
});
