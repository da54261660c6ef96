/** Whether changes, the folder and the Resource List agree, and what counts as having been. */

import { describe, expect, test } from 'vitest';
import { decideWay, mayTellMore, newestChange, weighChanges } from '../../../src/mirror/plan/history.js';
import type { Event } from '../../../src/source/sets/entry.js';
import { makeEvent as event, makePart as part } from '../../support/change-parts.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const nameOf = ({ entry: { uri } }: Event) => uri.slice('https://a/'.length);

/** What becomes of changes, where the folder is known to be other than some say, and nothing is known of others. */
function weigh(
  events: readonly Event[],
  known: { readonly moment: number; readonly since?: number },
  others: string,
  unknown = '',
) {
  const way = decideWay([part(0, undefined, events)], known);
  if (way.kind === 'compare') throw new Error(way.reason);
  const weighed = weighChanges(way, known, (one) =>
    others.includes(nameOf(one)) ? 'other' : unknown.includes(nameOf(one)) ? 'unknown' : 'same',
  );
  return { ...weighed, events: weighed.events.map(nameOf).join('') };
}

describe('changes', () => {
  const events = [event('a', HOUR), event('b', 3 * HOUR), event('c', 4 * HOUR), event('d', 6 * HOUR)];

  test.each([
    ['that the folder has say nothing', 'x', '', { events: 'd', isSilent: true, isContradiction: false }],
    ['that are news say something', 'd', '', { events: 'd', isSilent: false, isContradiction: false }],
    ['that were told late are news', 'bd', '', { events: 'db', isSilent: false, isContradiction: false }],
    [
      'of before the Resource List contradict it',
      'a',
      '',
      { events: 'd', isSilent: true, isContradiction: true },
    ],
    [
      'without a checksum are what was seen',
      '',
      'abc',
      { events: 'd', isSilent: true, isContradiction: false },
    ],
    [
      'without a checksum say something later',
      '',
      'd',
      { events: 'd', isSilent: false, isContradiction: false },
    ],
  ])('%s', (_, others, unknown, expected) => {
    expect(weigh(events, { moment: 5 * HOUR, since: 2 * HOUR }, others, unknown)).toEqual(expected);
  });

  test('of shortly before the moment are looked at again, as far as the Resource List does not have them', () => {
    const near = [event('a', HOUR - 9 * MINUTE), event('b', HOUR - 3 * MINUTE), event('c', HOUR - MINUTE)];
    const known = { moment: HOUR, since: HOUR - 2 * MINUTE };
    expect(weigh(near, known, '').events).toBe('c');
    expect(weigh(near, { ...known, since: 0 }, '').events).toBe('bc');
    expect(weigh(near, { moment: HOUR }, '').events).toBe('');
  });

  test('of one URL: the last one by its time says what there is, wherever it stands', () => {
    const turned = [event('a', 2 * HOUR, 'md5:02'), event('a', HOUR, 'md5:01')];
    const way = decideWay([part(0, undefined, turned)], { moment: 90 * MINUTE });
    expect(way).toMatchObject({ events: [{ time: 2 * HOUR }], earlier: [] });
  });
});

describe('the newest change', () => {
  const told = [event('a', HOUR), event('b', 10 * HOUR)];

  test.each([
    ['is the newest one', 20, undefined, 10],
    ['is none of the future, by our clock', 2, undefined, 1],
    ['is none of the future, by that of the server', 20, 2, 1],
    ['may be a little ahead', 10 - 1 / 60, undefined, 10],
  ])('%s', (_, now, date, expected) => {
    const parts = [{ ...part(0, undefined, told), date: date === undefined ? undefined : date * HOUR }];
    expect(newestChange(parts, now * HOUR)).toBe(expected * HOUR);
  });
});

describe('another Resource List, where the one before was of 2 and changes were read up to 5,', () => {
  const index = (at: number) => ({ at: at * HOUR, areIndexes: true });
  const list = (at: number) => ({ at: at * HOUR, areIndexes: false });

  test.each([
    ['an index of what was told', index(4), true, false],
    ['an index of later, while nothing is told', index(6), true, true],
    ['an index of later, with news', index(6), false, false],
    ['an index that went back', index(1), false, true],
    ['an index that nobody has told of yet', index(9), false, true],
    ['one list, while nothing is told', list(4), true, true],
    ['one list, with news', list(6), false, false],
    ['what is too large, while nothing is told', undefined, true, true],
    ['what is too large, with news', undefined, false, false],
  ])('%s', (_, heads, isSilent, expected) => {
    const told = { moment: 5 * HOUR, newest: 6 * HOUR, now: 7 * HOUR };
    expect(mayTellMore({ at: 2 * HOUR }, heads, isSilent, told)).toBe(expected);
  });
});
