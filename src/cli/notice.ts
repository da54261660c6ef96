/** Tells a notice of a report. Apart from `terminal.ts`, which every command loads. */

import type { ReportedNotice } from '../base/notices.js';
import { say } from '../base/text/say.js';
import type { Report } from '../describe/report.js';
import { colorsOf, tell } from './terminal.js';
import { formatNotice } from './words/notices.js';

export function tellNotice(notice: ReportedNotice): void {
  const { cyan, yellow } = colorsOf(process.stderr);
  const label = notice.severity === 'warning' ? yellow('Warning') : cyan('Note');
  tell(say`${label} ${formatNotice(notice)}\n`);
}

/** A program that shows notices to people need not know what each code means; `help` is what `explain` takes. */
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
