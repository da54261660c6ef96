/** Tells a notice of a report. Apart from `terminal.ts`, which every command loads. */

import type { ReportedNotice } from '../base/notices.js';
import { say } from '../base/text/say.js';
import type { Report } from '../describe/report.js';
import type { Values } from './arguments/arguments.js';
import { colorsOf, tell } from './terminal.js';
import { formatNotice, linkNotice } from './words/notices.js';

/** With `--verbose`, tells where it is explained, too. */
export function tellNotice(notice: ReportedNotice, { verbose }: Values): void {
  const { cyan, dim, yellow } = colorsOf(process.stderr);
  const label = notice.severity === 'warning' ? yellow('Warning') : cyan('Note');
  tell(say`${label} ${formatNotice(notice)}\n`);
  if (verbose === true) tell(say`  ${dim(linkNotice(notice.code))}\n`);
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
