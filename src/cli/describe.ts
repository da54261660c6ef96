/** The commands `describe` and `watch`: one run and its report, or one after another, until interrupted. */

import { say } from '../base/text/say.js';
import { fixNow } from '../base/time.js';
import { renewOptions } from '../config/saved.js';
import { describeSite } from '../describe/describe.js';
import type { Report } from '../describe/report.js';
import { watchSite } from '../describe/watch/watch.js';
import type { Arguments, Values } from './arguments/arguments.js';
import { settleRun, type WrittenConfig } from './arguments/flags.js';
import { tellNotice, wordNotices } from './notice.js';
import {
  catchInterruption,
  createProgressLine,
  print,
  printJson,
  styleOf,
  tellFailure,
  tellNote,
  tellWaiting,
} from './terminal.js';
import { formatReport, formatRun } from './words/describe.js';
import { formatDetails } from './words/diff.js';
import { formatNotice } from './words/notices.js';
import { formatProgress } from './words/progress.js';

export async function runDescribe(given: Arguments, written: WrittenConfig): Promise<void> {
  const { values } = given;
  const { config, kept } = settleRun(given, written);
  const progress = tellWaiting(createProgressLine(values, formatProgress));
  const style = styleOf(values);
  const details = values.json === true || (style.verbose && values.quiet !== true);
  const report = await describeSite(config, fixNow(process.env), progress.observe, { details }).finally(
    progress.clear,
  );
  if (kept !== undefined) renewOptions(report.site, kept);

  if (values.json === true) return printJson(wordNotices(report), 2);
  if (details) {
    const told = formatDetails(report, style);
    if (told !== undefined) print(say`${told}\n\n`);
  }
  if (values.quiet !== true) print(say`${formatReport(report, style)}\n`);
  for (const notice of report.notices) tellNotice(notice);
}

export async function runWatch(given: Arguments, written: WrittenConfig): Promise<void> {
  const { values } = given;
  const { config, kept } = settleRun(given, written);
  const progress = tellWaiting(createProgressLine(values, formatProgress));
  const signal = catchInterruption();
  const tellReport = makeReporter(values);

  if (!isSilent(values)) print(say`Watching ${config.site}. Press Ctrl-C to stop.\n`);
  for await (const event of watchSite(config, { signal, observe: progress.observe })) {
    progress.clear();
    switch (event.kind) {
      case 'waiting':
        tellNote(say`There is no folder ${event.site} yet. Waiting for it.`);
        break;
      case 'failed':
        tellFailure(event.error, values);
        break;
      case 'described':
        // The lists have just been written anew: what was left for the site is bound to these.
        if (kept !== undefined) renewOptions(event.report.site, kept);
        tellReport(event.report);
    }
  }
}

/** Prints each run; a notice is told once, however many runs have it. */
function makeReporter(values: Values): (report: Report) => void {
  const { colors, verbose } = styleOf(values);
  const told = new Set<string>();
  return (report) => {
    if (values.json === true) printJson(wordNotices(report));
    else if (!isSilent(values)) {
      print(say`${verbose ? formatReport(report, { colors, verbose }) : formatRun(report, colors)}\n`);
    }
    for (const notice of report.notices) {
      const text = formatNotice(notice).toString();
      if (!told.has(text)) tellNotice(notice);
      told.add(text);
    }
  };
}

function isSilent({ json, quiet }: Values): boolean {
  return json === true || quiet === true;
}
