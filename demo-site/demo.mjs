/**
 * Publishes the demo site as its history tells: the first state, then every revision, each built by Eleventy, described
 * and recorded. All of it happens in a folder of its own, with a repository of its own. Then the first three states once
 * more, without git: served by this machine, the site is its own record.
 */

import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import mime from 'mime';

const project = fileURLToPath(new URL('..', import.meta.url));
const here = join(project, 'demo-site');
const demo = join(project, '.tmp', 'demo');
const cli = join(project, 'dist/src/cli/main.js');
const eleventy = join(project, 'node_modules', '@11ty', 'eleventy', 'cmd.cjs');

/** When the states were published: the first one, then the revisions. */
const DATES = ['2026-06-08', '2026-07-06', '2026-08-03', '2026-09-14', '2026-10-26'];

/**
 * @param {string} date
 * @param {string[]} args
 */
function describe(date, ...args) {
  const env = { ...process.env, SOURCE_DATE_EPOCH: `${Date.parse(`${date}T08:00:00Z`) / 1000}` };
  return execFileSync(process.execPath, [cli, '_site', '--record', ...args], {
    cwd: demo,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', args.includes('--quiet') || args.includes('--json') ? 'ignore' : 'inherit'],
  });
}

function build() {
  // Eleventy leaves what earlier builds wrote.
  rmSync(join(demo, '_site'), { recursive: true, force: true });
  execFileSync(process.execPath, [eleventy, '--config=eleventy.config.js', '--quiet'], { cwd: demo });
}

/**
 * Serves what is in a folder at the moment of each request.
 *
 * @param {() => string} folder
 */
async function serve(folder) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    const file = join(folder(), path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    const type = path.endsWith('/resourcesync') ? 'application/xml' : (mime.getType(file) ?? 'text/plain');
    return response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${address.port}/`, close };
}

/** Serves the site as a static host does, and has it audited from there: all documents, and the bytes of every resource. */
async function auditServed() {
  const { url, close } = await serve(() => join(demo, '_site'));
  const args = ['audit', url, '--url', 'https://readingroom.wrenmouth.example/'];
  const run = spawn(process.execPath, [cli, ...args], { cwd: demo, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  run.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const [status] = await once(run, 'close');
  close();
  console.log(output.replace(/^(?=.)/gm, '  '));
  if (status !== 0) process.exitCode = 1;
}

/** @param {string} revision a folder of files to put over the content, and a list of those to remove */
function revise(revision) {
  const special = ['message.txt', 'removed.txt'];
  for (const name of readdirSync(revision).filter((entry) => !special.includes(entry))) {
    cpSync(join(revision, name), join(demo, 'content', name), { recursive: true });
  }
  const removed = join(revision, 'removed.txt');
  if (!existsSync(removed)) return;
  for (const path of readFileSync(removed, 'utf8').split('\n').filter(Boolean))
    rmSync(join(demo, 'content', path));
}

/**
 * @param {number} index
 * @param {string} report
 */
function tell(index, report) {
  const { resources, changes } = JSON.parse(report);
  const { created, updated, deleted } = changes;
  return index === 0
    ? `${resources} resources`
    : `${created} created, ${updated} updated, ${deleted} deleted`;
}

/** Publishes states that are built already, each described against what is live and put in its place. */
async function publishWithoutGit() {
  let live = join(demo, 'nothing');
  const copy = join(demo, 'copy');
  const { url, close } = await serve(() => live);
  for (const [index, date] of DATES.slice(0, 3).entries()) {
    const site = join(demo, 'built', `${index}`);
    const env = { ...process.env, SOURCE_DATE_EPOCH: `${Date.parse(`${date}T08:00:00Z`) / 1000}` };
    const args = [cli, site, '--url', url, '--history', 'published', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: demo, env });
    console.log(`  ${date}  ${tell(index, stdout)}`);
    // The deploy.
    live = site;
    const mirrored = await promisify(execFile)(process.execPath, [cli, 'mirror', url, copy], { cwd: demo });
    console.log(`              ${mirrored.stdout.split('\n')[0]}`);
  }
  close();
  compareCopy(live, copy);
}

/**
 * Says whether a copy has the bytes of the site.
 *
 * @param {string} site
 * @param {string} copy
 */
function compareCopy(site, copy) {
  const files = readdirSync(copy, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.resync-mirror'))
    .map((entry) => relative(copy, join(entry.parentPath, entry.name)));
  const same = files.filter((path) => readFileSync(join(copy, path)).equals(readFileSync(join(site, path))));
  console.log(`\n  ${same.length} of ${files.length} files of the copy are the site's, byte for byte`);
  if (same.length !== files.length) process.exitCode = 1;
}

rmSync(demo, { recursive: true, force: true });
for (const name of ['content', 'layouts', 'eleventy.config.js', 'resync-static.config.ts']) {
  cpSync(join(here, name), join(demo, name), { recursive: true });
}
execFileSync('git', ['init', '--quiet', demo]);

console.log('Published\n');
for (const [index, date] of DATES.entries()) {
  const revision = join(here, 'revisions', `${index}`);
  const message =
    index === 0 ? 'Open the reading room' : readFileSync(join(revision, 'message.txt'), 'utf8').trim();
  if (index > 0) revise(revision);
  build();
  if (index < 3) cpSync(join(demo, '_site'), join(demo, 'built', `${index}`), { recursive: true });
  console.log(`  ${date}  ${message}\n              ${tell(index, describe(date, '--json'))}`);
}

console.log('\nDescribed once more: nothing has changed, so nothing is written\n');
console.log(describe(DATES.at(-1) ?? '').replace(/^/gm, '  '));

const changes = readFileSync(join(demo, '_site', 'resourcesync', 'changelist.xml'), 'utf8').split('\n');
const diary = changes.filter((line) => line.includes('/conservation-diary/'));
console.log(`The conservation diary was changed twice, and the Change List has both, with the bytes of each:

${diary.map((line) => line.replace(/ sha-256:\w+/, ' …')).join('\n')}

Served over HTTP, and audited: is what the documents say true of what comes from there?
`);
await auditServed();

console.log(`Published once more without git, by --history published: the live site tells what it was.
After each publication, the site is mirrored
`);
await publishWithoutGit();
console.log(`
Look at
  .tmp/demo/_site/resourcesync/index.html            all of it in words, for people
  .tmp/demo/_site/resourcesync/changes.atom          the pages that changed, for feed readers
  .tmp/demo/_site/.well-known/resourcesync           the Source Description, where a Destination begins
  .tmp/demo/_site/resourcesync/capabilitylist.xml    what is offered for this set of resources
  .tmp/demo/_site/resourcesync/resourcelist.xml      every page, image and download, with its digests
  .tmp/demo/_site/resourcesync/changelist.xml        what was created, updated and deleted, and when
  .tmp/demo/_site/resourcesync/resourcedump.xml      the same resources, in a ZIP package
  .tmp/demo/_site/resourcesync/changedump.xml        the same changes, in a package for each publication
  .tmp/demo/built/2/resourcesync/changelist.xml      the Change List that was made without git
  .tmp/demo/copy                                     what the mirror made of it`);
