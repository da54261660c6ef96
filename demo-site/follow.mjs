/**
 * Shows the demo site followed: it is served by this machine, a channel tells of it, and two mirrors follow. Then a state
 * is published in which an article was corrected, and the log says what happened when, until both mirrors have it.
 */

import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import mime from 'mime';

const project = fileURLToPath(new URL('..', import.meta.url));
const here = join(project, 'demo-site');
const demo = join(project, '.tmp', 'demo-follow');
const cli = join(project, 'dist/lib/main.js');
const eleventy = join(project, 'node_modules', '@11ty', 'eleventy', 'cmd.cjs');
const copies = ['copy-1', 'copy-2'];

let begin = performance.now();
/** @param {string} text */
const log = (text) => console.log(`  ${((performance.now() - begin) / 1000).toFixed(3)} s  ${text}`);

/** What is served. */
let live = join(demo, 'nothing');

/** @param {import('node:http').RequestListener} answer */
async function listen(answer) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { server, url: `http://127.0.0.1:${port}/` };
}

const { server, url } = await listen((request, response) => {
  const path = decodeURIComponent(request.url ?? '/');
  const file = join(live, path.endsWith('/') ? `${path}index.html` : path);
  if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
  const type = path.endsWith('/resourcesync') ? 'application/xml' : (mime.getType(file) ?? 'text/plain');
  return response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
});
// A port that is free, because the lists name the channel before it runs.
const free = await listen((_, response) => response.end());
free.server.close();
const channelUrl = free.url;

/**
 * @param {string} state
 * @param {string} datetime
 */
async function buildState(state, datetime) {
  rmSync(join(demo, '_site'), { recursive: true, force: true });
  execFileSync(process.execPath, [eleventy, '--config=eleventy.config.js', '--quiet'], { cwd: demo });
  const site = join(demo, state);
  cpSync(join(demo, '_site'), site, { recursive: true });
  const config = join(demo, 'options.json');
  writeFileSync(config, JSON.stringify({ channels: channelUrl.replace('http', 'ws') }));
  const args = ['--url', url, '--history', 'published', '--config', config, '--quiet'];
  const env = { ...process.env, SOURCE_DATE_EPOCH: `${Date.parse(datetime) / 1000}` };
  // Not synchronously: it reads the live site, which this process serves.
  await promisify(execFile)(process.execPath, [cli, site, ...args], { cwd: demo, env });
  return site;
}

/** @type {import('node:child_process').ChildProcess[]} */
const programs = [];

/**
 * Runs a command that stays; what it prints are lines of JSON.
 *
 * @param {string[]} args
 * @param {(line: any) => void} take
 */
function stay(args, take) {
  const program = spawn(process.execPath, [cli, ...args, '--json', '--quiet'], {
    cwd: demo,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  programs.push(program);
  createInterface(program.stdout).on('line', (line) => take(JSON.parse(line)));
}

/** @param {string} copy */
function isSame(copy) {
  const files = readdirSync(live, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && !/resourcesync/.test(join(entry.parentPath, entry.name).slice(live.length)),
    )
    .map((entry) => relative(live, join(entry.parentPath, entry.name)))
    .filter((path) => path !== '404.html');
  return files.every(
    (path) =>
      existsSync(join(demo, copy, path)) &&
      readFileSync(join(demo, copy, path)).equals(readFileSync(join(live, path))),
  );
}

rmSync(demo, { recursive: true, force: true });
for (const name of ['content', 'layouts', 'eleventy.config.js', 'resync-static.config.ts'])
  cpSync(join(here, name), join(demo, name), { recursive: true });

try {
  console.log('A site, a channel that tells of it, and two mirrors that follow\n');
  live = await buildState('first', '2026-06-08T08:00:00Z');
  log(`the site is served at ${url}`);
  await new Promise((resolve) => {
    stay(['channel', url, '--port', new URL(channelUrl).port, '--every', '1h'], (event) => {
      if (event.kind === 'looked') {
        log(`channel  has looked at the lists${event.changed ? ', and they are new' : ''}`);
        resolve(undefined);
      }
      if (event.kind === 'notified')
        log(`channel  tells ${event.destinations} of ${event.changes} changes: ${event.channel}`);
    });
  });
  /** What waits for each mirror. */
  const waiting = new Map();
  const reports = () =>
    Promise.all(copies.map((copy) => new Promise((resolve) => waiting.set(copy, resolve))));
  const first = reports();
  for (const copy of copies)
    stay(['mirror', url, copy, '--follow'], ({ created, updated, deleted, durations }) => {
      log(
        `${copy}   has ${created} created, ${updated} updated, ${deleted} deleted, after a run of ${durations.total} ms`,
      );
      waiting.get(copy)?.(undefined);
    });
  await first;

  const revision = join(here, 'revisions', '1');
  const special = ['message.txt', 'removed.txt'];
  for (const name of readdirSync(revision).filter((entry) => !special.includes(entry)))
    cpSync(join(revision, name), join(demo, 'content', name), { recursive: true });
  const next = await buildState('second', '2026-07-06T08:00:00Z');
  console.log(`\nPublished: ${readFileSync(join(revision, 'message.txt'), 'utf8').trim()}\n`);
  const second = reports();
  begin = performance.now();
  live = next;
  log('the new state is live; notify is started');
  const telling = spawn(
    process.execPath,
    [cli, 'notify', next, '--url', url, '--channel', channelUrl, '--quiet'],
    {
      cwd: demo,
      stdio: 'inherit',
    },
  );
  const told = once(telling, 'close').then(([status]) => {
    if (status !== 0) throw new Error(`notify ended with ${status}`);
    log('notify   has ended');
  });
  const inPlace = second.then(() => performance.now());
  await told;
  const time = ((await inPlace) - begin) / 1000;
  const right = copies.filter(isSame);
  console.log(
    `\n  ${right.length} of ${copies.length} mirrors have the site, byte for byte, ${time.toFixed(3)} s after it was live`,
  );
  if (right.length !== copies.length) process.exitCode = 1;
} finally {
  for (const program of programs.reverse()) {
    program.kill('SIGTERM');
    if (program.exitCode === null) await once(program, 'close');
  }
  server.closeAllConnections();
  server.close();
}
