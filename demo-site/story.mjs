/**
 * The story of a page with five versions, of an archive of five months, and of a mirror that was stopped in the first one and
 * is brought up to date in the end. The same states as in the demo, published by this machine; each step is audited.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { audit, DATES, demo, mirror, run, serve, wordBuild, wordChanges } from './tools.mjs';

const story = join(demo, 'story');
const site = join(story, '_site');
const copy = join(story, 'copy');
const changes = join(story, 'changes.ndjson');
const config = join(story, 'past.json');

const OURS = ['resourcesync', '.well-known'];
const PAGE = 'conservation-diary';
const INDENT = ' '.repeat(14);

/** @param {string} path */
const read = (path) => readFileSync(join(site, 'resourcesync', path), 'utf8');

/** @param {Date} date @param {Intl.DateTimeFormatOptions} options */
const wordDate = (date, options) => date.toLocaleDateString('en-GB', { timeZone: 'UTC', ...options });

/**
 * Puts a state into the site, as a build does that leaves our documents where they are, and describes it.
 *
 * @param {number} index
 * @param {string} url
 */
async function publish(index, url) {
  for (const name of readdirSync(site)) {
    if (!OURS.includes(name)) rmSync(join(site, name), { recursive: true });
  }
  cpSync(join(demo, 'built', `${index}`), site, { recursive: true });
  const args = ['_site', '--url', url, '--record', '--config', config, '--page', '--json'];
  const report = await run(args, { cwd: story, date: DATES[index] ?? '' });
  console.log(`  ${DATES[index]}  ${wordBuild(report, index === 0)}
${INDENT}audit: ${await audit([site], { cwd: story })}`);
}

/**
 * Brings the copy up to date, and has its files audited by what the site lists.
 *
 * @param {string} url
 * @param {string} indent
 */
async function update(url, indent) {
  const report = await mirror(url, copy, '--changes', changes);
  const archived = report.sets[0]?.archived;
  console.log(`${indent}mirror: ${wordChanges(report)}`);
  if (archived !== undefined)
    console.log(`${indent}        by ${archived} archived lists of changes, and the one of today`);
  const checked = join(story, 'checked');
  rmSync(checked, { recursive: true, force: true });
  cpSync(copy, checked, { recursive: true, filter: (path) => !path.endsWith('.resync-mirror') });
  for (const name of OURS) cpSync(join(site, name), join(checked, name), { recursive: true });
  console.log(`${indent}audit of the copy: ${await audit([checked], { cwd: story })}`);
}

/** The addresses of all versions of a page. */
function tellVersions() {
  const mementos = read(`timemaps/${PAGE}/index.html.txt`).matchAll(
    /<([^>]*)>; rel="[^"]*memento"; datetime="([^"]*)"/g,
  );
  const people = read('index.html');
  for (const [, uri = '', datetime = ''] of mementos) {
    const path = new URL(uri).pathname;
    const linked = people.includes(`href="${path}"`) ? 'on the page, too' : '';
    const day = wordDate(new Date(datetime), { day: 'numeric', month: 'long' }).padEnd(12);
    console.log(`  ${day}  ${path.slice('/resourcesync/'.length).padEnd(46)}  ${linked}`.trimEnd());
  }
}

/** What is archived of each month. */
function tellMonths() {
  const files = readdirSync(join(site, 'resourcesync', 'archives')).sort();
  const count = (/** @type {string | undefined} */ file) =>
    file === undefined ? 0 : [...read(`archives/${file}`).matchAll(/<url>/g)].length;
  for (const file of files.filter((name) => name.startsWith('resourcelist-'))) {
    const [, year = '', month = ''] = /(\d{4})(\d\d)\d\dT/.exec(file) ?? [];
    const end = new Date(Date.UTC(Number(year), Number(month)))
      .toISOString()
      .slice(0, 10)
      .replaceAll('-', '');
    const list = files.find((name) => name.startsWith(`changelist-archive-${end}`));
    const name = wordDate(new Date(`${year}-${month}-01`), { month: 'long' }).padEnd(9);
    console.log(`  ${name}  ${`${count(list)}`.padStart(2)} changes, then ${count(file)} resources`);
  }
}

/** What the mirror tells the next program. */
function tellChanges() {
  for (const line of readFileSync(changes, 'utf8').trim().split('\n')) {
    const { datetime, change, path } = JSON.parse(line);
    console.log(`  ${datetime.slice(0, 10)}  ${change}  ${path}`);
  }
}

export async function tellStory() {
  mkdirSync(site, { recursive: true });
  writeFileSync(config, '{ "archives": true, "versions": true }');
  execFileSync('git', ['init', '--quiet', story]);
  const { url, close } = await serve(() => site);
  for (const index of DATES.keys()) {
    await publish(index, url);
    if (index > 0) continue;
    await update(url, INDENT);
    rmSync(changes);
    console.log(`${INDENT}The mirror is stopped`);
  }

  console.log(`
The conservation diary has five versions. Its TimeMap has the address of each,
and the page for people links to those of the last 90 days
`);
  tellVersions();
  console.log('\nFive months are over. The archive says what changed in each, and what it led to\n');
  tellMonths();
  console.log('\nThe Change List goes back 90 days, to August. Now the mirror runs once more\n');
  await update(url, '  ');
  console.log('\nIts --changes file tells what happened since June, and when\n');
  tellChanges();
  close();
}
