/** The decisions of a channel: when to poll, what is new, what is kept, and the text of messages. */

import { describe, expect, test } from 'vitest';
import { addressOf } from '../../../../src/paths/address.js';
import type { ChangePart, Event } from '../../../../src/source/sets/entry.js';
import type { Offer } from '../../../../src/source/sets/sets.js';
import { parseDocument } from '../../../../src/standard/xml/read.js';
import { PollPace } from '../../../../src/tell/channel/pace.js';
import {
  type Backlog,
  EMPTY_BACKLOG,
  findStart,
  keepPublications,
  replaceBacklog,
} from '../../../../src/tell/channel/plan/backlog.js';
import { findDocumentNews, type PolledDocument } from '../../../../src/tell/channel/plan/documents.js';
import {
  findNews,
  sinceOf,
  writeChanges,
  writeNews,
} from '../../../../src/tell/channel/plan/publications.js';
import { planRoutes } from '../../../../src/tell/channel/plan/routes.js';
import { makeMessage } from '../../../support/messages.js';

const TIMING = {
  gap: 2000,
  again: [2000, 5000, 10_000, 20_000, 40_000],
  handshake: 0,
  heartbeat: 0,
  closing: 0,
};
const EVERY = 60_000;

describe('when to look', () => {
  /** The moments of all looks up to a time, in seconds; at these moments somebody deploys. */
  function looksOf(deploys: readonly number[], until: number, newsAt = Number.POSITIVE_INFINITY): number[] {
    const looks: number[] = [];
    const pace = new PollPace({ every: EVERY, timing: TIMING });
    const waiting = [...deploys];
    for (let now = 0; now <= until; now += 500) {
      while (waiting[0] !== undefined && waiting[0] * 1000 <= now)
        pace.noteDeploy((waiting.shift() ?? 0) * 1000);
      if (pace.next() > now) continue;
      pace.notePoll(now);
      looks.push(now / 1000);
      if (now >= newsAt * 1000) pace.noteNews();
    }
    return looks;
  }

  test.each<[string, number[], number, number | undefined, number[]]>([
    ['without a deploy, every minute', [], 130, undefined, [0, 60, 120]],
    ['after a deploy, until there is news', [10], 40, 15, [0, 10, 12, 15]],
    ['after a deploy, if nothing comes', [10], 75, undefined, [0, 10, 12, 15, 20, 30, 50]],
    ['at a deploy right after a look', [1], 9, undefined, [0, 2, 4, 6]],
    [
      'while deploys flood in',
      Array.from({ length: 100 }, (_, index) => index / 10),
      9,
      undefined,
      [0, 2, 4, 6, 8],
    ],
    ['two deploys', [10, 11], 14, 10, [0, 10, 12]],
  ])('%s', (_, deploys, until, newsAt, expected) => {
    expect(looksOf(deploys, until * 1000, newsAt)).toEqual(expected);
  });
});

const NOW = Date.parse('2026-06-01T00:00:00Z');
const second = (seconds: number) => Date.parse('2026-01-01T00:00:00Z') + seconds * 1000;
const event = (seconds: number | undefined, name = 'a', change: Event['change'] = 'updated'): Event => ({
  change,
  time: seconds === undefined ? undefined : second(seconds),
  entry: {
    uri: addressOf(`https://example.org/${name}`),
    hash: `md5:${seconds}`,
    length: '3',
    type: undefined,
    encoding: undefined,
  },
});
const part = (from: number, events: readonly Event[] | undefined, until?: number): ChangePart => ({
  uri: `https://example.org/${from}.xml`,
  from: second(from),
  until: until === undefined ? undefined : second(until),
  events,
});
const timesOf = (publications: readonly { readonly time: number }[] = []) =>
  publications.map(({ time }) => (time - second(0)) / 1000);

describe('what has not been told yet', () => {
  const first = findNews([part(0, [event(1), event(2)])], undefined, NOW);

  test('at first, nothing; all is kept', () => {
    expect(first?.news).toEqual([]);
    expect(first?.kept?.from).toBe(second(0));
    expect(timesOf(first?.kept?.publications)).toEqual([1, 2]);
  });

  test('what is newer, by publication', () => {
    const parts = [part(0, [event(1), event(2), event(3, 'b'), event(3, 'c'), event(4, 'b', 'deleted')])];
    const found = findNews(parts, first?.notified, NOW);
    expect(found?.news.map(({ time, events }) => [timesOf([{ time }])[0], events.length])).toEqual([
      [3, 2],
      [4, 1],
    ]);
    expect(found?.kept).toBeUndefined();
  });

  test('of the same moment, what was not there', () => {
    const found = findNews([part(0, [event(1), event(2), event(2, 'late')])], first?.notified, NOW);
    expect(found?.news.flatMap(({ events }) => events.map(({ entry }) => entry.uri))).toEqual([
      'https://example.org/late',
    ]);
  });

  test('nothing, where the lists say less than before', () => {
    expect(findNews([part(0, [event(1)])], first?.notified, NOW)).toBeUndefined();
    expect(findNews([], first?.notified, NOW)).toBeUndefined();
  });

  test('what is newer, where the list begins later; what was kept is let go', () => {
    const found = findNews([part(5, [event(6)])], first?.notified, NOW);
    expect(timesOf(found?.news)).toEqual([6]);
    expect(found?.kept?.from).toBe(second(5));
  });

  // Changes without a `datetime` are told only as a change of their list.
  test('no moment, one before all, or one of the future, is told by itself', () => {
    const future = (NOW - second(0)) / 1000 + 3600;
    const found = findNews(
      [part(0, [event(1), event(2), event(undefined), event(future), event(-7e10)])],
      first?.notified,
      NOW,
    );
    expect(found?.news).toEqual([]);
    expect(found?.notified.moment).toBe(second(2));
  });

  test('a change that two parts tell is told once', () => {
    const found = findNews(
      [part(0, [event(1), event(2)], 3), part(2, [event(2), event(4)])],
      first?.notified,
      NOW,
    );
    expect(found?.news.map(({ events }) => events.length)).toEqual([1]);
  });

  test('parts that were not read, or do not meet, are not said to be known', () => {
    const unread = findNews([part(0, undefined, 5), part(5, [event(6)])], undefined, NOW);
    expect(unread?.kept?.from).toBe(second(5));
    const gap = findNews([part(0, [event(1)], 3), part(5, [event(6)])], undefined, NOW);
    expect(gap?.kept?.from).toBe(second(5));
    const whole = findNews([part(0, [event(1)], 5), part(5, [event(6)])], undefined, NOW);
    expect(whole?.kept?.from).toBe(second(0));
  });

  // docs/notification.md: "at the start, the changes of the last 7 days".
  test('lists are read back to what was told last, and at first for a week', () => {
    expect(sinceOf(first?.notified, NOW)).toBe(second(2));
    expect(sinceOf(undefined, NOW)).toBe(NOW - 7 * 86_400_000);
  });
});

describe('what is kept for who comes late', () => {
  const publication = (seconds: number, bytes = 100) => ({
    time: second(seconds),
    messages: [Buffer.alloc(bytes)],
  });
  const kept = replaceBacklog(
    EMPTY_BACKLOG,
    second(0),
    [publication(1), publication(2), publication(3)],
    10_000,
  );
  const start = (backlog: Backlog, seconds: number) => findStart(backlog, second(seconds));

  test('all after the moment that is known', () => {
    expect([-1, 0, 1, 2, 3, 9].map((seconds) => start(kept, seconds))).toEqual([undefined, 0, 1, 2, 3, 3]);
    expect(start(EMPTY_BACKLOG, 9)).toBeUndefined();
  });

  test('the newest, where there is too much', () => {
    const less = keepPublications(kept, [publication(4, 700)], 1000);
    expect(less.publications.map(({ time }) => time)).toEqual([second(3), second(4)]);
    expect([1, 2, 3, 4].map((seconds) => start(less, seconds))).toEqual([undefined, 2, 3, 4]);
    const none = keepPublications(kept, [publication(4, 5000)], 1000);
    expect([start(none, 3), start(none, 4)]).toEqual([undefined, 4]);
  });
});

describe('which documents are told of', () => {
  const SET = 'https://example.org/capabilitylist.xml';
  const seen = (
    uri: string,
    digest: string,
    more: Partial<PolledDocument> = {},
  ): [string, PolledDocument] => [
    uri,
    { uri, digest, capability: 'changelist', set: SET, index: undefined, parts: undefined, ...more },
  ];
  const news = (before: [string, PolledDocument][], after: [string, PolledDocument][], sets = [SET]) =>
    [...findDocumentNews(new Map(before), new Map(after), sets)].flatMap(([set, changes]) =>
      changes.map(
        ({ change, uri, index }) => `${sets.indexOf(set)} ${change} ${uri}${index ? ` in ${index}` : ''}`,
      ),
    );

  const described = (digest: string) => seen('s', digest, { capability: 'description', set: undefined });
  const listed = (digest: string) => seen('a', digest, { capability: 'resourcelist' });
  const indexed = (digest: string, parts: string[] = []) => seen('a', digest, { parts });
  const below = seen('b', '1', { index: 'a' });

  test.each<[string, [string, PolledDocument][], [string, PolledDocument][], string[]]>([
    ['nothing changed', [seen('a', '1')], [seen('a', '1')], []],
    ['one changed', [seen('a', '1')], [seen('a', '2')], ['0 updated a']],
    ['one is new', [], [seen('a', '1')], ['0 created a']],
    ['a list is gone', [seen('a', '1')], [], []],
    ['a Resource List is another one', [listed('1')], [listed('2')], ['0 updated a']],
    ['a Capability List is gone', [seen('a', '1', { capability: 'capabilitylist' })], [], ['0 deleted a']],
    ['an index is never told', [indexed('1')], [indexed('2')], []],
    ['a part names its index', [], [below], ['0 created b in a']],
    ['an index becomes a list', [indexed('2', ['b']), below], [seen('a', '1')], ['0 updated a']],
    ['a list becomes an index', [seen('a', '1')], [indexed('2', ['b']), below], ['0 created b in a']],
  ])('%s', (_, before, after, expected) => {
    expect(news(before, after)).toEqual(expected);
  });

  test('what is of another set is told elsewhere, and the Source Description everywhere', () => {
    const after = [described('2'), seen('a', '1', { set: 'other' }), seen('b', '1')];
    const told = ['0 updated s', '0 created b', '1 updated s', '1 created a'];
    expect(news([described('1')], after, [SET, 'other'])).toEqual(told);
  });
});

describe('messages', () => {
  const up = 'https://example.org/capabilitylist.xml';

  // docs/notification.md: "a message: 1 MB; more changes are sent in several messages".
  test('are as few as a megabyte each allows, and nothing is lost', async () => {
    const events = Array.from({ length: 12_000 }, (_, index) => event(5, `${index}`));
    const messages = writeChanges({ time: second(5), events }, up);
    expect(messages.length).toBeGreaterThan(1);
    for (const message of messages) expect(message.length).toBeLessThanOrEqual(1_000_000);
    const read = await Promise.all(
      messages.map(async (message) => makeMessage(await parseDocument([message]), 'change-notification')),
    );
    expect(read.flatMap(({ changes }) => changes.map(({ uri }) => uri))).toEqual(
      events.map(({ entry }) => entry.uri),
    );
  });

  test('leave out a change that would fill one by itself', () => {
    const long = event(5, 'x'.repeat(1_100_000));
    expect(writeChanges({ time: second(5), events: [long] }, up)).toEqual([]);
    expect(writeChanges({ time: second(5), events: [event(5), long] }, up)).toHaveLength(1);
    expect(writeNews([], up)).toEqual([]);
  });
});

test('channels are where they are advertised, and where they are by default', () => {
  const lists = { resourceLists: [], changeLists: [], resourceDumps: [], changeDumps: [] };
  const nothing = { ...lists, changeListArchives: [], isPlain: false, unknown: [] };
  const offer = (name: string, changes: string[] = []): Offer => ({
    ...nothing,
    uri: `https://example.org/resourcesync/${name}/capabilitylist.xml`,
    channels: { 'change-notification': changes, 'framework-notification': [] },
  });
  expect([...planRoutes([offer('a', ['wss://p.example/x/y', 'no URL'])]).keys()]).toEqual([
    '/x/y',
    '/a/changes',
    '/changes',
    '/a/framework',
    '/framework',
  ]);
  const one = planRoutes([{ ...offer('a'), uri: 'https://example.org/resourcesync/capabilitylist.xml' }]);
  expect([...one.keys()]).toEqual(['/changes', '/framework']);
  // An advertised address wins over a default one.
  const two = planRoutes([offer('a'), offer('b', ['wss://p.example/a/changes'])]);
  expect(two.get('/a/changes')?.set).toContain('/b/');
  expect([...two.keys()]).toEqual(['/a/changes', '/b/changes', '/a/framework', '/b/framework']);
});
