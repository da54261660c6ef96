/** Sites of ten thousand to ten million files: what they take, whole or in sets that are described apart. */

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { BENCH_FOLDER, configured, resyncStatic } from '../built.js';
import { makeLinkedFiles, removeLinkedFiles } from '../corpora/linked-files.js';
import { measurePeak } from '../measure.js';
import type { Argv } from '../processes.js';
import type { Cost, Figures, Measurement } from '../scale/figures.js';
import type { Measured, Section } from '../section.js';

const URL_OF_SITE = 'https://example.org/';
const SAMPLE = '0.01%';
/** What draws the chart reads it; the one that is kept is beside the chart. */
const FIGURES = join(BENCH_FOLDER, 'scale.json');

export const sections: readonly Section[] = [
  makeSection('scale-10k', 10_000, 1, 'ten seconds'),
  makeSection('scale-100k', 100_000, 1, 'half a minute'),
  makeSection('scale-1m', 1_000_000, 1, 'three minutes, and a million links below .tmp/bench'),
  makeSection('scale-1m-sets', 1_000_000, 8, 'three minutes, and a million links below .tmp/bench'),
  makeSection('scale-10m-sets', 10_000_000, 8, 'half an hour, and ten million links below .tmp/bench'),
];

function makeSection(name: string, files: number, sets: number, takes: string): Section {
  const parts = sets === 1 ? '' : ` in ${sets} sets, described one after another, joined`;
  return {
    name,
    title: `${files.toLocaleString('en-US')} files${parts}: describe, audit --sample ${SAMPLE}`,
    tools: [],
    onlyWhenNamed: takes,
    measure: (_runs, tell) => measureSite(files, sets, tell),
  };
}

async function measureSite(files: number, sets: number, tell: (progress: string) => void): Promise<Measured> {
  const site = join(BENCH_FOLDER, `scale-${files}-${sets}`);
  const originals = `${site}-originals`;
  removeLinkedFiles(site, originals);
  try {
    const parts = Array.from({ length: sets }, (_, index) => (sets === 1 ? '' : `part-${index + 1}/`));
    for (const part of parts) {
      tell(`making ${files / sets} files…`);
      makeLinkedFiles(join(site, part), originals, files / sets);
    }
    const described: Cost[] = [];
    for (const part of parts) {
      described.push(await measure(describePart(site, part, sets > 1)));
      tell(`described ${part === '' ? 'all' : part}: ${formatCost(described.at(-1))}`);
    }
    const joined = sets === 1 ? undefined : await measure(joinParts(site, parts));
    const audit = await measure(resyncStatic('audit', site, '--sample', SAMPLE, '--quiet'));
    const measurement: Measurement = {
      files,
      sets,
      describe: {
        processor: sumOf(described.map(({ processor }) => processor)),
        seconds: sumOf(described.map(({ seconds }) => seconds)),
        peak: Math.max(...described.map(({ peak }) => peak)),
      },
      ...(joined !== undefined && { join: joined }),
      audit,
      lists: measureLists(site, parts),
    };
    keep(measurement);
    return { remark: formatMeasurement(measurement) };
  } finally {
    tell('removing the files…');
    removeLinkedFiles(site, originals);
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function describePart(site: string, part: string, isPart: boolean): Argv {
  const source = isPart ? configured('scale-part', { source: URL_OF_SITE }) : [];
  const options = ['--url', URL_OF_SITE + part, '--history', 'none', '--quiet', ...source];
  return resyncStatic(join(site, part), ...options);
}

function joinParts(site: string, parts: readonly string[]): Argv {
  const config = `${site}-originals/config.json`;
  const sets = parts.map((part) => ({ name: part.replace('/', ''), capabilityList: part }));
  writeFileSync(config, JSON.stringify({ site, url: URL_OF_SITE, sets }));
  return resyncStatic('--config', config, '--quiet');
}

async function measure(argv: Argv): Promise<Cost> {
  const begin = performance.now();
  const { peak, processor } = await measurePeak(argv);
  return { processor, seconds: (performance.now() - begin) / 1000, peak };
}

function measureLists(site: string, parts: readonly string[]): number {
  const folders = parts.map((part) => join(site, part, 'resourcesync'));
  const sizes = folders.flatMap((folder) =>
    readdirSync(folder).map((name) => statSync(join(folder, name)).size),
  );
  return sizes.reduce((sum, size) => sum + size, statSync(join(site, '.well-known/resourcesync')).size);
}

/** Puts a measurement in the place of the one before of the same kind. */
function keep(measurement: Measurement): void {
  const before: Figures | undefined = existsSync(FIGURES)
    ? JSON.parse(readFileSync(FIGURES, 'utf8'))
    : undefined;
  const others = (before?.measurements ?? []).filter(
    ({ files, sets }) => files !== measurement.files || sets !== measurement.sets,
  );
  const measurements = [...others, measurement].sort((a, b) => a.files - b.files || a.sets - b.sets);
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ${(totalmem() / 1e9).toFixed(0)} GB of memory, Node ${process.version}, ${type()} ${release().replace(/-.*/, '')}`;
  mkdirSync(BENCH_FOLDER, { recursive: true });
  writeFileSync(FIGURES, `${JSON.stringify({ machine, measurements }, undefined, 2)}\n`);
}

function formatMeasurement({ describe, join: joined, audit, lists }: Measurement): string {
  const parts = [
    `describe ${formatCost(describe)}`,
    ...(joined === undefined ? [] : [`join ${formatCost(joined)}`]),
    `audit ${formatCost(audit)}`,
    `lists ${(lists / 1e6).toFixed(1)} MB`,
  ];
  return parts.join('; ');
}

function formatCost(cost: Cost | undefined): string {
  if (cost === undefined) return '';
  return `${cost.processor.toFixed(2)} s of processors, ${cost.seconds.toFixed(2)} s, ${(cost.peak / 1e6).toFixed(0)} MB`;
}
