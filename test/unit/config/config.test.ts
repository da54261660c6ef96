/** What may be configured, and how mistakes are told. */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findConfigFile, loadConfigFile } from '../../../src/config/file.js';
import type { UserConfig } from '../../../src/config/options.js';
import { resolveConfig } from '../../../src/config/resolve.js';
import { makeFolder, makeSite } from '../../support/site.js';

const minimal = { site: 'dist', url: 'https://example.org' };
const facts = {
  uri: 'https://example.org/a.html',
  path: 'a.html',
  length: 1,
  hash: 'md5:00',
  type: 'text/html',
};

/** The lines of the message, without the heading. */
function mistakesOf(config: object, labels: Record<string, string> = {}): string[] {
  try {
    resolveConfig(config, { labels });
  } catch (error) {
    expect(error).toMatchObject({ name: 'ResyncError', code: 'config-invalid' });
    return (error as Error).message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
  return [];
}

describe('resolveConfig', () => {
  test('fills in the defaults', () => {
    const config = resolveConfig(minimal);
    expect(config).toMatchObject({
      url: 'https://example.org/',
      urls: 'directory',
      include: [],
      hash: ['md5', 'sha-256'],
      describedby: undefined,
      extras: undefined,
    });
    expect(config.sets).toMatchObject([{ name: undefined, describedby: undefined }]);
  });

  test.each([
    ['https://example.org', 'https://example.org/'],
    ['https://me.github.io/repo', 'https://me.github.io/repo/'],
    ['HTTP://EXAMPLE.org:80/a b/', 'http://example.org/a%20b/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ])('the site at %s has the base %s', (url, base) => {
    expect(resolveConfig({ ...minimal, url }).url).toBe(base);
  });

  test.each([
    ['https://example.org', 'wss://push.example.org', 'wss://push.example.org/'],
    ['https://example.org', 'WSS://Push.example.org:443/site', 'wss://push.example.org/site/'],
    ['https://example.org', 'ws://127.0.0.1:8080', 'ws://127.0.0.1:8080/'],
    ['http://intranet.example', 'ws://push.example', 'ws://push.example/'],
  ])('the site at %s has its channels at %s', (url, channels, base) => {
    expect(resolveConfig({ ...minimal, url, channels }).channels).toBe(base);
  });

  test('digests have one order, however they are named', () => {
    expect(resolveConfig({ ...minimal, hash: ['sha-512', 'md5', 'sha-512'] }).hash).toEqual([
      'md5',
      'sha-512',
    ]);
  });

  test('resolves describedby, and gives it to the one set that is the whole Source', () => {
    const config = resolveConfig({ ...minimal, url: 'https://example.org/x/', describedby: 'about/' });
    expect(config.describedby).toBe('https://example.org/x/about/');
    expect(config.sets[0]?.describedby).toBe('https://example.org/x/about/');
    const sets = resolveConfig({
      ...minimal,
      describedby: '/about',
      sets: [{ name: 'a', describedby: 'a.html' }],
    });
    expect(sets.sets[0]?.describedby).toBe('https://example.org/a.html');
  });

  test.each<[string, Partial<UserConfig>]>([
    ['is left out again', { include: ['_*'], exclude: ['_headers'] }],
    ['is not read by the host', { include: ['_*'], url: 'https://example.org/docs/' }],
    ['is listed and gets no rules', { include: ['_*'], versions: false }],
  ])('takes a file of rules that %s', (_, more) => {
    expect(mistakesOf({ ...minimal, headers: 'netlify', versions: true, ...more })).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['no url', { url: undefined }, 'url is missing. Give the absolute http(s) URL'],
    ['ftp', { url: 'ftp://example.org/' }, 'url must be the absolute http(s) URL'],
    [
      'channels over http',
      { channels: 'https://push.example.org/' },
      'channels must be the absolute ws or wss URL of the channels, such as "wss://push.example.org/"',
    ],
    [
      'channels with a query',
      { channels: 'wss://push.example.org/?a' },
      'without query, fragment or password',
    ],
    ['channels with a password', { channels: 'wss://a:b@push.example.org/' }, 'without query, fragment'],
    ['channels that are no text', { channels: true }, 'channels must be the absolute ws or wss URL'],
    ['channels in the open', { channels: 'ws://push.example.org/' }, 'channels must begin with wss'],
    [
      'a query',
      { url: 'https://example.org/?a' },
      'without query, fragment or password, but is "https://example.org/?a"',
    ],
    ['a bare fragment', { url: 'https://example.org/#' }, 'without query'],
    ['a password', { url: 'https://a:b@example.org/' }, 'without query'],
    ['no host', { url: 'example.org' }, 'but is "example.org"'],
    [
      'a wrong style',
      { urls: 'cleen' },
      'urls must be one of directory, clean, bare, file, but is "cleen". Did you mean clean?',
    ],
    [
      'a wrong hash',
      { hash: ['sha256'] },
      'hash[0] must be one or more of md5, sha-256, sha-512, but is "sha256". Did you mean sha-256?',
    ],
    ['no hash', { hash: [] }, 'hash must be one or more of md5, sha-256, sha-512, but is []'],
    [
      'a text for a list',
      { exclude: 'drafts' },
      'exclude must be a list of globs, such as ["drafts/**"], but is "drafts"',
    ],
    [
      'a glob from the root',
      { exclude: ['/drafts'] },
      'exclude[0] must be a glob relative to the site, without a leading slash',
    ],
    ['an unknown option', { exclud: [] }, 'exclud is not an option. Did you mean exclude?'],
    [
      'an option that all objects inherit',
      { constructor: 1 },
      'constructor is not an option. The options are site',
    ],
    [
      'an option that is a prototype',
      JSON.parse('{ "__proto__": { "site": "x" } }'),
      '__proto__ is not an option. The options are site',
    ],
    [
      'such an option of dumps',
      { dumps: { toString: 1 } },
      'dumps.toString is not an option. The options are resources',
    ],
    [
      'an option like no other',
      { zzzzzzzzzzz: 1 },
      'zzzzzzzzzzz is not an option. The options are site, url',
    ],
    [
      'an unknown option of a set',
      { sets: [{ name: 'a', includes: [] }] },
      'sets[0].includes is not an option. Did you mean include?',
    ],
    ['a set without a name', { sets: [{}] }, 'sets[0].name is missing. Give a name'],
    ['a set that is no object', { sets: ['pages'] }, 'sets[0] must be an object, but is "pages"'],
    [
      'a name that is no folder',
      { sets: [{ name: 'A/b' }] },
      'sets[0].name must be a name of lower-case letters, digits and hyphens, but is "A/b"',
    ],
    [
      'one name twice',
      { sets: [{ name: 'a' }, { name: 'a' }] },
      'sets must be a list of sets with different names',
    ],
    ['no set', { sets: [] }, 'sets must be a list of one or more sets'],
    [
      'a parameter',
      { type: { '*.csv': 'text/csv; charset=utf-8' } },
      'type.*.csv must be a media type without parameters',
    ],
    [
      'a frequency',
      { changefreq: { '*': 'often' } },
      'changefreq.* must be one of always, hourly, daily, weekly, monthly, yearly, never, but is "often"',
    ],
    ['types in a list', { type: ['text/html'] }, 'type must be a function, or media types by glob'],
    [
      'a type for a path from the root',
      { type: { '/a': 'text/html' } },
      'type./a must be a glob relative to',
    ],
    ['a type that is neither', { type: 'text/html' }, 'type must be a function, or media types by glob'],
    ['links that are no function', { links: [] }, 'links must be a function, but is []'],
    [
      'dumps that are neither a switch nor an object',
      { dumps: 'yes' },
      'dumps must be true, false, or an object such as { maxBytes: 20971520 }, but is "yes"',
    ],
    ['a list of dumps', { dumps: [] }, 'dumps must be true, false, or an object'],
    ['no dumps', { dumps: null }, 'dumps must be true, false, or an object'],
    [
      'an unknown option of dumps',
      { dumps: { maxbytes: 1 } },
      'dumps.maxbytes is not an option. Did you mean maxBytes?',
    ],
    ['a switch that is none', { dumps: { resources: 1 } }, 'dumps.resources must be true or false, but is 1'],
    ['another', { dumps: { changes: 'no' } }, 'dumps.changes must be true or false, but is "no"'],
    [
      'packages of nothing',
      { dumps: { maxEntries: 0 } },
      'dumps.maxEntries must be a number of files from 1 to 50000, but is 0',
    ],
    ['more than a manifest holds', { dumps: { maxEntries: 50_001 } }, 'from 1 to 50000, but is 50001'],
    ['half a file', { dumps: { maxEntries: 1.5 } }, 'dumps.maxEntries must be a number of files'],
    ['a size in words', { dumps: { maxBytes: '20 MB' } }, 'dumps.maxBytes must be a number of bytes'],
    [
      'more than a ZIP file holds',
      { dumps: { maxBytes: 4_000_000_001 } },
      'dumps.maxBytes must be a number of bytes from 1 to 4000000000, but is 4000000001',
    ],
    [
      'archives of the live site',
      { history: 'published', archives: true },
      'archives does not go with history published: archives come from git',
    ],
    [
      'archived dumps of the live site',
      { history: 'published', archives: { dumps: true }, dumps: true },
      'archives does not go with history published',
    ],
    [
      'versions of the live site',
      { history: 'published', versions: true },
      'versions does not go with history published: versions come from git',
    ],
    [
      'some versions of the live site',
      { history: 'published', versions: { include: ['a/**'] }, archives: false },
      'versions does not go with history published',
    ],
  ])('refuses %s', (_, change, message) => {
    const mistakes = mistakesOf({ ...minimal, ...change });
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toContain(message);
  });

  test('reports every mistake at once, under the names that the user wrote', () => {
    const mistakes = mistakesOf(
      {
        url: 'x',
        urls: 'y',
        hash: ['md4'],
        exclude: ['a', ''],
        unknown: 1,
        more: 2,
        history: 'published',
        record: true,
        archives: { period: 'month' },
      },
      { site: '<site>', url: '--url', urls: '--urls', hash: '--hash' },
    );
    expect(mistakes.map((line) => line.split(' ')[0])).toEqual([
      '<site>',
      '--url',
      '--urls',
      'exclude[1]',
      '--hash',
      'unknown',
      'more',
      'record',
      'archives',
    ]);
  });
});

describe('extras', () => {
  const ask = (config: Partial<UserConfig>) => resolveConfig({ ...minimal, ...config }).extras?.(facts);

  test('come by glob, the first that matches counts', () => {
    expect(ask({ changefreq: { 'b*': 'never', '**/*.html': 'weekly', 'a.html': 'daily' } })).toEqual({
      type: 'text/html',
      changefreq: 'weekly',
    });
    expect(ask({ type: { 'a.*': 'application/xhtml+xml' } })).toEqual({ type: 'application/xhtml+xml' });
    expect(ask({ type: { 'b.*': 'text/plain' } })).toEqual({ type: 'text/html' });
  });

  test('come from functions', () => {
    expect(ask({ changefreq: ({ length }) => (length === 1 ? 'yearly' : undefined) })).toEqual({
      type: 'text/html',
      changefreq: 'yearly',
    });
    const links = () => [
      { rel: 'describedby', href: 'meta/a.xml', pri: 1, modified: new Date(0), length: 0 },
    ];
    expect(ask({ links })?.links).toEqual([
      {
        rel: 'describedby',
        href: 'https://example.org/meta/a.xml',
        pri: 1,
        modified: new Date(0),
        length: 0,
      },
    ]);
    expect(ask({ links: () => undefined })).toEqual({ type: 'text/html' });
  });

  test.each<[string, unknown, string]>([
    ['not a list', 'x', 'links must be a list of links, but is "x"'],
    ['no rel', [{ href: '/a' }], '[0].rel is missing. Give a relation type'],
    [
      'a relation in capitals',
      [{ rel: 'Alternate', href: '/a' }],
      '[0].rel must be a registered relation type',
    ],
    [
      'a patch',
      [{ rel: 'http://www.openarchives.org/rs/terms/patch', href: '/a' }],
      'patches belong to changes',
    ],
    [
      'a priority of 0',
      [{ rel: 'duplicate', href: '/a', pri: 0 }],
      '[0].pri must be a whole number from 1 to 999999, but is 0',
    ],
    [
      'a date that is none',
      [{ rel: 'memento', href: '/a', modified: new Date('x') }],
      '[0].modified must be a valid Date',
    ],
    [
      'an unknown attribute',
      [{ rel: 'via', href: '/a', priority: 1 }],
      '[0].priority is not an option. The options are rel, href',
    ],
    [
      'a hash without algorithm',
      [{ rel: 'via', href: '/a', hash: 'abc' }],
      '[0].hash must be checksums such as "md5:…',
    ],
    ['a wrong URL', [{ rel: 'via', href: 'http://' }], '[0].href must be a URL'],
  ])('refuse links with %s, naming the file', (_, value, message) => {
    const config = resolveConfig({ ...minimal, links: (() => value) as NonNullable<UserConfig['links']> });
    expect(() => config.extras?.(facts)).toThrow(expect.objectContaining({ code: 'extras-invalid' }));
    expect(() => config.extras?.(facts)).toThrow(/The option links of the configuration .* for a\.html/);
    expect(() => config.extras?.(facts)).toThrow(message);
  });

  test('name the function and the file when it throws', () => {
    const config = resolveConfig({
      ...minimal,
      links: () => {
        throw new TypeError('no such page');
      },
    });
    expect(() => config.extras?.(facts)).toThrow(
      'The function links of the configuration failed for a.html: no such page',
    );
  });
});

describe('findConfigFile', () => {
  // SECURITY.md: "looked for in the working directory, then beside the nearest `package.json` at or above it"
  test('looks in the working directory, then beside package.json', () => {
    const root = makeSite({ 'package.json': '{}', 'resync-static.config.mjs': '', 'a/b/c.txt': '' });
    expect(findConfigFile(join(root, 'a', 'b'), undefined).file).toBe(join(root, 'resync-static.config.mjs'));
    makeSite({ 'a/b/resync-static.config.json': '{}' }, root);
    expect(findConfigFile(join(root, 'a', 'b'), undefined).file).toBe(
      join(root, 'a', 'b', 'resync-static.config.json'),
    );
    makeSite({ 'a/package.json': '{}' }, root);
    expect(findConfigFile(join(root, 'a'), undefined).file).toBeUndefined();
  });

  test('refuses two in one folder', () => {
    const root = makeSite({ 'resync-static.config.ts': '', 'resync-static.config.js': '' });
    expect(() => findConfigFile(root, undefined)).toThrow(/both exist/);
  });
});

describe('loadConfigFile', () => {
  test('takes site from the folder of the file', async () => {
    const root = makeSite({
      'resync-static.config.json': '{ "site": "./out", "url": "https://example.org/" }',
    });
    const config = await loadConfigFile(join(root, 'resync-static.config.json'));
    expect(config.site).toBe(join(root, 'out'));
  });

  test.each([
    ['resync-static.config.json', '{ "url": }', /The configuration file .*\.json cannot be read: /],
    ['resync-static.config.mjs', 'export default 1', /does not export a configuration/],
    [
      'resync-static.config.mjs',
      'throw new Error("broken")',
      /The configuration file .* cannot be read: broken/,
    ],
  ])('%s with %s is an error', async (name, content, message) => {
    const root = makeSite({ [name]: content });
    await expect(loadConfigFile(join(root, name))).rejects.toThrow(message);
    await expect(loadConfigFile(join(root, name))).rejects.toMatchObject({ code: 'config-unreadable' });
  });

  test('a file that does not exist is an error', async () => {
    await expect(loadConfigFile(join(makeFolder(), 'x.ts'))).rejects.toThrow(/there is no such file/);
    await expect(loadConfigFile(join(makeFolder(), 'x.json'))).rejects.toThrow(/there is no such file/);
  });
});

test('of two letters, nothing is nearly another language', () => {
  const resolve = () =>
    resolveConfig({ site: 'dist', url: 'https://example.org/', page: { lang: 'es' as 'en' } });
  expect(resolve).toThrow(/page\.lang must be one of en, de, fr, but is "es"$/);
});
