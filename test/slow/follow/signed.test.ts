/** A mirror that follows a signed Source: messages are hints, and what is not signed is not taken. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describe } from '../../../src/index.js';
import { BEGIN, commitFiles, makeRepository } from '../../support/git.js';
import { readCopy } from '../../support/mirror.js';
import { readState, signState, startStateHost } from '../../support/signed.js';
import { makeSigner } from '../../support/signing.js';
import { makeFolder } from '../../support/site.js';
import { follow, holdChannel, writeMessage } from './followers.js';

const moment = (seconds: number) => new Date((BEGIN + seconds) * 1000);

test('a follower takes what the publisher signed, refuses what a thief signed, and goes on', async () => {
  const [signer, thief] = [makeSigner(), makeSigner()];
  const [host, channel, repository] = [await startStateHost(), await holdChannel(), makeRepository()];
  const site = join(repository, 'site');
  const publish = async (seconds: number, text: string, key = signer) => {
    commitFiles(repository, seconds, { 'site/index.html': 'home', 'site/a.txt': text });
    await describe({ site, url: host.url, history: 'HEAD:site', channels: channel.url });
    host.state = signState(readState(site), host.url, key);
  };
  const tell = (seconds: number) => channel.send(writeMessage(host.url, 'a.txt', moment(seconds)));
  await publish(0, 'one');
  const folder = makeFolder();
  const has = (text: string) => () => readCopy(folder)['a.txt'] === text;
  const follower = follow(host.url, folder, { mirror: { trust: [signer.line], attempts: 1 } });
  await follower.inSync(has('one'));
  await channel.connected(1);
  await publish(60, 'two');
  tell(60);
  await follower.inSync(has('two'));
  await publish(120, 'stolen', thief);
  tell(120);
  const refused = await follower.until(({ kind }) => kind === 'failed');
  expect(refused).toMatchObject({ error: { code: 'signature-invalid' } });
  expect(readCopy(folder)['a.txt']).toBe('two');
  await publish(180, 'three');
  tell(180);
  await follower.inSync(has('three'));
});
