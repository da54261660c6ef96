/** Which channels a mirror listens to, and when it looks at the documents. */

import { describe, expect, test } from 'vitest';
import { resolveMirror } from '../../../src/mirror/config.js';
import { findWay, listChannels, MOST_CHANNELS, readMessage } from '../../../src/mirror/follow/channels.js';
import { type Hints, nextDue, noteHint, settleHints } from '../../../src/mirror/follow/hints.js';

const SET = 'https://example.org/resourcesync/capabilitylist.xml';
const wayTo = (
  uri: string,
  source = 'https://example.org/',
  pinned = [source],
  allow: readonly string[] = [],
) => {
  const config = resolveMirror({ source, folder: 'copy', allow });
  return findWay(uri, config, new Set(pinned.map((one) => new URL(one).origin)));
};

// docs/mirror.md: "Channels are `wss:` at public addresses"
describe('a channel', () => {
  test.each([
    ['ws://example.org/changes', /not encrypted/],
    ['ws://127.0.0.1/changes', /not encrypted/],
    ['https://example.org/changes', /wss:/],
    ['file:///etc/passwd', /wss:/],
    ['changes', /no URL/],
    ['wss://user:word@example.org/', /password/],
  ])('%s of a public Source is not listened to', (uri, reason) => {
    expect(wayTo(uri)).toMatch(reason);
  });

  test('of a public Source may be anywhere that is public', () => {
    const way = wayTo('wss://push.example.net/a?b#c');
    if (typeof way === 'string') throw new Error(way);
    expect(way.url.href).toBe('wss://push.example.net/a?b');
    expect(way.target.href).toBe('https://push.example.net/a?b');
    // Its host is not one that the user named.
    expect(way.home.origin).toBe('https://example.org');
  });

  test.each([
    ['http://127.0.0.1:8080/', 'ws://127.0.0.1:9090/', true],
    ['http://127.0.0.1:8080/', 'wss://127.0.0.1:9090/', true],
    ['http://127.0.0.1:8080/', 'ws://127.0.0.2:9090/', false],
    ['http://192.168.1.7/', 'ws://192.168.1.7:9090/', true],
  ])('of %s, which has no public address, may be %s: %s', (source, uri, isListenedTo) => {
    expect(typeof wayTo(uri, source, [])).toBe(isListenedTo ? 'object' : 'string');
  });

  test('that is allowed may be unencrypted, as long as it never had a public address', () => {
    const allow = ['http://push.internal:8080'];
    expect(typeof wayTo('ws://push.internal:8080/', 'http://site.internal/', [], allow)).toBe('object');
    expect(wayTo('ws://push.internal:8080/', 'http://site.internal/', allow, allow)).toMatch(/not encrypted/);
  });

  test('is listened to once, and there are not too many', () => {
    const channels = {
      'change-notification': ['wss://a.example/1', 'wss://a.example/1'],
      'framework-notification': Array.from({ length: 500 }, (_, index) => `wss://a.example/${index}`),
    };
    const lists = { resourceLists: [], changeLists: [], resourceDumps: [], changeDumps: [] };
    const nothing = { ...lists, changeListArchives: [], isPlain: false, unknown: [] };
    const listed = listChannels([{ uri: SET, ...nothing, channels }]);
    expect(listed).toHaveLength(MOST_CHANNELS);
    expect(listed.filter(({ capability }) => capability === 'change-notification')).toHaveLength(1);
  });
});

const CHANGES = { uri: 'wss://a.example/', capability: 'change-notification', set: SET } as const;
const FRAMEWORK = { ...CHANGES, capability: 'framework-notification' } as const;
const TIMING = { gap: 500, again: [2000, 5000, 10_000, 20_000, 60_000] };

/** When looks happen until nothing is left to look for. */
function playLooks(from: Hints, known: (now: number) => number, most = 20): number[] {
  let hints = from;
  const looks: number[] = [];
  while (hints.size > 0 && looks.length < most) {
    const now = nextDue(hints);
    looks.push(now);
    hints = settleHints(hints, now, new Map([[SET, known(now)]]), TIMING);
  }
  return looks;
}

describe('a hint', () => {
  const at = { now: 1000, lastLook: 0, gap: 500, moments: new Map([[SET, 10]]) };
  const note = (hints: Hints, moment: number | undefined, more: Partial<typeof at> = {}) =>
    noteHint(hints, moment === undefined ? FRAMEWORK : CHANGES, { moment, changes: 1 }, { ...at, ...more });

  test('leads to a look at once, and again until the documents show it', () => {
    const hints = note(new Map(), 20);
    expect(playLooks(hints, () => 20)).toEqual([1000]);
    expect(playLooks(hints, (now) => (now > 15_000 ? 20 : 10))).toEqual([1000, 3000, 6000, 11_000, 21_000]);
    expect(playLooks(hints, () => 10)).toEqual([1000, 3000, 6000, 11_000, 21_000, 61_000]);
  });

  test('of what is known, or looked for already, leads to none', () => {
    expect(note(new Map(), 10).size).toBe(0);
    const once = note(new Map(), 20);
    expect(note(once, 20, { now: 1100 })).toBe(once);
    expect(note(once, 15, { now: 1100 })).toBe(once);
  });

  test('of documents waits for the change that brought it about', () => {
    const both = note(note(new Map(), undefined), 20);
    expect(playLooks(both, () => 20)).toEqual([1000]);
    // Heard before the look began, it is done with.
    expect(settleHints(note(new Map(), undefined), 1200, at.moments, TIMING).size).toBe(0);
  });

  test('never brings two looks closer than the gap', () => {
    expect(nextDue(note(new Map(), 20, { now: 1000, lastLook: 900 }))).toBe(1400);
  });
});

test('a message without a head, as the draft shows it, is one', async () => {
  const text = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
    <rs:ln rel="up" href="${SET}"/>
    <url><loc>https://example.org/a</loc><rs:md change="updated" datetime="2026-11-20T10:15:00Z"/></url></urlset>`;
  const now = new Date('2026-11-20T10:15:01Z');
  expect(await readMessage(Buffer.from(text), CHANGES, now)).toEqual({
    changes: 1,
    moment: now.getTime() - 1000,
  });
  const other = text.replace('resourcesync/', 'other/');
  expect(await readMessage(Buffer.from(other), CHANGES, now)).toHaveProperty('found');
});
