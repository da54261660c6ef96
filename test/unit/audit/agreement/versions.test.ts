/** The versions that a change links to, and to which a TimeMap leads (§14.6, RFC 7089 §5). */

import { expect, test } from 'vitest';
import {
  compareTimeMap,
  listChangeLinks,
  type NamedVersion,
} from '../../../../src/audit/agreement/versions.js';
import type { CheckCode } from '../../../../src/standard/rules/checks.js';
import { parseDocument } from '../../../../src/standard/xml/read.js';

const URL = 'https://example.org/';
const MD5 = `md5:${'0a'.repeat(16)}`;
const SHA = `sha-256:${'0b'.repeat(32)}`;
const SAME = `hash="${MD5} ${SHA}" length="12" type="text/html"`;
const BEFORE = 'modified="2026-03-01T09:00:00Z"';

const LATER = 'lastmod 2026-03-01T09:00:00Z';

/** The findings about a change on the second of March that links to a version. */
async function findWrong(change: string, version: string): Promise<string[]> {
  const text = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
    <rs:ln rel="up" href="${URL}capabilitylist.xml"/>
    <rs:md capability="changelist" from="2026-03-01T00:00:00Z"/>
    <url><loc>${URL}page</loc><lastmod>2026-03-02T09:00:00Z</lastmod><rs:md change="updated" ${change}/>
      <rs:ln rel="memento" href="${URL}2026/page" ${version}/>
      <rs:ln rel="timemap" href="${URL}timemap/page" type="application/link-format"/></url></urlset>`;
  const found: [CheckCode, string | undefined][] = [];
  const document = await parseDocument([text]);
  listChangeLinks(
    `${URL}changelist.xml`,
    document,
    (code, finding) => void found.push([code, finding.found]),
  );
  return found.map((one) => one.join(': '));
}

test.each<[what: string, change: string, version: string, found?: string]>([
  ['the same', SAME, `modified="2026-03-02T10:00:00+01:00" ${SAME}`],
  ['the same bytes, modified at another time', SAME, `${BEFORE} ${SAME}`],
  [
    'the same bytes, by one digest of two',
    SAME,
    `${BEFORE} hash="${MD5.toUpperCase().replace('MD5', 'md5')}"`,
  ],
  [
    'other bytes of another time',
    SAME,
    `${BEFORE} ${SAME.replace('0a', 'ff')}`,
    `hash ${MD5.replace('0a', 'ff')} ${SHA}`,
  ],
  [
    'the same bytes by one digest, others by the other',
    SAME,
    `${BEFORE} ${SAME.replace('0b', 'ff')}`,
    `hash ${MD5} ${SHA.replace('0b', 'ff')}`,
  ],
  ['of another length', SAME, `${BEFORE} hash="${MD5}" length="13"`, 'length 13'],
  ['of another time, without a digest', SAME, BEFORE, LATER],
  ['of another time, whose digests are of another kind', `hash="${MD5}"`, `${BEFORE} hash="${SHA}"`, LATER],
])('a version that is %s', async (_, change, version, found) => {
  expect(await findWrong(change, version)).toEqual(found === undefined ? [] : [`version-differs: ${found}`]);
});

const timeOf = (day: number) => Date.UTC(2026, 2, day, 9);

/** Changes of the 1st, the 5th and the 9th of March. */
const TOLD = [1, 5, 9].map(
  (day): NamedVersion => ({
    resource: `${URL}page`,
    href: `${URL}v${day}`,
    time: timeOf(day),
    hash: `md5:${`0${day}`.repeat(16)}`,
    length: '12',
  }),
);

/** The findings about a TimeMap; `1@2` is the version of the 1st that it dates on the 2nd. */
function findWrongMap(named: string): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  const links = named.split(' ').map((one) => {
    const [version, day] = one.split('@');
    const datetime = new Date(timeOf(Number(day))).toUTCString();
    return `<${URL}v${version}>; rel="memento"; datetime="${datetime}"`;
  });
  const text = [`<${URL}page>; rel="original"`, ...links].join(',\n');
  compareTimeMap(`${URL}timemap`, text, TOLD, (_, { expected }) => void found.push(expected?.split(' ')[0]));
  return found.map((one) => one?.slice(URL.length));
}

test.each<[what: string, named: string, expected: string[]]>([
  ['each version as of its change', '1@1 5@5 9@9', []],
  ['versions as of later days', '1@2 5@7 9@20', []],
  ['a version twice', '1@1 1@3 5@5 9@9', []],
  ['another one at first, and the right one before the next change', '9@1 1@2 5@5 9@9', ['v1']],
  ['another one between two right ones', '1@1 5@5 9@6 5@7 9@9', ['v5']],
  ['another one after the newest change, before the right one', '1@1 5@5 1@9 9@10', ['v9']],
  ["two in each other's place", '5@1 1@5 9@9', ['v1', 'v5']],
  ['none for a change', '1@1 9@9', ['v5']],
  ['the newest one not', '1@1 5@5', ['v9']],
])('%s', (_, named, expected) => {
  expect(findWrongMap(named)).toEqual(expected);
});
