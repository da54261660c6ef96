/** The command `diff`: shows what the next publication would change. */

import { dirname } from 'node:path';
import { joinWords, say } from '../base/text/say.js';
import { fixNow } from '../base/time.js';
import { diffSite } from '../diff/run/diff.js';
import type { Arguments } from './arguments/arguments.js';
import { completeSite, settleRun, type WrittenConfig } from './arguments/flags.js';
import { createProgressLine, print, printJson, styleOf } from './terminal.js';
import { formatDiff, formatDiffProgress } from './words/diff.js';
import { countMissing, formatGone } from './words/gone.js';

/** Runs `diff`. The status is 1 for differences only with `--exit-code`, and for addresses that nothing answers only with `--gone`. */
export async function runDiff(asked: Arguments, written: WrittenConfig): Promise<void> {
  const given = completeSite(asked, written);
  const { values } = given;
  const { config } = settleRun(given, written);
  const style = styleOf(values);
  const { observe, clear } = createProgressLine(values, formatDiffProgress);
  const report = await diffSite(config, fixNow(process.env), {
    observe,
    gone: values.gone === true,
    live: values.live === true,
    project: written.file === undefined ? process.cwd() : dirname(written.file),
  }).finally(clear);
  if (values.json === true) printJson(report, 2);
  else if (values.quiet !== true) {
    print(say`${formatDiff(report, style)}\n`);
    if (report.gone !== undefined) print(say`\n${joinWords(formatGone(report.gone, style))}\n`);
  }
  // A site without an earlier publication counts as different.
  const isSame = report.comparedWith.at !== undefined && report.changes.length === 0;
  if ((values['exit-code'] === true && !isSame) || countMissing(report) > 0) process.exitCode = 1;
}
