/** A channel with ten thousand peers that never say what they want. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../support/channel.js';
import { CLI } from '../support/site.js';
import { startTelling } from './channel/source.js';

const PEERS = 10_000;

test.runIf(process.platform === 'linux')(
  'ten thousand half-open connections take little, and keep nobody from hearing',
  async () => {
    const source = await startTelling();
    const child = spawn(process.execPath, [CLI, 'channel', source.url, '--port', '0', '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { url } = JSON.parse((await lines.next()).value);
    await lines.next();
    const before = memoryOf(child.pid);
    const { hostname, port } = new URL(url);
    const peers: Socket[] = [];
    onTestFinished(() => {
      for (const peer of peers) peer.destroy();
    });
    while (peers.length < PEERS) {
      const some = Array.from({ length: 500 }, () => connect(Number(port), hostname));
      await Promise.all(some.map((peer) => once(peer, 'connect')));
      for (const peer of some) peer.on('error', () => undefined).write('GET /changes HTTP/1.1\r\nUpgr');
      peers.push(...some);
    }
    const changes = await listen({ url }, 'changes');
    source.publish(1);
    await fetch(`${url}deployed`, { method: 'POST' });
    expect((await changes.next()).changes).toHaveLength(1);
    // Some kilobytes each.
    expect(memoryOf(child.pid) - before).toBeLessThan(PEERS * 40_000);
    await Promise.all(peers.map((peer) => (peer.resume().closed ? undefined : once(peer, 'close'))));
    expect(await (await fetch(`${url}health`)).json()).toMatchObject({ ok: true, connections: 1 });
  },
);

/** Resident memory, in bytes. */
function memoryOf(pid = 0): number {
  const [, kibibytes] = /VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}
