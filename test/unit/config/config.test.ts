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

  test.each<[object, string]>([
    [{ url: undefined }, 'url is missing. Give the absolute http(s) URL'],
    [{ url: 'ftp://example.org/' }, 'url must be the absolute http(s) URL'],
    [{ url: 'https://a.org/?a' }, 'without query, fragment or password, but is "https://a.org/?a"'],
    [{ url: 'https://example.org/#' }, 'without query'],
    [{ url: 'https://a:b@example.org/' }, 'without query'],
    [{ url: 'example.org' }, 'but is "example.org"'],
    [
      { channels: 'https://push.example.org/' },
      'channels must be the absolute ws or wss URL of the channels',
    ],
    [{ channels: 'wss://push.example.org/?a' }, 'without query, fragment or password'],
    [{ channels: 'wss://a:b@push.example.org/' }, 'without query, fragment'],
    [{ channels: true }, 'channels must be the absolute ws or wss URL'],
    [{ channels: 'ws://push.example.org/' }, 'channels must begin with wss'],
    [
      { urls: 'cleen' },
      'urls must be one of directory, clean, bare, file, but is "cleen". Did you mean clean?',
    ],
    [
      { hash: ['sha256'] },
      'hash[0] must be one or more of md5, sha-256, sha-512, but is "sha256". Did you mean',
    ],
    [{ hash: [] }, 'hash must be one or more of md5, sha-256, sha-512, but is []'],
    [{ exclude: 'drafts' }, 'exclude must be a list of globs, such as ["drafts/**"], but is "drafts"'],
    [{ exclude: ['/drafts'] }, 'exclude[0] must be a glob relative to the site, without a leading slash'],
    [{ exclud: [] }, 'exclud is not an option. Did you mean exclude?'],
    [{ zzzzzzzzzzz: 1 }, 'zzzzzzzzzzz is not an option. The options are site, url'],
    // What all objects inherit.
    [{ constructor: 1 }, 'constructor is not an option. The options are site'],
    [JSON.parse('{ "__proto__": { "site": "x" } }'), '__proto__ is not an option. The options are site'],
    [{ dumps: { toString: 1 } }, 'dumps.toString is not an option. The options are resources'],
    [{ sets: [{ name: 'a', includes: [] }] }, 'sets[0].includes is not an option. Did you mean include?'],
    [{ sets: [{}] }, 'sets[0].name is missing. Give a name'],
    [{ sets: ['pages'] }, 'sets[0] must be an object, but is "pages"'],
    [{ sets: [{ name: 'A/b' }] }, 'sets[0].name must be a name of lower-case letters, digits and hyphens'],
    [{ sets: [{ name: 'a' }, { name: 'a' }] }, 'sets must be a list of sets with different names'],
    [{ sets: [] }, 'sets must be a list of one or more sets'],
    [{ type: { '*.csv': 'text/csv; charset=utf-8' } }, 'type.*.csv must be a media type without parameters'],
    [{ type: ['text/html'] }, 'type must be a function, or media types by glob'],
    [{ type: { '/a': 'text/html' } }, 'type./a must be a glob relative to'],
    [{ type: 'text/html' }, 'type must be a function, or media types by glob'],
    [{ changefreq: { '*': 'often' } }, 'changefreq.* must be one of always, hourly, daily, weekly, monthly'],
    [{ links: [] }, 'links must be a function, but is []'],
    [
      { dumps: 'yes' },
      'dumps must be true, false, or an object such as { maxBytes: 20971520 }, but is "yes"',
    ],
    [{ dumps: [] }, 'dumps must be true, false, or an object'],
    [{ dumps: null }, 'dumps must be true, false, or an object'],
    [{ dumps: { maxbytes: 1 } }, 'dumps.maxbytes is not an option. Did you mean maxBytes?'],
    [{ dumps: { resources: 1 } }, 'dumps.resources must be true or false, but is 1'],
    [{ dumps: { maxEntries: 0 } }, 'dumps.maxEntries must be a number of files from 1 to 50000, but is 0'],
    [{ dumps: { maxEntries: 50_001 } }, 'from 1 to 50000, but is 50001'],
    [{ dumps: { maxEntries: 1.5 } }, 'dumps.maxEntries must be a number of files'],
    [{ dumps: { maxBytes: '20 MB' } }, 'dumps.maxBytes must be a number of bytes'],
    [{ dumps: { maxBytes: 4_000_000_001 } }, 'a number of bytes from 1 to 4000000000, but is 4000000001'],
    [{ history: 'published', archives: true }, 'archives does not go with history published: archives come'],
    [{ history: 'published', versions: true }, 'versions does not go with history published: versions come'],
    [
      { history: 'published', versions: { include: ['a/**'] } },
      'versions does not go with history published',
    ],
    [{ page: { lang: 'es' } }, 'page.lang must be one of en, de, fr, but is "es"'],
  ])('refuses %j', (change, message) => {
    const mistakes = mistakesOf({ ...minimal, ...change });
    expect(mistakes).toEqual([expect.stringContaining(message)]);
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

  test.each<[unknown, string]>([
    ['x', 'links must be a list of links, but is "x"'],
    [[{ href: '/a' }], '[0].rel is missing. Give a relation type'],
    [[{ rel: 'Alternate', href: '/a' }], '[0].rel must be a registered relation type'],
    [[{ rel: 'http://www.openarchives.org/rs/terms/patch', href: '/a' }], 'patches belong to changes'],
    [[{ rel: 'via', href: '/a', pri: 0 }], '[0].pri must be a whole number from 1 to 999999, but is 0'],
    [[{ rel: 'via', href: '/a', modified: new Date('x') }], '[0].modified must be a valid Date'],
    [[{ rel: 'via', href: '/a', priority: 1 }], '[0].priority is not an option. The options are rel, href'],
    [[{ rel: 'via', href: '/a', hash: 'abc' }], '[0].hash must be checksums such as "md5:…'],
    [[{ rel: 'via', href: 'http://' }], '[0].href must be a URL'],
  ])('refuse the links %j, naming the file', (value, message) => {
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
