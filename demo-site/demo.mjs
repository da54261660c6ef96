/**
 * Publishes the demo site as its history tells: the first state, then every revision, each built by Eleventy, described
 * and recorded. All of it happens in a folder of its own, with a repository of its own. Then the first three states once
 * more, without git: served by this machine, the site is its own record. Then all of them, with archives and versions. Then
 * the last one, signed, and proven from a mirror of a mirror.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { tellAnswers } from './answer.mjs';
import { tellMoved } from './moved.mjs';
import { tellSigned } from './signed.mjs';
import { tellStory } from './story.mjs';
import { audit, DATES, demo, mirror, project, run, serve, wordBuild, wordChanges } from './tools.mjs';

const here = join(project, 'demo-site');
const eleventy = join(project, 'node_modules', '@11ty', 'eleventy', 'cmd.cjs');

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

/** Publishes states that are built already, each described against what is live and put in its place. */
async function publishWithoutGit() {
  let live = join(demo, 'nothing');
  const copy = join(demo, 'copy');
  const { url, close } = await serve(() => live);
  for (const [index, date] of DATES.slice(0, 3).entries()) {
    const site = join(demo, 'published', `${index}`);
    cpSync(join(demo, 'built', `${index}`), site, { recursive: true });
    const args = [site, '--url', url, '--history', 'published', '--json'];
    console.log(`  ${date}  ${wordBuild(await run(args, { date }), index === 0)}`);
    // The deploy.
    live = site;
    console.log(`              mirror: ${wordChanges(await mirror(url, copy))}`);
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
  cpSync(join(demo, '_site'), join(demo, 'built', `${index}`), { recursive: true });
  const report = await run(['_site', '--json'], { date });
  // Here it would be deployed.
  await run(['record', '_site']);
  console.log(`  ${date}  ${message}\n              ${wordBuild(report, index === 0)}`);
}

console.log('\nDescribed once more: nothing has changed, so nothing is written\n');
const again = await run(['_site'], { date: DATES.at(-1) ?? '' });
console.log(again.slice(0, again.indexOf('\n\n')).replace(/^/gm, '  '));

const changes = readFileSync(join(demo, '_site', 'resourcesync', 'changelist.xml'), 'utf8').split('\n');
const diary = changes.findLast((line) => line.includes('/conservation-diary/')) ?? '';
console.log(`
The Change List has each change, with what it made of the page

  ${diary
    .trim()
    .replace(/<lastmod>|<rs:md| hash=/g, '\n    $&')
    .replace(/(md5|sha-256):\w+/g, '$1:…')}

Served over HTTP and audited: do the documents tell the truth about the files?
`);
const { url, close } = await serve(() => join(demo, '_site'));
console.log(`  audit: ${await audit(['https://readingroom.wrenmouth.example/', '--served-at', url])}`);
close();

console.log(`
A page moves. Before the deploy: does anything answer its old address?
`);
await tellMoved();

console.log(`
Published without git, by --history published: the live site tells what it was.
After each publication, the site is mirrored
`);
await publishWithoutGit();

console.log(`
A story: all states once more, with archives and versions. In June, somebody
mirrors the site. Each step is audited; the copy, by what the site lists
`);
await tellStory();
console.log(`
Signed with an SSH key, and mirrored from mirror to mirror. The address of the
site is served nowhere: the signature says whose the second copy is
`);
const isSigned = await tellSigned();
console.log(`
A question, before and after an edit. An index follows a mirror: it reads the
pages whose text has changed, and no others
`);
await tellAnswers();
console.log(`
Look at, in .tmp/demo
  _site/resourcesync/index.html          all of it in words, for people
  _site/resourcesync/changes.atom        pages that changed, for feed readers
  _site/resourcesync/pages.json          every page: title, dates, a digest
  _site/.well-known/resourcesync         where a Destination begins
  _site/resourcesync/capabilitylist.xml  what is offered for these resources
  _site/resourcesync/resourcelist.xml    every page and image, with digests
  _site/resourcesync/changelist.xml      what changed, and when
  _site/resourcesync/resourcedump.xml    the same resources, in a ZIP package
  _site/resourcesync/changedump.xml      the same changes, in packages
  copy                                   what the mirror made without git
  story/_site/resourcesync/index.html    for people, with links to versions
  story/_site/resourcesync/archives      what is archived of five months
  story/copy                             the mirror that was brought up to date${isSigned ? '\n  signed/second                          a mirror of a mirror, signed' : ''}
  index.json                             an index that followed a mirror`);
