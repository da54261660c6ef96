/** When archived changes lead from a folder to the changes of today, and which of them count. */

import { expect, test } from 'vitest';
import { decideWay, joinArchived } from '../../../src/mirror/plan/history.js';
import type { ChangePart, Event } from '../../../src/source/sets/entry.js';
import { makeEvent, makePart } from '../../support/change-parts.js';

const event = (path: string, time: number | undefined) => makeEvent(path, time, `md5:0${path}`);
const part = (from?: number, until?: number, events: readonly Event[] = []) => makePart(from, until, events);
const TODAY = [part(50, undefined, [event('z', 60)])];

/** What a folder that stands for 10 is told; or why it is compared. */
function lead(archived: readonly ChangePart[], today: readonly ChangePart[] = TODAY) {
  const joined = joinArchived(archived, today);
  if (joined === undefined) return 'broken';
  const way = decideWay(joined, { moment: 10 });
  return way.kind === 'compare'
    ? way.reason
    : way.events.map(({ entry, time }) => `${entry.uri.at(-1)}${time}`);
}

test.each<[string, readonly ChangePart[], readonly string[]]>([
  [
    'from the moment on',
    [part(0, 20, [event('a', 5), event('b', 15)]), part(20, 50, [event('c', 50)])],
    ['b15', 'c50', 'z60'],
  ],
  [
    'but those of today where both tell',
    [part(0, 20, [event('b', 15)]), part(20, 70, [event('c', 30), event('z', 60), event('y', 65)])],
    ['b15', 'c30', 'z60'],
  ],
  [
    'but not of lists that begin with those of today, or later',
    [part(0, 50, [event('b', 15)]), part(50, 55, [event('y', 52)]), part(55, 70, [event('y', 65)])],
    ['b15', 'z60'],
  ],
  [
    'whatever their order',
    [part(20, 50, [event('c', 30)]), part(0, 20, [event('b', 15)])],
    ['b15', 'c30', 'z60'],
  ],
])('archived changes are told %s', (_, archived, expected) => expect(lead(archived)).toEqual(expected));

test.each<[string, readonly ChangePart[], string]>([
  ['it is empty', [], 'gap'],
  ['it begins later', [part(11, 50)], 'gap'],
  ['it has a hole', [part(0, 20), part(21, 50)], 'gap'],
  ['it ends before the lists of today begin', [part(0, 20), part(20, 49)], 'gap'],
  ['a list has no end', [part(0)], 'broken'],
  ['a list has no beginning', [part(undefined, 50)], 'broken'],
  ['a list ends before it begins', [part(0, 50), part(50, 40)], 'broken'],
  ['a change has no time', [part(0, 50, [event('a', undefined)])], 'broken'],
  ['changes are out of order', [part(0, 50, [event('a', 30), event('b', 20)])], 'broken'],
  ['a change is before its list', [part(5, 50, [event('a', 4)])], 'broken'],
  ['a change is after its list', [part(0, 50, [event('a', 51)])], 'broken'],
])('an archive does not count where %s', (_, archived, reason) =>
  // Those of today do not lead here either.
  expect([lead(archived), lead([], TODAY)]).toEqual([reason, 'gap']),
);

test('an archive of another story does not count', () => {
  const last = { change: 'updated', uri: 'https://a/l', hash: 'md5:00', time: 10 } as const;
  const joined = joinArchived([part(0, 50, [event('b', 15)])], TODAY) ?? [];
  expect(decideWay(joined, { moment: 10, last })).toEqual({ kind: 'compare', reason: 'replaced' });
});

test('where the lists of today do not say when they begin, no archive leads to them', () =>
  expect(lead([part(0, 50)], [part(undefined, undefined, [])])).toBe('broken'));
