/** Writes the table of docs/scale.md. Pure. */

import type { Cost, Figures, Measurement } from './figures.js';

const HEAD = ['files', 'describe', 'join', 'audit --sample 0.01%', 'all lists'];

export function writeTable({ measurements }: Figures): string {
  const rule = `|${HEAD.map(() => '---').join('|')}|`;
  const rows = measurements.map(writeRow).map(writeCells);
  return [writeCells(HEAD), rule, ...rows, ''].join('\n');
}

function writeCells(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function writeRow({ files, sets, describe, join, audit, lists }: Measurement): string[] {
  const count = files.toLocaleString('en-US');
  return [
    sets === 1 ? count : `${count} in ${sets} sets`,
    writeCost(describe),
    join === undefined ? '–' : writeCost(join),
    writeCost(audit),
    writeBytes(lists),
  ];
}

function writeCost({ processor, peak }: Cost): string {
  return `${processor < 10 ? processor.toFixed(1) : processor.toFixed(0)} s, ${writeBytes(peak)}`;
}

function writeBytes(bytes: number): string {
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
