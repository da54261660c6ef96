/** What a terminal shows of a run: each step once, in the order of the work. */

import { expect, test } from 'vitest';
import { formatProgress } from '../../src/cli/words/progress.js';
import type { UserConfig } from '../../src/config/options.js';
import { describeAt } from '../support/changes.js';
import { BEGIN, commitAll, makeRepository } from '../support/git.js';
import { pageOf } from '../support/people.js';
import { makeSite } from '../support/site.js';

const ALL: Partial<UserConfig> = {
  dumps: true,
  archives: { period: 'day' },
  versions: true,
  page: true,
  feed: true,
  sitemap: true,
  pageLinks: true,
};
const READ = ['Reading files…', 'Reading history…'];
const WRITE = ['Planning documents…', 'Writing documents…'];

test.each<[what: string, options: Partial<UserConfig>, lines: readonly string[]]>([
  ['a plain site', {}, [...READ, ...WRITE]],
  ['a site without a history', { history: 'none' }, [...READ, ...WRITE]],
  ['dumps, archives, versions, page, feed and sitemap', ALL, [...READ, 'Packing files…', ...WRITE]],
  [
    'files that are edited first',
    { robots: true, headers: 'netlify' },
    ['Reading files…', 'Linking pages…', ...READ, ...WRITE],
  ],
  // What was staged is moved once it is recorded.
  [
    'a publication that is recorded',
    { record: true },
    [...READ, ...WRITE, 'Recording…', 'Writing documents…'],
  ],
])('of %s', async (_, options, lines) => {
  const site = makeSite({ 'index.html': pageOf('Home', 'one') }, makeRepository());
  commitAll(site, BEGIN);
  const history = options.record ? 'snapshots' : 'auto';
  for (const [index, text] of ['one', 'two', 'two'].entries()) {
    makeSite({ 'index.html': pageOf('Home', text), 'a.html': pageOf('A', text) }, site);
    const seen: string[] = [];
    await describeAt(100 * (index + 1), { site, history, ...options }, (progress) => {
      if (progress.waiting === undefined) seen.push(formatProgress(progress));
    });
    const steps = seen.map((line) =>
      line.replace('Checking packages…', 'Packing files…').replace(/…[^…]*$/, '…'),
    );
    expect(steps.filter((line, place) => line !== steps[place - 1])).toEqual(lines);
  }
});
