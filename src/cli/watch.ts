/** The command `watch`: one run after another, until interrupted. */

import { say } from '../base/text/say.js';
import type { Report } from '../describe/report.js';
import type { Arguments, Values } from './arguments/arguments.js';
import { resolveFlags, type WrittenConfig } from './arguments/flags.js';
import { joinKept, renewKept } from './arguments/kept.js';
import { tellNotice, wordNotices } from './notice.js';
import {
  catchInterruption,
  print,
  printJson,
  startProgress,
  styleOf,
  tellFailure,
  tellNote,
  tellWaiting,
} from './terminal.js';
import { formatReport, formatRun } from './words/describe.js';
import { formatNotice } from './words/notices.js';
import { formatProgress } from './words/progress.js';

export async function runWatch(given: Arguments, found: WrittenConfig): Promise<void> {
  const { values } = given;
  const written = await joinKept(given, found);
  const config = resolveFlags(given, written);
  const progress = tellWaiting(startProgress(values, formatProgress));
  const signal = catchInterruption();
  const tellReport = makeReporter(values);

  if (!isSilent(values)) print(say`Watching ${config.site}. Press Ctrl-C to stop.\n`);
  const { watchSite } = await import('../describe/watch/watch.js');
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
        await renewKept(event.report.site, written);
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
      if (!told.has(text)) tellNotice(notice, values);
      told.add(text);
    }
  };
}

function isSilent({ json, quiet }: Values): boolean {
  return json === true || quiet === true;
}
