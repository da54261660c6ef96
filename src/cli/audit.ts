/** The command `audit`: checks a published Source and prints the findings. */

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
  // The limit of time includes the start of the program.
  const bounded = { ...config, maxTime: Math.max(1, config.maxTime - performance.now()) };
  const report = await auditSource(bounded, fixNow(process.env), progress.observe).finally(progress.clear);

  if (report.errors > 0 || (values.strict === true && report.warnings > 0)) process.exitCode = 1;
  if (values.json === true) printJson(report, 2);
  else if (values.quiet !== true || report.errors > 0) print(say`${formatAudit(report, styleOf(values))}\n`);
  // If a limit ended the audit, pending work such as a DNS lookup must not delay the exit.
  if (report.findings.some(({ code }) => code === 'bound-reached')) {
    process.stdout.write('', () => process.exit());
  }
}
