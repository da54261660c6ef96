/** The command `describe`: one run, and its report. */

import { describeSite } from '../describe.js';
import type { Report } from '../report.js';
import { say } from '../text/say.js';
import { fixNow } from '../time.js';
import { formatReport } from '../words/describe.js';
import { formatNotice, linkNotice } from '../words/notices.js';
import { formatProgress } from '../words/progress.js';
import type { Arguments } from './arguments.js';
import { resolveFlags, type WrittenConfig } from './flags.js';
import { print, printJson, startProgress, styleOf, tellNotice, tellWaiting } from './terminal.js';

export async function runDescribe(given: Arguments, written: WrittenConfig): Promise<void> {
  const { values } = given;
  const config = resolveFlags(given, written);
  const progress = tellWaiting(startProgress(values, formatProgress));
  const report = await describeSite(config, fixNow(process.env), progress.observe).finally(progress.clear);

  if (values.json === true) return printJson(wordNotices(report), 2);
  if (values.quiet !== true) print(say`${formatReport(report, styleOf(values))}\n`);
  for (const notice of report.notices) tellNotice(notice, values);
}

/** A program that shows notices to people need not know what each code means. */
export function wordNotices(report: Report): object {
  return {
    ...report,
    notices: report.notices.map((notice) => ({
      ...notice,
      text: formatNotice(notice).toString(),
      help: linkNotice(notice.code),
    })),
  };
}
