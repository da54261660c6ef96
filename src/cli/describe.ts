/** The commands `describe` and `watch`: one run with its report, or runs until interrupted. */

import { type ReportedNotice, selectNotices } from '../base/notices.js';
import { say } from '../base/text/say.js';
import { fixNow } from '../base/time.js';
import { renewOptions } from '../config/saved.js';
import { describeSite } from '../describe/describe.js';
import type { Report } from '../describe/report.js';
import { watchSite } from '../describe/watch/watch.js';
import type { Arguments, Values } from './arguments/arguments.js';
import { settleRun, type WrittenConfig } from './arguments/flags.js';
import {
  catchInterruption,
  colorsOf,
  createProgressLine,
  noteWaiting,
  print,
  printError,
  printJson,
  printNote,
  reportFailure,
  styleOf,
} from './terminal.js';
import { formatReport, formatRun } from './words/describe.js';
import { formatDetails } from './words/diff.js';
import { formatNotice } from './words/notices.js';
import { formatProgress } from './words/progress.js';

export async function runDescribe(given: Arguments, written: WrittenConfig): Promise<void> {
  const { values } = given;
  const { config, saved } = settleRun(given, written);
  const progress = noteWaiting(createProgressLine(values, formatProgress));
  const style = styleOf(values);
  const details = values.json === true || (style.verbose && values.quiet !== true);
  const report = await describeSite(config, fixNow(process.env), progress.observe, { details }).finally(
    progress.clear,
  );
  if (saved !== undefined) renewOptions(report.site, saved);
  printReport(report, values);
}

export function printReport(report: Report, values: Values): void {
  const style = styleOf(values);
  if (values.json === true) {
    printJson(wordNotices(report), 2);
    return;
  }
  if (report.details !== undefined) {
    const words = formatDetails(report, style);
    if (words !== undefined) print(say`${words}\n\n`);
  }
  if (values.quiet !== true) print(say`${formatReport(report, style)}\n`);
  for (const notice of selectNotices(report, style.verbose)) printNotice(notice);
}

export async function runWatch(given: Arguments, written: WrittenConfig): Promise<void> {
  const { values } = given;
  const { config, saved } = settleRun(given, written);
  const progress = noteWaiting(createProgressLine(values, formatProgress));
  const signal = catchInterruption();
  const printReport = makeReporter(values);

  if (!isSilent(values)) print(say`Watching ${config.site}. Press Ctrl-C to stop.\n`);
  for await (const event of watchSite(config, { signal, observe: progress.observe })) {
    progress.clear();
    switch (event.kind) {
      case 'waiting':
        printNote(say`There is no folder ${event.site} yet. Waiting for it.`);
        break;
      case 'failed':
        reportFailure(event.error, values);
        break;
      case 'described':
        // Saved options are valid for the Resource Lists with which they were saved, and this run has written new ones.
        if (saved !== undefined) renewOptions(event.report.site, saved);
        printReport(event.report);
    }
  }
}

/** Makes a function that prints the report of each run of `watch`, but repeats no notice. */
function makeReporter(values: Values): (report: Report) => void {
  const { colors, verbose } = styleOf(values);
  const printed = new Set<string>();
  return (report) => {
    if (values.json === true) printJson(wordNotices(report));
    else if (!isSilent(values)) {
      print(say`${verbose ? formatReport(report, { colors, verbose }) : formatRun(report, colors)}\n`);
    }
    for (const notice of selectNotices(report, verbose)) {
      const text = formatNotice(notice).toString();
      if (!printed.has(text)) printNotice(notice);
      printed.add(text);
    }
  };
}

function isSilent({ json, quiet }: Values): boolean {
  return json === true || quiet === true;
}

function printNotice(notice: ReportedNotice): void {
  const { cyan, yellow } = colorsOf(process.stderr);
  const label = notice.severity === 'warning' ? yellow('Warning') : cyan('Note');
  printError(say`${label} ${formatNotice(notice)}\n`);
}

/** Adds to each notice of a report its text for people, and its code as `help`, the argument for `explain`. */
function wordNotices(report: Report): object {
  return {
    ...report,
    notices: report.notices.map((notice) => ({
      ...notice,
      text: formatNotice(notice).toString(),
      help: notice.code,
    })),
  };
}
