/** Which documents are of other builds. */

import { describe, expect, test } from 'vitest';
import { leaveToOthers, makeOthersTest } from '../../../src/paths/apart.js';
import { makeSelection } from '../../../src/paths/selection.js';

const url = 'https://example.org/';
const DESCRIPTION = `${url}.well-known/resourcesync`;
const ALONE = { url, own: [undefined], source: undefined, joined: [] };

test('a build that is alone has no others', () => {
  const isOthers = makeOthersTest(ALONE);
  expect(
    ['.well-known/resourcesync', 'resourcesync/a/capabilitylist.xml', 'index.html'].filter(isOthers),
  ).toEqual([]);
});

describe('where sets are joined', () => {
  const joined = [
    `${url}resourcesync/a/capabilitylist.xml`,
    `${url}p%20q/resourcesync/capabilitylist.xml`,
    `${url}r/resourcesync/b/capabilitylist.xml`,
    `${url}own/lists.xml`,
    'https://other.example/resourcesync/c/capabilitylist.xml',
  ];
  const isOthers = makeOthersTest({ ...ALONE, own: ['pages'], joined });

  test.each([
    'resourcesync/a/capabilitylist.xml',
    'resourcesync/a/resourcelist-0001.xml',
    'resourcesync/a/archives/changelist-archive-20261201T000000Z-0123456789abcdef.xml',
    'p q/resourcesync/changelist.xml',
    'p q/resourcesync/index.html',
    'r/resourcesync/b/resourcedump-0123456789abcdef.zip',
    'own/lists.xml',
  ])('%s is of others', (path) => {
    expect(isOthers(path)).toBe(true);
    expect(leaveToOthers(makeSelection(['**'], []), isOthers)(path)).toBe('own-document');
  });

  test.each([
    '.well-known/resourcesync',
    'resourcesync/capabilitylist.xml',
    'resourcesync/pages/capabilitylist.xml',
    'resourcesync/a/other.xml',
    'resourcesync/archives/changelist-archive-20261201T000000Z-0123456789abcdef.xml',
    'p q/index.html',
    'p q/resourcesync/a/capabilitylist.xml',
    'p%20q/resourcesync/capabilitylist.xml',
    'r/resourcesync/capabilitylist.xml',
    'own/resourcelist.xml',
    'resourcesync/c/capabilitylist.xml',
  ])('%s is not', (path) => expect(isOthers(path)).toBe(false));
});

describe('where another build writes the Source Description', () => {
  const OWN = ['resourcesync/index.html', '.well-known/resourcesync'];

  test('somewhere else, the sets that are not named are of others', () => {
    const isOthers = makeOthersTest({ ...ALONE, own: ['a'], source: 'https://other.example/description' });
    expect(isOthers('resourcesync/b/capabilitylist.xml')).toBe(true);
    expect(['resourcesync/a/capabilitylist.xml', ...OWN].filter(isOthers)).toEqual([]);
  });

  test('into the same folder, all but the own sets is of others', () => {
    const isOthers = makeOthersTest({ ...ALONE, own: ['a'], source: DESCRIPTION });
    const others = ['resourcesync/b/resourcelist.xml', ...OWN];
    expect(['resourcesync/a/resourcelist.xml', ...others].filter(isOthers)).toEqual(others);
    const isOthersOfOne = makeOthersTest({ ...ALONE, source: DESCRIPTION });
    expect(isOthersOfOne('resourcesync/resourcelist.xml')).toBe(false);
    expect(isOthersOfOne('resourcesync/b/resourcelist.xml')).toBe(true);
  });
});
