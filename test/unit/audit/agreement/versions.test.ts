/** Which version that a change links to is the one of the change (§14.6). */

import { expect, test } from 'vitest';
import { listChangeLinks } from '../../../../src/audit/agreement/versions.js';
import type { CheckCode } from '../../../../src/standard/rules/checks.js';
import { parseDocument } from '../../../../src/standard/xml/read.js';

const URL = 'https://example.org/';
const MD5 = `md5:${'0a'.repeat(16)}`;
const SHA = `sha-256:${'0b'.repeat(32)}`;
const SAME = `hash="${MD5} ${SHA}" length="12" type="text/html"`;
const BEFORE = 'modified="2026-03-01T09:00:00Z"';

/** What is found of a change on the second of March that links to a version. */
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

test.each<[string, string, string, string[]]>([
  ['the same', SAME, `modified="2026-03-02T10:00:00+01:00" ${SAME}`, []],
  ['the same bytes, modified at another time', SAME, `${BEFORE} ${SAME}`, []],
  [
    'the same bytes, by one digest of two',
    SAME,
    `${BEFORE} hash="${MD5.toUpperCase().replace('MD5', 'md5')}"`,
    [],
  ],
  [
    'other bytes of another time',
    SAME,
    `${BEFORE} ${SAME.replace('0a', 'ff')}`,
    [`version-differs: hash ${MD5.replace('0a', 'ff')} ${SHA}`],
  ],
  [
    'the same bytes by one digest, others by the other',
    SAME,
    `${BEFORE} ${SAME.replace('0b', 'ff')}`,
    [`version-differs: hash ${MD5} ${SHA.replace('0b', 'ff')}`],
  ],
  ['of another length', SAME, `${BEFORE} hash="${MD5}" length="13"`, ['version-differs: length 13']],
  ['of another time, without a digest', SAME, BEFORE, ['version-differs: lastmod 2026-03-01T09:00:00Z']],
  [
    'of another time, with digests that cannot be compared',
    `hash="${MD5}"`,
    `${BEFORE} hash="${SHA}"`,
    ['version-differs: lastmod 2026-03-01T09:00:00Z'],
  ],
])('a version that is %s', async (_, change, version, expected) => {
  expect(await findWrong(change, version)).toEqual(expected);
});
