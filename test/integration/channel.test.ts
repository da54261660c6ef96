/** A channel, heard by a WebSocket client that nobody here wrote. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { parseDocument } from '../../src/standard/xml/read.js';
import { isLook, startChannel, tell } from '../support/channel.js';
import { makeMessage } from '../support/messages.js';
import { startSource } from '../support/mirror.js';
import { requireProgram } from '../support/site.js';

/** Connects with websocket-client, prints each message in a line of JSON, and then why the connection ended. */
const LISTEN = `
import json, sys, websocket
import xml.etree.ElementTree as tree
connection = websocket.create_connection(sys.argv[1], timeout=60)
print(json.dumps("open"), flush=True)
if len(sys.argv) > 2:
    connection.send(sys.argv[2])
while True:
    opcode, data = connection.recv_data()
    if opcode == websocket.ABNF.OPCODE_CLOSE:
        print(json.dumps(int.from_bytes(data[:2], "big")), flush=True)
        break
    tree.fromstring(data)
    print(json.dumps(data.decode("utf-8")), flush=True)
`;

function startPython(url: string, ...more: string[]) {
  // The package of the module has this program, too, which knows the Python that has the module.
  const program = readFileSync(requireProgram('wsdump', 'python3-websocket'), 'utf8');
  const [, python = 'python3'] = /^#!\s*(\S+)/.exec(program) ?? [];
  const child = spawn(python, ['-c', LISTEN, url, ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, next: async () => JSON.parse((await lines.next()).value as string) as unknown };
}

test('websocket-client of Python hears both channels, and the end', async () => {
  const source = await startSource({ channels: 'ws://localhost:1/' });
  await source.publish(0, { 'index.html': 'one' });
  const running = await startChannel(source.url);
  await running.until(isLook);
  const at = (path: string) => new URL(path, running.url.replace('http', 'ws')).href;
  const changes = startPython(at('changes'));
  const framework = startPython(at('framework'));
  expect([await changes.next(), await framework.next()]).toEqual(['open', 'open']);

  await source.publish(60, { 'index.html': 'two', 'b.html': 'one' });
  await running.deployed();
  const told = makeMessage(await parseDocument([String(await changes.next())]), 'change-notification');
  expect(tell(told)).toEqual(['updated /', 'created /b.html']);
  const news = makeMessage(await parseDocument([String(await framework.next())]), 'framework-notification');
  expect(tell(news)).toEqual(['updated /resourcesync/changelist.xml']);

  const closed = once(changes.child, 'close');
  await running.stop();
  expect(await changes.next()).toBe(1001);
  expect(await closed).toEqual([0, null]);
});

test('what it says itself ends its connection', async () => {
  const source = await startSource();
  await source.publish(0, { 'index.html': 'one' });
  const running = await startChannel(source.url);
  await running.until(isLook);
  const loud = startPython(new URL('changes', running.url.replace('http', 'ws')).href, 'hello');
  expect([await loud.next(), await loud.next()]).toEqual(['open', 1008]);
});
