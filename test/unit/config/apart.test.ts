/** The options of sets that are described apart. */

import { describe, expect, test } from 'vitest';
import type { UserConfig } from '../../../src/config/options.js';
import { resolveConfig } from '../../../src/config/resolve.js';

const SITE = { site: 'dist', url: 'https://example.org/' };
const resolve = (config: Partial<UserConfig>) => resolveConfig({ ...SITE, ...config });

describe('what they come to', () => {
  test.each([
    ['https://me.github.io/', 'https://me.github.io/.well-known/resourcesync'],
    ['https://example.org/description.xml', 'https://example.org/description.xml'],
  ])('the source %s', (source, description) => {
    expect(resolve({ source })).toMatchObject({ description, isJoined: true, sets: [{ name: undefined }] });
  });

  test.each([
    ['/a/', 'https://example.org/a/resourcesync/capabilitylist.xml'],
    ['a/lists.xml', 'https://example.org/a/lists.xml'],
    ['https://other.example/', 'https://other.example/resourcesync/capabilitylist.xml'],
  ])('the Capability List %s', (capabilityList, uri) => {
    const { sets, joined } = resolve({ sets: [{ name: 'a', capabilityList, describedby: 'about' }] });
    expect(sets).toEqual([]);
    expect(joined).toEqual([{ name: 'a', uri, describedby: 'https://example.org/about' }]);
  });

  test('own sets and those of others, in the order in which they stand, with the page that names them', () => {
    const { sets, joined } = resolve({
      page: true,
      sets: [{ name: 'b', capabilityList: '/b/' }, { name: 'own' }, { name: 'a', capabilityList: '/a/' }],
    });
    expect(sets.map(({ name }) => name)).toEqual(['own']);
    expect(joined.map(({ describedby }) => describedby)).toEqual([
      'https://example.org/resourcesync/#b',
      'https://example.org/resourcesync/#a',
    ]);
  });
});

const joined = (name: string, capabilityList: string) => ({ name, capabilityList });

test.each<[object, string]>([
  [{ source: 'example.org' }, 'source must be the absolute http(s) URL of a Source Description'],
  [{ source: 'https://example.org/#a' }, 'source must be the absolute http(s) URL'],
  [{ sets: [joined('a', 'http://[')] }, 'sets[0].capabilityList must be a URL, absolute or relative'],
  [
    { sets: [{ ...joined('a', '/a/'), include: ['a/**'], exclude: ['b'] }] },
    'sets[0].exclude does not go with capabilityList',
  ],
  [{ source: 'https://a.b/', sets: [joined('a', '/a/')] }, 'sets[0].capabilityList does not go with source'],
  [
    { sets: [joined('a', '/a/'), joined('b', 'https://example.org/a/resourcesync/capabilitylist.xml')] },
    'sets[1] and sets[0] have the same Capability List, https://example.org/a/resourcesync/capabilitylist.xml',
  ],
  [
    { sets: [{ name: 'a' }, joined('b', 'resourcesync/a/capabilitylist.xml')] },
    'sets[1] and sets[0] have the same Capability List',
  ],
  [{ record: true, sets: [joined('a', '/a/')] }, 'record is for sets that this build describes'],
  [{ dumps: {}, sets: [joined('a', '/a/')] }, 'dumps is for sets that this build describes'],
  [{ feed: true, sets: [joined('a', '/a/')] }, 'feed is for sets that this build describes'],
  [{ page: true, source: SITE.url }, 'page would be written by several builds to one place'],
  [
    { describedby: 'a', source: 'https://a.b/', sets: [{ name: 'a' }] },
    'describedby describes the Source, which another build does',
  ],
  [{ sets: 'all', source: 3 }, 'source must be'],
  [{ sets: [null, { capabilityList: 7 }], source: 'https://a.b/' }, 'sets[1].capabilityList must be'],
])('%j is a mistake', (config, message) => {
  expect(() => resolve(config as Partial<UserConfig>)).toThrow(message);
});

test.each<Partial<UserConfig>>([
  { page: true, feed: true, source: 'https://other.example/' },
  { describedby: 'about', source: 'https://other.example/' },
  { record: false, feed: false, sets: [joined('a', '/a/')] },
])('%j is none', (config) => expect(() => resolve(config)).not.toThrow());
