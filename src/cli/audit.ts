/** The command `audit`: checks what is published, and tells what it found. */

import { auditSource } from '../audit/audit.js';
import { say } from '../base/text/say.js';
import { fixNow } from '../base/time.js';
import type { Arguments } from './arguments/arguments.js';
import { completeSite, resolveAuditFlags, type WrittenConfig } from './arguments/flags.js';
import { createProgressLine, print, printJson, styleOf } from './terminal.js';
import { formatAudit } from './words/audit.js';
import { formatAuditProgress } from './words/progress.js';

export async function runAudit(asked: Arguments, written: WrittenConfig): Promise<void> {
  const given = completeSite(asked, written);
  const { values } = given;
  const config = resolveAuditFlags(given, written);
  const progress = createProgressLine(values, formatAuditProgress);
  // The time counts from when the program began.
  const bounded = { ...config, maxTime: Math.max(1, config.maxTime - performance.now()) };
  const report = await auditSource(bounded, fixNow(process.env), progress.observe).finally(progress.clear);

  if (report.errors > 0 || (values.strict === true && report.warnings > 0)) process.exitCode = 1;
  if (values.json === true) printJson(report, 2);
  else if (values.quiet !== true || report.errors > 0) print(say`${formatAudit(report, styleOf(values))}\n`);
  // What was still under way when a bound was met, such as the search for an address, is not waited for.
  if (report.findings.some(({ code }) => code === 'bound-reached')) {
    process.stdout.write('', () => process.exit());
  }
}
