/** When changes lead from a folder to now, which are news, and whether they, the folder and the Resource List agree. */

import { describe, expect, test } from 'vitest';
import { mayTellMore, weighChanges } from '../../../src/mirror/plan/history.js';
import { addressOf } from '../../../src/paths/address.js';
import { decideWay, joinArchived, type KnownPast } from '../../../src/source/sets/changes.js';
import type { ChangePart, Event } from '../../../src/source/sets/entry.js';
import { lastOfEach } from '../../../src/source/sets/entry.js';

const MINUTE = 60_000;
const timeOf = (minutes = '') => (/^\d+$/.test(minutes) ? Number(minutes) * MINUTE : undefined);

/** A change of a file, such as `a@5` in the fifth minute; `a@5=1` with other bytes, `-a@5` of one that is gone, `a@?` at no time. */
function event(text: string): Event {
  const [, gone, path = '', minutes, digit = '0'] = /^(-?)(\w)@(\d+|\?)(?:=(\d))?$/.exec(text) ?? [];
  const nothing = { length: undefined, type: undefined, encoding: undefined };
  return {
    change: gone === '' ? 'updated' : 'deleted',
    time: timeOf(minutes),
    entry: { uri: addressOf(`https://a/${path}`), hash: `md5:0${digit}`, ...nothing },
  };
}

/** A Change List, such as `0-20 a@5 b@15`; `0-` has no end, `?-` no beginning, and `0-20 unread` was not read. */
function part(text: string): ChangePart {
  const [span = '', ...told] = text.split(' ');
  const [from, until] = span.split('-').map(timeOf);
  return { uri: 'd', from, until, events: told[0] === 'unread' ? undefined : told.map(event) };
}

const LAST = { change: 'updated', uri: 'https://a/l', hash: 'md5:00', time: 20 * MINUTE } as const;
const known = (minutes: number, more: Partial<KnownPast> = {}): KnownPast => ({
  moment: minutes * MINUTE,
  ...more,
});
const tell = (events: readonly Event[]) =>
  events.map(({ entry, time = 0 }) => `${entry.uri.at(-1)}@${time / MINUTE}`).join(' ');

/** The news that a folder is told; or why all is compared. */
function lead(parts: readonly ChangePart[] | undefined, past: KnownPast | undefined): string {
  const way = decideWay(parts, past);
  return way.kind === 'compare' ? way.reason : tell(way.events);
}

test.each<[string, string[] | undefined, KnownPast | undefined, string]>([
  ['nothing was copied', ['0-'], undefined, 'first'],
  ['no list', undefined, known(10), 'no-changes'],
  ['no moment', ['0-'], {}, 'no-changes'],
  ['it begins later', ['11-'], known(10), 'gap'],
  ['nobody says when it begins', ['?- x@12'], known(10), 'gap'],
  ['there is a hole', ['0-12', '15-'], known(10), 'gap'],
  ['it is older than before', ['0- x@12'], known(10, { newest: 20 * MINUTE }), 'replaced'],
  ['the last change is gone', ['0- x@30'], known(20, { last: LAST }), 'replaced'],
  ['the last change has other bytes', ['0- l@20=1'], known(20, { last: LAST }), 'replaced'],
])('all is compared when %s', (_, parts, past, reason) => expect(lead(parts?.map(part), past)).toBe(reason));

test.each<[string, string[], KnownPast, string]>([
  ['after the moment', ['0- a@5 b@15'], known(10), 'b@15'],
  ['at the moment, again', ['0- a@10'], known(10), 'a@10'],
  ['without a time', ['0- a@? b@5'], known(10), 'a@0'],
  ['behind the last one that is known', ['0- l@20 a@5'], known(20, { last: LAST }), 'l@20 a@5'],
  ['of several lists, in their order', ['12- b@14', '0-12 a@11'], known(10), 'a@11 b@14'],
  ['but not of a part that has ended', ['0-5 unread', '5- b@14'], known(10), 'b@14'],
  ['though the last change has moved', ['0- l@25 a@26'], known(20, { last: LAST }), 'l@25 a@26'],
])('news are changes %s', (_, parts, past, news) => expect(lead(parts.map(part), past)).toBe(news));

test('of each URL, the last change by its time counts, wherever it stands', () => {
  expect(tell(lastOfEach(['a@1', 'b@2', '-a@3'].map(event)))).toBe('b@2 a@3');
  const way = decideWay([part('0- a@120=2 a@60=1')], known(90));
  expect(way).toMatchObject({ events: [{ time: 120 * MINUTE }], earlier: [] });
});

describe('an archive, before changes of today that begin at 50', () => {
  const leadFrom = (archived: string[], today = ['50- z@60'], past = known(10)) => {
    const joined = joinArchived(archived.map(part), today.map(part));
    return joined === undefined ? 'broken' : lead(joined, past);
  };

  test.each<[string, string[], string]>([
    ['tells changes from the moment on', ['0-20 a@5 b@15', '20-50 c@50'], 'b@15 c@50 z@60'],
    ['but those of today where both tell', ['0-20 b@15', '20-70 c@30 z@60 y@65'], 'b@15 c@30 z@60'],
    ['but not lists that begin with them, or later', ['0-50 b@15', '50-55 y@52', '55-70 y@65'], 'b@15 z@60'],
    ['whatever their order', ['20-50 c@30', '0-20 b@15'], 'b@15 c@30 z@60'],
    ['is none where it is empty', [], 'gap'],
    ['is none where it begins later', ['11-50'], 'gap'],
    ['is none where it has a hole', ['0-20', '21-50'], 'gap'],
    ['is none where it ends before today', ['0-20', '20-49'], 'gap'],
    ['is none where a list has no end', ['0-'], 'broken'],
    ['is none where a list has no beginning', ['?-50'], 'broken'],
    ['is none where a list ends before it begins', ['0-50', '50-40'], 'broken'],
    ['is none where a change has no time', ['0-50 a@?'], 'broken'],
    ['is none where changes are out of order', ['0-50 a@30 b@20'], 'broken'],
    ['is none where a change is before its list', ['5-50 a@4'], 'broken'],
    ['is none where a change is after its list', ['0-50 a@51'], 'broken'],
  ])('%s', (_, archived, news) => expect(leadFrom(archived)).toBe(news));

  test('is none of another story, nor where those of today do not say when they begin', () => {
    const last = { ...LAST, time: 10 * MINUTE };
    expect(leadFrom(['0-50 b@15'], ['50- z@60'], known(10, { last }))).toBe('replaced');
    expect(leadFrom(['0-50'], ['?-'])).toBe('broken');
  });
});

describe('changes, held against the folder', () => {
  /** Where the folder is known to be other than some say, and nothing is known of others. */
  function weigh(told: string, past: { moment: number; since?: number }, others: string, unknown = '') {
    const way = decideWay([part(`0- ${told}`)], past);
    if (way.kind === 'compare') throw new Error(way.reason);
    const isOf = (some: string, { entry: { uri } }: Event) => some.includes(uri.at(-1) ?? '!');
    const weighed = weighChanges(way, past, (one) =>
      isOf(others, one) ? 'other' : isOf(unknown, one) ? 'unknown' : 'same',
    );
    return { ...weighed, events: tell(weighed.events) };
  }

  test.each<[string, others: string, unknown: string, weighed: object]>([
    ['that were told late are news', 'bd', '', { events: 'd@360 b@180', isSilent: false }],
    ['of before the Resource List contradict it', 'a', '', { isSilent: true, isContradiction: true }],
    ['without a checksum are what was seen', '', 'abc', { isSilent: true }],
    ['without a checksum say something later', '', 'd', { isSilent: false }],
  ])('%s', (_, others, unknown, weighed) => {
    const past = { moment: 300 * MINUTE, since: 120 * MINUTE };
    const usual = { events: 'd@360', isContradiction: false };
    expect(weigh('a@60 b@180 c@240 d@360', past, others, unknown)).toEqual({ ...usual, ...weighed });
  });

  test('of shortly before the moment are looked at again, as far as the Resource List does not have them', () => {
    const near = 'a@51 b@57 c@59';
    const moment = 60 * MINUTE;
    expect(weigh(near, { moment, since: 58 * MINUTE }, '').events).toBe('c@59');
    expect(weigh(near, { moment, since: 0 }, '').events).toBe('b@57 c@59');
    expect(weigh(near, { moment }, '').events).toBe('');
  });
});

test.each([
  ['what changes told', 4, false],
  ['what went back', 1, true],
  ['what nobody has told of yet', 9, true],
])('beside news, an index of %s, of %i, may tell more: %s', (_, at, mayTell) => {
  const hour = 60 * MINUTE;
  const told = { moment: 5 * hour, newest: 6 * hour, now: 7 * hour };
  const heads = { at: at * hour, areIndexes: true };
  expect(mayTellMore({ at: 2 * hour }, heads, false, told)).toBe(mayTell);
});
