/** Serves a folder with nginx, as a host would. */

import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { start } from '../processes.js';
import { folderOf } from './once.js';

/**
 * Starts to serve; returns once it answers.
 *
 * @param log takes a line for each request
 */
export async function startNginx(site: string, port: number, log = 'off'): Promise<ChildProcess> {
  const config = folderOf(`nginx-${port}.conf`);
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${folderOf(`nginx-${port}.pid`)}; error_log stderr;
events {} http { access_log ${log}; server { listen 127.0.0.1:${port}; root ${site}; } }`,
  );
  const server = start(['nginx', '-e', 'stderr', '-c', config]);
  await waitForPort(port);
  return server;
}

/** Waits until somebody listens on this machine. */
export async function waitForPort(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.unref();
    });
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error(`nobody listens on port ${port}`);
}
