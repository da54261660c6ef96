/** An index that follows a site by what a mirror hands over: as good as one that is built from nothing, and for less. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { expect, test } from 'vitest';
import { readPage } from '../../src/index.js';
import { ROOT } from '../support/command.js';
import { readCopy, startSource } from '../support/mirror.js';
import { makeRandom } from '../support/random.js';
import { stride } from '../support/seed.js';
import { killAtStep, makeFolder, runCli } from '../support/site.js';
import { makeTaker } from '../support/taker.js';

const OPTIONS = { idField: 'uri', fields: ['title', 'text'], storeFields: ['title', 'text'] };
const WORDS = ['heron', 'lamp', 'ledger', 'tide', 'map', 'stair', 'garden', 'bell', 'winter', 'ferry'];

/**
 * A third of the times, it fails: before it does anything, or once the index is written. It notes its process, and what it
 * has taken; it is slow to begin, so that another one could overtake it.
 */
const COMMAND = `
import { appendFileSync, fstatSync, readFileSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
const { chance, pause, log } = JSON.parse(process.env.ORDER);
appendFileSync(log + '-pids', process.pid + '\\n');
if (chance < 1 / 6) process.exit(1);
const given = Buffer.alloc(fstatSync(0).size);
readSync(0, given, 0, given.length, 0);
process.on('exit', () => {
  if (chance < 1 / 3) process.exitCode = 1;
  else appendFileSync(log, given);
});
await sleep(pause);
await import(${JSON.stringify(join(ROOT, 'demo-site/index.mjs'))});
`;

interface Page {
  readonly text: string;
  readonly script: number;
}

const write = ({ text, script }: Page) =>
  `<!doctype html><html lang="en"><head><title>On ${text.split(' ')[0]}</title><script src="/app.${script}.js"></script></head><body><main class="c${script}"><h1>${text}</h1></main></body></html>`;

/** How a run is ended: before a step, at a moment of so many milliseconds, or not. */
interface Kill {
  readonly step?: number;
  readonly moment?: number;
}

// docs/index-a-site.md: "At least once."
test.each([
  ['with a command that fails a third of the time', false],
  ['with runs that are killed, too', true],
])('after each of many publications, %s', async (_, areKilled) => {
  const random = makeRandom();
  const choose = (count: number) => Math.floor(random() * count);
  const makeText = () => Array.from({ length: 8 }, () => WORDS[choose(WORDS.length)]).join(' ');
  let asked = 0;
  const source = await startSource({}, () => {
    asked++;
    return false;
  });
  const [folder, place] = [makeFolder(), makeFolder()];
  const inPlace = (name: string) => join(place, name);
  writeFileSync(inPlace('command.mjs'), COMMAND);
  const INDEX = inPlace('index.json');
  const command = `"${process.execPath}" ${inPlace('command.mjs')}`;
  const args = ['mirror', source.url, folder, '--run', command, '--json', '--max-delete', '100%'];
  let [changed, refusals, kills, runs, longest] = [0, 0, 0, 0, 500];
  /** Pages that the command indexed, as it noted, and how many of them in runs that were killed. */
  const indexed = { all: 0, killed: 0 };

  const chooseKill = (): Kill => {
    const dice = areKilled ? random() : 1;
    if (dice < 0.4) return { step: 1 + choose(75) };
    return dice < 0.7 ? { moment: random() * 1.2 * longest } : {};
  };
  const run = async ({ step, moment }: Kill) => {
    const log = inPlace(`log-${runs++}`);
    // The first one of all fails.
    const chance = areKilled || changed > 12 || refusals > 0 ? random() : 0.2;
    // Not in a file: a command that goes on has its own.
    const ORDER = JSON.stringify({ chance, pause: areKilled ? random() * 200 : 0, log });
    const killing = step === undefined ? {} : killAtStep(step);
    const begin = performance.now();
    const ended = await runCli(args, {
      env: { INDEX, ORDER, ...killing },
      ...(moment && { killAfter: moment }),
    });
    if (ended.signal === null) longest = Math.max(longest, performance.now() - begin);
    else {
      expect(ended.signal).toBe('SIGKILL');
      kills++;
      // As where a machine is switched off. Otherwise, the command goes on.
      if (random() < 0.5) for (const pid of readLines(`${log}-pids`)) endProcess(Number(pid));
    }
    return { ...ended, log };
  };
  const noteIndexed = (log: string, isKilled: boolean) => {
    for (const line of readLines(log)) {
      const { change, kind } = JSON.parse(line);
      // No kill makes a run forget what a change means.
      expect(kind, line).toBeDefined();
      if (change === 'deleted' || kind !== 'text') continue;
      indexed.all++;
      if (isKilled) indexed.killed++;
    }
  };

  const pages = new Map<string, Page>();
  const killed: string[] = [];
  for (let step = 0; step < 40 / stride(5); step++) {
    const files: Record<string, string | undefined> = { 'data.json': `{"step":${step}}` };
    for (const [path, { text }] of pages) {
      const dice = random();
      if (dice < 0.1) {
        pages.delete(path);
        files[path] = undefined;
        continue;
      }
      if (dice < 0.3) changed++;
      // Every build gives the script another name.
      const page = { text: dice < 0.3 ? `${makeText()} ${step}` : text, script: step };
      pages.set(path, page);
      files[path] = write(page);
    }
    for (let count = step === 0 ? 12 : choose(3); count > 0; count--) {
      const page = { text: makeText(), script: step };
      changed++;
      pages.set(`p${step}-${count}.html`, page);
      files[`p${step}-${count}.html`] = write(page);
    }
    await source.publish(step * 60, files);

    let isTaken = false;
    for (let tries = 0; !isTaken; tries++) {
      expect(tries).toBeLessThan(40);
      asked = 0;
      const { status, signal, stdout, log } = await run(chooseKill());
      if (signal !== null) {
        killed.push(log);
        continue;
      }
      const { created, updated, handed, inSync } = JSON.parse(stdout);
      expect({ inSync, stdout: inSync ? '' : stdout }).toEqual({ inSync: true, stdout: '' });
      expect(asked).toBeLessThanOrEqual(6 + created + updated);
      if (handed?.taken === false) refusals++;
      noteIndexed(log, false);
      isTaken = status === 0;
    }
    const kept = MiniSearch.loadJSON(readFileSync(INDEX, 'utf8'), OPTIONS);
    const anew = new MiniSearch(OPTIONS);
    for (const path of pages.keys()) {
      const { title, text } = readPage(readFileSync(join(source.site, path))) ?? {};
      anew.add({ uri: `${source.url}${path}`, title, text });
    }
    const tell = (one: MiniSearch) =>
      WORDS.flatMap((word) =>
        one.search(word).map(({ id, title, text }) => `${word} ${id} ${title} ${text}`),
      ).sort();
    expect(Object.keys(readCopy(folder)).sort()).toEqual(Object.keys(source.listed()).sort());
    expect(kept.documentCount).toBe(anew.documentCount);
    expect(tell(kept)).toEqual(tell(anew));
  }
  for (const log of killed) noteIndexed(log, true);
  expect(refusals).toBeGreaterThan(0);
  expect(kills > 0).toBe(areKilled);
  // Only what a command has taken of a run that was killed before it noted that is handed over again.
  expect(indexed.all).toBeLessThanOrEqual(changed + indexed.killed);
  console.log(`${runs} runs, ${kills} killed, ${refusals} refused; ${changed} changed, indexed:`, indexed);
});

// docs/index-a-site.md: "One command at a time."
test('a command whose run is killed before any step is not overtaken, and handed over to again', async () => {
  const source = await startSource();
  await source.publish(0, { 'a.html': write({ text: 'a', script: 0 }) });
  let [isFinished, overtaken] = [false, 0];
  const killAt = async (step: number) => {
    const [folder, taker] = [makeFolder(), makeTaker()];
    const args = ['mirror', source.url, folder, '--run', taker.command];
    const killed = await runCli(args, {
      env: { ...killAtStep(step), ORDER: 'late' },
      killAfter: 60_000,
    });
    isFinished ||= killed.status === 0;
    expect(await runCli(args)).toMatchObject({ status: 0 });
    const log = taker.log().flatMap(Object.keys);
    const moments = log.filter((key) => key === 'begin' || key === 'end');
    expect(moments, `step ${step}`).toEqual(moments.map((__, index) => (index % 2 === 0 ? 'begin' : 'end')));
    if (moments.length > 2) overtaken++;
    expect(taker.given().at(-1)).toMatchObject([{ change: 'created', uri: `${source.url}a.html` }]);
  };
  const by = stride(3);
  for (let step = 1; !isFinished; step += 3 * by)
    await Promise.all([step, step + by, step + 2 * by].map(killAt));
  expect(overtaken).toBeGreaterThan(0);
});

function readLines(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
  }
}
