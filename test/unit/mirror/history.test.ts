/** When changes lead from a folder to now, and which of them are news. */

import { expect, test } from 'vitest';
import { decideWay, lastOfEach } from '../../../src/mirror/plan/history.js';
import type { ChangePart } from '../../../src/source/sets/entry.js';
import { makeEvent as event, makePart as part } from '../../support/change-parts.js';

const LAST = { change: 'updated', uri: 'https://a/l', hash: 'md5:00', time: 20 } as const;
const last = event('l', 20);

test.each<[string, readonly ChangePart[] | undefined, Parameters<typeof decideWay>[1], string]>([
  ['nothing was copied', [part(0, undefined, [])], undefined, 'first'],
  ['no list', undefined, { moment: 10 }, 'no-changes'],
  ['no moment', [part(0, undefined, [])], {}, 'no-changes'],
  ['it begins later', [part(11, undefined, [])], { moment: 10 }, 'gap'],
  ['nobody says when it begins', [part(undefined, undefined, [event('x', 12)])], { moment: 10 }, 'gap'],
  ['there is a hole', [part(0, 12, []), part(15, undefined, [])], { moment: 10 }, 'gap'],
  ['it is older than before', [part(0, undefined, [event('x', 12)])], { moment: 10, newest: 20 }, 'replaced'],
  ['the last change is gone', [part(0, undefined, [event('x', 30)])], { moment: 20, last: LAST }, 'replaced'],
  [
    'the last change has other bytes',
    [part(0, undefined, [event('l', 20, 'md5:01')])],
    { moment: 20, last: LAST },
    'replaced',
  ],
])('all is compared when %s', (_, parts, known, reason) =>
  expect(decideWay(parts, known)).toEqual({ kind: 'compare', reason }),
);

test.each<[string, readonly ChangePart[], Parameters<typeof decideWay>[1], readonly string[]]>([
  ['after the moment', [part(0, undefined, [event('a', 5), event('b', 15)])], { moment: 10 }, ['b']],
  ['at the moment, again', [part(0, undefined, [event('a', 10)])], { moment: 10 }, ['a']],
  ['without a time', [part(0, undefined, [event('a', undefined), event('b', 5)])], { moment: 10 }, ['a']],
  [
    'behind the last one that is known',
    [part(0, undefined, [last, event('a', 5)])],
    { moment: 20, last: LAST },
    ['l', 'a'],
  ],
  [
    'of several lists, in their order',
    [part(12, undefined, [event('b', 14)]), part(0, 12, [event('a', 11)])],
    { moment: 10 },
    ['a', 'b'],
  ],
  [
    'but not of a part that has ended',
    [part(0, 5, undefined), part(5, undefined, [event('b', 14)])],
    { moment: 10 },
    ['b'],
  ],
  [
    'though the last change has moved',
    [part(0, undefined, [event('l', 25), event('a', 26)])],
    { moment: 20, last: LAST },
    ['l', 'a'],
  ],
])('news are changes %s', (_, parts, known, expected) => {
  const way = decideWay(parts, known);
  const uris = way.kind === 'changes' ? way.events.map(({ entry }) => entry.uri) : way.reason;
  expect(uris).toEqual(expected.map((path) => `https://a/${path}`));
});

test('of each URL, the last change counts', () => {
  const events = [event('a', 1), event('b', 2), event('a', 3, '', 'deleted')];
  expect(lastOfEach(events).map(({ change, entry }) => [change, entry.uri])).toEqual([
    ['updated', 'https://a/b'],
    ['deleted', 'https://a/a'],
  ]);
});
