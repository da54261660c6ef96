/** A follower and a channel with the patience that users get, before a host whose caches lag. */

import { expect, test } from 'vitest';
import type { ChannelEvent } from '../../src/index.js';
import { resolveChannel } from '../../src/tell/channel/config.js';
import { startChannel } from '../support/channel.js';
import { readCopy } from '../support/mirror.js';
import { makeFolder } from '../support/site.js';
import { follow, startNamingSource } from './follow/followers.js';

/** Milliseconds after the deploy for which the lists are the old ones. */
const LAG = 15_000;

const isNews = (event: ChannelEvent): event is ChannelEvent => event.kind === 'looked' && event.changed;

test('where caches lag for 15 s, a follower has the change all the same, and nobody asks every minute', async () => {
  const old = new Map<string, string>();
  let until = 0;
  const source = await startNamingSource((path, response) => {
    const text = performance.now() < until ? old.get(path) : undefined;
    if (text !== undefined) response.end(text);
    return text !== undefined;
  });
  const { timing } = resolveChannel({ source: source.url });
  const channel = await startChannel(source.url, {}, { timing });
  source.name(channel.url);
  await source.publish(0, { 'index.html': 'old' });
  await channel.deployed();
  await channel.until(isNews);
  const folder = makeFolder();
  const follower = follow(source.url, folder, { timing: undefined });
  await follower.inSync(() => readCopy(folder)['index.html'] === 'old');
  for (const path of ['changelist.xml', 'resourcelist.xml'])
    old.set(`/resourcesync/${path}`, source.read(`resourcesync/${path}`));
  old.set('/index.html', 'old');
  await source.publish(60, { 'index.html': 'new' });
  until = performance.now() + LAG;
  const before = follower.events.length;
  await channel.deployed();
  await follower.inSync(() => readCopy(folder)['index.html'] === 'new');
  const runs = follower.events.slice(before).filter(({ kind }) => kind === 'synchronized');
  expect(runs.length).toBeLessThan(4);
  for (const event of runs) expect(event).toMatchObject({ reason: 'told' });
});
