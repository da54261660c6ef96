/** The command `channel` as users run it, and as the documentation shows it. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { parseDocument } from '../../../src/standard/xml/read.js';
import { serializeDocument } from '../../../src/standard/xml/serialize.js';
import { listen } from '../../support/channel.js';
import { readBlocks, readFiles, readPage, readRows } from '../../support/documentation.js';
import { makeProject } from '../../support/frameworks.js';
import { makeMessage } from '../../support/messages.js';
import { startSource } from '../../support/mirror.js';
import { CLI, callCli } from '../../support/site.js';

/** Starts a program, and gives its lines as they come. */
function start(args: readonly string[], cwd = process.cwd()) {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value as string;
  return { child, next };
}

test('channel tells of each message in a line, and ends with Ctrl-C', async () => {
  const source = await startSource();
  await source.publish(0, { 'index.html': 'one' });
  const { child, next } = start([CLI, 'channel', source.url, '--port', '0', '--verbose']);
  const [, url = ''] = /^Listening on (http:\/\/127\.0\.0\.1:\d+\/)\. /.exec(await next()) ?? [];
  expect(await next()).toMatch(/^Read the site in .*: its lists have changed\.$/);
  const changes = await listen({ url }, 'changes');
  await source.publish(60, { 'index.html': 'two', 'a.html': 'one' });
  await fetch(`${url}deployed`, { method: 'POST' });
  const list = `${source.url}resourcesync/capabilitylist.xml`;
  expect(await next()).toMatch(/^Notified 1 Destination of 2 changes of 20.*Z \(http/);
  expect((await changes.next()).up).toBe(list);
  expect(await next()).toBe(`Notified 0 Destinations of 1 changed list (${list}).`);
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(await changes.closed).toMatchObject({ code: 1001 });
});

test('channel --json prints a line for each event, failures too', async () => {
  const source = await startSource();
  const { child, next } = start([CLI, 'channel', source.url, '--port', '0', '--json']);
  expect(JSON.parse(await next())).toMatchObject({ kind: 'listening' });
  expect(JSON.parse(await next())).toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('no Source Description'),
  });
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
});

test('an address of another machine is an error', async () => {
  const { status, stderr } = await callCli(['channel', 'https://a.example', '--host', '192.0.2.1']);
  expect(status).toBe(2);
  expect(stderr).toMatch(/Cannot listen on port 8080 of 192\.0\.2\.1/);
});

test('the library, as the documentation shows it', async () => {
  const source = await startSource();
  await source.publish(0, { 'index.html': 'one' });
  const { 'channel.ts': code = '' } = readFiles('docs/notification.md');
  const script = code.replace('https://example.org/', source.url).replace('8080', '0');
  const cwd = makeProject([], { 'channel.mjs': script });
  const { child, next } = start(['channel.mjs'], cwd);
  const events = [JSON.parse(await next()), JSON.parse(await next())];
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
  const rows = new Map(
    readRows('docs/notification.md', '## Library').map(([kind = '', fields = '']) => [kind, fields]),
  );
  for (const { kind, ...fields } of events)
    for (const field of Object.keys(fields)) expect(rows.get(`\`${kind}\``)).toContain(`\`${field}\``);
});

test('the documentation shows a message as it is, and what /health tells', async () => {
  const [shown = ''] = readBlocks('docs/notification.md', 'xml');
  const message = makeMessage(await parseDocument([shown]), 'change-notification');
  const [, ...lines] = [...serializeDocument(message, 'x')].join('').split('\n');
  expect(lines.slice(1).join('\n')).toBe(shown);
  const [row = ''] = readPage('docs/notification.md').match(/- `GET \/health`.*/) ?? [];
  const named = [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const { child, next } = start([CLI, 'channel', 'http://127.0.0.1:9/', '--port', '0', '--json']);
  const { url } = JSON.parse(await next());
  const health = (await (await fetch(`${url}health`)).json()) as object;
  expect(Object.keys(health).sort()).toEqual(named.sort());
  child.kill('SIGKILL');
});
