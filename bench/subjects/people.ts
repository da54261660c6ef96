/** What pages say of themselves, and the files for people, against `describe` without them. */

import { join } from 'node:path';
import { configured, describeSite } from '../built.js';
import { copyOnce, folderOf, undescribe } from '../corpora/once.js';
import { HEADS_SITE, makePagesWithHeads } from '../corpora/pages.js';
import { makeRepository, PASTS, wordPast } from '../corpora/repositories.js';
import { wholeRun } from '../measure.js';
import { run } from '../processes.js';
import { compare, type Section } from '../section.js';

const SUBJECT = '20,000 pages with links in their heads';
const ALL = { pageLinks: true, noindex: 'skip', htmlLinks: true };

export const sections = [
  ofPages('people-page-links', { pageLinks: true }),
  ofPages('people-noindex', { noindex: 'skip' }),
  ofPages('people-pages', ALL),
  ofPast('people-page-feed', ['--page', '--feed'], { ratio: 1.25 }),
  ofPast('people-sitemap', ['--sitemap'], { ratio: 5 }),
  ofSecondRun('people-sitemap-again', ['--sitemap'], { ratio: 1.1 }),
  ofPast('people-noindex-history', configured('people-noindex-history', { noindex: 'skip' })),
];

/** Pages have the links of `htmlLinks` from the first run on, as both sides then find them. */
function ofPages(name: string, options: object): Section {
  const describe = (...more: readonly string[]) => describeSite(HEADS_SITE, '--history', 'none', ...more);
  return compare({
    name,
    subject: SUBJECT,
    prepare: async () => {
      await makePagesWithHeads();
      await run(describe(...configured('people-all', ALL)));
    },
    reset: () => undescribe(HEADS_SITE),
    finish: () => undescribe(HEADS_SITE),
    a: wholeRun(`describe with ${Object.keys(options).join(', ')}`, describe(...configured(name, options))),
    b: wholeRun('describe', describe()),
    target: { ratio: 1.6 },
  });
}

function ofPast(name: string, options: readonly string[], target?: { readonly ratio: number }): Section {
  const past = PASTS.pages1k;
  const folder = folderOf(past.name);
  return compare({
    name,
    subject: wordPast(past),
    tools: ['git'],
    prepare: async () => {
      await makeRepository(past);
    },
    reset: () => undescribe(join(folder, 'site')),
    finish: () => undescribe(join(folder, 'site')),
    a: wholeRun(`describe ${options.join(' ')}`, describeSite('site', ...options), folder),
    b: wholeRun('describe with that history', describeSite('site'), folder),
    target,
  });
}

/** Both find what they wrote before, so each has a folder of its own. */
function ofSecondRun(name: string, options: readonly string[], target: { readonly ratio: number }): Section {
  const past = PASTS.pages1k;
  const [folder, other] = [folderOf(past.name), folderOf(name)];
  const [a, b] = [describeSite('site', ...options), describeSite('site')];
  return compare({
    name,
    subject: `${wordPast(past)}, described before`,
    tools: ['git'],
    prepare: async () => {
      await makeRepository(past);
      await copyOnce(folder, name);
    },
    reset: () => undefined,
    finish: () => {
      undescribe(join(folder, 'site'));
      undescribe(join(other, 'site'));
    },
    a: wholeRun(`describe ${options.join(' ')}`, a, other),
    b: wholeRun('describe with that history', b, folder),
    target,
  });
}
