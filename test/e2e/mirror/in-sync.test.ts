/** In sync means equal: Sources that contradict themselves, and what a run may claim then. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { resolveMirror } from '../../../src/mirror/config.js';
import { mirrorSource } from '../../../src/mirror/mirror.js';
import { createStatus, type RunOptions } from '../../../src/mirror/run/session.js';
import { SMALL } from '../../../src/source/sets/conditions.js';
import { answerConditions, startHandMade, type Told } from '../../support/lists.js';
import { copy, readCopy, startSource, write } from '../../support/mirror.js';
import { makeFolder } from '../../support/site.js';

const LENGTH_ONLY = (text: string) => `length="${text.length}"`;
const readSite = (copied: Record<string, string>) =>
  Object.fromEntries(Object.entries(copied).filter(([path]) => !path.endsWith('.xml')));
const updated = (path: string, text: string, at: number | undefined): Told => ({
  path,
  text,
  change: 'updated',
  at,
});

/** A moment for the runs that follow, in days as `day` takes them. */
function setClock(days: number): void {
  vi.stubEnv('SOURCE_DATE_EPOCH', String(Date.UTC(2026, 0, 1) / 1000 + days * 86_400));
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** A Source that was copied, with a Resource List of day 0. */
async function startCopied(more: Parameters<typeof startHandMade>[0] = {}) {
  const source = await startHandMade(more);
  const { lists, put } = source;
  const files = { 'a.txt': 'a1', 'b.txt': 'b1', 'c.txt': 'c1' };
  put({ ...files, 'resourcelist.xml': lists.resources(0, files), 'changelist.xml': lists.changes(0, []) });
  const folder = makeFolder();
  const run = (config: Parameters<typeof copy>[2] = {}) => copy(source.source, folder, config);
  expect(await run()).toMatchObject({ inSync: true, created: 3 });
  return { ...source, files, folder, run };
}

describe('a change of the future', () => {
  test.each([
    ['with checksums', undefined],
    ['without', LENGTH_ONLY],
  ])('hides none that comes later, %s', async (_, describe) => {
    const { lists, put, run, folder } = await startCopied(describe && { describe });
    const future = updated('a.txt', 'a2', 36_500);
    put({ 'a.txt': 'a2', 'changelist.xml': lists.changes(0, [future]) });
    expect(await run()).toMatchObject({ inSync: true, updated: 1 });
    put({ 'b.txt': 'b2', 'changelist.xml': lists.changes(0, [updated('b.txt', 'b2', 1), future]) });
    expect(await run()).toMatchObject({ inSync: true, sets: [{ way: 'changes' }] });
    expect(readCopy(folder)).toMatchObject({ 'a.txt': 'a2', 'b.txt': 'b2' });
  });

  test('is none that the copy stands for', async () => {
    const { lists, put, run } = await startCopied();
    const told = [updated('b.txt', 'b2', 1), updated('a.txt', 'a2', 36_500)];
    put({ 'a.txt': 'a2', 'b.txt': 'b2', 'changelist.xml': lists.changes(0, told) });
    expect(await run()).toMatchObject({ inSync: true, updated: 2, at: '2026-01-02T00:00:00Z' });
  });
});

describe('a change that is told late', () => {
  test('counts, before the last one that was seen', async () => {
    const { lists, put, run, folder } = await startCopied();
    const last = updated('c.txt', 'c2', 3);
    put({ 'c.txt': 'c2', 'changelist.xml': lists.changes(0, [last]) });
    await run();
    put({
      'b.txt': 'b2',
      'changelist.xml': lists.changes(0, [
        updated('b.txt', 'b2', 1),
        { path: 'a.txt', change: 'deleted', at: 2 },
        { path: 'd.txt', text: 'd1', change: 'created', at: 2 },
        last,
      ]),
      'd.txt': 'd1',
    });
    expect(await run()).toMatchObject({ inSync: true, created: 1, updated: 1, deleted: 1 });
    expect(readSite(readCopy(folder))).toEqual({ 'b.txt': 'b2', 'c.txt': 'c2', 'd.txt': 'd1' });
  });
});

describe('a Resource List that has moved on while no change tells of it', () => {
  const next = { 'a.txt': 'a2', 'c.txt': 'c1', 'd.txt': 'd1' };
  /** A Source that was copied, and what publishes its Resource List in a part. */
  async function startParted() {
    const copied = await startCopied();
    const { lists, put } = copied;
    const publish = (at: number, listed: Record<string, string>) =>
      put({
        'part.xml': lists.resources(at, listed),
        'resourcelist.xml': lists.resourceIndex(at, ['part.xml']),
      });
    return { ...copied, publish };
  }

  test('is read', async () => {
    const { lists, put, run, folder } = await startCopied();
    put({ ...next, 'resourcelist.xml': lists.resources(5, next) });
    expect(await run()).toMatchObject({
      inSync: true,
      sets: [{ way: 'list', reason: 'contradiction' }],
      created: 1,
      updated: 1,
      deleted: 1,
    });
    expect(readSite(readCopy(folder))).toEqual(next);
    expect(await run()).toMatchObject({ inSync: true, sets: [{ way: 'unchanged' }] });
  });

  test('is not read where it has what the changes told before', async () => {
    const { lists, put, run, asked, files, publish } = await startParted();
    publish(0, files);
    await run();
    put({ 'b.txt': 'b2', 'changelist.xml': lists.changes(0, [updated('b.txt', 'b2', 2)]) });
    expect(await run()).toMatchObject({ inSync: true, updated: 1, sets: [{ way: 'changes' }] });
    // It is made once in a while, of what was told long before; a cache may give it late.
    asked.length = 0;
    publish(2, { ...files, 'b.txt': 'b2' });
    expect(await run()).toMatchObject({ inSync: true, sets: [{ way: 'changes' }] });
    expect(asked).not.toContain('/part.xml');
    asked.length = 0;
    expect(await run()).toMatchObject({ inSync: true, sets: [{ way: 'unchanged' }] });
    expect(asked.sort()).toEqual(['/capabilitylist.xml', '/changelist.xml', '/resourcelist.xml']);
  });
});

describe('a server that answers 304 to every condition', () => {
  test('is not believed, with lists of ours', async () => {
    let isBlind = false;
    const source: Awaited<ReturnType<typeof startSource>> = await startSource(
      {},
      answerConditions(
        () => source.site,
        () => isBlind,
      ),
    );
    const { url, publish, listed } = source;
    const folder = makeFolder();
    await publish(0, { 'a.html': 'a1', 'b.html': 'b1' });
    await copy(url, folder);
    isBlind = true;
    expect(await copy(url, folder)).toMatchObject({ inSync: true, sets: [{ way: 'unchanged' }] });
    await publish(10_000, { 'b.html': 'b2' });
    expect(await copy(url, folder)).toMatchObject({ inSync: true, updated: 1 });
    expect(readCopy(folder)).toEqual(listed());
  });

  test('is not believed of resources without checksums', async () => {
    const site = makeFolder();
    let isBlind = false;
    const { url, lists } = await startHandMade({
      describe: () => '',
      answer: answerConditions(
        () => site,
        () => isBlind,
      ),
    });
    write(site, 'a.txt', 'a1');
    write(site, 'resourcelist.xml', lists.resources(0, { 'a.txt': 'a1' }));
    const folder = makeFolder();
    expect(await copy(`${url}resourcelist.xml`, folder)).toMatchObject({ inSync: true, created: 1 });
    isBlind = true;
    write(site, 'a.txt', 'a2');
    write(site, 'resourcelist.xml', lists.resources(1, { 'a.txt': 'a2' }));
    expect(await copy(`${url}resourcelist.xml`, folder)).toMatchObject({ inSync: true, updated: 1 });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('a2');
  });
});

// docs/copies.md: "A run assumes", a test for each of its points, and "Once a week, a run fetches all documents anew."
describe('what a run cannot know', () => {
  /** A Source whose changes leave one out, while another one is told. */
  async function startLying() {
    const copied = await startCopied();
    const { lists, put, run, folder } = copied;
    const next = { 'a.txt': 'a2', 'b.txt': 'b2', 'c.txt': 'c1' };
    put({
      ...next,
      'resourcelist.xml': lists.resources(1, next),
      'changelist.xml': lists.changes(0, [updated('b.txt', 'b2', 1)]),
    });
    expect(await run()).toMatchObject({ inSync: true, updated: 1, sets: [{ way: 'changes' }] });
    expect(readCopy(folder)).toMatchObject({ 'a.txt': 'a1' });
    return { ...copied, next };
  }

  test('--verify finds a Resource List that says more than the news that came with it', async () => {
    const { run, folder, next } = await startLying();
    expect(await run({ verify: true })).toMatchObject({ inSync: true, updated: 1 });
    expect(readSite(readCopy(folder))).toEqual(next);
  });

  test('is found after a week', async () => {
    setClock(10);
    const { run, folder, next } = await startLying();
    setClock(16);
    expect(await run()).toMatchObject({ inSync: true, sets: [{ way: 'unchanged' }] });
    setClock(17);
    expect(await run()).toMatchObject({ inSync: true, updated: 1, sets: [{ reason: 'time' }] });
    expect(readSite(readCopy(folder))).toEqual(next);
    expect(await run()).toMatchObject({ inSync: true, sets: [{ way: 'unchanged' }] });
  });

  /** A lie: what is done to a Source that was copied, so that its next run is told nothing. */
  type Lie = (copied: Awaited<ReturnType<typeof startCopied>>) => Promise<void> | void;
  const next = { 'a.txt': 'a2', 'b.txt': 'b1', 'c.txt': 'c1' };
  /** Makes a list that is no small answer. */
  const enlarge = (list: string) => `${list}<!--${'x'.repeat(SMALL)}-->`;

  test.each<[string, Parameters<typeof startHandMade>[0], Lie, Lie]>([
    [
      'an index that stays as it is, while its parts do not',
      {},
      ({ lists, put, files }) =>
        put({
          'resourcelist.xml': lists.resourceIndex(1, ['part.xml']),
          'part.xml': lists.resources(1, files),
        }),
      ({ lists, put }) => put({ 'part.xml': lists.resources(1, next) }),
    ],
    [
      'a change in a list of changes that has ended',
      {},
      ({ lists, put }) =>
        put({
          'changelist.xml': lists.changeIndex({ 'ended.xml': [0, 2], 'open.xml': [2] }),
          'ended.xml': lists.changes(0, [], 2),
          'open.xml': lists.changes(2, [updated('b.txt', 'b1', 3)]),
        }),
      ({ lists, put }) => put({ 'ended.xml': lists.changes(0, [updated('a.txt', 'a2', 1)], 2) }),
    ],
    [
      'a change that is told late, without a checksum',
      { describe: LENGTH_ONLY },
      ({ lists, put }) => put({ 'changelist.xml': lists.changes(0, [updated('b.txt', 'b1', 3)]) }),
      ({ lists, put }) =>
        put({ 'changelist.xml': lists.changes(0, [updated('a.txt', 'a2', 1), updated('b.txt', 'b1', 3)]) }),
    ],
    [
      'an ETag that stays as it is',
      {
        answer(path, response, { headers }) {
          response.setHeader('etag', '"the same"');
          const isSame = path.endsWith('.xml') && headers['if-none-match'] === '"the same"';
          if (isSame) response.writeHead(304).end();
          return isSame;
        },
      },
      () => undefined,
      ({ lists, put }) => put({ 'changelist.xml': lists.changes(0, [updated('a.txt', 'a2', 1)]) }),
    ],
    [
      'a large Resource List of which the server tells no version',
      {},
      ({ lists, put, files }) => put({ 'resourcelist.xml': enlarge(lists.resources(1, files)) }),
      ({ lists, put }) => put({ 'resourcelist.xml': enlarge(lists.resources(5, next)) }),
    ],
  ])('--verify finds %s', async (_, more, prepare, lie) => {
    const copied = await startCopied(more);
    const { run, put, folder } = copied;
    await prepare(copied);
    expect(await run()).toMatchObject({ inSync: true });
    expect(await run({ verify: true })).toMatchObject({ inSync: true });
    put({ 'a.txt': 'a2' });
    await lie(copied);
    expect(await run()).toMatchObject({ inSync: true });
    expect(readCopy(folder)).toMatchObject({ 'a.txt': 'a1' });
    expect(await run({ verify: true })).toMatchObject({ inSync: true });
    expect(readCopy(folder)).toMatchObject({ 'a.txt': 'a2' });
  });

  // docs/copies.md: "A run assumes that Resource List, packages and changes agree".
  test('--verify finds what a Resource List says that could not be had for a time', async () => {
    let isAway = false;
    const { lists, put, run, folder } = await startCopied({
      answer(path, response) {
        const fails = isAway && path === '/resourcelist.xml';
        if (fails) response.writeHead(404).end();
        return fails;
      },
    });
    put({ 'a.txt': 'a2', 'resourcelist.xml': lists.resources(1, next) });
    isAway = true;
    expect(await run()).toMatchObject({ inSync: true, sets: [{ way: 'unchanged' }] });
    expect(readCopy(folder)).toMatchObject({ 'a.txt': 'a1' });
    await expect(run({ verify: true })).rejects.toMatchObject({ code: 'source-unreadable' });
    isAway = false;
    expect(await run({ verify: true })).toMatchObject({ inSync: true, updated: 1 });
    expect(readCopy(folder)).toMatchObject({ 'a.txt': 'a2' });
  });

  test('--verify finds what packages have in place of a Resource List, where no change tells', async () => {
    const stale = new Map<string, string>();
    const source: Awaited<ReturnType<typeof startSource>> = await startSource(
      { dumps: true },
      (path, response) => {
        const isSets = path === '/resourcesync/capabilitylist.xml';
        const text = isSets
          ? source.read(path).replace(/<url>\s*<loc>[^<]*resourcelist\.xml(?:(?!<\/url>).)*<\/url>/s, '')
          : stale.get(path);
        if (text !== undefined) response.end(text);
        return text !== undefined;
      },
    );
    const { url, publish, listed, read } = source;
    const folder = makeFolder();
    await publish(0, { 'a.html': 'a1', 'b.html': 'b1' });
    expect(await copy(url, folder)).toMatchObject({ inSync: true, created: 2 });
    for (const name of ['changelist', 'changedump'])
      stale.set(`/resourcesync/${name}.xml`, read(`resourcesync/${name}.xml`));
    await publish(10_000, { 'b.html': 'b2' });
    expect(await copy(url, folder)).toMatchObject({ inSync: true, sets: [{ way: 'unchanged' }] });
    expect(await copy(url, folder, { verify: true })).toMatchObject({ inSync: true, updated: 1 });
    expect(readCopy(folder)).toEqual(listed());
  });

  test('a list that was made once, long ago, is not read again for that alone', async () => {
    setClock(10);
    const { lists, put, run, asked } = await startCopied();
    // By now nobody else could catch up: what was told first is told no more.
    put({ 'b.txt': 'b2', 'changelist.xml': lists.changes(0, [updated('b.txt', 'b2', 1)]) });
    await run();
    put({
      'c.txt': 'c2',
      'changelist.xml': lists.changes(0.5, [updated('b.txt', 'b2', 1), updated('c.txt', 'c2', 2)]),
    });
    await run();
    setClock(100);
    expect(await run()).toMatchObject({ inSync: true, updated: 0, sets: [{ way: 'changes' }] });
    asked.length = 0;
    expect(await run()).toMatchObject({ inSync: true, sets: [{ way: 'unchanged' }] });
    expect(asked.sort()).toEqual(['/capabilitylist.xml', '/changelist.xml', '/resourcelist.xml']);
  });
});

// docs/mirror.md: "If nothing changed, a run costs a few small requests".
test('a run with nothing changed makes a request for each document that tells', async () => {
  const asked: string[] = [];
  const source: Awaited<ReturnType<typeof startSource>> = await startSource(
    {},
    answerConditions(
      () => source.site,
      () => false,
      (path, status) => void asked.push(`${status} ${path}`),
    ),
  );
  const { url, publish } = source;
  const folder = makeFolder();
  await publish(0, { 'a.html': 'a1', 'b.html': 'b1' });
  await copy(url, folder);
  await publish(10_000, { 'b.html': 'b2' });
  await copy(url, folder);
  asked.length = 0;
  expect(await copy(url, folder)).toMatchObject({ inSync: true, sets: [{ way: 'unchanged' }] });
  // The smallest one is asked for as if another version were known: a server that says that it is the same says so of all.
  expect(asked.sort()).toEqual([
    '200 /.well-known/resourcesync',
    '304 /resourcesync/capabilitylist.xml',
    '304 /resourcesync/changelist.xml',
    '304 /resourcesync/resourcelist.xml',
  ]);
});

test('a run of --every makes no more requests than a single run', async () => {
  const source = await startSource();
  await source.publish(0, { 'a.txt': 'a' });
  const folder = makeFolder();
  await copy(source.url, folder);
  const count = async (options: RunOptions) => {
    const before = source.asked.length;
    await mirrorSource(resolveMirror({ source: source.url, folder }), options);
    return source.asked.length - before;
  };
  expect(await count({ status: createStatus() })).toBe(await count({}));
});
