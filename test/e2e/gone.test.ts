/** `diff --gone` finds what answers every address that was published once. */

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { UserConfig } from '../../src/config/options.js';
import type { GoneReport } from '../../src/diff/gone/model.js';
import { describe as describeSite, diff } from '../../src/index.js';
import { cloneOf, commitFiles, makeRepository } from '../support/git.js';
import { startHost } from '../support/host.js';
import { pageOf } from '../support/people.js';
import { callCli, makeFolder, makeSite } from '../support/site.js';

const SITE = 'https://example.org/';
const HOME = pageOf('Home', 'Welcome.');
const WORDS = ['The ferry leaves at noon.', 'Bring a coat.', 'Nobody swims here.', 'Dogs may come along.'];
const long = (title: string, words: readonly string[] = WORDS) =>
  pageOf(title, words.map((text) => `<p>${text}</p>`).join(''));
type Files = Readonly<Record<string, string>>;

/** Commits states of a site, a day apart; the last one is the build. */
function publish(...states: readonly Files[]): { folder: string; site: string } {
  const folder = makeRepository();
  const inSite = (files: Files) =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`site/${path}`, text]));
  const past = states.slice(0, -1);
  for (const [day, files] of past.entries()) {
    rmSync(join(folder, 'site'), { recursive: true, force: true });
    commitFiles(folder, day * 86_400, inSite(files));
  }
  rmSync(join(folder, 'site'), { recursive: true, force: true });
  makeSite(inSite(states.at(-1) ?? {}), folder);
  return { folder, site: join(folder, 'site') };
}

async function findGone(site: string, more: Partial<UserConfig> = {}, project?: string): Promise<GoneReport> {
  const options = project === undefined ? { gone: true } : { gone: true, project };
  const { gone } = await diff({ site, url: SITE, ...more }, options);
  if (gone === undefined) throw new Error('there is no report');
  return gone;
}

const pathsOf = (list: readonly { readonly uri: string }[]) =>
  list.map(({ uri }) => uri.slice(SITE.length - 1));

test('a page that moves three times leaves three addresses, and all lead to where it is', async () => {
  const page = long('Ferry');
  const { site } = publish(
    { 'index.html': HOME, 'a/index.html': page },
    { 'index.html': HOME, 'b/index.html': page },
    { 'index.html': HOME, 'c/index.html': page },
    { 'index.html': HOME, 'd/index.html': page, _redirects: '/a/ /b/\n/b/ /c/\n' },
  );
  const before = await findGone(site);
  expect(before).toMatchObject({ there: 1, redirected: [], withdrawn: [] });
  expect(before.nowhere).toMatchObject([
    { uri: `${SITE}a/`, to: `${SITE}c/`, by: '_redirects:1', reason: 'gone', since: '2023-11-15T22:13:20Z' },
    { uri: `${SITE}b/`, to: `${SITE}c/`, by: '_redirects:2', moved: { uri: `${SITE}d/`, like: 'text' } },
  ]);
  expect(before.gone).toEqual([
    {
      uri: `${SITE}c/`,
      moved: { uri: `${SITE}d/`, like: 'text' },
      redirect: { file: '_redirects', text: '/c/ /d/ 301' },
    },
  ]);
  writeFileSync(join(site, '_redirects'), '/a/ /b/\n/b/ /c/\n/c/ /d/ 301\n');
  const after = await findGone(site);
  expect(after).toMatchObject({ nowhere: [], gone: [] });
  expect(after.redirected).toMatchObject(
    ['a', 'b', 'c'].map((name) => ({ uri: `${SITE}${name}/`, to: `${SITE}d/` })),
  );
});

test('a page that came back is there; one that was never published is no address', async () => {
  const { site } = publish(
    { 'index.html': HOME, 'a.html': long('A') },
    { 'index.html': HOME },
    { 'index.html': HOME, 'a.html': long('A again', ['Something else.']), 'new.html': long('New') },
  );
  expect(await findGone(site)).toMatchObject({ there: 2, gone: [], nowhere: [] });
});

test('a text is found by its words, or by its title and most of them, in pages that have changed', async () => {
  const [first = '', ...others] = WORDS;
  const { site } = publish(
    {
      'index.html': HOME,
      'same.html': long('Old title'),
      'edited.html': long('Harbour', [...others, 'Closed in May.']),
      'other.html': long('Prices', ['All prices are in crowns.']),
      'twin.html': long('Old title'),
    },
    {
      'index.html': HOME,
      'twin.html': long('Old title'),
      'x/same.html': long('New title'),
      'x/edited.html': long('Harbour', [...others, 'Open again.', first]),
      'x/other.html': long('Prices', ['All prices have risen.']),
    },
  );
  const { gone } = await findGone(site, { exclude: ['twin.html'] });
  expect(
    gone.map(({ uri, moved }) => [uri.slice(SITE.length), moved?.uri.slice(SITE.length), moved?.like]),
  ).toEqual([
    ['edited.html', 'x/edited.html', 'most'],
    ['other.html', undefined, undefined],
    ['same.html', 'x/same.html', 'text'],
  ]);
});

test('the text of a copy is where it was copied from', async () => {
  const page = long('Ferry');
  const { site } = publish(
    { 'index.html': HOME },
    { 'index.html': HOME, 'ferry.html': page },
    { 'index.html': HOME, 'ferry.html': page, 'copy.html': page },
    { 'index.html': HOME, 'ferry.html': page },
  );
  expect((await findGone(site)).gone).toMatchObject([
    { uri: `${SITE}copy.html`, moved: { uri: `${SITE}ferry.html`, like: 'text' } },
  ]);
});

test('redirects are read from pages, from netlify.toml and from vercel.json beside the configuration', async () => {
  const refresh = (target: string) =>
    pageOf('Moved', '', `<meta http-equiv="Refresh" content="0; URL='${target}'">`);
  const old = {
    'index.html': HOME,
    'a/index.html': long('A'),
    'b/index.html': long('B'),
    'c/index.html': long('C'),
  };
  const { site, folder } = publish(old, {
    'index.html': HOME,
    'new/index.html': long('New'),
    'a/index.html': refresh('../new/'),
    'b/index.html': refresh('/nowhere/'),
  });
  expect((await findGone(site)).gone).toMatchObject([{ uri: `${SITE}c/` }]);
  const none = await findGone(site, {}, folder);
  expect(none.redirected).toEqual([{ uri: `${SITE}a/`, to: `${SITE}new/`, by: `${SITE}a/`, leaves: false }]);
  expect(none.nowhere).toMatchObject([{ uri: `${SITE}b/`, to: `${SITE}nowhere/` }]);

  const project = makeFolder();
  writeFileSync(join(project, 'netlify.toml'), '[[redirects]]\nfrom = "/c/*"\nto = "/new/"\n');
  expect(pathsOf((await findGone(site, {}, project)).redirected)).toEqual(['/a/', '/c/']);
  writeFileSync(join(project, 'netlify.toml'), '');
  writeFileSync(
    join(project, 'vercel.json'),
    '{ "redirects": [{ "source": "/:x(c|d)/", "destination": "https://other.example/" }] }',
  );
  expect((await findGone(site, {}, project)).redirected).toContainEqual({
    uri: `${SITE}c/`,
    to: 'https://other.example/',
    by: 'vercel.json:1',
    leaves: true,
  });
});

test.each([
  ['_redirects', '', '/old.html /new.html 301'],
  ['netlify.toml', '', '[[redirects]]\nfrom = "/old.html"\nto = "/new.html"\nstatus = 301'],
  ['vercel.json', '{}', '{ "source": "/old.html", "destination": "/new.html", "permanent": true }'],
  ['index.html', HOME, expect.stringContaining('<meta http-equiv="refresh" content="0; url=/new.html">')],
])('with %s, a redirect is proposed in its form, and works', async (file, content, proposed) => {
  const { site } = publish(
    { 'index.html': HOME, 'old.html': long('Page') },
    { 'index.html': HOME, 'new.html': long('Page'), [file]: content },
  );
  const { gone } = await findGone(site);
  const { redirect } = gone[0] ?? {};
  expect(redirect).toEqual({ file: file === 'index.html' ? 'old.html' : file, text: proposed });
  const text = redirect?.text ?? '';
  const written = file === 'vercel.json' ? `{ "redirects": [${text}] }` : text;
  writeFileSync(join(site, redirect?.file ?? ''), `\ufeff${written}`);
  expect(await findGone(site)).toMatchObject({
    gone: [],
    nowhere: [],
    redirected: [{ to: `${SITE}new.html` }],
  });
});

test('addresses that were given up need no answer; a glob without one is named', async () => {
  const { site } = publish(
    { 'index.html': HOME, 'old/a.html': '1', '2019/b/index.html': '2', 'c.html': '3', 'x.png': 'x' },
    { 'index.html': HOME },
  );
  const given = ['/old/**', '/2019/*', '/never/*', `${SITE}c.html`];
  const report = await findGone(site, { gone: given });
  expect(report).toMatchObject({ gone: [], idle: ['/never/*'] });
  expect(report.withdrawn).toEqual(['2019/b/', 'c.html', 'old/a.html'].map((path) => SITE + path));
  expect(pathsOf((await findGone(site, { gone: { files: true, addresses: given } })).gone)).toEqual([
    '/x.png',
  ]);
});

test.each(['', '<!doctype html><body></body>'])(
  'a page without text (%j) has not moved to another',
  async (page) => {
    const { site } = publish(
      { 'index.html': HOME, 'old.html': page },
      { 'index.html': HOME, 'other.html': page },
    );
    const [lost, ...others] = (await findGone(site)).gone;
    expect(others).toEqual([]);
    expect(lost).toMatchObject({ uri: `${SITE}old.html` });
    expect(lost).not.toHaveProperty('redirect');
  },
);

test('people read what is gone and what to paste; the status says so, too', async () => {
  const { site, folder } = publish(
    { 'index.html': HOME, 'old.html': long('Page'), 'lost.html': 'x' },
    { 'index.html': HOME, 'new.html': long('Page'), _redirects: '/x /y odd\n' },
  );
  const args = ['diff', site, '--url', SITE];
  const { stdout, status } = await callCli([...args, '--gone'], { cwd: folder });
  expect(status).toBe(1);
  expect(stdout).toContain('Addresses  3 since 2023-11-14T22:13:20Z: 1 there, 2 gone\n');
  expect(stdout).toContain(`  Gone  ${SITE}lost.html  with this build\n`);
  expect(stdout).toContain(`        Its text is now at ${SITE}new.html\n`);
  expect(stdout).toContain(
    '\nRedirects to paste into _redirects, before all others:\n/old.html /new.html 301\n',
  );
  expect(stdout).toContain('1 redirect rule is not understood: _redirects:1');

  const plain = await callCli(args, { cwd: folder });
  expect(plain.status).toBe(0);
  expect(plain.stdout).toContain(
    '2 pages of the last publication are gone. --gone finds out whether redirects answer.',
  );

  writeFileSync(join(site, '_redirects'), '/* / 301\n');
  const { stdout: json, status: right } = await callCli([...args, '--gone', '--json'], { cwd: folder });
  expect(right).toBe(0);
  expect(JSON.parse(json).gone).toMatchObject({ there: 1, gone: [], nowhere: [], redirected: [{}, {}] });
});

test('with what is live, the Change List knows the addresses', async () => {
  const host = await startHost(makeFolder());
  const config = { url: host.url, history: 'published' } as const;
  const states: readonly Files[] = [
    { 'index.html': HOME, 'a.html': long('A'), 'b.html': long('B') },
    { 'index.html': HOME, 'b.html': long('B') },
    { 'index.html': HOME, 'c.html': long('B') },
  ];
  for (const files of states.slice(0, 2)) {
    const site = makeSite(files);
    await describeSite({ ...config, site, sitemap: true });
    host.folder = site;
  }
  const { gone } = await diff({ ...config, site: makeSite(states[2] ?? {}) }, { gone: true });
  expect(gone?.gone[0]).toEqual({ uri: `${host.url}a.html`, since: expect.any(String) });
  expect(gone?.gone).toMatchObject([
    {},
    { uri: `${host.url}b.html`, moved: { uri: `${host.url}c.html`, like: 'text' } },
  ]);
});

test('a shallow clone says that it does not know all addresses', async () => {
  const states: Files[] = [
    { 'index.html': HOME, 'a.html': '1' },
    { 'index.html': HOME },
    { 'index.html': '2' },
    {},
  ];
  const { folder } = publish(...states);
  const site = join(cloneOf(folder, '--depth=2'), 'site');
  expect(await findGone(site)).toMatchObject({ truncated: true, gone: [], there: 1 });
});

test.each([
  ['vercel.json', '{', 'it is no JSON'],
  ['netlify.toml', '[[', 'line 1 is no TOML'],
  ['_redirects', '/a /b\n'.repeat(100_001), 'more than 100000 redirect rules'],
  ['_redirects', 'x'.repeat(17 * 1024 ** 2), 'more than 16777216 bytes'],
])('%s is refused if it cannot be read', async (file, text, problem) => {
  const { site } = publish({ 'index.html': HOME }, { 'index.html': HOME, [file]: text });
  await expect(findGone(site)).rejects.toMatchObject({
    code: 'redirects-unreadable',
    message: expect.stringContaining(problem),
  });
});

test('patterns that would take for ever are stopped', async () => {
  const path = `${'a'.repeat(60)}b`;
  const { site } = publish(
    { 'index.html': HOME, [`${path}.html`]: '1' },
    {
      'index.html': HOME,
      'vercel.json': '{ "redirects": [{ "source": "/:x((?:a+)+)", "destination": "/" }] }',
    },
  );
  await expect(findGone(site)).rejects.toMatchObject({ code: 'redirects-unreadable' });
});

test('a file of rules that is a link or a folder is not read', async () => {
  const { site } = publish({ 'index.html': HOME, 'a.html': '1' }, { 'index.html': HOME });
  const elsewhere = join(makeFolder(), 'rules');
  writeFileSync(elsewhere, '/* / 301\n');
  symlinkSync(elsewhere, join(site, '_redirects'));
  await expect(findGone(site)).rejects.toMatchObject({ code: 'redirects-unreadable' });
  mkdirSync(join(site, 'vercel.json'));
  await expect(findGone(site)).rejects.toMatchObject({ code: 'redirects-unreadable' });
});
