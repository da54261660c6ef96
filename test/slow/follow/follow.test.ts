/** A mirror that follows has what the documents say as soon as a channel tells, and whatever a channel tells. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { ChannelEvent } from '../../../src/tell/index.js';
import { startChannel } from '../../support/channel.js';
import { BEGIN } from '../../support/git.js';
import { copy, readCopy } from '../../support/mirror.js';
import { makeFolder } from '../../support/site.js';
import { startWatch } from '../../support/watch.js';
import { follow, holdChannel, QUICK, startNamingSource, writeMessage } from './followers.js';

const FIRST = { 'index.html': 'home', 'a.html': 'a', 'data.csv': '1' };
const moment = (seconds: number) => new Date((BEGIN + seconds) * 1000);

const isNews = (event: ChannelEvent): event is ChannelEvent => event.kind === 'looked' && event.changed;

// docs/mirror.md: "updates the copy as soon as a channel of the site reports a change".
test('two followers have a change once the channel has heard of the deploy, and nobody asks in between', async () => {
  const source = await startNamingSource();
  const channel = await startChannel(source.url);
  source.name(channel.url);
  await source.publish(0, FIRST);
  await channel.deployed();
  await channel.until(isNews);
  const folders = [makeFolder(), makeFolder()];
  const followers = folders.map((folder) => follow(source.url, folder));
  const areEqual = () =>
    folders.every((one) => JSON.stringify(readCopy(one)) === JSON.stringify(source.listed()));
  for (const [index, one] of followers.entries())
    await one.inSync(
      () => JSON.stringify(readCopy(folders[index] ?? '')) === JSON.stringify(source.listed()),
    );
  for (let edit = 1; edit < 5; edit++) {
    await source.publish(60 * edit, {
      'a.html': `${edit}`,
      [`n/${edit}.html`]: 'new',
      ...(edit > 2 && { [`n/${edit - 2}.html`]: undefined }),
    });
    expect(areEqual()).toBe(false);
    await channel.deployed();
    for (const one of followers)
      await one.inSync(() => readCopy(folders[followers.indexOf(one)] ?? '')['a.html'] === `${edit}`);
  }
  expect(areEqual()).toBe(true);
  // No message has a whole list read.
  const ways = followers.flatMap(({ events }) =>
    events.flatMap((event) =>
      event.kind === 'synchronized' && event.reason === 'message' ? event.report.sets : [],
    ),
  );
  expect(new Set(ways.map(({ way }) => way))).not.toContain('list');
  // 3 files, and in four edits 2 files each; from the third on, one goes.
  for (const one of followers) expect(one.runs().changes).toBe(3 + 8 + 2);
  expect(
    followers.flatMap(({ events }) => events.filter(({ kind }) => kind === 'lost' || kind === 'ignored')),
  ).toEqual([]);
});

// docs/mirror.md: "Nothing is missed."
test('a follower misses nothing while the channel is away', async () => {
  const source = await startNamingSource();
  const first = await startChannel(source.url);
  source.name(first.url);
  await source.publish(0, FIRST);
  await first.deployed();
  await first.until(isNews);
  const folder = makeFolder();
  const follower = follow(source.url, folder);
  await follower.inSync(() => 'a.html' in readCopy(folder));
  await follower.until(({ kind }) => kind === 'connected');
  await first.stop();
  await follower.until(({ kind }) => kind === 'lost');
  await source.publish(60, { 'a.html': 'meanwhile' });
  const again = follower.events.length;
  await startChannel(source.url, { port: Number(new URL(first.url).port) });
  await follower.until(({ kind }) => kind === 'connected', again);
  await follower.inSync(() => readCopy(folder)['a.html'] === 'meanwhile');
  expect(readCopy(folder)).toEqual(source.listed());
});

test('a follower whose copy is up to date connects to the channels before anything changes', async () => {
  const source = await startNamingSource();
  const channel = await holdChannel();
  source.name(channel.url);
  await source.publish(0, FIRST);
  const folder = makeFolder();
  await copy(source.url, folder);
  follow(source.url, folder);
  await channel.connected(2);
});

// docs/mirror.md: "they are read again after 2, 5, 10 and 20 seconds".
test('documents that lag are asked again, without --every', async () => {
  let rest = 0;
  const old = new Map<string, string>();
  const source = await startNamingSource((path, response) => {
    const text = old.get(path);
    if (text === undefined || rest === 0) return false;
    if (path.endsWith('/changelist.xml')) rest--;
    response.end(text);
    return true;
  });
  const channel = await holdChannel();
  source.name(channel.url);
  await source.publish(0, FIRST);
  await source.publish(30, { 'data.csv': '0' });
  const folder = makeFolder();
  const follower = follow(source.url, folder);
  await follower.inSync(() => true);
  await channel.connected(2);
  for (const path of ['/resourcesync/changelist.xml', '/resourcesync/resourcelist.xml', '/a.html'])
    old.set(path, source.read(path.slice(1)));
  await source.publish(60, { 'a.html': 'new' });
  rest = 3;
  const before = follower.events.length;
  channel.send(writeMessage(source.url, 'a.html', moment(60)));
  await follower.inSync(() => readCopy(folder)['a.html'] === 'new');
  const runs = follower.events.slice(before).filter(({ kind }) => kind === 'synchronized');
  expect(runs.length).toBeGreaterThanOrEqual(3);
  expect(runs.map((event) => 'reason' in event && event.reason)).not.toContain('time');
});

// docs/mirror.md: "A message is a hint."
test('a channel that forges, floods and babbles changes nothing but the time of a look', async () => {
  const headers: (string | undefined)[] = [];
  const source = await startNamingSource((_, __, request) => {
    headers.push(request.headers.authorization);
    return false;
  });
  const channel = await holdChannel({ perMessageDeflate: true });
  source.name(channel.url);
  await source.publish(0, FIRST);
  const folder = makeFolder();
  const follower = follow(source.url, folder, { mirror: { headers: ['Authorization: Bearer secret'] } });
  await follower.inSync(() => true);
  await channel.connected(2);
  const list =
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">';
  const up = `<rs:ln rel="up" href="${source.url}resourcesync/capabilitylist.xml"/>`;
  const bad = [
    'not XML',
    '',
    `${list}${up}</urlset>`,
    `${list}<url><loc>${source.url}a.html</loc><rs:md change="updated"/></url></urlset>`,
    '<!DOCTYPE x [<!ENTITY a "b">]><urlset/>',
    writeMessage(source.url, 'a.html', moment(60), 'other/capabilitylist.xml'),
    `${list}${up}<rs:md capability="resourcelist"/><url><loc>${source.url}a.html</loc></url></urlset>`,
    Buffer.from([0xff, 0xfe, 0x00]),
    `<a>${'<b>'.repeat(100_000)}`,
  ];
  for (const message of bad) channel.send(message);
  await follower.until(
    () => follower.events.filter(({ kind }) => kind === 'ignored').length >= 2 * bad.length,
  );
  expect(follower.runs().count).toBeLessThanOrEqual(2);

  // Forged, but well made: of what is not there, of the future, and very many.
  for (let count = 0; count < 60; count++)
    channel.send(writeMessage(source.url, `none-${count}.html`, moment(60 + count)));
  channel.send(writeMessage(source.url, 'index.html', new Date('2099-01-01T00:00:00Z')));
  await follower.until(() => follower.events.filter(({ kind }) => kind === 'message').length >= 61);
  const begin = performance.now();
  await source.publish(3600, { 'a.html': 'true' });
  channel.send(writeMessage(source.url, 'a.html', new Date('2099-01-02T00:00:00Z')));
  await follower.inSync(() => readCopy(folder)['a.html'] === 'true');
  expect(readCopy(folder)).toEqual(source.listed());
  expect(follower.runs().changes).toBe(4);
  expect(follower.runs().count).toBeLessThan(20 + (performance.now() - begin) / QUICK.gap);

  // More than a megabyte ends the connection, and the follower comes back.
  const connections = channel.connections.length;
  channel.connections.at(-1)?.socket.send('x'.repeat(1_100_000));
  await follower.until((event) => event.kind === 'lost' && event.found.includes('payload'));
  await channel.connected(connections + 1);
  for (const { request } of channel.connections) {
    expect(request.headers).not.toHaveProperty('authorization');
    expect(request.headers).not.toHaveProperty('sec-websocket-extensions');
  }
  expect(new Set(headers)).toEqual(new Set(['Bearer secret']));
});

// docs/mirror.md: "while it cannot be reached, the lists are read every minute".
test('channels that cannot be had hold up nothing: the lists are read again and again', async () => {
  const upgrades: string[] = [];
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const target = await holdChannel();
  server.on('upgrade', ({ url = '' }, socket) => {
    upgrades.push(url);
    socket.on('error', () => undefined);
    // One redirects, one says nothing at all.
    if (url.endsWith('framework'))
      socket.end(`HTTP/1.1 302 Found\r\nLocation: ${target.url}\r\nConnection: close\r\n\r\n`);
  });
  const source = await startNamingSource();
  source.name(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await source.publish(0, FIRST);
  const folder = makeFolder();
  // The socket has the clock of the machine; the one that redirects has a second for it.
  const follower = follow(source.url, folder, { every: 50, timing: { ...QUICK, handshake: 1000 } });
  await follower.inSync(() => true);
  await source.publish(60, { 'a.html': 'polled' });
  await follower.inSync(() => readCopy(folder)['a.html'] === 'polled');
  await follower.until((event) => event.kind === 'lost' && event.found.includes('timed out'));
  expect(follower.events.filter(({ kind }) => kind === 'lost')).toMatchObject([
    { found: expect.stringContaining('302') },
    { found: expect.stringContaining('timed out') },
  ]);
  expect(upgrades).toContain('/changes');
  expect(target.connections).toEqual([]);
});

test('where the Source names no channels, or others later, that is what is followed', async () => {
  const source = await startNamingSource();
  await source.publish(0, FIRST);
  const folder = makeFolder();
  const follower = follow(source.url, folder, { every: 30 });
  await follower.inSync(() => true);
  const channel = await holdChannel();
  source.name(channel.url);
  await source.publish(60, { 'a.html': '2' });
  await channel.connected(2);
  expect(channel.connections.map(({ request }) => request.url).sort()).toEqual(['/changes', '/framework']);
  const other = await holdChannel();
  source.name(other.url);
  await source.publish(120, { 'a.html': '3' });
  await other.connected(2);
  await follower.stop();
  expect(readCopy(folder)['a.html']).toBe('3');
});

test('the command line tells each run that changed the copy, until it is interrupted', async () => {
  const source = await startNamingSource();
  const channel = await startChannel(source.url);
  source.name(channel.url);
  await source.publish(0, FIRST);
  await channel.deployed();
  await channel.until(isNews);
  const folder = makeFolder();
  const command = startWatch([source.url, folder, '--follow', '--json'], { verb: 'mirror' });
  expect(await command.next()).toMatchObject({ created: 3, inSync: true });
  await source.publish(60, { 'a.html': 'told' });
  await channel.deployed();
  expect(await command.next()).toMatchObject({ updated: 1, inSync: true });
  expect(readCopy(folder)).toEqual(source.listed());
  expect(await command.end()).toMatchObject({ status: 0 });
  expect(command.stderr()).toBe('');
});
