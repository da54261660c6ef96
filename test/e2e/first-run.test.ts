/** The first build of a site: it ends well, says once what else could be written, and later builds repeat nothing. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SITE_URL } from '../support/command.js';
import { makeRepository } from '../support/git.js';
import { callCli, makeSite } from '../support/site.js';

const PAGE = '<!doctype html><title>Home</title><p>Welcome';

/** A repository with a built site that git ignores. */
function makeBuilt(files: Readonly<Record<string, string>> = { 'index.html': PAGE }): string {
  const folder = makeRepository();
  makeSite({ '.gitignore': 'dist/\n' }, folder);
  makeSite(files, join(folder, 'dist'));
  return folder;
}

const build = (cwd: string, ...flags: readonly string[]) =>
  callCli(['dist', '--url', `${SITE_URL}path/`, ...flags], { cwd });

const codesIn = (text: string) => Array.from(text.matchAll(/\(([a-z-]+)\)$/gm), ([, code]) => code);

test('it warns of nothing, and later builds repeat nothing but with --verbose', async () => {
  const cwd = makeBuilt();
  const first = await build(cwd);
  expect(first.status).toBe(0);
  expect(first.stderr).not.toContain('Warning');
  expect(codesIn(first.stderr)).toEqual(['well-known-under-path', 'no-publication', 'sitemap-feed-page']);
  expect((await callCli(['record', 'dist'], { cwd })).status).toBe(0);
  expect(await build(cwd)).toMatchObject({ status: 0, stderr: '' });
  const verbose = await build(cwd, '--verbose');
  expect(codesIn(verbose.stderr)).toEqual(['well-known-under-path', 'changes-known-from']);
});

test.each<[files: Record<string, string>, flags: string[], names: string[]]>([
  [{ 'index.html': PAGE }, [], ['--sitemap', '--feed', '--page']],
  [{ 'index.html': PAGE }, ['--feed'], ['--sitemap', '--page']],
  [{ 'index.html': PAGE }, ['--sitemap', '--feed', '--page'], []],
  [{ 'data.csv': '1' }, [], []],
])('of %j with %j, it names %j', async (files, flags, names) => {
  const { stderr } = await build(makeBuilt(files), ...flags);
  const line = stderr.split('\n').find((text) => text.endsWith('(sitemap-feed-page)')) ?? '';
  expect(Array.from(line.matchAll(/--\w+/g), ([name]) => name)).toEqual(names);
});
