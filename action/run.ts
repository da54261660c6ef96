/** The entry point of the action: describes a site, compares it, notifies others, or pushes snapshots. */

import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatCount } from '../src/base/text/units.js';
import { countMissing } from '../src/cli/words/gone.js';
import type { DiffReport } from '../src/diff/report.js';
import type { NotifyReport } from '../src/tell/notify/options.js';
import { type PrintedReport, type Run, runCommandLine } from './command-line.js';
import { ActionError, makeArguments, readFlag, readInput } from './inputs.js';
import { annotate, print, reportDiff, reportNotifications, reportRun } from './report.js';
import {
  fetchMoreSnapshots,
  fetchSnapshots,
  findJournal,
  makePushError,
  readRuns,
  tryPush,
  writeRuns,
} from './snapshots.js';
import { warnOfNoPush } from './workflow.js';

/** Maximum number of attempts to push: other jobs may push at the same time, and one of them succeeds each time. */
const PUSH_ATTEMPTS = 10;

const COMMANDS: ReadonlyMap<string, () => void | Promise<void>> = new Map([
  ['describe', describeSite],
  ['diff', compareSite],
  ['notify', notifyOthers],
  ['push', pushSnapshots],
]);

function describeSite(): void {
  const run = { cwd: process.cwd(), args: makeArguments('describe') };
  if (readFlag('record')) recordRun(run);
  else reportRun(runCommandLine<PrintedReport>(run).report);
}

function recordRun(run: Run): void {
  const journal = findJournal();
  const before = readRuns(journal);
  const isFirst = before.length === 0;
  // Only the first run of a job fetches snapshots: later runs would overwrite snapshots that the job has recorded, and not pushed yet.
  if (isFirst) fetchSnapshots();
  writeRuns(journal, [...before, { ...run, signs: readInput('sign') !== '' }]);
  reportRun(runCommandLine<PrintedReport>(run).report);
  if (isFirst) warnOfNoPush();
}

/** Runs `diff`. The result goes into the outputs and the summary only, so the job needs no permission to write. */
function compareSite(): void {
  const run = { cwd: process.cwd(), args: makeArguments('diff') };
  fetchHistory();
  const { report, status } = runCommandLine<DiffReport>(run);
  reportDiff(report);
  if (status === 0) return;
  const missing = countMissing(report);
  annotate(
    'error',
    missing > 0
      ? `Nothing answers ${formatCount(missing, 'address', 'addresses')} that the site had: the summary lists them, with redirects to add.`
      : 'The site differs from its newest publication, and `--exit-code` makes this an error.',
  );
  process.exitCode = status;
}

function notifyOthers(): void {
  const run = { cwd: process.cwd(), args: makeArguments('notify') };
  const { report, status } = runCommandLine<NotifyReport>(run);
  reportNotifications(report);
  if (status === 0) return;
  annotate('error', 'Some could not be notified of the deploy. The log names them, with the reason.');
  process.exitCode = status;
}

/** Fetches snapshots for `diff`. Without the input `record`, the history may be elsewhere, so a failure is ignored. */
function fetchHistory(): void {
  if (!readFlag('record')) fetchMoreSnapshots();
  else if (readRuns(findJournal()).length === 0) fetchSnapshots();
}

async function pushSnapshots(): Promise<void> {
  const journal = findJournal();
  const runs = readRuns(journal);
  if (runs.length === 0) {
    throw new ActionError(
      'Nothing was recorded in this job.\nUse the action with `record: true` before this step.',
    );
  }
  // The key to sign with is checked now, although it is only needed if another job pushes first.
  if (runs.some(({ signs }) => signs) && readInput('sign') === '' && !process.env['RESYNC_SIGNING_KEY'])
    throw new ActionError(
      'What was recorded in this job is signed, and may have to be described again before it is pushed.\nGive this step the same input sign.',
    );
  for (let attempt = 1; ; attempt++) {
    const overtaken = tryPush();
    if (overtaken === undefined) break;
    if (attempt === PUSH_ATTEMPTS) throw makePushError(overtaken);
    print('Another publication was pushed meanwhile. This one is recorded again, on top of it.');
    await sleep(Math.random() * 1000 * attempt);
    fetchSnapshots();
    for (const run of runs) reportRun(runCommandLine<PrintedReport>(run).report);
    annotate('notice', 'Another publication came in between: the next deploy has both in its Change List.');
  }
  rmSync(journal);
  print('The publications are pushed.');
}

try {
  const name = readInput('command');
  const command = COMMANDS.get(name);
  if (command === undefined) {
    const names = [...COMMANDS.keys()].join(', ').replace(/, (?=\w+$)/, ' or ');
    throw new ActionError(`The input command wants ${names}; got ${JSON.stringify(name)}.`);
  }
  await command();
} catch (error) {
  if (!(error instanceof ActionError)) throw error;
  annotate('error', error.message);
  process.exitCode = 1;
}
