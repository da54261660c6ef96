/** The command `record`: records a deployed publication in git. */

import { makeConfigError } from '../base/options/mistakes.js';
import { say } from '../base/text/say.js';
import { findSavedOptions } from '../config/saved.js';
import { findDescribedUrl, recordSite } from '../describe/run/record.js';
import { type Arguments, CANNOT_RUN } from './arguments/arguments.js';
import { completeSite, settleRun, type WrittenConfig } from './arguments/flags.js';
import { createProgressLine, print, printJson, styleOf } from './terminal.js';
import { formatRecorded } from './words/describe.js';
import { formatProgress } from './words/progress.js';

export async function runRecord(asked: Arguments, written: WrittenConfig): Promise<void> {
  const given = completeSite(asked, written);
  // A wrong flag is reported before the site's documents are searched for its URL.
  if (given.mistakes.length > 0) throw makeConfigError(given.mistakes, CANNOT_RUN);
  const { values } = given;
  const { config } = settleRun(given, await completeUrl(given, written));
  const { observe, clear } = createProgressLine(values, formatProgress);
  const report = await recordSite(config, { live: values.live === true, observe }).finally(clear);
  if (values.json === true) printJson(report, 2);
  else if (values.quiet !== true) print(say`${formatRecorded(report, styleOf(values).colors)}\n`);
}

/** Completes a missing URL by that in the documents of the site, unless a build saved one. */
async function completeUrl({ site, values }: Arguments, written: WrittenConfig): Promise<WrittenConfig> {
  const folder = site ?? written.config.site;
  const isNamed = values.url !== undefined || written.config.url !== undefined;
  if (isNamed || typeof folder !== 'string') return written;
  const isSaved = written.file === undefined && findSavedOptions(folder)?.options.url !== undefined;
  if (isSaved) return written;
  return { ...written, config: { ...written.config, url: await findDescribedUrl(folder) } };
}
