/** nginx, as Debian packages it. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { makeFolder, requireProgram } from '../../support/site.js';

/**
 * Serves a folder until the end of the test.
 *
 * @param location directives about its files
 * @param http directives about the server
 * @returns the port, on 127.0.0.1
 */
export async function startNginx(site: string, location: string, http = ''): Promise<number> {
  const port = await findFreePort();
  const folder = makeFolder();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (what) => `${what}_temp_path ${join(folder, what)};`,
  );
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${join(folder, 'pid')}; error_log stderr;
    events {}
    http {
      access_log off; ${temporary.join(' ')} ${http}
      server { listen 127.0.0.1:${port}; root ${site}; location / { ${location} } }
    }`,
  );
  const server = spawn(requireProgram('nginx', 'nginx-light'), ['-p', folder, '-e', 'stderr', '-c', config], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  onTestFinished(async () => {
    if (server.kill('SIGKILL')) await once(server, 'exit');
  });
  while (server.exitCode === null) {
    if (await isListening(port)) return port;
    await sleep(20);
  }
  throw new Error(`nginx ended with status ${server.exitCode}`);
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
