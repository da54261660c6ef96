/** Words and tables for what was measured. */

import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { median } from './measure.js';
import type { Measured, Section, Target } from './section.js';

export interface Row {
  readonly section: Section;
  readonly measured: Measured;
}

export function formatResults(rows: readonly Row[], runs: number): string {
  const head = ['section', 'what is compared', 'times', 'ratio (pairs)', 'target', 'result', 'peak memory'];
  const stages = rows.flatMap(({ section, measured }) => formatStages(section.name, measured));
  const remarks = rows.flatMap(({ section, measured }) =>
    measured.remark === undefined ? [] : `${section.name}: ${measured.remark}`,
  );
  const parts = [
    `Times are medians of ${runs} runs taken in turn, with a warm page cache. The ratio is that of the medians; in brackets
are the lowest and the highest ratio of a pair of runs. Peak memory is the highest of all runs.`,
    formatMachine(),
    formatTable([head, ...rows.map(formatRow)]),
    ...(stages.length === 0 ? [] : [`Stages, medians:\n${stages.join('\n')}`]),
    ...(remarks.length === 0 ? [] : [remarks.join('\n')]),
  ];
  return parts.join('\n\n');
}

/** What was measured, in a line. */
export function formatResult(measured: Measured): string {
  const cells = [...formatTimes(measured), formatMemory(measured), measured.remark ?? ''];
  return cells.filter((cell) => cell !== '').join(', ');
}

/** A line for each section: its name, and what it compares. */
export function formatList(sections: readonly Section[]): string {
  const width = Math.max(...sections.map(({ name }) => name.length));
  const lines = sections.map(({ name, title, onlyWhenNamed }) => {
    const note = onlyWhenNamed === undefined ? '' : ` (only when named: ${onlyWhenNamed})`;
    return `${name.padEnd(width)}  ${title}${note}`;
  });
  return lines.join('\n');
}

function formatRow({ section: { name, title }, measured }: Row): string[] {
  return [name, title, ...formatTimes(measured), formatMemory(measured)];
}

/** The columns times, ratio, target and result. */
function formatTimes({ times, target }: Measured): string[] {
  if (times === undefined) return ['', '', '', ''];
  const a = median(times.a);
  const b = median(times.b);
  const pairs = times.a.map((time, run) => time / (times.b[run] ?? Number.NaN));
  return [
    `${formatTime(a)} / ${formatTime(b)}`,
    `${(a / b).toFixed(2)} (${Math.min(...pairs).toFixed(2)}–${Math.max(...pairs).toFixed(2)})`,
    ...formatTarget(target, a, b),
  ];
}

/** The columns target and result. */
function formatTarget(target: Target | undefined, a: number, b: number): [string, string] {
  if (target === undefined) return ['', ''];
  if ('adds' in target) {
    const added = a - b;
    return [
      `< ${formatTime(target.adds)} more`,
      `${tellMet(added < target.adds)}: ${formatTime(added)} more`,
    ];
  }
  return target.strict === true
    ? [`< ${target.ratio}`, tellMet(a / b < target.ratio)]
    : [`≤ ${target.ratio}`, tellMet(a / b <= target.ratio)];
}

function formatMemory({ memory }: Measured): string {
  if (memory === undefined) return '';
  const { peak, limit } = memory;
  return `${(peak / 1e6).toFixed(0)} MB (≤ ${(limit / 1e6).toFixed(0)} MB) ${tellMet(peak <= limit)}`;
}

function formatStages(name: string, { stages }: Measured): string[] {
  if (stages === undefined) return [];
  const words = Object.entries(stages).map(([stage, time]) => `${stage} ${formatTime(time)}`);
  return [`${name}: ${words.join(', ')}`];
}

function tellMet(met: boolean): string {
  return met ? 'met' : 'MISSED';
}

/** A Markdown table that can be read as it is. The first row is the head. */
function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [...lines.slice(0, 1), rule, ...lines.slice(1)].join('\n');
}

function formatTime(milliseconds: number): string {
  return Math.abs(milliseconds) < 1000
    ? `${milliseconds.toFixed(0)} ms`
    : `${(milliseconds / 1000).toFixed(2)} s`;
}

function formatMachine(): string {
  const memory = `${(totalmem() / 1e9).toFixed(0)} GB of memory`;
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  return `${availableParallelism()} cores (${model}), ${memory}, Node ${process.version}, ${type()} ${release()}.`;
}
