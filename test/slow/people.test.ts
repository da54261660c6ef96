/** The page and the feed of a site whose publications git keeps. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { audit } from '../../src/audit/index.js';
import type { UserConfig } from '../../src/config/options.js';
import { describe as describeSite } from '../../src/index.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { pageOf, readFeed, readPage } from '../support/people.js';
import { makeSite, readTree } from '../support/site.js';

const URL_OF_SITE = 'https://example.org/';
const DAY = 86_400;

const run = (folder: string, config: Partial<UserConfig> = {}) =>
  describeSite({ site: join(folder, 'site'), url: URL_OF_SITE, page: true, feed: true, ...config });

/** Three publications: a page, another text of it, another script in it. */
function makeStory(): string {
  const folder = makeRepository();
  commitFiles(folder, 0, {
    'site/index.html': pageOf('Home', 'Welcome'),
    'site/about/index.html': pageOf('About us', 'We are two'),
  });
  commitFiles(folder, DAY, {
    'site/about/index.html': pageOf('About us', 'We are three'),
    'site/style.css': 'p { color: red }',
  });
  commitFiles(folder, 2 * DAY, {
    'site/index.html': pageOf('Home', 'Welcome', '<script src="/a-1.js"></script>'),
    'site/news.html': pageOf('News &amp; more', 'It rains'),
  });
  return folder;
}

test('an audit of the folder finds nothing wrong with the page and the feed', async () => {
  const folder = makeStory();
  await run(folder, { feed: { limit: 1 } });
  expect(await audit({ source: join(folder, 'site') })).toMatchObject({ errors: 0, warnings: 0, notes: 0 });
});

describe('the feed', () => {
  test('has an entry for each page whose text changed, with its title', async () => {
    const folder = makeStory();
    await run(folder);
    const { feed, entries } = readFeed(join(folder, 'site'));
    expect(entries.map(({ title, change, uri }) => [title, change, uri])).toEqual([
      ['News & more', 'created', `${URL_OF_SITE}news.html`],
      ['About us', 'updated', `${URL_OF_SITE}about/`],
    ]);
    expect(feed.id).toBe(`${URL_OF_SITE}resourcesync/changes.atom`);
    expect(feed.links?.map(({ rel, href }) => [rel, href])).toEqual([
      ['self', `${URL_OF_SITE}resourcesync/changes.atom`],
      ['alternate', `${URL_OF_SITE}resourcesync/`],
    ]);
    expect(feed.authors).toHaveLength(1);
    expect(feed.updated).toBe('2023-11-16T22:13:20Z');
  });

  test('names no single page of a publication that changes more than it has room for', async () => {
    const folder = makeStory();
    const files = Object.fromEntries([1, 2, 3].map((number) => [`site/${number}.html`, pageOf('One', 'x')]));
    commitFiles(folder, 3 * DAY, files);
    const { documents } = await run(folder, { feed: { limit: 2 } });
    const { entries } = readFeed(join(folder, 'site'));
    expect(documents.find(({ kind }) => kind === 'feed')?.entries).toBe(entries.length);
    expect(entries[0]).toMatchObject({ title: '3 pages changed: 3 new', uri: `${URL_OF_SITE}resourcesync/` });
    expect(readPage(join(folder, 'site'))).toContain('3 pages changed: 3 new.');
  });

  test('keeps the newest entries, with the names that they had, and leads to the lists for older ones', async () => {
    const folder = makeRepository();
    const site = join(folder, 'site');
    commitFiles(folder, 0, { 'site/index.html': pageOf('Home', 'Welcome') });
    const told = new Map<string, string>();
    for (let step = 1; step <= 6; step++) {
      const files = {
        'site/index.html': pageOf('Home', `Step ${step}`),
        'site/style.css': `p { top: ${step} }`,
      };
      commitFiles(folder, step * DAY, files);
      await run(folder, { feed: { limit: 4 } });
      const { entries, text } = readFeed(site);
      expect(entries).toHaveLength(Math.min(step, 4));
      for (const { id, updated } of entries) expect(told.get(updated) ?? id).toBe(id);
      for (const { id, updated } of entries) told.set(updated, id);
      expect(new Set(told.values()).size).toBe(step);
      const leads = readPage(site).includes(
        '<a href="#Programs">Older changes are in the lists further down</a>',
      );
      expect([leads, text.includes('rel="related" type="application/xml"')]).toEqual([step > 4, step > 4]);
      expect(readPage(site).match(/<section class="day">/g)).toHaveLength(Math.min(step, 4));
    }
    const names = readdirSync(join(site, 'resourcesync')).filter((name) => /\.(?:html|atom)$/.test(name));
    expect(names).toEqual(['changes.atom', 'index.html']);
    await run(folder, { feed: { limit: 4 }, archives: { period: 'day' } });
    expect(readFeed(site).feed.links?.map(({ rel, href }) => `${rel} ${href}`)).toEqual([
      `self ${URL_OF_SITE}resourcesync/changes.atom`,
      `alternate ${URL_OF_SITE}resourcesync/`,
      `related ${URL_OF_SITE}resourcesync/changelist.xml`,
      `related ${URL_OF_SITE}resourcesync/changelist-archive.xml`,
    ]);
  });

  test('goes back beyond publications in which readers see no change', async () => {
    const folder = makeRepository();
    const makePages = (script: number) =>
      Object.fromEntries(
        Array.from({ length: 150 }, (_, number) => [
          `site/${number}.html`,
          pageOf(
            'Page',
            number < 2 && script > 0 ? 'after' : 'before',
            `<script src="/app-${script}.js"></script>`,
          ),
        ]),
      );
    for (let step = 0; step < 4; step++) commitFiles(folder, step * DAY, makePages(step));
    await run(folder, { feed: { limit: 2 } });
    const { entries } = readFeed(join(folder, 'site'));
    expect(entries.map(({ uri }) => uri)).toEqual([0, 1].map((number) => `${URL_OF_SITE}${number}.html`));
    expect(readPage(join(folder, 'site'))).not.toContain('Older changes');
  });
});

describe('both', () => {
  test('are ours: never listed, never a change, left alone when nothing changed, removed when off', async () => {
    const folder = makeStory();
    await run(folder);
    const site = join(folder, 'site');
    const before = readTree(site);
    expect(before['.well-known/resourcesync']).toContain(
      `rel="describedby" href="${URL_OF_SITE}resourcesync/"`,
    );
    expect(before['resourcesync/resourcelist.xml']).not.toMatch(/changes\.atom|resourcesync\/</);
    const again = await run(folder);
    expect(again.documents.filter(({ changed }) => changed)).toEqual([]);
    // Committed along with the site, they are no publication.
    commitFiles(folder, 3 * DAY, {});
    const committed = await run(folder);
    expect(committed.documents.filter(({ changed }) => changed)).toEqual([]);
    expect(readTree(site)).toEqual(before);
    const off = await run(folder, { page: false, feed: false });
    const files = ['changes.atom', 'index.html', 'pages.json'];
    expect(off.removed).toEqual(files.map((name) => `resourcesync/${name}`));
    expect(existsSync(join(site, 'resourcesync', 'index.html'))).toBe(false);
  });

  test('do not take the place of a file that somebody else wrote', async () => {
    const folder = makeStory();
    makeSite({ 'site/resourcesync/index.html': 'mine' }, folder);
    await expect(run(folder)).rejects.toMatchObject({ code: 'not-ours' });
  });

  test.each([
    ['de', 'Änderungen – Wir', 'Letzte Änderungen', '16. November 2023', 'Gelöscht: About us'],
    ['fr', 'Modifications – Wir', 'Dernières modifications', '16 novembre 2023', 'Supprimé\u00a0: About us'],
  ] as const)('speak %s', async (lang, title, heading, day, deleted) => {
    const folder = makeStory();
    commitFiles(folder, 3 * DAY, { 'site/about/index.html': undefined });
    await run(folder, { page: { lang, title: 'Wir' } });
    const page = readPage(join(folder, 'site'));
    expect(page).toContain(`<html lang="${lang}">`);
    expect(page).toContain(`<h2 id="Changes">${heading}</h2>`);
    expect(page).toContain(`>${day}</time>`);
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(readFeed(join(folder, 'site')).entries[0]?.title).toBe(deleted);
    // It leads nowhere where nothing is any more.
    expect(page).toContain('About us');
    expect(page).not.toContain('href="/about/"');
  });
});

describe('the page', () => {
  test('of a site without history says what is there, and how to begin', async () => {
    const site = makeSite({ 'index.html': pageOf('Home', 'Welcome') });
    await describeSite({ site, url: URL_OF_SITE, page: true, feed: true, history: 'none' });
    expect(readPage(site)).toContain('run resync-static with --record');
    expect(readPage(site)).toContain('The whole site: 1 file, ');
    expect(readFeed(site).entries).toEqual([]);
  });

  test('is what each set is about, unless something else is', async () => {
    const folder = makeStory();
    const { documents } = await run(folder, {
      sets: [{ name: 'all' }, { name: 'news', include: ['news.html'], describedby: 'about/' }],
    });
    expect(documents.at(-1)?.kind).toBe('source-description');
    const description = readTree(join(folder, 'site'))['.well-known/resourcesync'];
    expect(description).toContain('href="https://example.org/resourcesync/#all"');
    expect(description).toContain('href="https://example.org/about/"');
    expect(readPage(join(folder, 'site'))).toContain('<tr id="all">');
  });
});

describe('what the site is called', () => {
  const home = (head: string, title = 'Start') => pageOf(title, 'Welcome', head);
  const SITE_NAME = '<meta property="og:site_name" content=" Sea &amp;\n shore ">';
  const HIDDEN_BY_HOST = home(SITE_NAME, 'Hidden');

  test.each<[string, string, Partial<UserConfig>, string | undefined]>([
    ['by its configuration', home(SITE_NAME), { page: { title: 'Ours' } }, 'Ours'],
    ['by og:site_name of the start page', home(SITE_NAME), {}, 'Sea &amp; shore'],
    ['by the title of the start page', home(''), {}, 'Start'],
    ['by no page that says noindex', home(`${SITE_NAME}<meta name=robots content=noindex>`), {}, undefined],
    ['by no page that its host says noindex of', HIDDEN_BY_HOST, {}, undefined],
    ['by no page that is withdrawn', home(SITE_NAME), { withdraw: ['index.html'] }, undefined],
    [
      'by no page that is in no set',
      home(SITE_NAME),
      { sets: [{ name: 'a', include: ['a/**'] }] },
      undefined,
    ],
  ])('%s', async (_, start, config, name = 'example.org') => {
    const rules = start === HIDDEN_BY_HOST ? { _headers: '/*\n  X-Robots-Tag: noindex\n' } : {};
    const site = makeSite({ 'index.html': start, 'a/index.html': pageOf('A', 'x'), ...rules });
    await describeSite({ site, url: URL_OF_SITE, page: true, history: 'none', ...config });
    expect(readPage(site)).toContain(`<title>Changes – ${name}</title>`);
    expect(readPage(site)).toContain(`<h1>Changes – ${name}</h1>`);
    expect(readPage(site)).toContain(`<a href="/" rel="home"><bdi>${name}</bdi></a>`);
  });
});

test('page, feed and pages.json give a page the same title', async () => {
  const folder = makeRepository();
  const site = join(folder, 'site');
  commitFiles(folder, 0, { 'site/index.html': pageOf('Kelp', 'Welcome') });
  const far = `<!--${'x'.repeat(300_000)}--><title>Far\n down</title>`;
  commitFiles(folder, DAY, {
    'site/a.html': pageOf('Tides – Kelp', 'x'),
    'site/b.html': Buffer.from('<meta charset=windows-1251><title>\xcc\xee\xf0\xe5</title>', 'latin1'),
    'site/c.html': '<body><svg><title>A drawing</title></svg>',
    'site/d.html': `<head>${far}<body>x`,
  });
  await run(folder);
  const shown = [...readPage(site).matchAll(/<a href="[^"]*\.html"><bdi>([^<]*)/g)].map(([, title]) => title);
  expect(shown).toEqual(['Tides – Kelp', 'Море', '/c.html', 'Far down']);
  const { entries } = readFeed(site);
  expect(entries.map(({ title }) => title)).toEqual(shown);
  const { pages } = JSON.parse(readFileSync(join(site, 'resourcesync/pages.json'), 'utf8'));
  expect(pages.slice(1).map(({ title = '/c.html' }) => title)).toEqual(shown);
});

/** The excerpts on the page and in the feed. */
function readExcerpts(site: string): string[] {
  const find = (text: string) =>
    [...text.matchAll(/<p[^>]* dir="auto">(.*?)<\/p>/g)].map(([, words]) => words);
  const told = find(readPage(site));
  expect(find(readFeed(site).text)).toEqual(told);
  return told.map(String);
}

describe('of a page whose text changed', () => {
  test('the first words that are new are quoted, or none', async () => {
    const folder = makeStory();
    const site = join(folder, 'site');
    await run(folder);
    expect(readExcerpts(site)).toEqual(['<q>We are three</q>']);
    await run(folder, { page: { excerpts: false } });
    expect(readExcerpts(site)).toEqual([]);
    await run(folder, { page: false });
    expect(readFeed(site).text).not.toContain('three');
  });

  test('nothing is quoted that the page does not say any more', async () => {
    const folder = makeStory();
    const site = join(folder, 'site');
    commitFiles(folder, 3 * DAY, { 'site/about/index.html': pageOf('About us', 'Call 5550123') });
    commitFiles(folder, 4 * DAY, { 'site/about/index.html': pageOf('About us', 'Write') });
    await run(folder);
    expect(readExcerpts(site)).toEqual(['<q>Write</q>']);
    commitFiles(folder, 5 * DAY, { 'site/about/index.html': undefined });
    await run(folder);
    expect(readExcerpts(site)).toEqual([]);
  });

  test('nothing is quoted of what is not to be found', async () => {
    const folder = makeStory();
    const site = join(folder, 'site');
    const hidden = pageOf('About us', 'We are three', '<meta name="robots" content="none">');
    await run(folder);
    expect(readExcerpts(site)).toHaveLength(1);
    for (const config of [
      { withdraw: ['about/**'] },
      { exclude: ['about/**'] },
      { sets: [{ name: 'a', include: ['*.html'] }] },
    ]) {
      await run(folder, config);
      expect(readExcerpts(site), JSON.stringify(config)).toEqual([]);
    }
    commitFiles(folder, 3 * DAY, { 'site/_headers': '/about/*\n  X-Robots-Tag: noindex\n' });
    await run(folder);
    expect(readExcerpts(site)).toEqual([]);
    commitFiles(folder, 4 * DAY, { 'site/_headers': undefined, 'site/about/index.html': hidden });
    await run(folder);
    expect(readExcerpts(site)).toEqual([]);
  });

  test('eight of a publication are quoted at most, and what they say is text', async () => {
    const folder = makeRepository();
    const pages = (text: string) =>
      Object.fromEntries(
        Array.from({ length: 10 }, (_, number) => [`site/${number}.html`, pageOf('Page', text)]),
      );
    commitFiles(folder, 0, pages('before'));
    commitFiles(folder, DAY, pages('&lt;script>alert(1)&lt;/script> &amp;lt;b> \u202egnp'));
    await run(folder);
    const quoted = '<q>&lt;script&gt;alert(1)&lt;/script&gt; &amp;lt;b&gt; \ufffdgnp</q>';
    expect(readExcerpts(join(folder, 'site'))).toEqual(new Array(8).fill(quoted));
  });
});

test('another file counts once for a day: changed four times, new and changed, back again, or come and gone', async () => {
  const folder = makeRepository();
  const texts = [
    ['before', 'before', undefined, undefined],
    ['a', undefined, 'a', 'a'],
    ['b', 'c', 'b', undefined],
    ['c', 'd', 'c', undefined],
  ];
  for (const [index, files] of texts.entries()) {
    const named = files.flatMap((text, file) =>
      text === texts[index - 1]?.[file] ? [] : [[`site/${file}.css`, text]],
    );
    const home = index === 0 ? { 'site/index.html': pageOf('Home', 'Welcome') } : {};
    commitFiles(folder, index === 0 ? 0 : DAY + index, { ...home, ...Object.fromEntries(named) });
  }
  await run(folder);
  expect(readPage(join(folder, 'site'))).toContain('Other files: 1 new, 2 updated, 1 deleted.');
});

test('several publications of a day are told together, a page once', async () => {
  const folder = makeRepository();
  const text = (number: number) => pageOf('Home', `Build ${number}`);
  commitFiles(folder, 0, { 'site/index.html': text(0) });
  for (let number = 1; number <= 3; number++) {
    commitFiles(folder, DAY + number * 60, {
      'site/index.html': text(number),
      'site/new.html': pageOf('New', `x${number}`),
      ...(number === 2 && { 'site/short.html': pageOf('Short', 'x') }),
      ...(number === 3 && { 'site/short.html': undefined }),
    });
  }
  await run(folder);
  const page = readPage(join(folder, 'site'));
  expect(page.match(/<section class="day">/g)).toHaveLength(1);
  expect(page).toContain(
    '3 publications, the last at <time datetime="2023-11-15T22:16:20.000Z">22:16 UTC</time>',
  );
  const rows = [...page.matchAll(/<span class="kind">(\w+)<\/span> <div>(?:<a [^>]*>)?<bdi>(\w+)</g)];
  expect(rows.map(([, kind, title]) => `${kind} ${title}`)).toEqual([
    'Updated Home',
    'New New',
    'Deleted Short',
  ]);
  expect(page).toContain('<q>Build 3</q>');
  expect(readFeed(join(folder, 'site')).entries).toHaveLength(7);
});

test('pages link to the feed as long as there is one', async () => {
  const folder = makeStory();
  const site = join(folder, 'site');
  const link =
    '<link rel="alternate" type="application/atom+xml" href="https://example.org/resourcesync/changes.atom">';
  const first = await run(folder, { htmlLinks: true });
  expect(first.edited?.pages).toBe(3);
  expect(readTree(site)['about/index.html']).toContain(`capabilitylist.xml">${link}`);
  expect((await run(folder, { htmlLinks: true })).edited?.pages).toBe(0);
  // A feed of the site's own stays.
  const own = '<link rel="alternate" type="application/atom+xml" href="/feed.xml">';
  makeSite({ 'own.html': pageOf('Own', 'x', own) }, site);
  await run(folder, { htmlLinks: true });
  expect(readTree(site)['own.html']).toContain(link);
  expect(readTree(site)['own.html']).toContain(own);
  expect((await run(folder, { htmlLinks: true, feed: false })).edited?.pages).toBe(4);
  expect(Object.values(readTree(site)).join('')).not.toContain('changes.atom');
  expect(readTree(site)['own.html']).toContain(own);
});

test('a title of the page may be anything', async () => {
  const folder = makeStory();
  writeFileSync(join(folder, 'site', 'own.css'), '');
  await run(folder, { page: { title: '<i>&"\'\u0001', stylesheet: 'own.css?a="&b' } });
  const page = readPage(join(folder, 'site'));
  expect(page).toContain('<h1>Changes – &lt;i&gt;&amp;&quot;&apos;\ufffd</h1>');
  expect(page).toContain('<link rel="stylesheet" href="/own.css?a=%22&amp;b">');
});
