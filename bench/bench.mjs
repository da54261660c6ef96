/** The bench: measures side by side what is promised about speed and memory, and prints it as a table. */

import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { parseArgs } from 'node:util';
import { comparisons as auditComparisons } from './audit.mjs';
import { comparisons as describeComparisons } from './describe.mjs';
import { comparisons as dumpComparisons } from './dumps.mjs';
import { comparisons as historyComparisons } from './history.mjs';
import { median, observeRuns, timeInTurn } from './measure.mjs';
import { comparisons as publishedComparisons } from './published.mjs';
import { comparisons as watchComparisons } from './watch.mjs';

/** @typedef {import('./measure.mjs').Comparison} Comparison */

/** Every section, in the order of the table. */
const COMPARISONS = [
  ...describeComparisons,
  ...historyComparisons,
  ...publishedComparisons,
  ...dumpComparisons,
  ...watchComparisons,
  ...auditComparisons,
];

/** Promised: at most this much memory, and so much for each resource. */
const BASE_BYTES = 100e6;
const RESOURCE_BYTES = 1000;

const options = readOptions();
const chosen = chooseComparisons(options.only);
const runs = readRuns(options.runs);
findTools(new Set(chosen.flatMap(({ tools }) => tools)));

const rows = chosen.map((comparison) => {
  const { name, title } = comparison;
  tell(`${name}: ${title}: making it…`);
  comparison.setup();
  tell(`${name}: ${comparison.a.label} and ${comparison.b.label} in turn…`);
  const times = timeInTurn(comparison, runs);
  if (comparison.resources !== undefined) tell(`${name}: memory and stages of ${comparison.a.label}…`);
  const observed = comparison.resources === undefined ? undefined : observeRuns(comparison, runs);
  comparison.reset('a');
  return formatRow(comparison, times, observed);
});

console.log(`
Medians of ${runs} runs taken in turn, warm page cache; in brackets the lowest and the highest ratio of a pair of runs.
Memory is the highest peak of ${runs} runs; in brackets what is over ${BASE_BYTES / 1e6} MB (P: 400 MB), by resource (≤ ${RESOURCE_BYTES / 1000} KB).
${formatMachine()}.
`);
console.log(formatTable([['', 'against', 'times', 'ratio', 'target', 'memory', 'stages'], ...rows]));

function readOptions() {
  try {
    return parseArgs({ options: { only: { type: 'string' }, runs: { type: 'string', default: '5' } } })
      .values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string | undefined} only */
function chooseComparisons(only) {
  if (only === undefined) return COMPARISONS;
  const names = only.split(',').map((name) => name.trim());
  const known = COMPARISONS.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) fail(`--only: there is no ${unknown.join(', ')}; there are ${known.join(', ')}`);
  return COMPARISONS.filter(({ name }) => names.includes(name));
}

/** @param {string} text */
function readRuns(text) {
  if (!/^[1-9]\d{0,3}$/.test(text)) fail(`--runs: wants a number from 1 on; got ${text}`);
  return Number(text);
}

/** @param {ReadonlySet<string>} tools */
function findTools(tools) {
  const missing = [...tools].filter(
    (tool) => spawnSync('sh', ['-c', 'command -v "$0"', tool], { stdio: 'ignore' }).status !== 0,
  );
  if (missing.length === 0) return;
  fail(
    `${missing.join(', ')} not found. The bench runs on Linux and macOS and needs GNU coreutils and findutils.`,
  );
}

/**
 * @param {Comparison} comparison
 * @param {ReturnType<typeof timeInTurn>} times
 * @param {ReturnType<typeof observeRuns> | undefined} observed
 */
function formatRow({ name, title, a, b, target, resources = 0, baseBytes = BASE_BYTES }, times, observed) {
  const ratio = median(times.a) / median(times.b);
  const pairs = times.a.map((time, run) => time / /** @type {number} */ (times.b[run]));
  const timed = [
    `${name}: ${a.label}, ${title}`,
    b.label,
    `${formatTime(median(times.a))} : ${formatTime(median(times.b))}`,
    `${ratio.toFixed(2)} (${Math.min(...pairs).toFixed(2)}–${Math.max(...pairs).toFixed(2)})`,
    formatTarget(target, median(times.a), median(times.b)),
  ];
  if (observed === undefined) return [...timed, '', ''];
  const each = Math.ceil(Math.max(0, observed.peak - baseBytes) / resources);
  const stages = Object.entries(observed.durations).map(([stage, time]) => `${stage} ${formatTime(time)}`);
  return [
    ...timed,
    `${(observed.peak / 1e6).toFixed(0)} MB (${each} B) ${tellMet(each <= RESOURCE_BYTES)}`,
    stages.join(', '),
  ];
}

/**
 * @param {Comparison['target']} target
 * @param {number} a
 * @param {number} b
 */
function formatTarget(target, a, b) {
  if (target === undefined) return '';
  if ('adds' in target)
    return `< ${formatTime(target.adds)} more: ${formatTime(a - b)} ${tellMet(a - b < target.adds)}`;
  return target.strict === true
    ? `< ${target.ratio} ${tellMet(a / b < target.ratio)}`
    : `≤ ${target.ratio} ${tellMet(a / b <= target.ratio)}`;
}

/** @param {boolean} met */
function tellMet(met) {
  return met ? 'met' : 'MISSED';
}

/**
 * A Markdown table that can be read as it is. The first row is the head.
 *
 * @param {readonly (readonly string[])[]} rows
 */
function formatTable(rows) {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  return lines.join('\n');
}

/** @param {number} milliseconds */
function formatTime(milliseconds) {
  return milliseconds < 1000 ? `${milliseconds.toFixed(0)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
}

function formatMachine() {
  const memory = `${(totalmem() / 1e9).toFixed(0)} GB of memory`;
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  return `${availableParallelism()} cores (${model}), ${memory}, Node ${process.version}, ${type()} ${release()}`;
}

/** @param {string} text */
function tell(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * @param {string} text
 * @returns {never}
 */
function fail(text) {
  tell(text);
  process.exit(2);
}
