/** Branches that deploys write, with folders that no build has. */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeAt, tellChanges } from '../support/changes.js';
import { commitFiles, git, makeRepository } from '../support/git.js';
import { makeSite } from '../support/site.js';

type Deploys = readonly Readonly<Record<string, string | undefined>>[];

/** Deploys to a branch, each as what it changes; the site is what the last build wrote. */
async function describeDeployed(deploys: Deploys, site: Readonly<Record<string, string>>, config = {}) {
  const branch = makeRepository();
  for (const [index, files] of deploys.entries()) commitFiles(branch, index * 100, files);
  const repository = makeRepository();
  git(repository, ['fetch', '--quiet', branch, 'main:gh-pages']);
  const folder = join(
    makeSite(
      Object.fromEntries(Object.entries(site).map(([path, text]) => [`dist/${path}`, text])),
      repository,
    ),
    'dist',
  );
  const { notices } = await describeAt(1000, { site: folder, history: 'gh-pages', ...config });
  return {
    kept: notices.filter(({ code }) => code === 'kept-on-branch'),
    idle: notices.filter(({ code }) => code === 'globs-match-nothing'),
    changes: tellChanges(folder),
  };
}

const kept = (folder: string, count: number) => ({
  code: 'kept-on-branch',
  severity: 'warning',
  ref: 'gh-pages',
  folder,
  count,
});

const PAGES = { 'index.html': 'one', 'about/index.html': 'one' };
const SITE = { ...PAGES, 'index.html': 'two' };

describe('a folder that no build has', () => {
  test.each<[what: string, deploys: Deploys, folder: string, count: number]>([
    [
      'of previews',
      [
        PAGES,
        { 'pr-preview/pr-7/index.html': 'one', 'pr-preview/pr-7/a.css': 'one' },
        { 'index.html': 'two' },
      ],
      'pr-preview',
      2,
    ],
    [
      'within one that builds have',
      [PAGES, { 'about/v1/index.html': 'one' }, { 'index.html': 'two' }],
      'about/v1',
      1,
    ],
    [
      'that was changed since',
      [PAGES, { 'p/a.html': 'one' }, { 'p/a.html': 'two' }, { 'index.html': 'two' }],
      'p',
      1,
    ],
  ])('%s is told to be kept, until it is left out', async (_, deploys, folder, count) => {
    const found = await describeDeployed(deploys, SITE);
    expect(found.kept).toEqual([kept(folder, count)]);
    expect(found.changes.at(-1)).toContain('deleted');
    const { changes, ...notices } = await describeDeployed(deploys, SITE, { exclude: [`${folder}/**`] });
    expect(notices).toEqual({ kept: [], idle: [] });
    expect(changes.filter((line) => line.includes(` /${folder}`))).toEqual([]);
  });

  test.each<[what: string, deploys: Deploys]>([
    ['but the first deploy', [{ ...PAGES, 'old/a.html': 'one' }, { 'index.html': 'two' }]],
    [
      'but one with other pages',
      [PAGES, { 'old/a.html': 'one', 'index.html': 'three' }, { 'index.html': 'two' }],
    ],
    ['but the newest deploy', [{ ...PAGES, 'index.html': 'two' }, { 'old/a.html': 'one' }]],
    ['but every deploy', [PAGES, { 'old/a.html': 'one' }, { 'old/a.html': 'two', 'index.html': 'two' }]],
  ])('%s is deleted', async (_, deploys) => {
    const found = await describeDeployed(deploys, SITE);
    expect(found.kept).toEqual([]);
    expect(found.changes.at(-1)).toBe('+1000 deleted /old/a.html');
  });
});

test('globs that match neither the site nor its history are told', async () => {
  const deploys = [PAGES, { 'old/a.csv': 'one' }, { 'old/a.csv': undefined, 'index.html': 'two' }];
  const sets = [{ name: 'all', exclude: ['old/*.csv', 'new/*.csv'] }];
  const { idle } = await describeDeployed(deploys, SITE, {
    exclude: ['old/**', 'odl/**'],
    sets,
    type: { '*.csv': 'text/csv' },
  });
  expect(idle).toMatchObject([{ globs: [{ glob: 'odl/**' }, { glob: 'new/*.csv' }, { option: 'type' }] }]);
});
