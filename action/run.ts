/** What `action.yml` runs, out of the bundle: describes a site, or pushes what was recorded. */

import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommandLine } from './command-line.js';
import { ActionError, makeArguments, readFlag, readInput } from './inputs.js';
import { fetchSnapshots, findJournal, makePushError, readRuns, tryPush, writeRuns } from './snapshots.js';
import { print, tellReport, tellRunner } from './tell.js';

/** Other jobs may push at the same moment; each time, one of them succeeds. */
const PUSH_ATTEMPTS = 10;

const COMMANDS: ReadonlyMap<string, () => void | Promise<void>> = new Map([
  ['describe', describeSite],
  ['push', pushSnapshots],
]);

function describeSite(): void {
  const run = { cwd: process.cwd(), args: makeArguments() };
  if (readFlag('record')) {
    const journal = findJournal();
    const before = readRuns(journal);
    // What an earlier step of this job recorded is not at the origin yet.
    if (before.length === 0) fetchSnapshots();
    writeRuns(journal, [...before, run]);
  }
  tellReport(runCommandLine(run));
}

async function pushSnapshots(): Promise<void> {
  const journal = findJournal();
  const runs = readRuns(journal);
  if (runs.length === 0) {
    throw new ActionError(
      'Nothing was recorded in this job.\nUse the action with `record: true` before this step.',
    );
  }
  for (let attempt = 1; ; attempt++) {
    const overtaken = tryPush();
    if (overtaken === undefined) break;
    if (attempt === PUSH_ATTEMPTS) throw makePushError(overtaken);
    print('Another publication was pushed meanwhile. This one is recorded again, on top of it.');
    await sleep(Math.random() * 1000 * attempt);
    fetchSnapshots();
    for (const run of runs) tellReport(runCommandLine(run));
    tellRunner('notice', 'Another publication came in between: the next deploy has both in its Change List.');
  }
  rmSync(journal);
  print('The publications are pushed.');
}

try {
  const name = readInput('command');
  const command = COMMANDS.get(name);
  if (command === undefined) {
    const names = [...COMMANDS.keys()].join(' or ');
    throw new ActionError(`The input command wants ${names}; got ${JSON.stringify(name)}.`);
  }
  await command();
} catch (error) {
  if (!(error instanceof ActionError)) throw error;
  tellRunner('error', error.message);
  process.exitCode = 1;
}
