/** Peaks of memory where there is nothing to compare with: dumps of a large site, an audit of a larger one, and a long watch. */

import { createInterface } from 'node:readline';
import { describeSite, ownProgram, resyncStatic } from '../built.js';
import { makeLargeSite } from '../corpora/large-site.js';
import { makeLinkedFiles, removeLinkedFiles } from '../corpora/linked-files.js';
import { folderOf, undescribe } from '../corpora/once.js';
import { measurePeak } from '../measure.js';
import { run, start, succeed } from '../processes.js';
import type { Measured, Section } from '../section.js';

const DUMPS_LIMIT = 450e6;
const AUDITED_FILES = 1_000_000;
/** 250 bytes for each file, and what every run takes. */
const AUDIT_LIMIT = 100e6 + 250 * AUDITED_FILES;

export const sections: readonly Section[] = [
  {
    name: 'memory-dumps-5gb',
    title: '5 GB in 20,039 files: peak memory of describe --dumps',
    tools: [],
    onlyWhenNamed: 'two minutes, and 10 GB below .tmp/bench',
    measure: measureDumps,
  },
  {
    name: 'memory-audit-1m',
    title: '1,000,000 files: peak memory of audit, all bytes compared',
    tools: [],
    onlyWhenNamed: 'three minutes, and a million links below .tmp/bench',
    measure: measureAudit,
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

async function measureAudit(_runs: number, tell: (progress: string) => void): Promise<Measured> {
  const site = folderOf('site-to-audit');
  const originals = `${site}-originals`;
  removeLinkedFiles(site, originals);
  try {
    tell(`making ${AUDITED_FILES} files…`);
    makeLinkedFiles(site, originals, AUDITED_FILES);
    tell('describe…');
    await run(describeSite(site, '--history', 'none'), { stdio: 'ignore' });
    tell('audit…');
    const { peak, processor } = await measurePeak(resyncStatic('audit', site, '--quiet'));
    return { memory: { peak, limit: AUDIT_LIMIT }, remark: `${processor.toFixed(1)} s of processors` };
  } finally {
    tell('removing the files…');
    removeLinkedFiles(site, originals);
  }
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
