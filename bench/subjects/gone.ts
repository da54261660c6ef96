/** `diff --gone` against `diff`. */

import { cpSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resyncStatic } from '../built.js';
import { folderOf, makeOnce, undescribe } from '../corpora/once.js';
import { makeRepository, PASTS, REPOSITORY_FILES, SECTIONS, wordPast } from '../corpora/repositories.js';
import { wholeRun } from '../measure.js';
import { compare, type Section } from '../section.js';

const NAME = 'gone';
const PAST = PASTS.pages1k;
const RULES = 2000;

export const sections: readonly Section[] = [withRedirects()];

/** A tenth of the pages have moved to other folders since the last publication; there is a rule for each, and half have a wildcard. */
function withRedirects(): Section {
  const folder = folderOf(NAME);
  const diff = ['diff', 'site', '--url', 'https://example.org/', '--quiet'];
  return compare({
    name: 'gone-redirects',
    subject: `${wordPast(PAST)}, ${RULES} of them moved, ${RULES} redirects`,
    tools: ['git'],
    prepare: async () => {
      const source = await makeRepository(PAST);
      await makeOnce(NAME, { ...PAST, RULES }, () => {
        cpSync(source, folder, { recursive: true });
        movePages(join(folder, 'site'));
      });
    },
    reset: () => undescribe(join(folder, 'site')),
    a: wholeRun('diff --gone', resyncStatic(...diff, '--gone'), folder),
    b: wholeRun('diff', resyncStatic(...diff), folder),
    target: { adds: 1000 },
  });
}

function movePages(site: string): void {
  const moved = SECTIONS * (RULES / REPOSITORY_FILES);
  for (let section = 0; section < moved; section++)
    renameSync(join(site, `${section}`), join(site, `moved-${section}`));
  const pages = Array.from({ length: REPOSITORY_FILES }, (_, index) => [index % SECTIONS, index] as const);
  const lines = pages
    .filter(([section]) => section < moved)
    .map(([section, index]) =>
      index % 2 === 0
        ? `/${section}/${index}/ /moved-${section}/${index}/ 301\n`
        : `/${section}/${index}/* /moved-${section}/${index}/:splat 301\n`,
    );
  writeFileSync(join(site, '_redirects'), lines.join(''));
}
