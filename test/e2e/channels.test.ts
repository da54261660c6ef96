/** Channels in the configuration: they are named in the Capability Lists, and change nothing else. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { audit } from '../../src/audit/index.js';
import { startHost } from '../support/host.js';
import { callCli, configured, makeSite, readTree } from '../support/site.js';

const LIST = 'resourcesync/capabilitylist.xml';
const CHANNELS = 'wss://push.example.org/';
const FILES = { 'index.html': 'one' };

test('channels adds two entries to the Capability List, and nothing anywhere else', async () => {
  const [plain, told] = [makeSite(FILES), makeSite(FILES)];
  const env = { SOURCE_DATE_EPOCH: '1767225600' };
  await callCli([plain, '--url', 'https://example.org/'], { env });
  expect(
    await callCli([told, '--url', 'https://example.org/', ...configured({ channels: CHANNELS })], { env }),
  ).toMatchObject({ status: 0 });
  const { [LIST]: before = '', ...others } = readTree(plain);
  const { [LIST]: after = '', ...same } = readTree(told);
  expect(same).toEqual(others);
  const added = after.split('\n').filter((line) => !before.includes(line));
  expect(added).toEqual([
    '  <url><loc>wss://push.example.org/changes</loc><rs:md capability="change-notification"/></url>',
    '  <url><loc>wss://push.example.org/framework</loc><rs:md capability="framework-notification"/></url>',
  ]);
  expect(after.split('\n').filter((line) => !added.includes(line))).toEqual(before.split('\n'));
});

// docs/notification.md: "`audit` knows both kinds of channel, and connects to neither."
test('an audit connects to no channel, of a folder or on the web', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const site = makeSite(FILES);
  const { url } = await startHost(site);
  const channels = `ws://127.0.0.1:${port}/`;
  await callCli([site, '--url', url, '--urls', 'file', ...configured({ channels })]);
  expect(readFileSync(join(site, LIST), 'utf8')).toContain(channels);
  for (const source of [site, url]) expect(await audit({ source })).toMatchObject({ errors: 0, warnings: 0 });
  expect(connections).toBe(0);
});
