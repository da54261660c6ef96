/** The folder of a project in place of what its build writes, and globs that match nothing. */

import { describe, expect, test } from 'vitest';
import { describe as describeSite, diff, type UserConfig } from '../../src/index.js';
import { listedUris, SITE_URL } from '../support/command.js';
import { callCli, makeSite, readTree } from '../support/site.js';

const PROJECT = {
  'package.json': '{}',
  'node_modules/a/index.js': 'a',
  'node_modules/.bin/a': 'a',
  'src/page.md': '# Page',
};
const pathsOf = (site: string) => listedUris(site).map((uri) => uri.slice(SITE_URL.length));
const run = (site: string, more: Partial<UserConfig> = {}) =>
  describeSite({ site, url: SITE_URL, history: 'none', ...more });

describe('a project', () => {
  test.each<[what: string, files: Record<string, string>]>([
    ['its packages', PROJECT],
    ['what its build wrote', { ...PROJECT, 'dist/index.html': 'home' }],
    ['a repository', { 'package.json': '{}', '.git/HEAD': 'ref: refs/heads/main', 'pages/a.html': 'a' }],
    ['a file .git', { 'package.json': '{}', '.git': 'gitdir: ..', 'readme.md': 'a' }],
  ])('with %s is refused, and the folder that is meant is asked for', async (_, files) => {
    const cwd = makeSite(files);
    const before = readTree(cwd);
    const { status, stderr } = await callCli(['.', '--url', SITE_URL], { cwd });
    expect(status).toBe(2);
    expect(stderr).toMatch(/is the folder of a project.*\nName the folder that the build writes/);
    expect(readTree(cwd)).toEqual(before);
    await expect(diff({ site: cwd, url: SITE_URL })).rejects.toMatchObject({ code: 'site-is-project' });
  });

  test.each<[what: string, files: Record<string, string>, paths: string[]]>([
    ['a page', { ...PROJECT, 'index.html': 'a' }, ['', 'package.json', 'src/page.md']],
    ['any page', { ...PROJECT, 'Home.HTM': 'a' }, ['Home.HTM', 'package.json', 'src/page.md']],
    ['a manifest alone', { 'package.json': '{}', 'a.txt': 'a' }, ['a.txt', 'package.json']],
    ['packages alone', { 'node_modules/a/index.js': 'a', 'a.txt': 'a' }, ['a.txt']],
  ])('with %s is a site', async (_, files, paths) => {
    const site = makeSite(files);
    await run(site);
    expect(pathsOf(site)).toEqual(paths);
  });

  test('packages that are named are listed', async () => {
    const site = makeSite({ 'index.html': 'a', ...PROJECT });
    const { skipped, notices } = await run(site, { include: ['node_modules/a/**'], exclude: ['src'] });
    expect(pathsOf(site)).toEqual(['', 'node_modules/a/index.js', 'package.json']);
    expect(skipped).toEqual({ 'node-modules': 1, excluded: 1 });
    expect(notices.map(({ code }) => code)).not.toContain('include-without-effect');
  });
});

describe('globs', () => {
  const FILES = { 'index.html': 'a', 'data/a.csv': 'b', '404.html': 'c', '.cache/x': 'd' };

  test('that match nothing are named, all of them', async () => {
    const { notices } = await run(makeSite(FILES), {
      include: ['404.htm', '404.html', 'data/**'],
      exclude: ['draft/**', '*.map', '.cache/**'],
      sets: [{ name: 'all', include: ['**', 'docs/**'], exclude: ['404.html'] }],
      type: { 'data/*.csv': 'text/csv', '*.geojson': 'application/geo+json' },
      changefreq: { '**': 'daily', 'docs/*': 'never' },
    });
    expect(notices.filter(({ code }) => code === 'globs-match-nothing')).toEqual([
      {
        code: 'globs-match-nothing',
        severity: 'warning',
        globs: [
          { option: 'include', glob: '404.htm' },
          { option: 'exclude', glob: 'draft/**' },
          { option: 'exclude', glob: '*.map' },
          { option: 'sets[0].include', glob: 'docs/**' },
          { option: 'type', glob: '*.geojson' },
          { option: 'changefreq', glob: 'docs/*' },
        ],
      },
    ]);
    expect(notices).toContainEqual({
      code: 'include-without-effect',
      severity: 'warning',
      glob: 'data/**',
    });
  });

  test('a mistake in one is told on the terminal', async () => {
    const cwd = makeSite({ 'dist/index.html': 'a', 'dist/drafts/a.html': 'b' });
    const { stderr } = await callCli(['dist', '--url', SITE_URL, '--exclude', 'draft/**'], { cwd });
    expect(stderr).toMatch(
      /^Warning This glob matches no file: exclude "draft\/\*\*"\. Check how it is written/m,
    );
  });

  test('that match are not told', async () => {
    const { notices } = await run(makeSite(FILES), {
      include: ['404.html'],
      exclude: ['data', '.cache/**'],
      type: { '*.html': 'text/html' },
    });
    expect(notices.map(({ code }) => code)).toEqual(['no-history']);
  });
});
