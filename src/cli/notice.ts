/** Prints notices. They are not in `terminal.ts`, because every command loads that module. */

import type { ReportedNotice } from '../base/notices.js';
import { say } from '../base/text/say.js';
import type { Report } from '../describe/report.js';
import { colorsOf, printError } from './terminal.js';
import { formatNotice } from './words/notices.js';

export function printNotice(notice: ReportedNotice): void {
  const { cyan, yellow } = colorsOf(process.stderr);
  const label = notice.severity === 'warning' ? yellow('Warning') : cyan('Note');
  printError(say`${label} ${formatNotice(notice)}\n`);
}

/** Adds its text to each notice of a report, for programs that show it to people; `help` is the argument for `explain`. */
export function wordNotices(report: Report): object {
  return {
    ...report,
    notices: report.notices.map((notice) => ({
      ...notice,
      text: formatNotice(notice).toString(),
      help: notice.code,
    })),
  };
}
