/** The laws of `--history published`: it tells what git tells of the same publications, and leads to the live site. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UserConfig } from '../../../src/config/options.js';
import { describeAt, readDocuments } from '../../support/changes.js';
import { makeRepository } from '../../support/git.js';
import { deploy, startHost } from '../../support/host.js';
import { checkLaw, fewer } from '../../support/seed.js';
import { makeFolder, makeSite } from '../../support/site.js';

const NAMES = [
  ...['a.html', 'a/index.html', 'b.css', 'é ü.txt', 'data/one.json', 'data/two.json', '404.html'],
  '_headers',
];
const HIDDEN = '<meta name="robots" content="noindex">';
/** The contents of `_headers`, in place of those of other files. */
const RULES: Readonly<Record<string, string>> = {
  one: '/a\n  X-Robots-Tag: noindex\n',
  two: '/data/*\n  X-Robots-Tag: none\n',
};
const DAY = 86_400;

interface Step {
  readonly files: readonly (string | undefined)[];
  readonly seconds: number;
  /** A build that is not deployed, or one that is done again. */
  readonly fate: 'deployed' | 'lost' | 'repeated';
}

const step: fc.Arbitrary<Step> = fc.record({
  files: fc.tuple(
    ...NAMES.map(() =>
      fc.option(fc.constantFrom('one', 'one', 'two', '', HIDDEN), { nil: undefined, freq: 2 }),
    ),
  ),
  // Clocks stand still and run backwards, too.
  seconds: fc.constantFrom(-50, 0, 1, 60, DAY, 3 * DAY, 40 * DAY),
  fate: fc.constantFrom('deployed', 'deployed', 'deployed', 'lost', 'repeated'),
});

const setsOf = (count: number) =>
  [
    undefined,
    [
      { name: 'pages', include: ['**/*.html'] },
      { name: 'rest', exclude: ['a.html'] },
    ],
  ][count - 1];

const options = fc.record({
  period: fc.option(fc.constantFrom('day' as const, 'week' as const, 'month' as const), { nil: undefined }),
  sets: fc.constantFrom(1, 2),
  dumps: fc.boolean(),
  noindex: fc.constantFrom('keep' as const, 'skip' as const),
});

/** The files of a step: at least one, and no two with one URL. */
function filesOf({ files }: Step): Record<string, string> {
  const contentOf = (name: string, text: string | undefined) =>
    name === '_headers' && text !== undefined ? (RULES[text] ?? text) : text;
  const built = NAMES.map((name, index) => [name, contentOf(name, files[index])] as const).filter(
    (file): file is [string, string] => file[1] !== undefined,
  );
  const tree = Object.fromEntries(built);
  if ('a.html' in tree) delete tree['a/index.html'];
  return { ...tree, 'index.html': 'home' };
}

interface Chosen {
  readonly period: string | undefined;
  readonly sets: number;
  readonly dumps: boolean;
  readonly noindex: 'keep' | 'skip';
}

function makeConfig(url: string, chosen: Chosen, window: number) {
  const { period, dumps, noindex } = chosen;
  const sets = setsOf(chosen.sets);
  return {
    url,
    urls: 'bare',
    hash: ['md5'],
    dumps,
    noindex,
    ...(sets !== undefined && { sets }),
    changes: { window, ...(period !== undefined && { period: period as 'day' }) },
  } satisfies Partial<UserConfig>;
}

test('the documents are those that snapshots in git give for the same publications', async () => {
  const host = await startHost(makeFolder());
  await checkLaw(
    'published and snapshots',
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), options, async (steps, chosen) => {
      const config = makeConfig(host.url, chosen, 36_500);
      const work = makeRepository();
      deploy(host, undefined, 'bare');
      let seconds = 0;
      let newest = Number.NEGATIVE_INFINITY;
      // git knows the moments of what changed nothing that is listed, too: what comes next is later than that.
      let earliest = Number.NEGATIVE_INFINITY;
      for (const [index, current] of steps.entries()) {
        seconds += chosen.noindex === 'skip' ? Math.max(1, current.seconds) : current.seconds;
        seconds = Math.max(seconds, earliest);
        const files = filesOf(current);
        const site = join(work, `${index}`);
        const copy = join(work, 'dist');
        rmSync(copy, { recursive: true, force: true });
        for (const folder of [site, copy]) makeSite(files, folder);
        const published = await describeAt(seconds, { ...config, site, history: 'published' });
        if (current.fate === 'lost') continue;
        const recorded = await describeAt(seconds, {
          ...config,
          site: copy,
          history: 'snapshots',
          record: true,
        });
        expect(readDocuments(site)).toEqual(readDocuments(copy));
        expect(published.changes).toEqual(recorded.changes);
        if (recorded.publication?.recorded === true) {
          newest = Math.max(seconds, newest + 1);
          // Such as a file that moved and kept its URL.
          earliest = recorded.publication.pending ? Number.NEGATIVE_INFINITY : newest + 1;
        }
        deploy(host, site, 'bare');
        if (current.fate !== 'repeated') continue;
        const again = makeSite(files, join(work, `${index} again`));
        const repeated = await describeAt(seconds + 1000, { ...config, site: again, history: 'published' });
        expect(readDocuments(again)).toEqual(readDocuments(site));
        expect(repeated.publication?.pending).toBe(false);
        deploy(host, again, 'bare');
      }
      rmSync(work, { recursive: true, force: true });
    }),
    fewer(8, 2),
  );
});
