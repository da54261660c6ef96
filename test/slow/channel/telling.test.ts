/** A channel tells what the live documents of a Source say: to whom, when, and what. */

import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { formatDatetime } from '../../../src/base/datetime.js';
import { describe } from '../../../src/index.js';
import { channel } from '../../../src/tell/index.js';
import { isLook, listen, startChannel, tell } from '../../support/channel.js';
import { BEGIN } from '../../support/git.js';
import { answerConditions } from '../../support/lists.js';
import { startSource, type TestSource } from '../../support/mirror.js';

const CHANNELS = { channels: 'ws://localhost:1/push/' } as const;
const at = (seconds: number) => formatDatetime(new Date((BEGIN + seconds) * 1000));

/** A Source, and a channel that has looked at it once. */
async function begin(
  files: Parameters<TestSource['publish']>[1],
  config: Parameters<typeof startSource>[0] = {},
) {
  const source = await startSource(config);
  await source.publish(0, files);
  const running = await startChannel(source.url);
  await running.until(isLook);
  /** Publishes, and tells the channel. */
  const deploy: TestSource['publish'] = async (...publication) => {
    await source.publish(...publication);
    await running.deployed();
  };
  return { source, running, deploy };
}

// docs/notification.md: "When they have changed, it sends the changes to all connected programs."
test('a change is told on both channels, after POST /deployed', async () => {
  const { source, running } = await begin({ 'index.html': 'one', 'a.html': 'one' }, CHANNELS);
  const changes = await listen(running, 'push/changes');
  const framework = await listen(running, 'framework');
  await source.publish(60, { 'index.html': 'two', 'b.html': 'new', 'a.html': undefined });
  expect((await running.deployed()).status).toBe(202);

  const told = await changes.next();
  expect(told.up).toBe(`${source.url}resourcesync/capabilitylist.xml`);
  expect(tell(told)).toEqual(['updated /', 'deleted /a.html', 'created /b.html']);
  expect(told.changes[0]).toMatchObject({
    datetime: new Date((BEGIN + 60) * 1000),
    representation: { length: 3, type: 'text/html', hash: expect.stringMatching(/^md5:.* sha-256:/) },
  });
  expect(tell(await framework.next())).toEqual(['updated /resourcesync/changelist.xml']);
  expect(tell(await framework.next())).toEqual(['updated /resourcesync/resourcelist.xml']);
  expect(await running.health()).toMatchObject({ ok: true, connections: 2, lastError: null });
});

test('a look at a site that has not changed asks with conditions, and only for what tells', async () => {
  const answers: string[] = [];
  const site = (): string => source.site;
  const note = (path: string, status: number) => void answers.push(`${status} ${path}`);
  const source: Awaited<ReturnType<typeof startSource>> = await startSource(
    {},
    answerConditions(site, () => false, note),
  );
  await source.publish(0, { 'index.html': 'one' });
  const running = await startChannel(source.url);
  await running.until(isLook);
  answers.length = 0;
  const from = running.events.length;
  await running.deployed();
  expect(await running.until(isLook, from)).toMatchObject({ changed: false });
  // One is asked for as if another version of it were known: some servers answer 304 to everything.
  expect([...new Set(answers)].sort()).toEqual([
    '200 /.well-known/resourcesync',
    '304 /resourcesync/capabilitylist.xml',
    '304 /resourcesync/changelist.xml',
    '304 /resourcesync/resourcelist.xml',
  ]);
});

// docs/notification.md: "listens on `127.0.0.1` unless `--host` says otherwise".
test('nothing is compressed, and only this machine is heard', async () => {
  const { running } = await begin({ 'index.html': 'one' });
  const { socket } = await listen(running, 'changes');
  expect(socket.extensions).toBe('');
  const { hostname, port } = new URL(running.url);
  expect(hostname).toBe('127.0.0.1');
  const answer = await fetch(running.url, { headers: { 'accept-encoding': 'gzip, br' } });
  expect(answer.headers.get('content-encoding')).toBeNull();
  const others = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  for (const { address } of others.filter(({ family, internal }) => family === 'IPv4' && !internal))
    await expect(fetch(`http://${address}:${port}/health`)).rejects.toThrow();
});

test('every set has channels of its own', async () => {
  const sets = [
    { name: 'texts', include: ['**/*.txt'] },
    { name: 'pages', include: ['**/*.html'] },
  ];
  const { running, deploy } = await begin({ 'index.html': 'one', 'a.txt': 'one' }, { ...CHANNELS, sets });
  await expect(listen(running, 'changes')).rejects.toThrow('404');
  const [texts, pages, news] = await Promise.all([
    listen(running, 'push/texts/changes'),
    listen(running, 'pages/changes'),
    listen(running, 'texts/framework'),
  ]);
  await deploy(60, { 'a.txt': 'two' });
  expect(tell(await texts.next())).toEqual(['updated /a.txt']);
  expect(tell(await news.next())).toEqual(['updated /resourcesync/texts/changelist.xml']);
  await deploy(120, { 'index.html': 'two' });
  expect(tell(await pages.next())).toEqual(['updated /']);
  expect(texts.texts).toHaveLength(1);
});

// docs/notification.md: "first sends the changes after that moment", and the code 4001.
test('?from= first tells what has changed since, or says that it cannot', async () => {
  const source = await startSource({ changes: { window: 36_500 } });
  await source.publish(0, { 'index.html': 'one' });
  for (const step of [1, 2, 3]) await source.publish(step * 60, { 'index.html': `${step}` });
  const running = await startChannel(source.url);
  await running.until(isLook);
  const late = await listen(running, `changes?from=${at(60)}`);
  const moments = [await late.next(), await late.next()].flatMap(({ changes }) =>
    changes.map((change) => ('datetime' in change ? formatDatetime(change.datetime) : '')),
  );
  expect(moments).toEqual([at(120), at(180)]);
  await source.publish(240, { 'index.html': 'last' });
  await running.deployed();
  expect(tell(await late.next())).toEqual(['updated /']);
  expect(late.texts).toHaveLength(3);

  const tooLate = await listen(running, `changes?from=${at(-60)}`);
  expect(await tooLate.closed).toMatchObject({ code: 4001 });
  const upToDate = await listen(running, `changes?from=${at(240)}`);
  await source.publish(300, { 'index.html': 'very last' });
  await running.deployed();
  expect(tell(await upToDate.next())).toEqual(['updated /']);
  expect(await (await listen(running, `framework?from=${at(240)}`)).closed).toMatchObject({ code: 4001 });
  await expect(listen(running, 'changes?from=yesterday')).rejects.toThrow('400');
});

test('a set that is gone is told of, and its connections end', async () => {
  const { source, running } = await begin(
    { 'index.html': 'one' },
    { sets: [{ name: 'all' }, { name: 'rest' }] },
  );
  const news = await listen(running, 'rest/framework');
  await describe({ site: source.site, url: source.url, history: 'none', sets: [{ name: 'all' }] });
  await running.deployed();
  expect(tell(await news.next())).toEqual([
    'updated /.well-known/resourcesync',
    'deleted /resourcesync/rest/capabilitylist.xml',
  ]);
  expect(await news.closed).toMatchObject({ code: 1001 });
});

test('mistakes in the configuration are told, and so is a port that is taken', async () => {
  const { signal } = new AbortController();
  await expect(channel({ source: 'ftp://example.org/' }, { signal })).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining('source must be an http(s) URL'),
  });
  await expect(channel({ source: 'https://a.example/', every: '1ms' }, { signal })).rejects.toThrow('every');
  const source = await startSource();
  const running = await startChannel(source.url);
  const port = Number(new URL(running.url).port);
  await expect(channel({ source: source.url, port }, { signal })).rejects.toThrow('EADDRINUSE');
});
