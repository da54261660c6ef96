/** A command for `mirror --run`, that notes what it is given, and does as it is told. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MirrorChange } from '../../src/index.js';
import { makeFolder } from './site.js';

const SCRIPT = `
import { appendFileSync, closeSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
const here = new URL('.', import.meta.url).pathname;
const note = (value) => appendFileSync(here + 'log', JSON.stringify(value) + '\\n');
const order = process.env.ORDER ?? (existsSync(here + 'order') ? readFileSync(here + 'order', 'utf8') : '');
note({ begin: process.pid });
if (order === 'shut') closeSync(0);
else if (order !== 'deaf') {
  const lines = readFileSync(0, 'utf8').trim().split('\\n').map((line) => JSON.parse(line));
  note({ folder: process.env.RESYNC_FOLDER, args: process.argv.slice(2), lines });
}
if (order === 'flood') for (let i = 0; i < 40_000; i++) process.stdout.write('x'.repeat(499) + '\\n');
if (order === 'odd') console.log('\\u001b[2Jcleared\\n::error::no\\ttab');
if (order === 'slow') await sleep(1500);
if (order === 'late') await sleep(3000);
if (order === 'hang') { process.on('SIGTERM', () => 0); setInterval(() => 0, 1000); await new Promise(() => 0); }
if (order === 'die') process.kill(process.pid, 'SIGKILL');
note({ end: process.pid });
if (order === 'refuse' || order === 'shut') { console.error('not today'); process.exitCode = 3; }
`;

/** Makes a command in a folder of its own. */
export function makeTaker() {
  const folder = makeFolder();
  writeFileSync(join(folder, 'take.mjs'), SCRIPT);
  const log = join(folder, 'log');
  const read = (): {
    begin?: number;
    end?: number;
    args?: string[];
    folder?: string;
    lines?: MirrorChange[];
  }[] =>
    // What is being written has no end yet.
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line))
      : [];
  return {
    command: `"${process.execPath}" ${join(folder, 'take.mjs')}`,
    /** What the command is to do from now on: nothing unusual, if it is not said. */
    order: (what = '') => writeFileSync(join(folder, 'order'), what),
    /** Begin, what was given, and end of each time. */
    log: read,
    /** What was given, each time. */
    given: () => read().flatMap(({ lines }) => (lines === undefined ? [] : [lines])),
  };
}

/** Changes in a few words. */
export const tellGiven = (changes: readonly MirrorChange[] = []) =>
  changes.map(({ change, kind, uri }) => `${change} ${kind} ${new URL(uri).pathname}`);
