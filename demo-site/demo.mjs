/**
 * Publishes the demo site as its history tells: the first state, then every revision, each built by Eleventy, described
 * and recorded. All of it happens in a folder of its own, with a repository of its own.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));
const here = join(project, 'demo-site');
const demo = join(project, '.tmp', 'demo');
const cli = join(project, 'dist', 'cli.js');
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
  const { resources, changes } = JSON.parse(describe(date, '--json'));
  const { created, updated, deleted } = changes;
  const what =
    index === 0 ? `${resources} resources` : `${created} created, ${updated} updated, ${deleted} deleted`;
  console.log(`  ${date}  ${message}\n              ${what}`);
}

console.log('\nDescribed once more: nothing has changed, so nothing is written\n');
console.log(describe(DATES.at(-1) ?? '').replace(/^/gm, '  '));

const changes = readFileSync(join(demo, '_site', 'resourcesync', 'changelist.xml'), 'utf8').split('\n');
const diary = changes.filter((line) => line.includes('/conservation-diary/'));
console.log(`The conservation diary was changed twice, and the Change List has both, with the bytes of each:

${diary.map((line) => line.replace(/ sha-256:\w+/, ' …')).join('\n')}

Look at
  .tmp/demo/_site/.well-known/resourcesync           the Source Description, where a Destination begins
  .tmp/demo/_site/resourcesync/capabilitylist.xml    what is offered for this set of resources
  .tmp/demo/_site/resourcesync/resourcelist.xml      every page, image and download, with its digests
  .tmp/demo/_site/resourcesync/changelist.xml        what was created, updated and deleted, and when`);
