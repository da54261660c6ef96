/** Copies what a list names, over eight connections, and does no more than it must: what a mirror in Node is measured by. */

import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';

const CONNECTIONS = 8;

const [list = '', url = '', folder = ''] = process.argv.slice(2);
const waiting = readFileSync(list, 'utf8').matchAll(/<loc>([^<]+)<\/loc>.*?md5:(\w+) sha-256:(\w+)/g);
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const staging = join(folder, '.staging');
mkdirSync(staging, { recursive: true });

async function copy(uri: string, md5: string, sha256: string): Promise<void> {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(uri, { agent }, resolve).on('error', reject),
  );
  const digests = [createHash('md5'), createHash('sha256')];
  const staged = join(staging, sha256);
  const file = openSync(staged, 'w');
  for await (const piece of response as AsyncIterable<Buffer>) {
    for (const digest of digests) digest.update(piece);
    writeSync(file, piece);
  }
  closeSync(file);
  if (digests.map((digest) => digest.digest('hex')).join() !== `${md5},${sha256}`) throw new Error(uri);
  const place = join(folder, uri.slice(url.length).replace(/(^|\/)$/, '$1index.html'));
  mkdirSync(dirname(place), { recursive: true });
  renameSync(staged, place);
}

async function work(): Promise<void> {
  for (const [, uri = '', md5 = '', sha256 = ''] of waiting) await copy(uri, md5, sha256);
}

await Promise.all(Array.from({ length: CONNECTIONS }, work));
agent.destroy();
