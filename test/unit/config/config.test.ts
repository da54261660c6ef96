/** Values of the configuration, and the messages about mistakes. */

import { describe, expect, test } from 'vitest';
import type { UserConfig } from '../../../src/config/options.js';
import { resolveConfig } from '../../../src/config/resolve.js';
import { PATCH } from '../../../src/standard/namespaces.js';

const minimal = { site: 'dist', url: 'https://example.org' };
const facts = {
  uri: 'https://example.org/a.html',
  path: 'a.html',
  length: 1,
  hash: 'md5:00',
  type: 'text/html',
};

/** The lines of the message, without the heading. */
function mistakesOf(config: object): string[] {
  try {
    resolveConfig(config as UserConfig);
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
    // Properties that all objects inherit.
    [{ constructor: 1 }, 'constructor is not an option. The options are site'],
    [JSON.parse('{ "__proto__": { "site": "x" } }'), '__proto__ is not an option. The options are site'],
    [{ dumps: { toString: 1 } }, 'dumps.toString is not an option. The options are resources'],
    [{ sets: [{ name: 'a', includes: [] }] }, 'sets[0].includes is not an option. Did you mean include?'],
    [{ sets: [{}] }, 'sets[0].name is missing. Give a name'],
    [{ sets: ['pages'] }, 'sets[0] must be an object, but is "pages"'],
    [{ sets: [{ name: 'A/b' }] }, 'sets[0].name must be a name of lower-case letters, digits and hyphens'],
    ...['archives', 'versions', 'timemaps'].map((name): [object, string] => [
      { sets: [{ name }] },
      `a name other than archives, versions, timemaps, which are folders of documents, but is "${name}"`,
    ]),
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
    [{ withdraw: ['https://elsewhere.example/a'] }, 'not below https://example.org/'],
    [
      { changes: { since: 'yesterday' } },
      'changes.since must be a date and time such as 2026-11-20T10:15:00Z',
    ],
    [
      { changes: { since: '2026-11-20T10:15:00Z' }, history: 'published' },
      'changes.since does not go with history published',
    ],
    [{ page: { lang: 'es' } }, 'page.lang must be one of en, de, fr, but is "es"'],
  ])('refuses %j', (change, message) => {
    const mistakes = mistakesOf({ ...minimal, ...change });
    expect(mistakes).toEqual([expect.stringContaining(message)]);
  });
});

test('a withdrawn URL is below that of the site, however both are spelled', () => {
  const [url, name] = ['https://Example.org/%7Eme/', 'https://example.org/~me/a'];
  const { withdrawn } = resolveConfig({ ...minimal, url, withdraw: [name] });
  expect([withdrawn(`${url}a`), withdrawn(`${url}b`)]).toEqual([true, false]);
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

  test.each<[config: object, ...says: (string | RegExp)[]]>([
    [
      {
        links: () => {
          throw new Error('no such page');
        },
      },
      'failed',
      'no such page',
    ],
    [{ links: () => 'nonsense' }, 'must be a list of links', '"nonsense"'],
    [{ links: () => [5] }, '[0]', 'but is 5'],
    [{ links: async () => [] }, 'must be a list of links', /promise/i],
    [{ links: () => [{ rel: 'Not A Token', href: 'x' }] }, '[0].rel', 'Not A Token'],
    [{ links: () => [{ rel: 'related', href: 'https://' }] }, '[0].href'],
    [{ links: () => [{ rel: PATCH, href: 'x' }] }, '[0].rel', '§14.4'],
    [{ links: () => [{ rel: 'via', href: '/a', hash: 'abc' }] }, '[0].hash must be checksums such as "md5:…'],
    [{ type: () => 'text/html; charset=utf-8' }, 'without parameters'],
    [{ changefreq: () => 'dayly' }, 'Did you mean daily?'],
  ])('refuse what a function returns: %o', (config, ...says) => {
    const [option = ''] = Object.keys(config);
    for (const words of says) expect(() => ask(config)).toThrow(words);
    expect(() => ask(config)).toThrow(
      new RegExp(`^The (?:option|function) ${option} of the configuration .* for a\\.html\\b`),
    );
    expect(() => ask(config)).not.toThrow(/Invalid type/);
  });
});
