/** A channel: how soon a Destination hears of a deploy, and what many of them take. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { ownProgram, resyncStatic } from '../built.js';
import { startNginx } from '../corpora/nginx.js';
import { makeOnce, undescribe } from '../corpora/once.js';
import { makeSite, SITES, wordShape } from '../corpora/sites.js';
import { median } from '../measure.js';
import { run, start, stop } from '../processes.js';
import type { Measured, Section } from '../section.js';

const PORT = 17_971;
const CHANNEL_PORT = 17_972;
const URL_OF_SITE = `http://127.0.0.1:${PORT}/`;
const URL_OF_CHANNEL = `http://127.0.0.1:${CHANNEL_PORT}/`;
/** Between two looks are two seconds, and a third for what is still to be read after the changes. */
const REST = 3000;
const CROWD = 5000;
/** Milliseconds, and bytes for each Destination. */
const CROWD_TIME = 2000;
const CROWD_MEMORY = 60_000;

export const sections: readonly Section[] = [
  {
    name: 'channel-deploy',
    title: `${wordShape(SITES.files20k)}, one changed: from POST /deployed to the message at one Destination`,
    tools: ['nginx'],
    measure: (runs, tell) => measureDeploy(runs, tell, () => makeSite(SITES.files20k)),
  },
  {
    name: 'channel-crowd',
    title: `${CROWD.toLocaleString('en-US')} Destinations: from POST /deployed to the message at the last of them`,
    tools: ['nginx'],
    measure: measureCrowd,
  },
];

/** Programs that run while something is measured. */
interface Stage {
  readonly channel: ChildProcess;
  readonly listen: (count: number) => Promise<Interface>;
  /** Publishes a change, and waits until a look is allowed again. */
  readonly publish: () => Promise<void>;
}

type Tell = (progress: string) => void;

async function measureDeploy(runs: number, tell: Tell, make: () => Promise<string>): Promise<Measured> {
  return onStage(make, tell, async (stage) => {
    const lines = await stage.listen(1);
    const times = await timeMessages(stage, lines, runs, tell);
    return { remark: `${wordTimes(times)} from POST /deployed to the message` };
  });
}

async function measureCrowd(runs: number, tell: Tell): Promise<Measured> {
  const make = () =>
    makeOnce('channel-site', {}, (folder) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'index.html'), 'one');
    });
  return onStage(make, tell, async (stage) => {
    const before = memoryOf(stage.channel);
    const lines = await stage.listen(CROWD);
    const open = memoryOf(stage.channel);
    const times = await timeMessages(stage, lines, runs, tell);
    const told = memoryOf(stage.channel);
    const each = (bytes: number) => `${((bytes - before) / CROWD / 1000).toFixed(1)} kB`;
    const isMet = Math.max(...times) <= CROWD_TIME && told - before <= CROWD_MEMORY * CROWD;
    return {
      memory: { peak: told - before, limit: CROWD_MEMORY * CROWD },
      remark: `${wordTimes(times)} to the last (≤ ${CROWD_TIME} ms) ${isMet ? 'met' : 'MISSED'}; ${each(open)} for each that is connected, ${each(told)} after ${times.length + 1} messages`,
    };
  });
}

async function onStage(
  make: () => Promise<string>,
  tell: Tell,
  measure: (stage: Stage) => Promise<Measured>,
) {
  tell('preparing…');
  const site = await make();
  undescribe(site);
  const describe = () =>
    run(resyncStatic(site, '--url', URL_OF_SITE, '--history', 'published', '--quiet', '--urls', 'file'));
  const programs: ChildProcess[] = [await startNginx(site, PORT)];
  const file = join(site, 'changed-by-the-bench.txt');
  let step = 0;
  try {
    writeFileSync(file, 'none');
    // Two runs, so that the list that is continued knows the file.
    await describe();
    const argv = resyncStatic(
      'channel',
      URL_OF_SITE,
      '--port',
      `${CHANNEL_PORT}`,
      '--every',
      '1h',
      '--json',
      '--quiet',
    );
    const channel = start(argv, { stdio: ['ignore', 'pipe', 'inherit'] });
    programs.push(channel);
    await nextLine(readLines(channel), (line) => line.includes('"looked"'));
    return await measure({
      channel,
      listen: async (count) => {
        const listener = start(
          ownProgram('listen', `${URL_OF_CHANNEL.replace('http', 'ws')}changes`, `${count}`),
          {
            stdio: ['ignore', 'pipe', 'inherit'],
          },
        );
        programs.push(listener);
        const lines = readLines(listener);
        await nextLine(lines, (line) => line === 'open');
        return lines;
      },
      publish: async () => {
        writeFileSync(file, `edit ${++step}`);
        await describe();
        await pause(REST);
      },
    });
  } finally {
    for (const program of programs.reverse()) await stop(program);
    undescribe(site);
    writeFileSync(file, 'none');
  }
}

/** The first one warms up. */
async function timeMessages(
  { publish }: Stage,
  lines: Interface,
  runs: number,
  tell: Tell,
): Promise<number[]> {
  const times: number[] = [];
  for (let message = 1; message <= runs + 1; message++) {
    await publish();
    const begin = performance.now();
    const heard = nextLine(lines, (line) => line === `${message}`);
    await fetch(`${URL_OF_CHANNEL}deployed`, { method: 'POST' });
    await heard;
    if (message > 1) times.push(performance.now() - begin);
    tell(`${wordTimes(times.length === 0 ? [0] : times)}…`);
  }
  return times;
}

export function wordTimes(times: readonly number[]): string {
  const [lowest, highest] = [Math.min(...times), Math.max(...times)];
  return `${median(times).toFixed(0)} ms (${lowest.toFixed(0)}–${highest.toFixed(0)}, ${times.length} runs)`;
}

export function readLines({ stdout }: ChildProcess): Interface {
  if (stdout === null) throw new Error('the program prints nothing');
  return createInterface(stdout);
}

export async function nextLine(lines: Interface, test: (line: string) => boolean): Promise<void> {
  for (;;) {
    const waiting = new AbortController();
    const { signal } = waiting;
    const [line] = await Promise.race([
      once(lines, 'line', { signal }),
      once(lines, 'close', { signal }),
    ]).finally(() => waiting.abort());
    if (line === undefined) throw new Error('the program has ended');
    if (test(String(line))) return;
  }
}

/** Resident memory, in bytes. */
function memoryOf({ pid }: ChildProcess): number {
  const [, kibibytes] = /VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}
