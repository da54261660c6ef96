/** The sitemap: which pages it names, since when their texts are as they are, and that it is no resource. */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { audit } from '../../src/audit/index.js';
import type { UserConfig } from '../../src/config/options.js';
import { describe as describeSite, diff, record } from '../../src/index.js';
import { describeAt } from '../support/changes.js';
import { cloneOf, commitFiles, gitText, makeRepository } from '../support/git.js';
import { pageOf } from '../support/people.js';
import { makeFolder, makeSite, readTree } from '../support/site.js';
import { readEntries } from '../support/sitemap.js';

const URL_OF_SITE = 'https://example.org/';
const DAY = 86_400;
const DATES = ['2023-11-14', '2023-11-15', '2023-11-16', '2023-11-17'].map((day) => `${day}T22:13:20Z`);

const run = (folder: string, config: Partial<UserConfig> = {}) =>
  describeSite({ site: join(folder, 'site'), url: URL_OF_SITE, sitemap: true, ...config });

/** Four publications: what was there before, a new page and a text, other scripts everywhere, a text. */
function makeStory(): string {
  const folder = makeRepository();
  const pages = (script: string, texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        `site/${name}`,
        pageOf(name, text, `<script src="/${script}.js"></script>`),
      ]),
    );
  const before = { 'index.html': 'Home', 'about/index.html': 'We are two', 'old.html': 'Old' };
  commitFiles(folder, 0, pages('a1', before));
  const after = { ...before, 'about/index.html': 'We are three', 'new.html': 'New' };
  commitFiles(folder, DAY, pages('a1', after));
  commitFiles(folder, 2 * DAY, pages('b2', after));
  commitFiles(folder, 3 * DAY, pages('b2', { ...after, 'index.html': 'Sweet home' }));
  return folder;
}

describe('a sitemap of ours', () => {
  test('stands beside pages.json, which says that and more, and goes when nothing asks for it', async () => {
    const folder = makeStory();
    const file = join(folder, 'site/resourcesync/pages.json');
    await run(folder, { sitemap: false, feed: true, sums: true, withdraw: ['old.html'] });
    const { pages, at } = JSON.parse(readFileSync(file, 'utf8'));
    expect(at).toBe(DATES[3]);
    const said = { lang: 'en', text: expect.stringMatching(/^[\da-f]{16}$/) };
    expect(pages).toEqual([
      { ...said, url: URL_OF_SITE, title: 'index.html', changed: DATES[3] },
      { ...said, url: `${URL_OF_SITE}about/`, title: 'about/index.html', changed: DATES[1] },
      { ...said, url: `${URL_OF_SITE}new.html`, title: 'new.html', created: DATES[1] },
    ]);
    const read = (path: string) => readFileSync(join(folder, 'site', path), 'utf8');
    expect(read('.well-known/resourcesync')).toContain(
      `<rs:ln rel="urn:resync-static:pages" href="${URL_OF_SITE}resourcesync/pages.json" type="application/json"/>`,
    );
    expect(read('resourcesync/SHA256SUMS')).toContain('  resourcesync/pages.json\n');
    expect(read('resourcesync/resourcelist.xml')).not.toContain('pages.json');
    const { errors, warnings } = await audit({ source: join(folder, 'site') });
    expect({ errors, warnings }).toEqual({ errors: 0, warnings: 0 });
    await run(folder, { sitemap: false });
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, '{"generator":"another"}');
    await run(folder, { sitemap: false });
    expect(existsSync(file)).toBe(true);
    await expect(run(folder)).rejects.toThrow('was not written by resync-static');
  });

  test('says the same of a page beside one that became again what it was, and again', async () => {
    const folder = makeRepository();
    for (const [step, text] of ['One', 'Two', 'One', 'Three', 'One'].entries()) {
      const script = `<script src="/${step === 4 ? 'b2' : 'a1'}.js"></script>`;
      commitFiles(folder, step * DAY, {
        'site/index.html': pageOf('Home', text),
        'site/other.html': pageOf('Other', 'What is here stays', script),
      });
    }
    await run(folder);
    expect(readEntries(folder)).toEqual({ '/': '2023-11-18T22:13:20Z', '/other.html': undefined });
  });

  test('tells of a page whose former version git has lost', async () => {
    const folder = makeRepository();
    commitFiles(folder, 0, {
      'site/index.html': pageOf('Home', 'One'),
      'site/other.html': pageOf('Other', 'One'),
    });
    const id = gitText(folder, 'rev-parse', 'HEAD:site/index.html');
    commitFiles(folder, DAY, {
      'site/index.html': pageOf('Home', 'Two'),
      'site/other.html': pageOf('Other', 'Two'),
    });
    rmSync(join(folder, '.git', 'objects', id.slice(0, 2), id.slice(2)));

    const { notices } = await run(folder);

    expect(readEntries(folder)).toEqual({ '/': undefined, '/other.html': DATES[1] });
    expect(notices).toContainEqual(expect.objectContaining({ code: 'dates-not-moved', count: 1 }));
  });

  test('is no resource, makes no publication, and is written once', async () => {
    const folder = makeStory();
    for (let turn = 0; turn < 3; turn++) {
      const report = await run(folder);
      expect(report.publication).toMatchObject({ pending: false });
      expect(report.at).toBe(DATES[3]);
      expect(report.documents.filter(({ changed }) => changed).map(({ kind }) => kind)).toEqual(
        turn === 0 ? expect.arrayContaining(['sitemap']) : [],
      );
      expect(report.documents.find(({ kind }) => kind === 'sitemap')).toMatchObject({
        path: 'sitemap.xml',
        url: `${URL_OF_SITE}sitemap.xml`,
        entries: 4,
      });
      commitFiles(folder, (4 + turn) * DAY, {});
    }
    expect(readTree(join(folder, 'site'))['resourcesync/resourcelist.xml']).not.toContain('sitemap.xml');
    expect(await audit({ source: join(folder, 'site') })).toMatchObject({ errors: 0, warnings: 0 });
    expect((await diff({ site: join(folder, 'site'), url: URL_OF_SITE, sitemap: true })).changes).toEqual([]);
  });

  test('has the same dates from snapshots, and from a shallow clone what that knows', async () => {
    const folder = makeRepository();
    const site = join(folder, 'site');
    commitFiles(folder, 0, { '.gitignore': 'site\n' });
    for (const [turn, text] of ['one', 'two', 'two', 'two'].entries()) {
      makeSite({ 'index.html': pageOf('Home', text, `<script src="${turn}.js"></script>`) }, site);
      await describeAt(turn * DAY, { site, sitemap: true, record: true });
    }
    expect(readEntries(folder)).toEqual({ '/': DATES[1] });
    makeSite({ 'index.html': pageOf('Home', 'three') }, site);
    await describeAt(5 * DAY, { site, sitemap: true });
    expect(await record({ site })).toMatchObject({ recorded: true });
    expect((await run(folder)).publication).toMatchObject({ pending: false });
    expect(readEntries(folder)).toEqual({ '/': '2023-11-19T22:13:20Z' });
    const story = makeStory();
    const clone = cloneOf(story, '--depth', '2');
    await run(clone);
    expect(readEntries(clone)).toMatchObject({ '/': DATES[3], '/about/': undefined });
  });

  test('leaves out what no search engine is to show', async () => {
    const folder = makeRepository();
    const page = (head: string) => pageOf('A page', 'x', head);
    commitFiles(folder, 0, {
      'site/index.html': page(`<link rel="canonical" href="${URL_OF_SITE}">`),
      'site/hidden.html': page('<meta name="robots" content="noindex">'),
      'site/elsewhere.html': page('<link rel="canonical" href="https://example.net/">'),
      'site/moved.html': page('<meta http-equiv="Refresh" content="0; url=/">'),
      'site/odd.html': '<title>x</title><meta http-equiv=refresh content="0; url=/"><p',
      'site/told.html': page(''),
      'site/404.html': page(''),
      'site/private/a.html': page(''),
      'site/a.txt': 'a',
      'site/_headers': '/told.html\n  X-Robots-Tag: noindex\n',
    });
    await run(folder, { exclude: ['private'] });
    expect(Object.keys(readEntries(folder))).toEqual(['/']);
  });

  test('says no dates where there is no history, and tells of it', async () => {
    const folder = makeFolder();
    makeSite({ 'site/a&b.html': pageOf('A', 'a') }, folder);
    const { notices } = await run(folder, { history: 'none' });
    expect(readEntries(folder)).toEqual({ '/a&amp;b.html': undefined });
    expect(notices.map(({ code }) => code)).toContain('sitemap-without-history');
  });

  test('is named in robots.txt from the first run on', async () => {
    const folder = makeStory();
    await run(folder, { robots: true });
    const robots = readFileSync(join(folder, 'site/robots.txt'), 'utf8');
    expect(robots).toContain(`Sitemap: ${URL_OF_SITE}sitemap.xml\n`);
    await run(folder, { robots: true });
    expect(readFileSync(join(folder, 'site/robots.txt'), 'utf8')).toBe(robots);
  });

  test('goes, and is no resource, once it is not wanted any more', async () => {
    const folder = makeStory();
    await run(folder, { sitemap: { file: 'map.xml' } });
    writeFileSync(join(folder, 'site', 'other.xml'), '<a/>');
    const off = { sitemap: false } as const;
    expect((await diff({ site: join(folder, 'site'), url: URL_OF_SITE })).changes).toMatchObject([
      { change: 'created', path: 'other.xml' },
    ]);
    const report = await run(folder, off);
    expect(report.removed).toEqual(['map.xml', 'resourcesync/pages.json']);
    expect(existsSync(join(folder, 'site', 'map.xml'))).toBe(false);
    const list = readFileSync(join(folder, 'site/resourcesync/resourcelist.xml'), 'utf8');
    expect(list).toContain('other.xml');
    expect(list).not.toContain('map.xml');
    expect((await run(folder, off)).removed).toEqual([]);
    expect(await audit({ source: join(folder, 'site') })).toMatchObject({ errors: 0, warnings: 0 });
  });

  test('tells of pages in an encoding that nobody knows', async () => {
    const folder = makeRepository();
    const page = (text: string) => Buffer.from(`<meta charset=x-odd><title>a</title><p>${text}`, 'latin1');
    const told = { code: 'encoding-unknown', count: 1, example: URL_OF_SITE };
    commitFiles(folder, 0, { 'site/index.html': page('\xe9') });
    expect((await run(folder)).notices).toContainEqual(expect.objectContaining(told));
    commitFiles(folder, DAY, { 'site/index.html': page('\xe8') });
    for (let turn = 0; turn < 2; turn++) {
      const { notices } = await run(folder);
      expect(readEntries(folder)).toEqual({ '/': DATES[1] });
      expect(notices).toContainEqual(expect.objectContaining(told));
    }
  });
});
