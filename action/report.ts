/** Reports a run in the log, in the outputs of the step, and in the summary of the job. */

import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { selectNotices } from '../src/base/notices.js';
import { escapeForTerminal, joinWords, type Words } from '../src/base/text/say.js';
import { formatCount } from '../src/base/text/units.js';
import { formatChanged, formatDiff, formatSkippedFiles } from '../src/cli/words/diff.js';
import { formatGone } from '../src/cli/words/gone.js';
import { formatNotify } from '../src/cli/words/notify.js';
import { makeColors, type ReportStyle } from '../src/cli/words/style.js';
import type { Details } from '../src/describe/report.js';
import type { ChangeCounts } from '../src/describe/state.js';
import type { DiffReport } from '../src/diff/report.js';
import type { NotifyReport } from '../src/tell/notify/options.js';
import type { PrintedReport } from './command-line.js';
import { escapeMarkdown, makeWorkflowCommand } from './escape.js';
import { boundLines, foldLines, showLines } from './fold.js';

/** Style of texts in the log and in the summary of the job. */
const STYLE: ReportStyle = { colors: makeColors(), verbose: false };

export function reportRun(report: PrintedReport): void {
  append('GITHUB_OUTPUT', makeOutputs(report));
  append('GITHUB_STEP_SUMMARY', makeSummary(report));

  const { resources, at, description, changes, publication } = report;
  print(`${resources} resources listed, at ${at}. Clients start here: ${description}`);
  if (changes !== undefined) {
    const { created, updated, deleted } = changes;
    print(`${created} created, ${updated} updated, ${deleted} deleted; ${wordState(publication)}`);
  }
  for (const { severity, text } of selectNotices(report, false)) {
    if (severity === 'warning') annotate('warning', text);
    else print(`Note ${text}`);
  }
}

export function reportDiff(report: DiffReport): void {
  append('GITHUB_OUTPUT', makeChangeOutputs(countChanges(report)));
  const url = linkMarkdown(report.url);
  reportText(`What the next publication of ${url} changes`, formatDiff(report, STYLE));
  if (report.gone !== undefined)
    reportText(`What answers the addresses of ${url}`, joinWords(formatGone(report.gone, STYLE)));
}

export function reportNotifications(report: NotifyReport): void {
  reportText('Notifications', formatNotify(report, STYLE));
}

/** Adds a text to the summary of the job, below a title in Markdown, and prints it to the log. */
function reportText(title: string, text: Words): void {
  const lines = boundLines(text);
  append('GITHUB_STEP_SUMMARY', `${[`### ${title}`, '', ...showLines(lines)].join('\n')}\n\n`);
  for (const line of lines) print(line);
}

/** Counts changes as Change Lists do, which have no renames; without a history, counts are missing. */
function countChanges({ comparedWith, changes }: DiffReport): Partial<ChangeCounts> {
  if (comparedWith.history === 'none') return {};
  const count = (...kinds: string[]) => changes.filter(({ change }) => kinds.includes(change)).length;
  return {
    created: count('created', 'renamed'),
    updated: count('updated'),
    deleted: count('deleted', 'renamed'),
  };
}

/** Prints a line to the log, escaped so that the runner of GitHub takes no command from it. */
export function print(text: string): void {
  process.stdout.write(`${escapeForTerminal(text)}\n`);
}

/** Prints a workflow command that adds an annotation to the run. */
export function annotate(name: 'error' | 'notice' | 'warning', message: string): void {
  process.stdout.write(makeWorkflowCommand(name, { title: 'resync-static' }, message));
}

function makeOutputs({ resources, changes, documents }: PrintedReport): string {
  const lists = documents.filter(({ kind }) => kind === 'capability-list').map(({ url }) => url);
  // The end of the list is random, so that no URL can be it.
  const end = `END-${randomUUID()}`;
  const list = [`capability-list<<${end}`, ...lists, end, ''].join('\n');
  return `resources=${resources}\n${makeChangeOutputs(changes)}${list}`;
}

function makeChangeOutputs(counts: Partial<ChangeCounts> = {}): string {
  const names = ['created', 'updated', 'deleted'] as const;
  return names.map((name) => `${name}=${formatOutput(counts[name])}\n`).join('');
}

/** Writes a number as an output of the step; '' if it is unknown. */
function formatOutput(count: number | undefined): string {
  return count === undefined ? '' : String(count);
}

function makeSummary(report: PrintedReport): string {
  const { url, resources, at, changes, publication, description, details } = report;
  const { created = '', updated = '', deleted = '' } = changes ?? {};
  const lines = [
    `### ResourceSync documents of ${linkMarkdown(url)}`,
    '',
    '| resources | created | updated | deleted | at | |',
    '|---:|---:|---:|---:|---|---|',
    `| ${resources} | ${created} | ${updated} | ${deleted} | ${at} | ${wordState(publication)} |`,
    '',
    ...(publication?.from === at ? ['Changes begin with this publication, the first.', ''] : []),
    `Clients start here: ${linkMarkdown(description)}`,
    '',
    ...selectNotices(report, false).map(({ severity, text }) => {
      const label = severity === 'warning' ? '**Warning**' : 'Note';
      return `- ${label} ${escapeMarkdown(text)}`;
    }),
    '',
    ...(details === undefined ? [] : foldDetails(details, url)),
  ];
  return `${lines.join('\n').trimEnd()}\n\n`;
}

function foldDetails(details: Details, url: string): string[] {
  const { changes, skipped } = details;
  const changed = formatCount(changes.length, 'URL');
  const left = formatCount(skipped.length, 'file');
  return [
    ...(changes.length === 0
      ? []
      : foldLines(`${changed} changed`, boundLines(joinWords(formatChanged({ ...details, url }, STYLE))))),
    ...(skipped.length === 0
      ? []
      : foldLines(`${left} skipped`, boundLines(joinWords(formatSkippedFiles(details, STYLE))))),
  ];
}

function wordState(publication: PrintedReport['publication']): string {
  if (publication === undefined) return 'no history';
  if (publication.recorded) return 'recorded';
  return publication.pending ? 'pending' : 'known before';
}

function append(file: 'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY', text: string): void {
  const path = process.env[file];
  if (path !== undefined && path !== '') appendFileSync(path, text);
}

/** Makes a link of a URL in Markdown; a URL with characters that could end the link becomes escaped text. */
function linkMarkdown(url: string): string {
  return /^https?:\/\/[!-;=?-~]+$/.test(url) ? `<${url}>` : escapeMarkdown(url);
}
