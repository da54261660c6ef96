/**
 * Run as root of namespaces of its own: mirrors a Source whose name leads to a public address of this machine, and later
 * to a private one. Prints what came of each run as JSON.
 */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const [cli = '', site = '', folder = ''] = process.argv.slice(2);
const PUBLIC = '93.184.216.34';
const PRIVATE = '127.0.0.1';
const NAMES = join(folder, 'hosts');
const URL_OF_SITE = 'http://site.example:8080/';

/** @param {string} address */
const lead = (address) => writeFileSync(NAMES, `${address} site.example\n`);

lead(PUBLIC);
execFileSync('ip', ['link', 'set', 'lo', 'up']);
execFileSync('ip', ['address', 'add', `${PUBLIC}/32`, 'dev', 'lo']);
execFileSync('mount', ['--bind', NAMES, '/etc/hosts']);

/** @type {Set<string | undefined>} */
const reached = new Set();
let changesAt = '';
const server = createServer((request, response) => {
  const path = request.url ?? '/';
  reached.add(request.socket.localAddress);
  if (path === changesAt) lead(PRIVATE);
  // Every request looks the name up again.
  response.setHeader('connection', 'close');
  try {
    response.end(readFileSync(join(site, path)));
  } catch {
    response.writeHead(404).end();
  }
}).listen(8080, '0.0.0.0');
await once(server, 'listening');

/** @param {string} copy */
async function run(copy) {
  reached.clear();
  const args = [cli, 'mirror', URL_OF_SITE, join(folder, copy), '--verify', '--concurrency', '1', '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (piece) => {
    text += piece;
  });
  const [status] = await once(child, 'close');
  return { status, told: JSON.parse(text), reached: [...reached] };
}

lead(PRIVATE);
const alwaysPrivate = await run('private');
lead(PUBLIC);
const first = await run('public');
lead(PRIVATE);
const later = await run('public');
lead(PUBLIC);
const again = await run('public');
changesAt = '/a.txt';
const meanwhile = await run('fresh');
console.log(JSON.stringify({ alwaysPrivate, first, later, again, meanwhile }));
process.exit();
