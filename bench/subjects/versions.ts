/** `describe` with versions against `describe` with the same history: the first time, and when nothing has changed. */

import { join } from 'node:path';
import { configured, describeSite } from '../built.js';
import { folderOf, undescribe } from '../corpora/once.js';
import { makeRepository, PASTS, wordPast } from '../corpora/repositories.js';
import { wholeRun } from '../measure.js';
import { run } from '../processes.js';
import { compare, type Section, type Target } from '../section.js';

const PAST = PASTS.publications1k;
const FOLDER = folderOf(PAST.name);
const SITE = join(FOLDER, 'site');
const VERSIONS = configured('versions', { versions: true });

export const sections: readonly Section[] = [
  withAndWithout('versions-1k-first', 'describe with versions, the first time', () => undescribe(SITE)),
  withAndWithout(
    'versions-1k-again',
    'describe with versions, nothing changed',
    async (side) => {
      if (side === 'b') undescribe(SITE);
      // What is right already is not written.
      else await run(describeSite('site', ...VERSIONS), { cwd: FOLDER });
    },
    { ratio: 1.5 },
  ),
];

function withAndWithout(
  name: string,
  label: string,
  reset: (side: 'a' | 'b') => void | Promise<void>,
  target?: Target,
): Section {
  return compare({
    name,
    subject: wordPast(PAST),
    tools: ['git'],
    prepare: async () => {
      await makeRepository(PAST);
    },
    reset,
    finish: () => undescribe(SITE),
    a: wholeRun(label, describeSite('site', ...VERSIONS), FOLDER),
    b: wholeRun('describe with the same history', describeSite('site'), FOLDER),
    target,
  });
}
