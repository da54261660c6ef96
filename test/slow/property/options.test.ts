/** The law of changing options: from whatever was listed before, changes lead to what is listed now, or the list begins anew. */

import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { test } from 'vitest';
import type { UserConfig } from '../../../src/config/options.js';
import { checkLaw, fewer } from '../../support/seed.js';
import { followList, type Kind, type Seen, startPublishing } from '../published-options.js';

/** Any few of these options. */
const choices: fc.Arbitrary<Partial<UserConfig>> = fc
  .record({
    exclude: fc.subarray(['terms.txt', 'b.html', 'nothing-like-this']),
    include: fc.subarray(['404.html']),
    urls: fc.constantFrom('directory', 'clean', 'file'),
    noindex: fc.constantFrom('keep', 'skip'),
    sitemap: fc.boolean(),
  })
  .map((config) => config as Partial<UserConfig>);

const step = fc.record({
  /** Which of the options: few, so that they come back. */
  choice: fc.nat({ max: 2 }),
  files: fc.dictionary(
    fc.constantFrom('index.html', 'b.html', 'terms.txt', '404.html', 'hidden.html'),
    fc.constantFrom('one', 'two', '<meta name="robots" content="noindex">'),
    { maxKeys: 2 },
  ),
});

test('a Destination that follows the standard has what is listed, whatever the options were', async () => {
  await checkLaw(
    'options',
    fc.asyncProperty(
      fc.constantFrom<Kind>('committed', 'branch', 'snapshots'),
      fc.tuple(choices, choices, choices),
      fc.array(step, { minLength: 2, maxLength: 6 }),
      async (kind, options, steps) => {
        const { repository, served, publish } = startPublishing(kind);
        // One comes every time, the others now and then.
        const seen: (Seen | undefined)[] = [undefined, undefined];
        for (const [index, { choice, files }] of steps.entries()) {
          await publish(1000 * index, files, options[choice]);
          for (const [place, before] of seen.entries())
            if (index % (place + 1) === 0) seen[place] = followList(served, before);
        }
        for (const folder of [repository, served]) rmSync(folder, { recursive: true, force: true });
      },
    ),
    fewer(60, 5),
  );
});
