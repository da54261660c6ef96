/** Mirrors that follow a channel: how soon they have a change, and whether many of them keep up with a busy Source. */

import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Interface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { configured, resyncStatic } from '../built.js';
import { startNginx } from '../corpora/nginx.js';
import { folderOf, makeOnce, undescribe } from '../corpora/once.js';
import { makeSite, SITES, wordShape } from '../corpora/sites.js';
import { median } from '../measure.js';
import { run, start, stop } from '../processes.js';
import type { Measured, Section } from '../section.js';
import { nextLine, readLines, wordTimes } from './channel.js';

const PORT = 17_973;
const CHANNEL_PORT = 17_974;
const URL_OF_SITE = `http://127.0.0.1:${PORT}/`;
const URL_OF_CHANNEL = `http://127.0.0.1:${CHANNEL_PORT}/`;
const COPIES = folderOf('follow-copies');
/** Between two looks of a channel are two seconds, and a second for what is still to be read after the changes. */
const REST = 3000;
const TIME = 300;

/** As DBpedia Live changes: two resources a second, published together every ten seconds. */
const LIVE = { files: 2000, mirrors: 20, changes: 20, pause: 10_000, publicationsPerRun: 6 };

export const sections: readonly Section[] = [
  {
    name: 'follow-deploy',
    title: `${wordShape(SITES.files20k)}, one changed: from POST /deployed to the file in a mirror that follows`,
    tools: ['nginx'],
    measure: measureDeploy,
  },
  {
    name: 'follow-live',
    title: `${LIVE.mirrors} mirrors follow ${LIVE.changes} changes every ${LIVE.pause / 1000} s; --runs are minutes`,
    tools: ['nginx'],
    onlyWhenNamed: 'as many minutes as there are runs',
    measure: measureLive,
  },
];

type Tell = (progress: string) => void;

interface Follower {
  readonly folder: string;
  readonly child: ChildProcess;
  readonly lines: Interface;
  /** Changes to the folder since the first run, as its reports say. */
  changes: number;
}

interface Stage {
  readonly site: string;
  readonly followers: readonly Follower[];
  readonly publish: () => Promise<void>;
  readonly deployed: () => Promise<unknown>;
}

async function measureDeploy(runs: number, tell: Tell): Promise<Measured> {
  return onStage(await makeSite(SITES.files20k), 1, tell, async ({ site, followers, publish, deployed }) => {
    const [follower] = followers;
    if (follower === undefined) throw new Error('nobody follows');
    const times: number[] = [];
    for (let edit = 0; edit <= runs; edit++) {
      const content = `edit ${edit}`;
      writeFileSync(join(site, NAME), content);
      await publish();
      await pause(REST);
      const told = nextLine(follower.lines, isNews);
      const begin = performance.now();
      await deployed();
      await told;
      const time = performance.now() - begin;
      if (readFileSync(join(follower.folder, NAME), 'utf8') !== content)
        throw new Error('it has another file');
      // The first one warms up.
      if (edit > 0) times.push(time);
    }
    const isMet = median(times) <= TIME;
    return { remark: `${wordTimes(times)} to the file (≤ ${TIME} ms) ${isMet ? 'met' : 'MISSED'}` };
  });
}

/** What is edited. */
const NAME = 'changed-by-the-bench.txt';

function isNews(line: string): boolean {
  return countChanges(line) > 0;
}

function countChanges(line: string): number {
  const { created = 0, updated = 0, deleted = 0 } = JSON.parse(line);
  return created + updated + deleted;
}

async function measureLive(runs: number, tell: Tell): Promise<Measured> {
  const site = await makeOnce('live-site', { files: LIVE.files }, (folder) => {
    mkdirSync(folder, { recursive: true });
    for (let file = 0; file < LIVE.files; file++)
      writeFileSync(join(folder, `${file}.ttl`), `<a> <b> ${file} .`);
  });
  return onStage(site, LIVE.mirrors, tell, async ({ followers, publish, deployed }) => {
    const publications = runs * LIVE.publicationsPerRun;
    const times: number[] = [];
    for (const follower of followers)
      follower.lines.on('line', (line) => {
        follower.changes += countChanges(line);
      });
    for (let count = 1; count <= publications; count++) {
      const begin = performance.now();
      edit(site, count);
      await publish();
      const published = performance.now();
      await deployed();
      const wanted = count * LIVE.changes;
      while (followers.some(({ changes }) => changes < wanted) && performance.now() - begin < LIVE.pause)
        await pause(10);
      times.push(performance.now() - published);
      await pause(Math.max(0, LIVE.pause - (performance.now() - begin)));
      tell(`${count} of ${publications}, ${wordTimes(times)} until all have it…`);
    }
    const right = followers.filter(({ folder }) => isSame(site, folder)).length;
    const once = followers.filter(({ changes }) => changes === publications * LIVE.changes).length;
    const isMet = right === followers.length && once === followers.length;
    return {
      remark: `${publications} publications: ${right} of ${followers.length} mirrors have all, ${once} did each change once ${isMet ? 'met' : 'MISSED'}; ${wordTimes(times)} until all have one`,
    };
  });
}

/** Updates nine files, creates one that the next publication deletes, and so on: each change is one of its URL. */
function edit(site: string, count: number): void {
  for (let index = 0; index < LIVE.changes - 2; index++)
    writeFileSync(join(site, `${(count * LIVE.changes + index) % LIVE.files}.ttl`), `<a> <c> ${count} .`);
  writeFileSync(join(site, `new-${count}.ttl`), `<a> <d> ${count} .`);
  if (count > 1) rmSync(join(site, `new-${count - 1}.ttl`));
  else writeFileSync(join(site, 'first.ttl'), 'first');
}

function isSame(site: string, copy: string): boolean {
  const names = (folder: string) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ttl'))
      .sort();
  const [expected, found] = [names(site), names(copy)];
  return (
    expected.join() === found.join() &&
    expected.every((name) => readFileSync(join(site, name)).equals(readFileSync(join(copy, name))))
  );
}

/** Serves a site that names a channel, runs that channel, and has mirrors follow it. */
async function onStage(
  site: string,
  mirrors: number,
  tell: Tell,
  measure: (stage: Stage) => Promise<Measured>,
): Promise<Measured> {
  tell('preparing…');
  undescribe(site);
  rmSync(COPIES, { recursive: true, force: true });
  const flags = ['--url', URL_OF_SITE, '--history', 'published', '--urls', 'file', '--quiet'];
  const argv = resyncStatic(
    site,
    ...flags,
    ...configured('follow', { channels: URL_OF_CHANNEL.replace('http', 'ws') }),
  );
  const publish = () => run(argv);
  const programs: ChildProcess[] = [await startNginx(site, PORT)];
  try {
    writeFileSync(join(site, NAME), 'none');
    // Two runs, so that the list that is continued knows the file.
    await publish();
    await publish();
    const serving = ['--port', `${CHANNEL_PORT}`, '--every', '1h', '--json', '--quiet'];
    const channel = start(resyncStatic('channel', URL_OF_SITE, ...serving), {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    programs.push(channel);
    const lines = readLines(channel);
    await nextLine(lines, (line) => line.includes('"looked"'));
    const followers: Follower[] = [];
    for (let count = 0; count < mirrors; count++) {
      const follower = startFollower(join(COPIES, `${count}`));
      programs.push(follower.child);
      await nextLine(follower.lines, isNews);
      followers.push(follower);
      tell(`${count + 1} of ${mirrors} mirrors follow…`);
    }
    const deployed = () => fetch(`${URL_OF_CHANNEL}deployed`, { method: 'POST' });
    return await measure({ site, followers, publish, deployed });
  } finally {
    for (const program of programs.reverse()) await stop(program);
    undescribe(site);
    for (const name of readdirSync(site).filter((one) => /^(?:new-|first|changed-by)/.test(one)))
      rmSync(join(site, name));
    rmSync(COPIES, { recursive: true, force: true });
  }
}

function startFollower(folder: string): Follower {
  const argv = resyncStatic('mirror', URL_OF_SITE, folder, '--follow', '--json');
  const child = start(argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  return { folder, child, lines: readLines(child), changes: 0 };
}
