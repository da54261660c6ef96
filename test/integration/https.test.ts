/** A Source that is served by https. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readCopy } from '../support/mirror.js';
import { makeFolder, runCli } from '../support/site.js';

const FILES: Readonly<Record<string, string>> = {
  'a.txt': 'by its length',
  'large.txt': 'in many pieces '.repeat(200_000),
  'empty.txt': '',
};

/** Serves the files, and tells on how many connections at a time. */
async function serveSecurely(host: string) {
  const folder = makeFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
  execFileSync('openssl', [...request, '-addext', names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, ({ url }, response) => {
    const path = (url ?? '').slice(1);
    if (path === 'sitemap.xml') {
      const entries = Object.keys(FILES).map((name) => `<url><loc>${home}${name}</loc></url>`);
      response.end(
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`,
      );
    } else if (FILES[path] === undefined) response.writeHead(404).end();
    else response.end(FILES[path]);
  });
  const counted = { open: 0, most: 0 };
  server.on('secureConnection', (socket) => {
    counted.most = Math.max(counted.most, ++counted.open);
    socket.on('close', () => counted.open--);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => void server.close());
  const home = `https://${host}:${(server.address() as AddressInfo).port}/`;
  return { home, cert, counted };
}

test.each(['localhost', '127.0.0.1'])(
  'by a certificate for %s that is trusted, and not otherwise',
  async (host) => {
    const { home, cert, counted } = await serveSecurely(host);
    const folder = makeFolder();
    const args = ['mirror', home, folder, '--concurrency', '2'];
    const doubted = await runCli(args);
    expect(doubted).toMatchObject({ status: 1, stderr: expect.stringContaining('self-signed certificate') });
    expect(counted.most).toBe(0);
    const trusted = await runCli(args, { env: { NODE_EXTRA_CA_CERTS: cert } });
    expect(trusted).toMatchObject({ status: 0 });
    expect(readCopy(folder)).toEqual(FILES);
    expect(counted.most).toBeLessThanOrEqual(2);
  },
);
