/** Tells of a run: the log, the outputs of the step, the summary of the job. */

import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { escapeForTerminal, escapeMarkdown, makeWorkflowCommand } from '../src/text/escape.js';
import type { PrintedReport } from './command-line.js';

export function tellReport(report: PrintedReport): void {
  append('GITHUB_OUTPUT', makeOutputs(report));
  append('GITHUB_STEP_SUMMARY', makeSummary(report));

  const { resources, at, description, changes, publication, notices } = report;
  print(`${resources} resources listed, at ${at}. Clients start here: ${description}`);
  if (changes !== undefined) {
    const { created, updated, deleted } = changes;
    print(`${created} created, ${updated} updated, ${deleted} deleted; ${wordState(publication)}`);
  }
  for (const { severity, text } of notices) {
    if (severity === 'warning') tellRunner('warning', text);
    else print(`Note ${text}`);
  }
}

/** Prints a line, which is no command whatever stands in it. */
export function print(text: string): void {
  process.stdout.write(`${escapeForTerminal(text)}\n`);
}

/** Tells the runner. */
export function tellRunner(name: 'error' | 'notice' | 'warning', message: string): void {
  process.stdout.write(makeWorkflowCommand(name, { title: 'resync-static' }, message));
}

function makeOutputs({ resources, changes, documents }: PrintedReport): string {
  const { created = '', updated = '', deleted = '' } = changes ?? {};
  const lists = documents.filter(({ kind }) => kind === 'capability-list').map(({ url }) => url);
  // No list can be called like that.
  const end = `END-${randomUUID()}`;
  return [
    ...[`resources=${resources}`, `created=${created}`, `updated=${updated}`, `deleted=${deleted}`],
    ...[`capability-list<<${end}`, ...lists, end, ''],
  ].join('\n');
}

function makeSummary({
  url,
  resources,
  at,
  changes,
  publication,
  description,
  notices,
}: PrintedReport): string {
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
    ...notices.map(({ severity, text, help }) => {
      const label = severity === 'warning' ? '**Warning**' : 'Note';
      return `- ${label} ${escapeMarkdown(text)} ([more](${help}))`;
    }),
  ];
  return `${lines.join('\n').trimEnd()}\n\n`;
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

/** The site's own address can be followed; `URL` leaves nothing in it that would end a link like this. */
function linkMarkdown(url: string): string {
  return /^https?:\/\/[!-;=?-~]+$/.test(url) ? `<${url}>` : escapeMarkdown(url);
}
