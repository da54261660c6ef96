/** What `action.yml` runs, out of the bundle: describes a site, compares it, tells others of it, or pushes what was recorded. */

import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DiffReport } from '../src/diff/report.js';
import type { NotifyReport } from '../src/tell/notify/options.js';
import { type PrintedReport, runCommandLine } from './command-line.js';
import { ActionError, makeArguments, readFlag, readInput } from './inputs.js';
import { print, tellDiff, tellNotified, tellReport, tellRunner } from './report.js';
import {
  fetchMoreSnapshots,
  fetchSnapshots,
  findJournal,
  makePushError,
  readRuns,
  tryPush,
  writeRuns,
} from './snapshots.js';

/** Other jobs may push at the same moment; each time, one of them succeeds. */
const PUSH_ATTEMPTS = 10;

const COMMANDS: ReadonlyMap<string, () => void | Promise<void>> = new Map([
  ['describe', describeSite],
  ['diff', compareSite],
  ['notify', notifyOthers],
  ['push', pushSnapshots],
]);

function describeSite(): void {
  const run = { cwd: process.cwd(), args: makeArguments('describe') };
  if (readFlag('record')) {
    const journal = findJournal();
    const before = readRuns(journal);
    // What an earlier step of this job recorded is not at the origin yet.
    if (before.length === 0) fetchSnapshots();
    writeRuns(journal, [...before, { ...run, signs: readInput('sign') !== '' }]);
  }
  tellReport(runCommandLine<PrintedReport>(run).report);
}

/** Writes nothing but the summary, and so needs no permission to. */
function compareSite(): void {
  const run = { cwd: process.cwd(), args: makeArguments('diff') };
  fetchKnown();
  const { report, status } = runCommandLine<DiffReport>(run);
  tellDiff(report);
  if (status === 0) return;
  tellRunner('error', 'The site differs from its newest publication, and `--exit-code` makes this an error.');
  process.exitCode = status;
}

/** After the deploy: the folder still says what was deployed. */
function notifyOthers(): void {
  const run = { cwd: process.cwd(), args: makeArguments('notify') };
  const { report, status } = runCommandLine<NotifyReport>(run);
  tellNotified(report);
  if (status === 0) return;
  tellRunner('error', 'Not all could be told of the deploy; the log says whom, and why.');
  process.exitCode = status;
}

/** What there may be to compare with. Without `record`, it may be kept elsewhere, and need not be fetched. */
function fetchKnown(): void {
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
  // Found out at once, and not on the day on which another job is faster.
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
    for (const run of runs) tellReport(runCommandLine<PrintedReport>(run).report);
    tellRunner('notice', 'Another publication came in between: the next deploy has both in its Change List.');
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
  tellRunner('error', error.message);
  process.exitCode = 1;
}
