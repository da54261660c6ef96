/** The pace of requests to a server, by a clock of the test. */

import { expect, test } from 'vitest';
import { findCrawlDelay } from '../../../../src/paths/host-rules.js';
import { Pacer } from '../../../../src/source/web/pace.js';

const [HERE, THERE] = ['https://example.org', 'https://example.com'];

/** A pace, by a clock that goes on only while somebody waits. */
function start(limit: number, nexts?: Map<string, number>, clock = makeClock()) {
  return { clock, pace: new Pacer(limit, new AbortController().signal, nexts, clock) };
}

function makeClock() {
  let time = 1_000_000;
  const pass = (milliseconds: number) => {
    time += milliseconds;
  };
  return { now: () => time, pass, sleep: async (milliseconds: number) => pass(milliseconds) };
}

/** The moments between requests that are all wanted at once. */
async function measureGaps(pace: Pacer, count: number, isFile = false) {
  const times = await Promise.all(Array.from({ length: count }, () => pace.take(HERE, isFile)));
  return times.slice(1).map((time, index) => time - (times[index] ?? 0));
}

test('without a limit nobody waits', async () => {
  const { pace } = start(0);
  expect(await measureGaps(pace, 4)).toEqual([0, 0, 0]);
  expect(pace.requests()).toBe(4);
  expect(pace.asked()).toEqual([]);
});

test('a limit holds for each origin, however many ask', async () => {
  const { pace, clock } = start(250);
  const begin = clock.now();
  expect(await measureGaps(pace, 5)).toEqual([250, 250, 250, 250]);
  const before = clock.now();
  expect(await pace.take(THERE, false)).toBe(before);
  expect(before - begin).toBe(1000);
});

test('a limit holds from one run of a process to the next', async () => {
  const [nexts, clock] = [new Map<string, number>(), makeClock()];
  const first = await start(60_000, nexts, clock).pace.take(HERE, false);
  expect(await start(60_000, nexts, clock).pace.take(HERE, false)).toBe(first + 60_000);
});

test('a server that is busy is asked half as often, once for all that were under way', async () => {
  const { pace, clock } = start(100);
  const begun = await pace.take(HERE, false);
  clock.pass(100);
  for (let answer = 0; answer < 8; answer++) pace.slow(HERE, begun, 5000);
  expect(await pace.take(HERE, false)).toBe(begun + 5100);
  expect(await measureGaps(pace, 3)).toEqual([200, 200]);
  expect(pace.asked()).toEqual([{ origin: HERE, reason: 'busy', milliseconds: 200 }]);
});

test('without a limit, half as often is by what was asked so far', async () => {
  const { pace, clock } = start(0);
  await measureGaps(pace, 10);
  clock.pass(1000);
  pace.slow(HERE, clock.now(), 0);
  expect(pace.gapOf(HERE, false)).toBe(200);
});

test('nobody has us wait for longer than a minute at a time', async () => {
  const { pace, clock } = start(40_000);
  const begun = await pace.take(HERE, false);
  pace.slow(HERE, begun, 1e12);
  expect((await pace.take(HERE, false)) - begun).toBe(60_000);
  pace.slow(HERE, clock.now(), 0);
  pace.delay(HERE, 1e12);
  expect([pace.gapOf(HERE, false), pace.gapOf(HERE, true)]).toEqual([60_000, 60_000]);
});

/** Asks one after another, and tells of each answer: whether the server was busy. */
async function askAll(
  { pace, clock }: ReturnType<typeof start>,
  count: number,
  isBusy: (number: number, time: number) => boolean,
  wait = 0,
) {
  const begin = clock.now();
  let refused = 0;
  for (let number = 1; number <= count; number++) {
    const begun = await pace.take(HERE, false);
    clock.pass(2);
    if (isBusy(number, begun - begin)) {
      refused++;
      pace.slow(HERE, begun, wait);
    } else pace.quicken(HERE, begun);
  }
  return { time: clock.now() - begin, refused };
}

test.for<[what: string, isBusy: (number: number, time: number) => boolean, wait: number, most: number]>([
  ['eight times, with good answers between', (number) => number <= 200 && number % 25 === 0, 0, 30_000],
  ['forty times', (number) => number <= 400 && number % 10 === 0, 0, 120_000],
  ['five times in a row', (number) => number > 95 && number <= 100, 0, 10_000],
  ['for four seconds on end', (_, time) => time > 300 && time < 4300, 0, 20_000],
  ['twice for as long as it said', (number) => number === 50 || number === 60, 20_000, 60_000],
])('a server that was busy %s is soon asked as often as before', async ([, isBusy, wait, most]) => {
  const started = start(0);
  expect((await askAll(started, 1000, isBusy, wait)).time).toBeLessThan(most);
  expect(started.pace.gapOf(HERE, false)).toBe(0);
  expect(started.pace.asked()).toMatchObject([{ reason: 'busy' }]);
});

test('good answers lead to the limit, and no further', async () => {
  const { pace, clock } = start(250);
  const begun = await pace.take(HERE, false);
  clock.pass(250);
  pace.slow(HERE, begun, 0);
  expect(pace.gapOf(HERE, false)).toBe(500);
  // Asked for before the server was busy: says nothing of now.
  for (let answer = 0; answer < 100; answer++) pace.quicken(HERE, begun);
  expect(pace.gapOf(HERE, false)).toBe(500);
  for (let answer = 0; answer < 100; answer++) pace.quicken(HERE, clock.now());
  expect(pace.gapOf(HERE, false)).toBe(250);
  pace.delay(HERE, 3000);
  for (let answer = 0; answer < 100; answer++) pace.quicken(HERE, clock.now());
  expect(pace.gapOf(HERE, true)).toBe(3000);
});

test('Crawl-delay is between files, and neither before nor between documents', async () => {
  const { pace } = start(0);
  expect(pace.knowsDelay(HERE)).toBe(false);
  pace.delay(HERE, 3000);
  expect(pace.knowsDelay(HERE)).toBe(true);
  expect(await measureGaps(pace, 3)).toEqual([0, 0]);
  expect(await measureGaps(pace, 3, true)).toEqual([3000, 3000]);
  expect(await measureGaps(pace, 2)).toEqual([0]);
  expect(pace.asked()).toEqual([{ origin: HERE, reason: 'crawl-delay', milliseconds: 3000 }]);
});

test('waiting ends with the run', async () => {
  const controller = new AbortController();
  const pace = new Pacer(60_000, controller.signal);
  await pace.take(HERE, false);
  const waiting = Promise.allSettled([pace.take(HERE, false), pace.take(HERE, false)]);
  controller.abort(new Error('over'));
  expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(pace.requests()).toBe(1);
});

test.for<[string, number]>([
  ['', 0],
  ['User-agent: *\nCrawl-delay: 2', 2],
  ['\ufeffuser-AGENT : *\r\nCRAWL-delay : 0.5 # half a second\r\n', 0.5],
  ['User-agent: *\nCrawl-delay: 2\n\nUser-agent: resync-static\nCrawl-delay: 7', 7],
  ['User-agent: Resync-Static\nDisallow: /\n\nUser-agent: *\nCrawl-delay: 2', 0],
  ['User-agent: a\nUser-agent: *\nDisallow: /x\nCrawl-delay: 3\n\nUser-agent: b\nCrawl-delay: 9', 3],
  ['Crawl-delay: 4', 0],
  ['User-agent: *\nCrawl-delay: soon\nCrawl-delay: -1\nCrawl-delay: 1e9', 0],
  ['User-agent: constructor\nCrawl-delay: 5', 0],
])('robots.txt %j asks for %d s', ([robots, seconds]) => {
  expect(findCrawlDelay(robots, 'resync-static')).toBe(seconds);
});
