/** The command `describe`: one run, and its report. */

import { say } from '../base/text/say.js';
import { fixNow } from '../base/time.js';
import { describeSite } from '../describe/describe.js';
import type { Arguments } from './arguments/arguments.js';
import { resolveFlags, type WrittenConfig } from './arguments/flags.js';
import { joinKept, renewKept } from './arguments/kept.js';
import { tellNotice, wordNotices } from './notice.js';
import { print, printJson, startProgress, styleOf, tellWaiting } from './terminal.js';
import { formatReport } from './words/describe.js';
import { formatProgress } from './words/progress.js';

export async function runDescribe(given: Arguments, found: WrittenConfig): Promise<void> {
  const { values } = given;
  const written = await joinKept(given, found);
  const config = resolveFlags(given, written);
  const progress = tellWaiting(startProgress(values, formatProgress));
  const style = styleOf(values);
  const details = values.json === true || (style.verbose && values.quiet !== true);
  const report = await describeSite(config, fixNow(process.env), progress.observe, { details }).finally(
    progress.clear,
  );
  await renewKept(report.site, written);

  if (values.json === true) return printJson(wordNotices(report), 2);
  if (details) {
    const { formatDetails } = await import('./words/details.js');
    const told = formatDetails(report, style);
    if (told !== undefined) print(say`${told}\n\n`);
  }
  if (values.quiet !== true) print(say`${formatReport(report, style)}\n`);
  for (const notice of report.notices) tellNotice(notice, values);
}
