/** To which versions a TimeMap leads, against the changes that link to it (§14.6, RFC 7089 §5). */

import { expect, test } from 'vitest';
import { compareTimeMap, type ToldVersion } from '../../../../src/audit/agreement/versions.js';

const SITE = 'https://example.org/';
const timeOf = (day: number) => Date.UTC(2026, 2, day, 9);

/** Changes of the 1st, the 5th and the 9th of March. */
const TOLD = [1, 5, 9].map(
  (day): ToldVersion => ({
    resource: `${SITE}page`,
    href: `${SITE}v${day}`,
    time: timeOf(day),
    hash: `md5:${`0${day}`.repeat(16)}`,
    length: '12',
  }),
);

/** What is expected where a TimeMap names versions as of days, such as `1@2` for that of the 1st as of the 2nd. */
function findWrong(named: string): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  const links = named.split(' ').map((one) => {
    const [version, day] = one.split('@');
    const datetime = new Date(timeOf(Number(day))).toUTCString();
    return `<${SITE}v${version}>; rel="memento"; datetime="${datetime}"`;
  });
  const text = [`<${SITE}page>; rel="original"`, ...links].join(',\n');
  compareTimeMap(`${SITE}timemap`, text, TOLD, (_, { expected }) => void found.push(expected?.split(' ')[0]));
  return found.map((one) => one?.slice(SITE.length));
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
  expect(findWrong(named)).toEqual(expected);
});
