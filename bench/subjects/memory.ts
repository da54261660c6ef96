/** Peaks of memory where there is nothing to compare with: dumps of a large site, and a watch that goes on for long. */

import { createInterface } from 'node:readline';
import { describeSite, ownProgram } from '../built.js';
import { makeLargeSite } from '../corpora/large-site.js';
import { folderOf, undescribe } from '../corpora/once.js';
import { measurePeak } from '../measure.js';
import { start, succeed } from '../processes.js';
import type { Measured, Section } from '../section.js';

const DUMPS_LIMIT = 450e6;

export const sections: readonly Section[] = [
  {
    name: 'memory-dumps-5gb',
    title: '5 GB in 20,039 files: peak memory of describe --dumps',
    tools: [],
    onlyWhenNamed: 'two minutes, and 10 GB below .tmp/bench',
    measure: measureDumps,
  },
  {
    name: 'memory-watch',
    title: '1,000 files: memory of watch over 500 edits',
    tools: [],
    onlyWhenNamed: 'two minutes',
    measure: measureWatch,
  },
];

async function measureDumps(_runs: number, tell: (progress: string) => void): Promise<Measured> {
  tell('preparing…');
  const site = await makeLargeSite();
  undescribe(site);
  tell('describe --dumps…');
  try {
    const begin = performance.now();
    const { peak } = await measurePeak(describeSite(site, '--history', 'none', '--dumps'));
    const seconds = ((performance.now() - begin) / 1000).toFixed(0);
    return { memory: { peak, limit: DUMPS_LIMIT }, remark: `in ${seconds} s` };
  } finally {
    undescribe(site);
  }
}

/** A line of what the watching program prints; all in bytes. */
interface Usage {
  readonly edits: number;
  readonly heapUsed: number;
  readonly external: number;
  readonly rss: number;
}

async function measureWatch(_runs: number, tell: (progress: string) => void): Promise<Measured> {
  const argv = ownProgram('watch-500-edits', folderOf('site-to-edit'));
  const child = start(argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('the watch prints nothing');
  const told: string[] = [];
  createInterface(child.stdout).on('line', (line) => {
    told.push(formatUsage(JSON.parse(line)));
    tell(told.at(-1) ?? '');
  });
  await succeed(child, argv);
  // What is loaded and compiled in the first runs is in use from then on.
  return { remark: `${told[1]}; ${told.at(-1)}` };
}

function formatUsage({ edits, heapUsed, external, rss }: Usage): string {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  return `after ${edits} edits: heap ${megabytes(heapUsed)}, external ${megabytes(external)}, resident ${megabytes(rss)}`;
}
